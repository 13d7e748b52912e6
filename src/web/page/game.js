// A game as the page knows it: which one, rules, start and moves. What they amount to, the server says.

import { api } from "./api.js";
import { newClock } from "./clock.js";
import { gameField, gameOfRecord, otherSide, SIDES } from "./games.js";
import { linkedGame } from "./store.js";
import { t } from "./words.js";

export class Game {
  /**
   * `players` is `{first, second}`: each `{human: true}` or `{player: text}`.
   * `clock` is `{whole, first, second}`, the milliseconds that each side had at first and those that it has left, or nothing. `late` is whose time is up.
   * @param {Page.Kept} kept
   */
  constructor({ game, mode, rules, players, start = null, moves = [], view = moves.length, clock = null, late = null }) {
    this.game = game;
    this.mode = mode;
    this.rules = rules;
    this.players = players;
    this.start = start;
    this.clock = clock;
    this.late = late;
    this.moves = [...moves];
    /**
     * The state after the last move.
     * @type {Api.StateInfo | null}
     */
    this.state = null;
    /** How many moves of the game are being looked at. */
    this.view = view;
  }

  /** All that is needed to go on with it later. */
  kept() {
    const { game, mode, rules, players, start, moves, view, clock, late } = this;
    return { game, mode, rules, players, start, moves, view, clock, late };
  }

  /**
   * The same players and rules from the start; sides may be swapped.
   * @param {{ swapped?: boolean, players?: Page.Players }} [change]
   */
  again({ swapped = false, players: { first, second } = this.players } = {}) {
    const { game, mode, rules } = this;
    const clock = this.clock && newClock(this.clock.whole);
    return new Game({ game, mode, rules, clock, players: swapped ? { first: second, second: first } : { first, second } });
  }

  /** @param {number} [count] @returns {Page.GameText} */
  text(count = this.moves.length) {
    return { game: this.game, rules: this.rules, start: this.start, moves: this.moves.slice(0, count) };
  }

  get atEnd() {
    return this.view === this.moves.length;
  }

  /** Who is to move, or null if the game is over. */
  get mover() {
    return this.state && !this.state.verdict ? this.players[this.state.turn] : null;
  }

  get people() {
    return SIDES.filter((side) => this.players[side].human);
  }

  /** Asks for the state after all moves; what is looked at stays. */
  async refresh() {
    const atEnd = this.atEnd;
    this.state = this.timed(await api.state(this.text()));
    if (atEnd) this.view = this.moves.length;
    return this.state;
  }

  /**
   * The state after a player's time is up: only the page knows of clocks.
   * @param {Api.StateInfo} state
   */
  timed(state) {
    if (!this.late || state.verdict) return state;
    return { ...state, verdict: { winner: otherSide(this.late), by: "time" }, moves: [], check: false };
  }

  /**
   * A player's time is up.
   * @param {Api.Side} side
   */
  isLate(side) {
    this.late = side;
    if (this.state) this.state = this.timed(this.state);
  }

  /**
   * A person's move: the server has the last word.
   * @param {string} text
   */
  async play(text) {
    const state = await api.state({ ...this.text(), moves: [...this.moves, text] });
    this.accept(text, state);
  }

  /**
   * The computer's move.
   * @param {AbortSignal} [signal]
   */
  async ask(signal) {
    const known = this.moves.length;
    const answer = await api.move(this.text(), this.mover?.player ?? "", signal);
    if (this.moves.length === known && !this.late) this.accept(answer.move, answer.state);
  }

  /** @param {string} text @param {Api.StateInfo} state */
  accept(text, state) {
    this.moves.push(text);
    this.state = state;
    this.view = this.moves.length;
  }

  /** Takes back a move, and with a computer as opponent as many as it takes to be a person's turn. */
  async undo() {
    const firstTurn = this.state?.start.split(" ").includes("b") ? 1 : 0;
    /** @param {number} count */
    const moverAt = (count) => SIDES[(count + firstTurn) % 2];
    let count = this.moves.length - 1;
    if (count < 0) return;
    if (this.people.length === 1) {
      while (count > 0 && !this.players[moverAt(count)].human) count -= 1;
      // The computer's first move is not the person's to take back.
      if (!this.players[moverAt(count)].human) return;
    }
    this.moves = this.moves.slice(0, count);
    this.view = count;
    await this.refresh();
  }

