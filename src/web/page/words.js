// Which language, and the words for a key. `{}` in a text is replaced by what is given.

import { memory } from "./dom.js";
import { english } from "./words-en.js";
import { japanese } from "./words-ja.js";

const LANGUAGES = { en: english, ja: japanese };

function first() {
  const asked = new URLSearchParams(location.search).get("lang");
  const wishes = [asked, memory.get("lang"), navigator.language?.slice(0, 2)];
  return wishes.find((wish) => wish in LANGUAGES) ?? "en";
}

let language = first();

export const lang = () => language;

export function setLanguage(wish) {
  language = wish in LANGUAGES ? wish : "en";
  memory.set("lang", language);
  // The address stays true to what is shown.
  const address = new URL(location.href);
  if (address.searchParams.has("lang")) {
    address.searchParams.set("lang", language);
    history.replaceState(null, "", address);
  }
}

/** The text of a key in the present language. */
export function t(key, ...given) {
  const text = LANGUAGES[language][key] ?? key;
  return given.reduce((so_far, value) => so_far.replace("{}", () => value), text);
}

export const pieceName = (kind) => t(`piece_${kind}`);
export const sideName = (side) => t(`side_${side}`);

/** The name of a square as in the paper: A1 is top left. */
export const squareName = (index) => "ABC"[index % 3] + (Math.floor(index / 3) + 1);

/** A move in words. */
export function moveWords(move) {
  const piece = pieceName(move.piece);
  const to = squareName(move.to);
  const what = move.drop ? t("move_drop", piece, to) : t("move_step", piece, squareName(move.from), to);
  const more = [];
  if (move.captures) more.push(t("move_captures", pieceName(move.captures)));
  if (move.promotes) more.push(t("move_promotes"));
  return [what, ...more].join(t("comma"));
}

/** A gene's name: `board.chick` is the chick on the board. */
export function geneName(gene) {
  const [place, what] = gene.split(".");
  if (place === "features") return t(`gene_${what}`);
  return t(place === "board" ? "gene_board" : "gene_hand", pieceName(what));
}
