// The levels of a game, as the server lists them: `{key, piece, player, depth, slips, sees, rules}` from the easiest to the strongest.

import { h } from "./dom.js";
import { pieceArt } from "./pieces.js";
import { pieceName, t } from "./words.js";

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Whether a level can play by these rules: perfect play needs a table.
 * @param {Api.Rung} level
 * @param {string} rules
 */
export const canPlay = (level, rules) => level.rules.includes(rules);

/**
 * What an opponent is called: "Hen · Easy".
 * @param {Api.Level} level
 * @param {Api.GameName} game
 */
export const levelName = (level, game) => `${capital(pieceName(level.piece, game))} · ${t(`level_${level.key}`)}`;

/**
 * What it is, in a sentence.
 * @param {Api.Rung} level
 */
export function levelAbout({ depth, slips, sees }) {
  if (slips >= 1) return t("about_glance", Math.round(10 * sees));
  const often = slips >= 0.15 ? t("slips_of_ten", Math.round(10 * slips)) : t("slips_of_hundred", Math.round(100 * slips));
  if (depth === null) return slips ? t("about_nearly_perfect", often) : t("about_perfect");
  return slips ? t("about_slips", depth, often) : t("about_sure", depth);
}

/**
 * The next easier and the next harder level than an opponent (`{player}`), of those that can play by the rules; null where there is none.
 * @param {Api.Rung[]} levels
 * @param {Page.Player} opponent
 * @param {string} rules
 * @returns {Record<string, Api.Rung | null>}
 */
export function neighbours(levels, opponent, rules) {
  const at = levels.findIndex(({ player }) => player === opponent.player);
  /** @param {Api.Rung[]} some */
  const first = (some) => (at < 0 ? null : some.find((level) => canPlay(level, rules)) ?? null);
  return { easier: first(levels.slice(0, Math.max(at, 0)).reverse()), harder: first(levels.slice(at + 1)) };
}

/**
 * A level as a button: its picture, how far up the ladder it is, its name.
 * @param {Api.Rung} level
 * @param {{ at: number, of: number, game: Api.GameName, side: Api.Side, onclick: () => void }} place
 */
export function levelButton(level, { at, of, game, side, onclick }) {
  const filled = h("span", {});
  filled.style.width = `${(100 * (at + 1)) / of}%`;
  return h(
    "button",
    { class: "level", type: "button", "data-level": level.key, onclick },
    pieceArt(game, level.piece, side),
    h("span", { class: "climb", "aria-hidden": "true" }, filled),
    h("span", {}, t(`level_${level.key}`)),
  );
}
