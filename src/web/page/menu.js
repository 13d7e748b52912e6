// The title screen.

import { h } from "./dom.js";
import { ALL_GAMES, GAMES } from "./games.js";
import { pieceArt } from "./pieces.js";
import { t, tg } from "./words.js";

/**
 * Links to the same screen of each game.
 * @param {Api.GameName} chosen
 * @param {(game: Api.GameName) => string} addressOf
 */
export function gamePicker(chosen, addressOf) {
  /** @param {Api.GameName} game */
  const link = (game) => h(
    "a",
    { class: "game", href: addressOf(game), "data-game": game, "aria-current": game === chosen ? "true" : null },
    pieceArt(game, GAMES[game].king, "first"),
    h("span", {}, tg(game, "title")),
  );
  return h("nav", { class: "games", "aria-label": t("which_game") }, ALL_GAMES.map(link));
}

/** @param {Api.GameName} game @param {boolean} hasGame */
export function menuScreen(game, hasGame) {
  const { menu, parade } = GAMES[game];
  const addresses = { people: "#/setup/people", cpu: "#/setup/cpu", watch: "#/setup/watch", rules: "#/rules", runs: "#/runs" };
  /** @param {[string, string]} entry */
  const card = ([mode, address]) => h(
    "a",
    { class: "card", href: address, id: `mode-${mode}` },
    h("span", { class: "card-art" }, menu[mode].map((kind, at) => pieceArt(game, kind, at ? "second" : "first"))),
    h("span", { class: "card-text" }, h("strong", {}, t(`mode_${mode}`)), h("small", {}, tg(game, `mode_${mode}_note`))),
  );
  return h(
    "div",
    { class: "menu" },
    h("div", { class: "parade", "aria-hidden": "true" }, parade.map((kind, at) => h("span", {}, pieceArt(game, kind, at % 2 ? "second" : "first")))),
    h("h1", {}, tg(game, "title")),
    h("p", { class: "tagline" }, tg(game, "tagline")),
    gamePicker(game, (name) => `#/${name}`),
    hasGame ? h("a", { class: "continue", href: "#/play", id: "continue" }, t("continue_game")) : null,
    h("div", { class: "cards" }, Object.entries(addresses).map(card)),
  );
}
