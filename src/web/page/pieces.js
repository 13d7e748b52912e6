// The animals, drawn by us. Each stands on a tile whose red dots show where it can step.

import { s } from "./dom.js";
import { pincherArt } from "./hasami.js";
import { racerArt } from "./quoridor.js";
import { shogiArt } from "./shogi.js";

/**
 * Where each animal can step, seen by its owner: [right, down].
 * @type {Record<string, number[][]>}
 */
const STEPS = {
  chick: [[0, -1]],
  giraffe: [[0, -1], [0, 1], [-1, 0], [1, 0]],
  elephant: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  lion: [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]],
  hen: [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [0, 1]],
};

/**
 * @param {number | string} cx
 * @param {number | string} cy
 * @param {number} r
 * @param {string} fill
 * @param {Page.Props} [more]
 */
const circle = (cx, cy, r, fill, more) => s("circle", { cx, cy, r, fill, ...more });
/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} rx
 * @param {number} ry
 * @param {string} fill
 * @param {Page.Props} [more]
 */
const oval = (cx, cy, rx, ry, fill, more) => s("ellipse", { cx, cy, rx, ry, fill, ...more });
/** @param {string} d @param {string} fill @param {Page.Props} [more] */
const path = (d, fill, more) => s("path", { d, fill, "stroke-linejoin": "round", "stroke-linecap": "round", ...more });
/** @param {string} d @param {string} stroke @param {number} width */
const line = (d, stroke, width) => path(d, "none", { stroke, "stroke-width": width });

const DARK = "#3b2a20";

/** @param {number} left @param {number} right @param {number} y @param {number} [size] */
function eyes(left, right, y, size = 3.8) {
  return [left, right].map((x) => [circle(x, y, size, DARK), circle(x + 1.2, y - 1.3, size / 3, "#fff")]);
}

/** @param {number} left @param {number} right @param {number} y */
function cheeks(left, right, y) {
  return [left, right].map((x) => oval(x, y, 4.6, 3.2, "#ff8f8f", { opacity: 0.65 }));
}

