// A game as the page knows it: which one, rules, start and moves. What they amount to, the server says.

import { api } from "./api.js";
import { gameField, gameOfRecord } from "./games.js";

export class Game {
  /** `players` is `{first, second}`: each `{human: true}` or `{player: text, name, about, network}`; a network can be asked what it thinks. */
  constructor({ game, mode, rules, players, start = null, moves = [] }) {
    Object.assign(this, { game, mode, rules, players, start });
    this.moves = moves;
    /** The state after the last move. */
    this.state = null;
    /** How many moves of the game are being looked at. */
    this.view = moves.length;
  }

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
    return ["first", "second"].filter((side) => this.players[side].human);
  }

  /** Asks for the state after all moves. */
  async refresh() {
    this.state = await api.state(this.text());
    this.view = this.moves.length;
    return this.state;
  }

  /** A person's move: the server has the last word. */
  async play(text) {
    const state = await api.state({ ...this.text(), moves: [...this.moves, text] });
    this.accept(text, state);
  }

  /** The computer's move. */
  async ask(signal) {
    const known = this.moves.length;
    const answer = await api.move(this.text(), this.mover.player, signal);
    if (this.moves.length === known) this.accept(answer.move, answer.state);
  }

  accept(text, state) {
    this.moves.push(text);
    this.state = state;
    this.view = this.moves.length;
  }

  /** Takes back a move, and with a computer as opponent as many as it takes to be a person's turn. */
  async undo() {
    const turns = ["first", "second"];
    const firstTurn = this.state.start.split(" ").includes("b") ? 1 : 0;
    const moverAt = (count) => turns[(count + firstTurn) % 2];
    let count = this.moves.length - 1;
    if (count < 0) return;
    if (this.people.length === 1) {
      while (count > 0 && !this.players[moverAt(count)].human) count -= 1;
      // The computer's first move is not the person's to take back.
      if (!this.players[moverAt(count)].human) return;
    }
    this.moves = this.moves.slice(0, count);
    await this.refresh();
  }

  /** The game as a line that `dobutsu-ga replay` understands, once it is over. */
  record() {
    const name = (side) => (this.players[side].human ? "human" : this.players[side].player);
    return JSON.stringify({
      ...gameField(this.game), pairing: 0, game: 0, seed: 0, first: name("first"), second: name("second"), rules: this.rules, opening_plies: 0,
      start: this.state.start, moves: this.moves,
      winner: this.state.verdict?.winner ?? "", by: this.state.verdict?.by ?? "",
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

/** What a pasted text says: a record, or a FEN and moves. */
export function readText(text) {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    const record = JSON.parse(trimmed.split("\n")[0]);
    const { start, moves, rules } = record;
    if (!Array.isArray(moves)) throw new Error("moves?");
    return { game: gameOfRecord(record), start: start ?? null, moves: moves.map(String), rules };
  }
  const words = trimmed.split(/\s+/);
  // A position of Quoridor has seven words; the fifth lists the walls that lie across.
  if (/^h:/i.test(words[4] ?? "")) return { start: words.slice(0, 7).join(" "), moves: words.slice(7) };
  if (!words[0].includes("/")) return { start: null, moves: words };
  // A FEN has two to five words after the board; moves follow.
  const isMove = (word) => MOVES.some((pattern) => pattern.test(word));
  const from = words.findIndex((word, at) => at > 1 && isMove(word));
  const split = from < 0 ? words.length : from;
  return { start: words.slice(0, split).join(" "), moves: words.slice(split) };
}
