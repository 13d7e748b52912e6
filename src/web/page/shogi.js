// Shogi pieces of two faces: how they look, how each face moves, what is on its back.

import { s } from "./dom.js";
import { BACK } from "./games.js";
import { reading } from "./words.js";

/** @type {Record<string, string>} */
const KANJI = { pawn: "歩", rook: "飛", silver: "銀", bishop: "角", gold: "金", knight: "桂", tokin: "と", lance: "香", king: "玉" };

const STRAIGHT = [[0, -1], [-1, 0], [1, 0], [0, 1]];
const ASLANT = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
const GOLD = [[-1, -1], [1, -1], ...STRAIGHT];

/**
 * Where each face can go, seen by its owner: [right, down].
 * @type {Record<string, number[][]>}
 */
const STEPS = { pawn: [[0, -1]], silver: [[0, -1], ...ASLANT], gold: GOLD, tokin: GOLD, knight: [[-1, -2], [1, -2]], king: [...STRAIGHT, ...ASLANT] };
/**
 * The ways in which it goes as far as it likes.
 * @type {Record<string, number[][]>}
 */
const SLIDES = { rook: STRAIGHT, bishop: ASLANT, lance: [[0, -1]] };

/** @param {string} content @param {number} x @param {number} y @param {number} size @param {Page.Props} [more] */
const text = (content, x, y, size, more) => s("text", { x, y, "font-size": size, "text-anchor": "middle", ...more }, content);

/**
 * The wood of a piece of a side.
 * @param {Api.Side} side
 */
export const tile = (side) => s(
  "g",
  { class: side },
  s("path", { class: "tile-edge", d: "M50 4 79 19 94 97.5H6L21 19z", "stroke-linejoin": "round" }),
  s("path", { class: "tile", d: "M50 3 78 18 92 94H8L22 18z", "stroke-linejoin": "round" }),
);

/**
 * What is written on it.
 * @param {string} sign
 * @param {number} y
 * @param {number} size
 */
export const kanji = (sign, y, size) => text(sign, 50, y, size, { class: "kanji" });

/**
 * A piece of a side: the kanji large, its reading at the foot, and in the corner what is on its back.
 * @param {string} kind
 * @param {Api.Side} side
 */
export function shogiArt(kind, side) {
  const back = BACK[kind];
  const corner = back && s("g", { class: "back" }, s("circle", { cx: 84, cy: 17, r: 14.5 }), text(KANJI[back], 84, 24, 19));
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: `art shogi ${side} ${kind}`, "aria-hidden": "true" },
    tile(side),
    kanji(KANJI[kind], 65, 50),
    text(reading(kind), 50, 87, 17, { class: "reading" }),
    corner ?? [],
  );
}

/**
 * Where a face goes, on five squares by five with the piece in the middle: dots for steps, arrows as far as it likes.
 * @param {string} kind
 */
export function reachArt(kind) {
  /** @param {unknown} _ @param {number} at */
  const square = (_, at) => s("rect", { class: "cell", x: 20 * (at % 5) + 0.8, y: 20 * Math.floor(at / 5) + 0.8, width: 18.4, height: 18.4, rx: 3 });
  /** @param {number[]} by */
  const dot = ([x, y]) => s("circle", { class: "step", cx: 50 + 20 * x, cy: 50 + 20 * y, r: 5.6 });
  /** @param {number[]} by */
  const arrow = ([x, y]) => s("g", { transform: `translate(50 50) rotate(${(Math.atan2(x, -y) * 180) / Math.PI}) scale(${Math.hypot(x, y)})` },
    s("path", { class: "slide", d: "M0-11V-42M-5-37 0-44 5-37" }));
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: "reach", "aria-hidden": "true" },
    Array.from({ length: 25 }, square),
    (SLIDES[kind] ?? []).map(arrow),
    (STEPS[kind] ?? []).map(dot),
    s("path", { class: "self", d: "M50 42 56.5 45.5 59 58H41L43.5 45.5z" }),
  );
}
