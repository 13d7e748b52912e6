// Shows the summaries that runs leave: headings, paragraphs, lists, tables, pictures, and marks within a line. Nothing in them becomes HTML.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {(name: string, file: string) => Page.Child} Picture */

/**
 * The first heading of a text, and the rest.
 * @param {string} text
 */
export function titled(text) {
  const [, title, rest] = /^# (.*)\n?([^]*)$/.exec(text) ?? [null, null, text];
  return { title, rest };
}

/**
 * `above` are the levels of headings that stand above; the first belongs to the screen. `picture` makes one of its name and file.
 * @param {string} text
 * @param {number} [above]
 * @param {Picture} [picture]
 */
export function markdown(text, above = 0, picture = (name) => name) {
  /** @param {keyof HTMLElementTagNameMap} tag @param {string} line */
  const element = (tag, line) => h(tag, {}, marked(line, picture));
  const parts = [];
  const lines = text.split("\n");
  let at = 0;
  /** @param {string | undefined} line */
  const isTable = (line) => line?.trim().startsWith("|");
  /** @param {string | undefined} line */
  const isItem = (line) => /^\s*[-*] /.test(line ?? "");
  /** @param {string | undefined} line */
  const isHeading = (line) => /^#{1,4} /.test(line ?? "");
  // What goes on with a paragraph or an item.
  /** @param {string | undefined} line */
  const goesOn = (line) => line?.trim() && !isTable(line) && !isItem(line) && !isHeading(line);
  /** @param {string} first */
  const lineOn = (first) => {
    const words = [first];
    for (at += 1; goesOn(lines[at]); at += 1) words.push(lines[at].trim());
    return words.join(" ");
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,4}) (.*)/.exec(line);
    if (!line.trim()) at += 1;
    else if (heading) {
      const level = /** @type {"h2"} */ (`h${Math.max(2, Math.min(6, heading[1].length + above))}`);
      parts.push(element(level, heading[2]));
      at += 1;
    } else if (isTable(line)) {
      const from = at;
      while (isTable(lines[at])) at += 1;
      parts.push(table(lines.slice(from, at), element));
    } else if (isItem(line)) {
      const items = [];
      while (isItem(lines[at])) items.push(element("li", lineOn(lines[at].replace(/^\s*[-*] /, ""))));
      parts.push(h("ul", {}, items));
    } else parts.push(element("p", lineOn(line)));
  }
  return h("div", { class: "text" }, parts);
}

/** @param {string[]} lines @param {(tag: keyof HTMLElementTagNameMap, line: string) => HTMLElement} element */
function table(lines, element) {
  /** @param {string} line */
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  /** @type {(tag: "th" | "td") => (line: string) => HTMLElement} */
  const row = (tag) => (line) => h("tr", {}, cells(line).map((cell) => element(cell ? tag : "td", cell)));
  const [head, , ...body] = lines;
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("a_table") }, h("table", {}, h("thead", {}, row("th")(head)), h("tbody", {}, body.map(row("td")))));
}

const MARKS = /(\*\*[^*]+\*\*|~~[^~]+~~|`[^`]+`|\*[^*\s][^*]*\*|!?\[[^\]]*\]\([^)]*\))/;

/** @param {string} text @param {Picture} picture @returns {Page.Child[]} */
function marked(text, picture) {
  return text.split(MARKS).map((part, at) => {
    // A backslash before a mark says that it is none; any other is meant.
    if (at % 2 === 0) return part.replace(/\\([!-/:-@[-`{-~])/g, "$1");
    if (part.startsWith("**")) return h("strong", {}, marked(part.slice(2, -2), picture));
    if (part.startsWith("~~")) return h("s", {}, part.slice(2, -2));
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("*")) return h("em", {}, part.slice(1, -1));
    const [, name, address] = /** @type {RegExpExecArray} */ (/\[([^\]]*)\]\(([^)]*)\)/.exec(part));
    if (part.startsWith("!")) return picture(name, address);
    // Links of the overview name folders of runs; others lead nowhere from here.
    return /^[\w-]+$/.test(address) ? h("a", { href: `#/runs/${address}` }, name) : name;
  });
}
