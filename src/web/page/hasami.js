// The pieces of Hasami Shogi, drawn by us: tiles of shogi, and little boards on which pieces are taken.

import { s, tally } from "./dom.js";
import { otherSide } from "./games.js";
import { kanji, tile } from "./shogi.js";
import { t } from "./words.js";

/** As it is usual, one side has pawns and the other their backs: colours alone do not tell them apart for everybody. */
const SIGN = { first: "歩", second: "と" };

/** @typedef {{ taken: number, crown?: boolean }} Scene */

/**
 * How many pieces of the other side lie before it, and whether it wears a crown: who has taken more is stronger.
 * @type {Record<string, Scene>}
 */
const SCENES = { piece: { taken: 0 }, one: { taken: 1 }, two: { taken: 2 }, three: { taken: 3 }, crown: { taken: 0, crown: true } };

/**
 * Little boards: `o` a piece of the side, `O` the one that has just moved, `x` one of the other side, `X` one that is taken.
 * @type {Record<string, string[]>}
 */
const BOARDS = {
  between: ["...", "oXO", "..."],
  row: ["....", "oXXO", "....", "...."],
  corner: ["XXo", "Xo.", "O.."],
  safe: ["...", "xOx", "..."],
};

/** @param {Api.Side} side */
const stone = (side) => [tile(side), kanji(SIGN[side], 72, 62)];

/**
 * A piece at a place of the drawing, seen by the one who sits below.
 * @param {Api.Side} side
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {boolean} [turned]
 * @param {Page.Child} [mark]
 */
const small = (side, x, y, size, turned, mark = []) =>
  s("g", { transform: `translate(${x} ${y}) scale(${size / 100})` }, s("g", { transform: turned ? "rotate(180 50 50)" : null }, stone(side)), mark);

const crown = () => s("path", { class: "crown", d: "M30 20 26-4l13 9 11-14 11 14 13-9-4 24q-20-6-40 0z" });
const cross = () => s("path", { class: "cross", d: "M18 18 82 82M82 18 18 82" });

/** @param {Scene} scene @param {Api.Side} side */
function scene({ taken, crown: crowned }, side) {
  /** @param {unknown} _ @param {number} at */
  const lying = (_, at) => small(otherSide(side), 50 - 17 * taken + 34 * at, 66, 34);
  return [
    s("g", { transform: crowned ? "translate(9 17) scale(.82)" : taken ? "translate(15 0) scale(.7)" : null }, stone(side), crowned ? crown() : []),
    Array.from({ length: taken }, lying),
  ];
}

/** @param {string[]} rows @param {Api.Side} side */
function board(rows, side) {
  const size = 100 / rows.length;
  /** @param {string} sign @param {number} x @param {number} y */
  const square = (sign, x, y) => [
    s("rect", { class: sign === "O" ? "cell moved" : "cell", x: size * x + 0.8, y: size * y + 0.8, width: size - 1.6, height: size - 1.6, rx: 3 }),
    /o/i.test(sign) ? small(side, size * (x + 0.05), size * (y + 0.05), size * 0.9) : [],
    /x/i.test(sign) ? small(otherSide(side), size * (x + 0.05), size * (y + 0.05), size * 0.9, true, sign === "X" ? cross() : []) : [],
  ];
  return rows.map((row, y) => [...row].map((sign, x) => square(sign, x, y)));
}

/**
 * A piece of a side; the scenes are for menus, the boards for the rules.
 * @param {string} kind
 * @param {Api.Side} side
 */
export const pincherArt = (kind, side) =>
  s("svg", { viewBox: "0 0 100 100", class: `art shogi ${side}`, "aria-hidden": "true" }, BOARDS[kind] ? board(BOARDS[kind], side) : scene(SCENES[kind], side));

/**
 * How many pieces of a side are taken, beside how many it takes to win.
 * @param {number} count
 * @param {number} enough
 * @param {Api.Side} side
 */
export function takenPieces(count, enough, side) {
  const places = Math.max(count, enough);
  /** @param {unknown} _ @param {number} at */
  const place = (_, at) => (at < count ? small(side, 30 * at + 1, 1, 28) : s("rect", { class: "spent", x: 30 * at + 4, y: 4, width: 22, height: 22, rx: 5 }));
  return tally(count, t("taken_count", count), s("svg", { viewBox: `0 0 ${30 * places} 30`, class: "shogi", width: 26 * places, "aria-hidden": "true" }, Array.from({ length: places }, place)));
}
