// The title screen.

import { h } from "./dom.js";
import { pieceArt } from "./pieces.js";
import { t } from "./words.js";

const MODES = [
  ["people", "#/setup/people", ["chick", "chick"]],
  ["cpu", "#/setup/cpu", ["chick", "lion"]],
  ["watch", "#/setup/watch", ["elephant", "giraffe"]],
  ["rules", "#/rules", ["hen"]],
  ["runs", "#/runs", ["chick", "hen"]],
];

export function menuScreen(hasGame) {
  const card = ([mode, address, animals]) => h(
    "a",
    { class: "card", href: address, id: `mode-${mode}` },
    h("span", { class: "card-art" }, animals.map((kind, at) => pieceArt(kind, at ? "second" : "first"))),
    h("span", { class: "card-text" }, h("strong", {}, t(`mode_${mode}`)), h("small", {}, t(`mode_${mode}_note`))),
  );
  const parade = ["elephant", "lion", "giraffe", "chick", "hen"];
  return h(
    "div",
    { class: "menu" },
    h("div", { class: "parade", "aria-hidden": "true" }, parade.map((kind, at) => h("span", {}, pieceArt(kind, at % 2 ? "second" : "first")))),
    h("h1", {}, t("title")),
    h("p", { class: "tagline" }, t("tagline")),
    hasGame ? h("a", { class: "continue", href: "#/play", id: "continue" }, t("continue_game")) : null,
    h("div", { class: "cards" }, MODES.map(card)),
  );
}
