// Which games the page can show, and what differs between them beside their words.

import { memory } from "./dom.js";

/**
 * What is on the other side of a shogi piece; the king has none.
 * @type {Record<string, string>}
 */
export const BACK = { pawn: "rook", rook: "pawn", silver: "bishop", bishop: "silver", knight: "gold", gold: "knight", lance: "tokin", tokin: "lance" };

/** @type {Record<Api.GameName, Page.Look>} */
export const GAMES = {
  dobutsu: {
    king: "lion",
    /** The rules that come first for who just wants to play: the game's own. */
    rules: "official",
    back: {},
    menu: { people: ["chick", "chick"], cpu: ["chick", "lion"], watch: ["elephant", "giraffe"], rules: ["hen"], runs: ["chick", "hen"] },
    parade: ["elephant", "lion", "giraffe", "chick", "hen"],
    /** Offered beside what the server lists: these two with a search that knows when the game is won. */
    exact: ["material", "mobility"],
    typed: "full:depth=3:terminal=exact",
    /** The deepest search that the list offers, a few seconds at worst; a typed player may look deeper. */
    deepest: 6,
    /** How many generations a run of each kind is offered with: some seconds to some minutes. */
    generations: { paper: 800, robust: 30 },
    /** Whether evolved values were published with which a run can be compared. */
    published: true,
    /** How many digits behind the point an estimate has. */
    digits: 1,
  },
  kyoto: {
    king: "king",
    rules: "legal",
    back: BACK,
    menu: { people: ["pawn", "pawn"], cpu: ["pawn", "king"], watch: ["silver", "gold"], rules: ["tokin"], runs: ["lance", "rook"] },
    parade: ["tokin", "silver", "king", "gold", "pawn"],
    exact: [],
    typed: "B:depth=3:terminal=exact",
    deepest: 5,
    generations: { paper: 60, robust: 5 },
    published: false,
    digits: 0,
  },
  quoridor: {
    king: "pawn",
    back: {},
    /** With how many walls a side begins. */
    walls: 10,
    menu: { people: ["pawn", "pawn"], cpu: ["pawn", "crown"], watch: ["middle", "high"], rules: ["wall"], runs: ["low", "crown"] },
    parade: ["pawn", "low", "crown", "middle", "pawn"],
    exact: [],
    typed: "swift:depth=3:beam=30",
    deepest: 4,
    generations: { paper: 200, robust: 3 },
    published: false,
    /** Who has won has won, whatever the weights say: there is nothing to choose about it. */
    decided: true,
    digits: 1,
  },
  hasami: {
    king: "piece",
    back: {},
    /** How many captured pieces win. */
    enough: 5,
    menu: { people: ["piece", "piece"], cpu: ["piece", "crown"], watch: ["two", "three"], rules: ["between"], runs: ["one", "crown"] },
    parade: ["piece", "one", "crown", "two", "piece"],
    exact: [],
    typed: "balance:depth=3:ties=random",
    deepest: 4,
    generations: { paper: 60, robust: 3 },
    published: false,
    decided: true,
    digits: 1,
  },
};

/** @type {(name: unknown) => name is Api.GameName} */
export const isGame = (name) => typeof name === "string" && Object.hasOwn(GAMES, name);

export const ALL_GAMES = /** @type {Api.GameName[]} */ (Object.keys(GAMES));

/** @type {Api.Side[]} */
export const SIDES = ["first", "second"];

/** @type {(side: Api.Side) => Api.Side} */
export const otherSide = (side) => (side === "first" ? "second" : "first");

const DEFAULT = "dobutsu";

/** The game that was chosen last; known here too, for browsers that remember nothing. */
let chosen = memory.get("game");

export const chosenGame = () => (isGame(chosen) ? chosen : DEFAULT);

/** @param {Api.GameName} game */
export function chooseGame(game) {
  chosen = game;
  memory.set("game", game);
}

/**
 * Under which name a choice about a game is remembered: the names of the default game are older than the others.
 * @param {Api.GameName} game
 * @param {string} key
 */
export const remembered = (game, key) => (game === DEFAULT ? key : `${game}-${key}`);

/**
 * The field by which a record tells its game, which for the default one says nothing.
 * @param {Api.GameName} game
 */
export const gameField = (game) => (game === DEFAULT ? {} : { game_name: game });
/** @type {(record: { game_name?: string }) => string} */
export const gameOfRecord = (record) => record.game_name ?? DEFAULT;
