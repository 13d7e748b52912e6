// The rules of each game, on one page.

import { h } from "./dom.js";
import { gamePicker } from "./menu.js";
import { pieceArt } from "./pieces.js";
import { reachArt } from "./shogi.js";
import { WallLayer } from "./walls.js";
import { pieceName, t, tg } from "./words.js";

const ALL_PIECES = Array(9).fill("piece").join(" ");

/**
 * @type {Record<Api.GameName, { start: string[], text: string[], walls?: Api.WallView[], pieces: () => HTMLElement }>}
 */
const SCREENS = {
  dobutsu: {
    start: ["giraffe lion elephant", ". chick .", ". chick .", "elephant lion giraffe"],
    text: ["goal", "turns", "take", "chick", "danger", "draw", "try"],
    pieces: () => h("ul", { class: "animals" }, ["lion", "giraffe", "elephant", "chick", "hen"].map(piece("dobutsu"))),
  },
  kyoto: {
    start: ["pawn gold king silver tokin", ". . . . .", ". . . . .", ". . . . .", "tokin silver king gold pawn"],
    text: ["goal", "turns", "turn_over", "take", "allowed", "king", "draw"],
    pieces: () => h("ul", { class: "animals two-faced" }, [["pawn", "rook"], ["silver", "bishop"], ["gold", "knight"], ["tokin", "lance"], ["king"]].map(pair)),
  },
  quoridor: {
    start: [". . . . pawn . . . .", ...Array(7).fill(". . . . . . . . ."), ". . . . pawn . . . ."],
    walls: [{ corner: 30, upright: false }, { corner: 48, upright: true }, { corner: 59, upright: false }],
    text: ["goal", "turns", "jump", "walls", "shut", "draw"],
    pieces: () => h("ul", { class: "animals" }, ["pawn", "wall"].map(piece("quoridor"))),
  },
  hasami: {
    start: [ALL_PIECES, ...Array(7).fill(". . . . . . . . ."), ALL_PIECES],
    text: ["goal", "turns", "take", "shut", "safe", "lead", "stuck", "draw", "others"],
    pieces: () => h("ul", { class: "animals" }, ["piece", "between", "row", "corner", "safe"].map(piece("hasami"))),
  },
};

/**
 * Some walls as they may stand.
 * @param {Api.WallView[]} walls
 * @param {number} columns
 * @param {number} rows
 */
function someWalls(walls, columns, rows) {
  const layer = new WallLayer();
  layer.fit(columns, rows, false);
  layer.showWalls(walls, null, false);
  return layer.element;
}

/** @param {Api.GameName} game @param {string} kind */
const named = (game, kind) => h("span", {}, h("strong", {}, pieceName(kind, game)), h("small", {}, tg(game, `moves_${kind}`)));
/** @type {(game: Api.GameName) => (kind: string) => HTMLElement} */
const piece = (game) => (kind) => h("li", {}, pieceArt(game, kind, "first"), named(game, kind));
/** @param {string[]} kinds */
const pair = (kinds) => h("li", {}, kinds.map((kind) => h("div", { class: "one-face" }, pieceArt("kyoto", kind, "first"), reachArt(kind), named("kyoto", kind))));

/** @param {Api.GameName} game */
export function rulesScreen(game) {
  const { start, walls, text, pieces } = SCREENS[game];
  const rows = start.map((row) => row.split(" "));
  /** @param {string} kind @param {number} row */
  const square = (kind, row) => {
    if (kind === ".") return h("span", {});
    const second = row < start.length / 2;
    return h("span", { class: second ? "turned" : "" }, pieceArt(game, kind, second ? "second" : "first"));
  };
  return h(
    "article",
    { class: "rules" },
    h("h1", {}, t("rules_title")),
    gamePicker(game, (name) => `#/${name}/rules`),
    h(
      "div",
      { class: "rules-top" },
      h("div", { class: `mini ${game}`, "aria-hidden": "true" }, rows.map((row, at) => row.map((kind) => square(kind, at))), walls ? someWalls(walls, rows[0].length, rows.length) : null),
      h("ol", {}, text.map((key) => h("li", {}, tg(game, `rules_${key}`)))),
    ),
    h("h2", {}, tg(game, "rules_animals")),
    pieces(),
    h("h2", {}, t("rules_play")),
    h("p", {}, tg(game, "rules_play_text")),
    h("p", { class: "quiet keys" }, tg(game, "keys")),
    h("p", {}, h("a", { class: "button", href: "#/" }, t("back_menu"))),
  );
}
