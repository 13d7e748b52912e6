// How squares and moves are named. Most games have two ways: what the board shows is how moves are written, and can be typed.

import { memory } from "./dom.js";
import { remembered } from "./games.js";

const LETTERS = "abcdefghi";
const KANJI = "一二三四五六七八九";

/**
 * Letters from the left and numbers from below, as in chess: the squares of UCI.
 * @type {(columns: number, rows: number) => Page.Naming}
 */
const western = (columns, rows) => ({
  /** Which of the texts of a move is written so. */
  notation: 0,
  edges: () => ({ bottom: [...LETTERS.slice(0, columns)], left: Array.from({ length: rows }, (_, row) => rows - row) }),
  square: (column, row) => LETTERS[column] + (rows - row),
});

/**
 * Numbers from the right and from above, as in shogi; in Japanese the rows have kanji.
 * @type {(size: number, notation: number, rowNames: string) => Page.Naming}
 */
const shogi = (size, notation, rowNames) => {
  /** @param {Page.Language} language */
  const rows = (language) => (language === "ja" ? KANJI : rowNames);
  return {
    notation,
    edges: (language) => ({ top: Array.from({ length: size }, (_, column) => size - column), right: [...rows(language).slice(0, size)] }),
    square: (column, row, language) => `${size - column}${rows(language)[row]}`,
  };
};

/**
 * As in the paper: A1 is top left.
 * @type {Page.Naming}
 */
const paper = {
  notation: 1,
  edges: () => ({ top: [..."ABC"], left: [..."1234"] }),
  square: (column, row) => "ABC"[column] + (row + 1),
};

/**
 * The ways of each game; the first is the usual one, in Japanese that of shogi.
 * @type {Record<Api.GameName, Record<string, Page.Naming>>}
 */
const WAYS = {
  dobutsu: { paper, western: western(3, 4) },
  kyoto: { western: western(5, 5), shogi: shogi(5, 2, LETTERS) },
  quoridor: { western: western(9, 9) },
  hasami: { western: western(9, 9), shogi: shogi(9, 1, "123456789") },
};

/**
 * The names of the ways of a game.
 * @param {Api.GameName} game
 */
export const waysOf = (game) => Object.keys(WAYS[game]);

/**
 * Which of them is shown.
 * @param {Api.GameName} game
 * @param {Page.Language} language
 * @returns {string}
 */
export function chosenWay(game, language) {
  const kept = memory.get(remembered(game, "labels"));
  if (kept !== null && Object.hasOwn(WAYS[game], kept)) return kept;
  return language === "ja" && WAYS[game].shogi ? "shogi" : waysOf(game)[0];
}

/** @param {Api.GameName} game @param {string} way */
export const chooseWay = (game, way) => memory.set(remembered(game, "labels"), way);

/**
 * The way that is shown: edges, squares and which notation.
 * @param {Api.GameName} game
 * @param {Page.Language} language
 */
export const labels = (game, language) => WAYS[game][chosenWay(game, language)];

/**
 * A move as the labels say.
 * @param {Api.MoveInfo} move
 * @param {Api.GameName} game
 * @param {Page.Language} language
 */
export const writtenMove = (move, game, language) => [move.text, ...move.others][labels(game, language).notation];

/**
 * Without what is only for the eye, so that `b3-B2`, `B3 b2` and `1五1四` are found.
 * @param {string} text
 */
function plain(text) {
  const digits = [...text.normalize("NFKC")].map((sign) => (KANJI.includes(sign) ? KANJI.indexOf(sign) + 1 : sign)).join("");
  return digits.toLowerCase().replace(/[^a-z0-9+]/g, "");
}

/**
 * In kanji or digits the rows of shogi are the same: `1五`, `15` and `1e`.
 * @param {string} text
 */
const asDigits = (text) => text.replace(/([1-9])([a-i])/g, (_, file, rank) => file + (LETTERS.indexOf(rank) + 1));

/**
 * Every way in which a text may be written, the exact one first.
 * @param {string} text
 */
const forms = (text) => {
  const whole = plain(text);
  const bare = plain(text.replace(/[+-]$/, ""));
  return [whole, bare, asDigits(whole), asDigits(bare)];
};

/**
 * The squares of a board by their names as they are typed, and how a typed text is read to find them.
 * @param {Api.StateInfo} state
 * @param {Page.Naming["square"]} square
 * @param {Page.Language} language
 */
function typedSquares(state, square, language) {
  /** @param {number} index */
  const name = (index) => square(index % state.columns, Math.floor(index / state.columns), language);
  /** @param {string} text */
  const read = (text) => (/^\d/.test(name(0)) ? asDigits(plain(text)) : plain(text));
  return { name, read, named: new Map(state.board.map((_, index) => [read(name(index)), index])) };
}

/**
 * The move of a state that a person has typed: by the labels on the board, and what has no meaning there in any notation.
 * If there is none, the key of the words that say why, and what goes into them.
 * @param {string} text
 * @param {Api.StateInfo} state
 * @param {Page.Language} language
 * @returns {{ move: Api.MoveInfo } | { move?: undefined, why: string, with: (string | number)[] }}
 */
export function typedMove(text, state, language) {
  const { notation, square } = labels(state.game, language);
  const { name, read, named } = typedSquares(state, square, language);
  const squares = read(text).match(/[a-z]\d|\d[a-z]|\d\d/g) ?? [];
  const typed = forms(text);
  /** @param {string} written */
  const fits = (written) => forms(written).some((form) => typed.includes(form));
  /** @param {(texts: string[]) => string[]} which */
  const by = (which) => state.moves.filter((move) => which([move.text, ...move.others]).some(fits));
  let found = by((texts) => [texts[notation]]);
  // Two squares of this board mean what the board shows, not what they would be elsewhere.
  const meant = squares.length === 2 && squares.every((text) => named.has(text));
  if (!found.length && !meant) found = by((texts) => texts);
  const exact = found.filter((move) => [move.text, ...move.others].some((written) => plain(written) === typed[0]));
  if (found.length === 1 || exact.length === 1) return { move: found.length === 1 ? found[0] : exact[0] };
  /** @param {Api.MoveInfo} move */
  const written = (move) => writtenMove(move, state.game, language);
  if (found.length) return { why: "typed_several", with: [text, found.map(written).join(" ")] };
  const missing = squares.find((text) => !named.has(text));
  if (!squares.length) return { why: "typed_unknown", with: [state.moves.length ? written(state.moves[0]) : ""] };
  if (missing) return { why: "typed_no_square", with: [missing] };
  const [from, to] = squares.map((text) => /** @type {number} */ (named.get(text)));
  if (to === undefined) return { why: "typed_cannot_come", with: [name(from)] };
  if (state.board[from]?.side !== state.turn) return { why: "typed_no_piece", with: [name(from)] };
  return { why: "typed_cannot_go", with: [name(from), name(to)] };
}