/** @type {Record<string, () => Page.Child[]>} */
const DRAW = {
  chick: () => [
    line("M49 29q-7-6-3-13M50 29q2-9 8-10", "#e5a800", 3.2),
    oval(23, 60, 6, 10, "#f7c325", { transform: "rotate(24 23 60)" }),
    oval(77, 60, 6, 10, "#f7c325", { transform: "rotate(-24 77 60)" }),
    line("M42 80v5m-4 1h8M58 80v5m-4 1h8", "#ef8a1d", 3),
    circle(50, 54, 27, "#ffdd55", { stroke: "#e0ac14", "stroke-width": 1.6 }),
    oval(50, 68, 15, 11, "#fff0a8"),
    eyes(40, 60, 49, 4),
    cheeks(33, 67, 57),
    path("M43.5 56h13L50 65z", "#f5871f", { stroke: "#d66f0e", "stroke-width": 1.4 }),
  ],
  hen: () => [
    path("M38 31c-5-8 0-15 6-11 1-9 11-9 12 0 6-4 11 3 6 11z", "#e5483f", { stroke: "#bb2f2a", "stroke-width": 1.4 }),
    path("M22 52q-9 12 3 22l8-8z", "#f1e6d2", { stroke: "#c9b48f", "stroke-width": 1.4 }),
    path("M78 52q9 12-3 22l-8-8z", "#f1e6d2", { stroke: "#c9b48f", "stroke-width": 1.4 }),
    line("M42 80v5m-4 1h8M58 80v5m-4 1h8", "#ef8a1d", 3),
    circle(50, 54, 27, "#fffdf6", { stroke: "#cbb894", "stroke-width": 1.6 }),
    oval(46.5, 69, 4.4, 6.5, "#e5483f"),
    oval(53.5, 69, 4.4, 6.5, "#e5483f"),
    eyes(40, 60, 49, 4),
    cheeks(33, 67, 57),
    path("M43 56h14l-7 9z", "#f5a31f", { stroke: "#d1830e", "stroke-width": 1.4 }),
  ],
  giraffe: () => [
    line("M43 32l-3-14M57 32l3-14", "#b8793a", 4),
    circle(40, 17, 4.6, "#8a5526"),
    circle(60, 17, 4.6, "#8a5526"),
    oval(27, 38, 10, 5.4, "#f6c453", { transform: "rotate(24 27 38)", stroke: "#d39a2c", "stroke-width": 1.4 }),
    oval(73, 38, 10, 5.4, "#f6c453", { transform: "rotate(-24 73 38)", stroke: "#d39a2c", "stroke-width": 1.4 }),
    path("M30 46c0-13 8-19 20-19s20 6 20 19c0 6-2 12-2 18 0 11-7 19-18 19s-18-8-18-19c0-6-2-12-2-18z", "#ffd76a", { stroke: "#d9a02e", "stroke-width": 1.6 }),
    path("M45 30h10l-2 7h-6zM31 43l7-2 1 6-7 2zM69 43l-7-2-1 6 7 2z", "#c9803a"),
    oval(50, 69, 18, 14, "#fff0d2", { stroke: "#e0bd83", "stroke-width": 1.4 }),
    eyes(40.5, 59.5, 51, 4),
    oval(44, 65, 2, 2.6, "#8a5526"),
    oval(56, 65, 2, 2.6, "#8a5526"),
    line("M43 74q7 5 14 0", "#8a5526", 2.2),
    cheeks(34, 66, 60),
  ],
  elephant: () => [
    circle(24, 47, 18, "#93b0d2", { stroke: "#6d8eb5", "stroke-width": 1.6 }),
    circle(76, 47, 18, "#93b0d2", { stroke: "#6d8eb5", "stroke-width": 1.6 }),
    circle(23, 48, 10.5, "#f6c3cf"),
    circle(77, 48, 10.5, "#f6c3cf"),
    path("M24 48c0-17 11-26 26-26s26 9 26 26c0 13-9 23-26 23s-26-10-26-23z", "#adc6e2", { stroke: "#7d9bc0", "stroke-width": 1.6 }),
    path("M38 63l-4 9q5 2 8-5zM62 63l4 9q-5 2-8-5z", "#fffdf2", { stroke: "#b9b59d", "stroke-width": 1.2 }),
    line("M50 54v17q0 12 11 11", "#7d9bc0", 15),
    line("M50 54v17q0 12 11 11", "#adc6e2", 12),
    line("M46 66h8M46.5 72h7.5", "#8ba9cc", 1.6),
    eyes(39, 61, 46, 4),
    cheeks(33, 67, 55),
  ],
  lion: () => [
    Array.from({ length: 12 }, (_, i) => {
      const angle = (i * Math.PI) / 6;
      return circle((50 + 26 * Math.cos(angle)).toFixed(1), (52 + 26 * Math.sin(angle)).toFixed(1), 9.5, i % 2 ? "#e98a2b" : "#dd7a1e");
    }),
    circle(50, 52, 27, "#e98a2b"),
    circle(33.5, 34.5, 7, "#ffd591", { stroke: "#c96f1a", "stroke-width": 1.4 }),
    circle(66.5, 34.5, 7, "#ffd591", { stroke: "#c96f1a", "stroke-width": 1.4 }),
    circle(50, 54, 22.5, "#ffd591", { stroke: "#e0a04a", "stroke-width": 1.4 }),
    oval(44.5, 62, 7, 5.5, "#fff1d6"),
    oval(55.5, 62, 7, 5.5, "#fff1d6"),
    eyes(41, 59, 50, 4),
    path("M45.5 55.5h9L50 60.5z", "#7a4324", { stroke: "#7a4324", "stroke-width": 1.4 }),
    line("M50 60v3.5q-3.5 4-7 1M50 63.5q3.5 4 7 1", "#7a4324", 2),
    line("M37 61l-8-1.5M37 64l-7 2M63 61l8-1.5M63 64l7 2", "#b06a2c", 1.3),
    cheeks(35, 65, 58),
  ],
};

/**
 * Who draws the pieces of each game: two games may give the same name to different pieces.
 * @type {Record<Api.GameName, (kind: string, side: Api.Side) => SVGElement>}
 */
const ARTISTS = { dobutsu: animalArt, kyoto: shogiArt, quoridor: racerArt, hasami: pincherArt };

/**
 * The drawing of a piece of a side.
 * @param {Api.GameName} game
 * @param {string} kind
 * @param {Api.Side} side
 */
export const pieceArt = (game, kind, side) => ARTISTS[game](kind, side);

/** @param {string} kind @param {Api.Side} side */
function animalArt(kind, side) {
  const dots = STEPS[kind].map(([x, y]) => {
    // A dot in a corner stands a little further in, so that the round corner holds it.
    const reach = x && y ? 36.5 : 40.5;
    return circle(50 + reach * x, 50 + reach * y, 4.3, "#e0342b", { stroke: "#fff", "stroke-width": 1.3 });
  });
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: `art ${side} ${kind}`, "aria-hidden": "true" },
    s("rect", { class: "tile-edge", x: 2.5, y: 3.5, width: 95, height: 95, rx: 19 }),
    s("rect", { class: "tile", x: 4, y: 3, width: 92, height: 91, rx: 17 }),
    s("g", { transform: "translate(50 49.5) scale(.86) translate(-50 -51)" }, DRAW[kind]()),
    dots,
  );
}
