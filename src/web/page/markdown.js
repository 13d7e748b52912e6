// Shows the summaries that runs leave: headings, paragraphs, lists, tables, and marks within a line. Nothing in them becomes HTML.

import { h } from "./dom.js";

export function markdown(text, above = 1) {
  const parts = [];
  const lines = text.split("\n");
  let at = 0;
  const isTable = (line) => line?.trim().startsWith("|");
  const isItem = (line) => /^\s*[-*] /.test(line ?? "");
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,4}) (.*)/.exec(line);
    if (!line.trim()) at += 1;
    else if (heading) {
      parts.push(h(`h${Math.min(6, heading[1].length + above)}`, {}, inline(heading[2])));
      at += 1;
    } else if (isTable(line)) {
      const from = at;
      while (isTable(lines[at])) at += 1;
      parts.push(table(lines.slice(from, at)));
    } else if (isItem(line)) {
      const items = [];
      while (isItem(lines[at])) items.push(h("li", {}, inline(lines[at++].replace(/^\s*[-*] /, ""))));
      parts.push(h("ul", {}, items));
    } else {
      const from = at;
      while (lines[at]?.trim() && !isTable(lines[at]) && !/^#{1,4} /.test(lines[at])) at += 1;
      parts.push(h("p", {}, inline(lines.slice(from, at).join(" "))));
    }
  }
  return h("div", { class: "text" }, parts);
}

function table(lines) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const row = (tag) => (line) => h("tr", {}, cells(line).map((cell) => h(tag, {}, inline(cell))));
  const [head, , ...body] = lines;
  return h("div", { class: "scroll", tabindex: 0, role: "region" }, h("table", {}, h("thead", {}, row("th")(head)), h("tbody", {}, body.map(row("td")))));
}

const MARKS = /(\*\*[^*]+\*\*|~~[^~]+~~|`[^`]+`|\*[^*\s][^*]*\*|\[[^\]]*\]\([^)]*\))/;

function inline(text) {
  return text.split(MARKS).map((part, at) => {
    if (at % 2 === 0) return part.replaceAll("\\", "");
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("~~")) return h("s", {}, part.slice(2, -2));
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("*")) return h("em", {}, part.slice(1, -1));
    const [, name, address] = /\[([^\]]*)\]\(([^)]*)\)/.exec(part);
    // Links of the overview name folders of runs; others lead nowhere from here.
    return /^[\w-]+$/.test(address) ? h("a", { href: `#/runs/${address}` }, name) : name;
  });
}
