// Japanese for what the program says in English, by memories of its sentences: who reads English never loads them.

import { translator } from "./memory.js";
import { lang } from "./words.js";

const FILES = {
  sentences: async () => (await import("./sentences-ja.js")).SENTENCES,
  reports: async () => (await import("./reports-ja.js")).REPORTS,
};

const nothing = () => null;
const loaded = { sentences: nothing, reports: nothing };

/** Loads a memory, if the page is not in English; from then on it is asked. */
export async function remember(name) {
  if (lang() !== "ja" || loaded[name] !== nothing) return;
  // Without it, the page says what it has in English.
  const pairs = await FILES[name]().catch(() => null);
  if (pairs) loaded[name] = translator(pairs);
}

/** What the program says, in the language of the page; null if that is not known. */
export const translated = (name, text) => (lang() === "ja" ? loaded[name](text) : text);

/** The same, or else as it was said. */
export const told = (name, text) => translated(name, text) ?? text;
