// Copy and paste of positions and games.

import { announce, h, problem } from "./dom.js";
import { readText } from "./game.js";
import { t } from "./words.js";

/** `game` gives the present game and `state` what is shown; `onLoad` takes what was pasted. */
export function transferPanel(game, state, onLoad) {
  const note = h("div", { class: "note" });
  const box = h("textarea", { id: "paste", rows: 3, spellcheck: "false", "aria-label": t("paste_label"), placeholder: t("paste_label") });
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      note.replaceChildren(h("p", { class: "quiet" }, t("copied")));
      announce(t("copied"));
    } catch {
      // Where the clipboard is closed to pages, the text can be taken by hand.
      box.value = text;
      box.select();
      note.replaceChildren(h("p", { class: "quiet" }, t("copy_by_hand")));
    }
  };
  const load = async () => {
    note.replaceChildren();
    if (!box.value.trim()) return note.replaceChildren(problem(t("paste_empty")));
    let read;
    try {
      read = readText(box.value);
    } catch {
      return note.replaceChildren(problem(t("paste_empty")));
    }
    try {
      await onLoad(read);
      box.value = "";
      note.replaceChildren(h("p", { class: "quiet" }, t("loaded")));
      announce(t("loaded"));
    } catch (error) {
      note.replaceChildren(problem(error.message));
    }
  };
  return h(
    "details",
    { class: "panel", id: "transfer" },
    h("summary", {}, t("transfer")),
    h(
      "div",
      { class: "buttons" },
      h("button", { id: "copy-fen", onclick: () => copy(state().fen) }, t("copy_fen")),
      h("button", { id: "copy-record", onclick: () => copy(game().record()) }, t("copy_record")),
    ),
    box,
    h("div", { class: "buttons" }, h("button", { id: "load", onclick: load }, t("load"))),
    note,
  );
}
