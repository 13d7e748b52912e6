// Whom a text stands for: the same text is a player on the server, in a link and in a kept game. What it is called is found anew, so that it is in the language of the page.

import { api } from "./api.js";
import { GAMES } from "./games.js";
import { levelAbout, levelName } from "./levels.js";
import { has, t } from "./words.js";

/**
 * What the server offers for each game, as it was last heard.
 * @type {Map<Api.GameName, Api.Offers>}
 */
const heard = new Map();

/**
 * Asks whom one can play against: levels, opponents and rules.
 * @param {Api.GameName} game
 */
export async function opponentsOf(game) {
  const offered = await api.opponents(game);
  heard.set(game, offered);
  return offered;
}

/**
 * The same as it was last heard, or nothing.
 * @param {Api.GameName} game
 */
export const heardOpponents = (game) => heard.get(game) ?? null;

/**
 * What an offer of the server is called.
 * @param {Api.Offer} offer
 * @param {Api.GameName} game
 */
export function offerName({ group, label, score }, game) {
  // Champions and networks are shown by the name of their run.
  if (group === "champion") return t("opp_champion", label) + (score === null ? "" : ` (${Math.round(100 * score)} %)`);
  if (group === "net") return t("opp_net", label);
  if (has(`${game}_opp_${label}`)) return t(`${game}_opp_${label}`);
  if (group === "paper") return t("opp_paper", label.replace("table", "Table "));
  if (group === "known") return t(`opp_${label}`);
  return t(`opp_${group}`);
}

/**
 * The players that the page offers beside those of the server: these with a search that knows when the game is won.
 * @param {Api.GameName} game
 */
export const exactOffers = (game) => GAMES[game].exact.map((name) => ({ player: `${name}:terminal=exact`, takes: "depth", name: t("opp_exact", t(`opp_${name}`)) }));

/**
 * What can be chosen about a player, in words.
 * @type {Record<string, (effort: string | number) => string>}
 */
export const effortWords = {
  depth: (depth) => t("plies", Number(depth)),
  time: (time) => t("seconds", Number.parseFloat(String(time))),
  simulations: (count) => (Number(count) ? t("tries", Number(count)) : t("no_tries")),
};

/**
 * Whether a player can be asked what it thinks of each move: those that try moves can.
 * @param {string} text
 * @param {Api.Offers} offered
 */
export const isNetwork = (text, { opponents }) => opponents.some(({ player, takes }) => takes === "simulations" && (text === player || text.startsWith(`${player}:`)));

/**
 * Display name of a player, with a description for levels; players that are not offered are shown by their spec.
 * @param {string} text
 * @param {Api.Offers} offered
 * @returns {{ name: string, about?: string }}
 */
export function playerWords(text, offered) {
  const { game, levels, opponents } = offered;
  const level = levels.find(({ player }) => player === text);
  if (level) return { name: levelName(level, game), about: levelAbout(level) };
  if (text === "perfect") return { name: t("opp_perfect") };
  const offers = [...opponents.map((offer) => ({ ...offer, name: offerName(offer, game) })), ...exactOffers(game)];
  for (const { player, takes, name } of offers) {
    if (text === player) return { name };
    if (!takes) continue;
    const effort = text.startsWith(`${player}:${takes}=`) ? text.slice(`${player}:${takes}=`.length) : "";
    if (effort && !effort.includes(":")) return { name: `${name} · ${effortWords[takes](effort)}` };
  }
  return { name: text };
}
