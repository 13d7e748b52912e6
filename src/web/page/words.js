// Which language, and the words for a key. `{}` in a text is replaced by what is given.

import { h, memory } from "./dom.js";
import { labels, writtenMove } from "./labels.js";
import { english } from "./words-en.js";
import { japanese } from "./words-ja.js";

/** @type {Record<Page.Language, Record<string, string>>} */
const LANGUAGES = { en: english, ja: japanese };

/** @type {(wish: string | null) => wish is Page.Language} */
const isLanguage = (wish) => wish !== null && Object.hasOwn(LANGUAGES, wish);

function first() {
  const asked = new URLSearchParams(location.search).get("lang");
  const wishes = [asked, memory.get("lang"), navigator.language?.slice(0, 2)];
  return wishes.find(isLanguage) ?? "en";
}

let language = first();

export const lang = () => language;

/** @param {Page.Language} wish */
export function setLanguage(wish) {
  language = wish;
  memory.set("lang", language);
  // The address stays true to what is shown.
  const address = new URL(location.href);
  if (address.searchParams.has("lang")) {
    address.searchParams.set("lang", language);
    history.replaceState(null, "", address);
  }
}

/** A finger points where nothing finer does, or where one has touched the page last. */
const coarse = matchMedia("(hover: none), (pointer: coarse)");
let touched = false;
addEventListener("pointerdown", ({ pointerType }) => { touched = pointerType === "touch"; }, true);

/**
 * The text of a key in the present language: words for one where the first given is a one, and words for fingers where they point, if there are such.
 * @param {string} key
 * @param {...unknown} given
 * @returns {string}
 */
export function t(key, ...given) {
  const words = LANGUAGES[language];
  /** @param {string} name @param {string} ending @param {boolean} fits */
  const or = (name, ending, fits) => (fits && Object.hasOwn(words, name + ending) ? name + ending : name);
  const chosen = or(or(key, "_one", Number(given[0]) === 1), "_touch", touched || coarse.matches);
  return given.reduce((/** @type {string} */ so_far, value) => so_far.replace("{}", () => String(value)), words[chosen] ?? key);
}

/**
 * The same where a game may have a word of its own: `kyoto_check` before `check`.
 * @param {Api.GameName} game
 * @param {string} key
 * @param {...unknown} given
 */
export function tg(game, key, ...given) {
  const own = `${game}_${key}`;
  return t(Object.hasOwn(english, own) ? own : key, ...given);
}

/**
 * Whether there are words for this key.
 * @param {string} key
 */
export const has = (key) => Object.hasOwn(english, key);

/**
 * The same word may stand for different pieces in different games.
 * @param {string} kind
 * @param {Api.GameName} game
 */
export const pieceName = (kind, game) => tg(game, `piece_${kind}`);
/** @param {string} side */
export const sideName = (side) => t(`side_${side}`);
/**
 * How a piece with a kanji is read, short enough to stand on it.
 * @param {string} kind
 */
export const reading = (kind) => t(`reading_${kind}`);
/**
 * A piece in hand that can be dropped with either face up is named by both.
 * @param {string} kind
 * @param {string | null | undefined} back
 * @param {Api.GameName} game
 */
export const heldName = (kind, back, game) => (back ? t("two_faces", pieceName(kind, game), pieceName(back, game)) : pieceName(kind, game));

/**
 * The name of a square as the board of the game has it.
 * @param {number} index
 * @param {Pick<Api.StateInfo, "game" | "columns">} state
 */
export const squareName = (index, { game, columns }) => labels(game, language).square(index % columns, Math.floor(index / columns), language);

/**
 * A move as the labels of the board say.
 * @param {Api.MoveInfo} move
 * @param {Api.GameName} game
 */
export const moveText = (move, game) => writtenMove(move, game, language);

/**
 * What a move captures: how many, where that may be more than one.
 * @param {Api.MoveInfo} move
 * @param {Api.GameName} game
 */
export const captureWords = (move, game) => tg(game, "move_captures", move.taken?.length ?? pieceName(move.captures ?? "", game));

/**
 * What a move does beside going there.
 * @param {Api.MoveInfo} move
 * @param {Api.GameName} game
 */
function effects(move, game) {
  const more = [];
  if (move.captures) more.push(captureWords(move, game));
  if (move.becomes) more.push(tg(game, "move_becomes", pieceName(move.becomes, game)));
  return more;
}

/**
 * A wall between squares in words.
 * @param {Api.WallView} wall
 * @param {Api.StateInfo} state
 */
export function wallWords({ corner, upright }, state) {
  const [column, row] = squareName(corner, state);
  const [nextColumn, nextRow] = squareName(corner - state.columns + 1, state);
  return upright ? t("wall_upright", row, nextRow, column, nextColumn) : t("wall_across", column, nextColumn, row, nextRow);
}

/**
 * A move of a state in words.
 * @param {Api.MoveInfo} move
 * @param {Api.StateInfo} state
 */
export function moveWords(move, state) {
  if (move.wall) return wallWords(move.wall, state);
  const piece = pieceName(move.piece, state.game);
  const to = squareName(move.to, state);
  const what = move.from === null ? t("move_drop", piece, to) : t("move_step", piece, squareName(move.from, state), to);
  return [what, ...effects(move, state.game)].join(t("comma"));
}

/**
 * A move as lists show it: in words, or where a notation is usual, by that and what else there is to say.
 * @param {Api.MoveInfo} move
 * @param {Api.StateInfo} state
 * @returns {Page.Child[]}
 */
export function moveLine(move, state) {
  if (!has(`${state.game}_line_step`)) return [moveWords(move, state)];
  const to = squareName(move.to, state);
  const does = move.from !== null ? "line_step" : move.wall?.upright ? "line_upright" : "line_drop";
  const what = tg(state.game, does, pieceName(move.piece, state.game), to);
  return [
    h("b", { class: "notation", title: [move.text, ...move.others].join(t("comma")) }, moveText(move, state.game)),
    h("span", { class: "does" }, [what, ...effects(move, state.game)].filter(Boolean).join(t("comma"))),
  ];
}

/**
 * By what a game ended, as a sentence.
 * @param {Api.StateInfo} state
 */
export function endWords({ game, verdict }) {
  const { winner, by } = /** @type {Api.VerdictInfo} */ (verdict);
  // Where a repetition wins, it was brought about by checks.
  if (by === "repetition" && winner !== "draw") return t("by_perpetual");
  return tg(game, `by_${by.replaceAll(" ", "_")}`);
}
