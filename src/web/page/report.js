// What run screens share: the words and pictures that runs leave, what can be kept of them, and another run beside.

import { api } from "./api.js";
import { focusOn, h, messageOf, problem, select } from "./dom.js";
import { markdown, titled } from "./markdown.js";
import { lang, t } from "./words.js";

/** What a report is of: its pictures and files. @typedef {{ id: string, files: Api.FileInfo[] }} Reported */

/** @param {string} id */
const named = (id) => id.replaceAll("/", "-");
/** @param {string} name */
const isPicture = (name) => /\.(png|svg)$/.test(name);

/**
 * The title of a report, which is English as the report is; the name of the run, if it has none.
 * @param {"h1" | "strong"} tag
 * @param {string | null} title
 * @param {string} id
 */
export const titledElement = (tag, title, id) => h(tag, title ? { lang: "en" } : {}, title ?? id);

/**
 * A report, which is English on every page; the page says so where its own language is another one.
 * @param {string} text
 * @param {{ above?: number, run?: Reported | null }} [how]
 */
export function written(text, { above = 0, run = null } = {}) {
  /** @param {string} name @param {string} file */
  const inText = (name, file) => (run?.files.some((one) => one.name === file) ? image(run, file, name) : name);
  const note = lang() === "en" ? null : h("p", { class: "quiet" }, t("report_language"));
  const body = markdown(titled(text).rest, above, inText);
  body.lang = "en";
  return h("div", {}, note, body);
}

/**
 * A picture of a run's folder, which leads to itself in full size.
 * @param {Reported} run
 * @param {string} file
 * @param {string} alt
 */
function image({ id }, file, alt) {
  const address = api.runFile(id, file);
  return h("a", { class: "picture", href: address, target: "_blank", rel: "noopener" }, h("img", { src: address, loading: "lazy", alt }));
}

/**
 * The pictures of a run's folder that its text does not show itself.
 * @param {Reported & { markdown: string | null }} run
 */
export function pictures(run) {
  const shown = run.files.filter(({ name }) => name.endsWith(".png") && !run.markdown?.includes(`](${name})`));
  /** @param {Api.FileInfo} file */
  const picture = ({ name }) => h("figure", {}, image(run, name, t("picture_alt", name, run.id)), h("figcaption", { class: "quiet" }, name));
  return shown.length ? h("section", { class: "pictures" }, h("h2", {}, t("pictures")), shown.map(picture)) : null;
}

/** @param {number} bytes */
const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

/**
 * The files of a run's folder, to keep.
 * @param {Reported} run
 * @param {boolean} [hasCharts]
 */
export function downloads({ id, files }, hasCharts = true) {
  if (!files.length) return null;
  /** @param {Api.FileInfo} file */
  const link = ({ name, bytes }) => h("li", {}, h("a", { href: api.runFile(id, name), download: `${named(id)}-${name}` }, name), h("span", { class: "quiet" }, ` ${size(bytes)}`));
  const ordered = [...files.filter(({ name }) => !isPicture(name)), ...files.filter(({ name }) => isPicture(name))];
  return h("section", { class: "panel downloads", id: "downloads" }, h("h2", {}, t("downloads")), h("ul", {}, ordered.map(link)), hasCharts ? h("p", { class: "quiet" }, t("downloads_note")) : null);
}

/**
 * A list of the other runs of this kind and game; `onChoose` is given the one that is chosen, or nothing.
 * @param {{ kind: string, game: Api.GameName, id: string }} run
 * @param {(other: Api.Detail | null) => void} onChoose
 */
export function compareBox(run, onChoose) {
  const box = h("div", { class: "compare" });
  const note = h("div", {});
  const fill = async () => {
    const { runs } = await api.runs();
    const others = runs.filter(({ id, kind, game }) => kind === run.kind && game === run.game && id !== run.id);
    if (!others.length) return;
    /** @type {Page.Choice[]} */
    const choices = others.map(({ id }) => [id, id]);
    const list = select({ id: "compare" }, [["", t("compare_none")], ...choices], "");
    let wish = 0;
    list.addEventListener("change", async () => {
      const mine = ++wish;
      note.replaceChildren();
      try {
        const other = list.value ? await api.run(list.value) : null;
        if (mine === wish) onChoose(other);
      } catch (error) {
        note.replaceChildren(problem(messageOf(error)));
      }
    });
    box.replaceChildren(h("label", { class: "field" }, h("span", {}, t("compare")), list), note);
  };
  // Without the list there is just nothing to compare with.
  fill().catch(() => {});
  return box;
}

/** A table in a box that scrolls by itself: what is in it changes, the box and who is there stay. */
export class Table {
  /** @param {string} title */
  constructor(title) {
    this.scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title });
    this.element = h("section", { class: "panel" }, h("h2", {}, title), this.scroll);
  }

  /**
   * The first cell of each row names it.
   * @param {string[]} head
   * @param {(string | number)[][]} rows
   */
  set(head, rows) {
    /** @param {(string | number)[]} cells */
    const row = ([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell)));
    this.scroll.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows.map(row))));
  }
}

/**
 * Changes a part of the page; whoever was in it is led to what is there now.
 * @param {Element} part
 * @param {...Element | null | undefined | false | ""} children
 */
export function redraw(part, ...children) {
  const id = part.contains(document.activeElement) && (document.activeElement?.id || "none");
  part.replaceChildren(...children.filter((child) => child instanceof Element));
  if (!id) return;
  const next = part.querySelector(`#${CSS.escape(id)}`) ?? part.querySelector("button, a, [tabindex]");
  focusOn(next);
}