  /** The game as a line that `dobutsu-ga replay` understands, once it is over. */
  record() {
    /** @param {Api.Side} side */
    const name = (side) => (this.players[side].human ? "human" : this.players[side].player);
    return JSON.stringify({
      ...gameField(this.game), pairing: 0, game: 0, seed: 0, first: name("first"), second: name("second"), rules: this.rules, opening_plies: 0,
      start: this.state?.start, moves: this.moves,
      winner: this.state?.verdict?.winner ?? "", by: this.state?.verdict?.by ?? "",
    });
  }
}

/** Moves of all games that have a board with slashes: UCI, the paper's (`B3-B2`, `chick*A3`), CSA's (`+1514HI`) and those of USI (`1e1d`, `P*3c`), and squares as four digits (`9994`). */
const MOVES = [
  /^([a-i][1-9]){2}[+-]?$/i,
  /^\+?[a-z]@[a-e][1-5]$/i,
  /^([A-C][1-4]-[A-C][1-4]|[a-z]+\*[A-C][1-4])/,
  /^[+-]?[0-5]{4}[A-Z]{2}$/,
  /^([1-5][a-e]){2}\+?$/,
  /^\+?[A-Z]\*[1-5][a-e]$/,
  /^[1-9]{4}$/,
];

/**
 * What a line of JSON says.
 * @param {string} line
 * @returns {Page.Pasted}
 */
function readRecord(line) {
  let record;
  try {
    record = JSON.parse(line);
  } catch {
    throw new Error(t("paste_bad_record"));
  }
  const { start, moves, rules } = record;
  if (!Array.isArray(moves)) throw new Error(t("paste_no_moves"));
  return { game: gameOfRecord(record), start: start ?? null, moves: moves.map(String), rules };
}

/**
 * The tags of a PGN: `[FEN "…"]`.
 * @param {string} text
 * @param {string} name
 */
const tag = (text, name) => new RegExp(`^\\[${name}\\s+"([^"]*)"\\]`, "m").exec(text)?.[1];

/**
 * The moves of a list, without numbers (`1.`, `2...`), comments in braces, results and the like.
 * @param {string} text
 */
function readMoves(text) {
  const bare = text.replace(/^\[.*\]\s*$/gm, " ").replace(/\{[^}]*\}/g, " ").replace(/;.*$/gm, " ");
  const words = bare.split(/\s+/).map((word) => word.replace(/^\d+\.+/, "").replace(/[!?]+$/, ""));
  return words.filter((word) => word && !/^(1-0|0-1|1\/2-1\/2|\*|\d{1,3}\.*|#\d+)$/.test(word));
}

/**
 * What a pasted text says: a link, a record, a PGN, or a FEN and moves, numbered or not.
 * @param {string} text
 * @returns {Page.Pasted}
 */
export function readText(text) {
  const trimmed = text.trim();
  const link = /#\/(\w+)\/play\/(\S+)/.exec(trimmed);
  if (link) {
    // Whether there is such a game is looked at when it is loaded.
    const { game, start, moves, rules } = linkedGame(/** @type {Api.GameName} */ (link[1]), link[2]);
    return { game, start, moves, rules };
  }
  if (trimmed.startsWith("{")) return readRecord(trimmed.split("\n")[0]);
  if (trimmed.startsWith("[")) return { start: tag(trimmed, "FEN") ?? null, moves: readMoves(trimmed) };
  const words = trimmed.split(/\s+/);
  // A position of Quoridor has seven words; the fifth lists the walls that lie across.
  if (/^h:/i.test(words[4] ?? "")) return { start: words.slice(0, 7).join(" "), moves: readMoves(words.slice(7).join(" ")) };
  if (!words[0].includes("/")) return { start: null, moves: readMoves(trimmed) };
  // A FEN has two to five words after the board; moves follow.
  /** @param {string} word */
  const isMove = (word) => MOVES.some((pattern) => pattern.test(word)) || /^1\./.test(word);
  const from = words.findIndex((word, at) => at > 1 && isMove(word));
  const split = from < 0 ? words.length : from;
  return { start: words.slice(0, split).join(" "), moves: readMoves(words.slice(split).join(" ")) };
}
