// Share, copy and paste of positions and games, and moves that are typed.

import { announce, h, messageOf, problem } from "./dom.js";
import { readText } from "./game.js";
import { typedMove } from "./labels.js";
import { linkOf } from "./store.js";
import { lang, moveText, t } from "./words.js";

/**
 * All moves of a game with their numbers, as the labels of the board say.
 * @param {import("./game.js").Game} game
 */
function movesText({ state, game }) {
  const texts = (state?.history ?? []).map((move) => moveText(move, game));
  const pairs = Array.from({ length: Math.ceil(texts.length / 2) }, (_, at) => `${at + 1}. ${texts.slice(2 * at, 2 * at + 2).join(" ")}`);
  return pairs.join(" ");
}

/** What counts the moves in a FEN: those since the last that cannot be made undone, and the number of the pair. Positions have none, games do. */
const COUNTS = /( [wb] )0 1(?= |$)/;

/**
 * The FEN of a state of a game, with its counts.
 * @param {import("./game.js").Game} game
 * @param {Api.StateInfo} state
 */
function fenOf({ start }, { fen, start: begun, history }) {
  // What was pasted may have begun in the middle of a game.
  const [, quiet, pair] = / [wb](?: -)* (\d{1,5}) (\d{1,5})(?: |$)/.exec(start ?? "") ?? [null, 0, 1];
  const final = history.findLastIndex(({ captures, from }) => captures || from === null);
  const since = final < 0 ? Number(quiet) + history.length : history.length - 1 - final;
  const second = / b /.test(begun) ? 1 : 0;
  return fen.replace(COUNTS, (_, side) => `${side}${since} ${Math.max(1, Number(pair)) + Math.floor((history.length + second) / 2)}`);
}

/**
 * `game` gives the present game and `state` what is shown; `onLoad` takes what was pasted.
 * @param {() => import("./game.js").Game} game
 * @param {() => Api.StateInfo} state
 * @param {(read: Page.Pasted) => Promise<void>} onLoad
 */
export function transferPanel(game, state, onLoad) {
  const note = h("div", { class: "note" });
  const box = h("textarea", { id: "paste", rows: 3, spellcheck: "false", "aria-label": t("paste_label"), placeholder: t("paste_label") });
  /** @param {string} text */
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
    try {
      await onLoad(readText(box.value));
      box.value = "";
      note.replaceChildren(h("p", { class: "quiet" }, t("loaded")));
      announce(t("loaded"));
    } catch (error) {
      note.replaceChildren(problem(messageOf(error)));
    }
  };
  /** @param {string} id @param {string} word @param {() => string} text */
  const button = (id, word, text) => h("button", { id, onclick: () => copy(text()) }, t(word));
  return h(
    "details",
    { class: "panel", id: "transfer" },
    h("summary", {}, t("transfer")),
    h(
      "div",
      { class: "buttons" },
      button("copy-link", "copy_link", () => linkOf(game())),
      button("copy-moves", "copy_moves", () => movesText(game())),
      button("copy-fen", "copy_fen", () => fenOf(game(), state())),
      button("copy-record", "copy_record", () => game().record()),
    ),
    box,
    h("div", { class: "buttons" }, h("button", { id: "load", onclick: load }, t("load"))),
    note,
  );
}

/**
 * A place to type a move; `onMove` plays it.
 * @param {() => Api.StateInfo | null} state
 * @param {(move: Api.MoveInfo) => void} onMove
 */
export function typedPanel(state, onMove) {
  const note = h("div", { class: "note" });
  const box = h("input", { id: "typed", type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 40, "aria-label": t("typed_label"), placeholder: t("typed_short") });
  /** @param {SubmitEvent} event */
  const play = (event) => {
    event.preventDefault();
    note.replaceChildren();
    const now = state();
    if (!box.value.trim() || !now) return;
    const found = typedMove(box.value, now, lang());
    if (found.move) {
      box.value = "";
      onMove(found.move);
    } else {
      note.replaceChildren(problem(t(found.why, ...found.with)));
    }
  };
  return h("form", { class: "typed", onsubmit: play }, h("div", { class: "typed-row" }, box, h("button", { id: "play-typed" }, t("typed_play"))), note);
}
