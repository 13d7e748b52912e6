// The game on the board is kept by the browser: it survives a reload, a closed tab and a server that was started anew. A link takes it to others.

import { memory } from "./dom.js";
import { isGame, SIDES } from "./games.js";

/** The game that is played, and the one that was played before it. */
const NOW = "game-now";
const BEFORE = "game-before";

/** A tab has its own game; a new one begins with the last of all. */
const shelf = {
  /** @param {string} key */
  get(key) {
    try { return sessionStorage.getItem(key) ?? memory.get(key); } catch { return memory.get(key); }
  },
  /** @param {string} key @param {string} text */
  set(key, text) {
    try { sessionStorage.setItem(key, text); } catch { /* forgotten */ }
    memory.set(key, text);
  },
};

/** @param {Page.Player | undefined} player */
const isPlayer = (player) => player !== undefined && (player.human === true || typeof player.player === "string");

/**
 * What was kept, if it makes sense.
 * @param {string} key
 * @returns {(Page.Kept & { moves: string[] }) | null}
 */
function read(key) {
  try {
    const kept = JSON.parse(shelf.get(key) ?? "null");
    const sound = isGame(kept.game) && Array.isArray(kept.moves) && SIDES.every((side) => isPlayer(kept.players[side]));
    return sound ? kept : null;
  } catch {
    return null;
  }
}

/** @param {string} key @param {import("./game.js").Game} game */
const write = (key, game) => shelf.set(key, JSON.stringify(game.kept()));

/** @param {import("./game.js").Game} game */
export const keep = (game) => write(NOW, game);
export const keptGame = () => read(NOW);

/**
 * Another game begins: the one so far can be brought back, if there is anything to it.
 * @param {import("./game.js").Game} game
 */
export const putAside = (game) => game.moves.length && write(BEFORE, game);
export const asideGame = () => read(BEFORE);
export const forgetAside = () => shelf.set(BEFORE, "null");

/**
 * The address that opens a game at a move.
 * @param {import("./game.js").Game} game
 */
export function linkOf({ game, rules, players, start, moves, view }) {
  /** @type {Record<string, string | number | null | undefined>} */
  const told = { rules, start, moves: moves.join("."), at: view };
  for (const side of SIDES) told[side] = players[side].player;
  const given = Object.entries(told).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const address = new URL(location.href);
  address.hash = `/${game}/play/${query}`;
  return address.href;
}

/**
 * The game that such an address tells.
 * @param {Api.GameName} game
 * @param {string} text
 * @returns {Page.Kept & Page.GameText}
 */
export function linkedGame(game, text) {
  const query = new URLSearchParams(text);
  const moves = query.get("moves")?.split(".").filter(Boolean) ?? [];
  /** @param {Api.Side} side @returns {Page.Player} */
  const player = (side) => (query.get(side) ? { player: query.get(side)?.slice(0, 300) } : { human: true });
  const players = { first: player("first"), second: player("second") };
  const people = Object.values(players).filter(({ human }) => human).length;
  const at = Number.parseInt(query.get("at") ?? "", 10);
  return {
    game, players, moves, rules: query.get("rules") ?? undefined, start: query.get("start"),
    mode: ["watch", "cpu", "people"][people],
    view: at >= 0 && at <= moves.length ? at : moves.length,
  };
}
