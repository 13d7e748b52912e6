// The rules, on one page.

import { h } from "./dom.js";
import { pieceArt } from "./pieces.js";
import { pieceName, t } from "./words.js";

export function rulesScreen() {
  const animal = (kind) => h("li", {}, pieceArt(kind, "first"), h("span", {}, h("strong", {}, pieceName(kind)), h("small", {}, t(`moves_${kind}`))));
  const start = "gle.c..C.ELG";
  const kinds = { g: "giraffe", l: "lion", e: "elephant", c: "chick" };
  const square = (letter) => {
    const kind = kinds[letter.toLowerCase()];
    if (!kind) return h("span", {});
    const second = letter === letter.toLowerCase();
    return h("span", { class: second ? "turned" : "" }, pieceArt(kind, second ? "second" : "first"));
  };
  const text = ["goal", "turns", "take", "chick", "danger", "draw", "try"];
  return h(
    "article",
    { class: "rules" },
    h("h1", {}, t("rules_title")),
    h(
      "div",
      { class: "rules-top" },
      h("div", { class: "mini", "aria-hidden": "true" }, [...start].map(square)),
      h("ol", {}, text.map((key) => h("li", {}, t(`rules_${key}`)))),
    ),
    h("h2", {}, t("rules_animals")),
    h("ul", { class: "animals" }, ["lion", "giraffe", "elephant", "chick", "hen"].map(animal)),
    h("h2", {}, t("rules_play")),
    h("p", {}, t("rules_play_text")),
    h("p", { class: "quiet" }, t("keys")),
    h("p", {}, h("a", { class: "button", href: "#/" }, t("back_menu"))),
  );
}
