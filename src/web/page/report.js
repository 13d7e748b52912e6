// What run screens share: the words and pictures that runs leave, what can be kept of them, and another run beside.

import { api } from "./api.js";
import { h, problem, select } from "./dom.js";
import { markdown, titled } from "./markdown.js";
import { lang, t } from "./words.js";

const named = (id) => id.replaceAll("/", "-");
const isPicture = (name) => /\.(png|svg)$/.test(name);

/** The title of a report, which is English as the report is; the name of the run, if it has none. */
export const titledElement = (tag, title, id) => h(tag, title ? { lang: "en" } : {}, title ?? id);

/** A report, which is English on every page; the page says so where its own language is another one. */
export function written(text, { above = 0, run = null } = {}) {
  const inText = (name, file) => (run?.files.some((one) => one.name === file) ? image(run, file, name) : name);
  const note = lang() === "en" ? null : h("p", { class: "quiet" }, t("report_language"));
  const body = markdown(titled(text)[1], above, inText);
  body.lang = "en";
  return h("div", {}, note, body);
}

/** A picture of a run's folder, which leads to itself in full size. */
function image({ id }, file, alt) {
  const address = api.runFile(id, file);
  return h("a", { class: "picture", href: address, target: "_blank", rel: "noopener" }, h("img", { src: address, loading: "lazy", alt }));
}

/** The pictures of a run's folder that its text does not show itself. */
export function pictures(run) {
  const shown = run.files.filter(({ name }) => name.endsWith(".png") && !run.markdown?.includes(`](${name})`));
  const picture = ({ name }) => h("figure", {}, image(run, name, t("picture_alt", name, run.id)), h("figcaption", { class: "quiet" }, name));
  return shown.length ? h("section", { class: "pictures" }, h("h2", {}, t("pictures")), shown.map(picture)) : null;
}

const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** The files of a run's folder, to keep. */
export function downloads({ id, files }, hasCharts = true) {
  if (!files.length) return null;
  const link = ({ name, bytes }) => h("li", {}, h("a", { href: api.runFile(id, name), download: `${named(id)}-${name}` }, name), h("span", { class: "quiet" }, ` ${size(bytes)}`));
  const ordered = [...files.filter(({ name }) => !isPicture(name)), ...files.filter(({ name }) => isPicture(name))];
  return h("section", { class: "panel downloads", id: "downloads" }, h("h2", {}, t("downloads")), h("ul", {}, ordered.map(link)), hasCharts ? h("p", { class: "quiet" }, t("downloads_note")) : null);
}

/** A list of the other runs of this kind and game; `onChoose` is given the one that is chosen, or nothing. */
export function compareBox(run, onChoose) {
  const box = h("div", { class: "compare" });
  const note = h("div", {});
  const fill = async () => {
    const { runs } = await api.runs();
    const others = runs.filter(({ id, kind, game }) => kind === run.kind && game === run.game && id !== run.id);
    if (!others.length) return;
    const list = select({ id: "compare" }, [["", t("compare_none")], ...others.map(({ id }) => [id, id])], "");
    let wish = 0;
    list.addEventListener("change", async () => {
      const mine = ++wish;
      note.replaceChildren();
      try {
        const other = list.value ? await api.run(list.value) : null;
        if (mine === wish) onChoose(other);
      } catch (error) {
        note.replaceChildren(problem(error.message));
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
  constructor(title) {
    this.scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title });
    this.element = h("section", { class: "panel" }, h("h2", {}, title), this.scroll);
  }

  /** The first cell of each row names it. */
  set(head, rows) {
    const row = ([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell)));
    this.scroll.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows.map(row))));
  }
}

/** Changes a part of the page; whoever was in it is led to what is there now. */
export function redraw(part, ...children) {
  const id = part.contains(document.activeElement) && (document.activeElement.id || "none");
  part.replaceChildren(...children.filter(Boolean));
  if (!id) return;
  const next = part.querySelector(`#${CSS.escape(id)}`) ?? part.querySelector("button, a, [tabindex]");
  next?.focus({ preventScroll: true });
}
