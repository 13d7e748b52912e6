// The pieces of Quoridor, drawn by us: pawns in the colour of their side, and walls of bricks.

import { s, tally } from "./dom.js";
import { t } from "./words.js";

const DARK = "#3b2a20";

/**
 * What stands before the pawn, in rows of bricks, and whether it wears a crown: who looks harder to pass is.
 * @type {Record<string, { bricks: number, crown?: boolean, alone?: boolean }>}
 */
const SCENES = { pawn: { bricks: 0 }, low: { bricks: 1 }, middle: { bricks: 2 }, high: { bricks: 3 }, crown: { bricks: 0, crown: true }, wall: { bricks: 5, alone: true } };

const face = () => [
  [42.5, 57.5].map((x) => [s("circle", { cx: x, cy: 34, r: 3.7, fill: DARK }), s("circle", { cx: x + 1.2, cy: 32.8, r: 1.3, fill: "#fff" })]),
  [35.5, 64.5].map((x) => s("ellipse", { cx: x, cy: 41, rx: 4.2, ry: 2.9, fill: "#ff8f8f", opacity: 0.8 })),
  s("path", { d: "M45.5 41.5q4.5 4.5 9 0", fill: "none", stroke: DARK, "stroke-width": 2.2, "stroke-linecap": "round" }),
];

const pawn = () => [
  s("ellipse", { cx: 50, cy: 90, rx: 31, ry: 6, fill: "#000", opacity: 0.22 }),
  s("path", { class: "body", d: "M50 50c10 0 13 6 15 15 2 8 7 11 11 14 3 3 4 6 3 9-1 4-12 5-29 5s-28-1-29-5c-1-3 0-6 3-9 4-3 9-6 11-14 2-9 5-15 15-15z" }),
  s("ellipse", { class: "shine", cx: 39, cy: 71, rx: 3.4, ry: 9.5, transform: "rotate(18 39 71)" }),
  s("circle", { class: "body", cx: 50, cy: 34, r: 25 }),
  s("ellipse", { class: "shine", cx: 40, cy: 20, rx: 8, ry: 4.4, transform: "rotate(-32 40 20)" }),
];

const crown = () => s("path", { d: "M32 16 29-3l11 8 10-12 10 12 11-8-3 19q-18-5-36 0z", fill: "#ffd34d", stroke: "#c98f12", "stroke-width": 2.4, "stroke-linejoin": "round" });

/**
 * Rows of bricks from the ground up, every other one begun with half a brick.
 * @param {number} rows
 */
function bricks(rows) {
  /** @param {number} row @param {number} x @param {number} width */
  const brick = (row, x, width) => s("rect", { class: "brick", x, y: 80 - 14.5 * row, width, height: 13, rx: 3 });
  /** @param {unknown} _ @param {number} at */
  const row = (_, at) => (at % 2 ? [[8, 19], [29, 42], [73, 19]] : [[8, 41], [51, 41]]).map(([x, width]) => brick(at, x, width));
  return Array.from({ length: rows }, row);
}

/**
 * A piece of a side; the scenes are for menus.
 * @param {string} kind
 * @param {Api.Side} side
 */
export function racerArt(kind, side) {
  const scene = SCENES[kind];
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: `art racer ${side} ${kind}`, "aria-hidden": "true" },
    s("g", { transform: scene.crown ? "translate(8 14) scale(.84)" : null }, scene.alone ? [] : [pawn(), face()], scene.crown ? crown() : []),
    bricks(scene.bricks),
  );
}

/**
 * The walls that a side has left: a number, and as many little walls.
 * @param {number} count
 * @param {number} all
 */
export function wallsLeft(count, all) {
  /** @param {unknown} _ @param {number} at */
  const bar = (_, at) => s("rect", { class: at < count ? "left" : "spent", x: 10 * at + 2, y: 1, width: 6, height: 28, rx: 2 });
  return tally(count, t("walls_left", count), s("svg", { viewBox: `0 0 ${10 * all} 30`, width: 11 * all, "aria-hidden": "true" }, Array.from({ length: all }, bar)));
}
