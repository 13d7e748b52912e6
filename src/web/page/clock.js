// The time that each side has left, where a game is played with clocks. Only the page knows of them.

import { isAway } from "./away.js";

const TICK = 200;

/** Minutes for each side that can be chosen. */
export const MINUTES = [1, 3, 5, 10, 20];

/** @param {number} whole @returns {Page.Times} */
export const newClock = (whole) => ({ whole, first: whole, second: whole });

/**
 * As people read it: 4:59, and below ten seconds with tenths.
 * @param {number} left
 */
export function clockText(left) {
  const seconds = Math.max(0, left) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export class Clock {
  /**
   * `game` gives the present game, or nothing while no time passes; `onTick` draws, `onLate` is told whose time is up.
   * @param {() => import("./game.js").Game | null} game
   * @param {(side: Api.Side) => void} onTick
   * @param {(side: Api.Side) => void} onLate
   */
  constructor(game, onTick, onLate) {
    this.game = game;
    this.onTick = onTick;
    this.onLate = onLate;
    this.seen = performance.now();
    this.timer = setInterval(() => this.tick(), TICK);
  }

  end() {
    clearInterval(this.timer);
  }

  tick() {
    const now = performance.now();
    const passed = now - this.seen;
    this.seen = now;
    const game = this.game();
    // Nobody loses time while the server is away, or before the first move.
    if (!game?.clock || !game.state || game.state.verdict || !game.moves.length || isAway()) return;
    const side = game.state.turn;
    game.clock[side] = Math.max(0, game.clock[side] - passed);
    this.onTick(side);
    if (game.clock[side] === 0) this.onLate(side);
  }
}
