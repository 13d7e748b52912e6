// Small helpers to build the page without a framework.

const SVG = "http://www.w3.org/2000/svg";

/** A word of kanji with how it is read, as the Japanese words have it: `[漢字|かんじ]`. */
const READ = /\[([^[\]|]+)\|([ぁ-ゖァ-ヺー]+)\]/g;

/** Where nothing can stand above the text, the reading stands for the kanji: a child knows it, and a voice cannot get it wrong. */
export const plain = (text) => String(text).replace(READ, "$2");

/** A text with the readings above its kanji, as one element: a button or a row takes it for one part. */
function withReadings(text) {
  // By turns: what stands between, a word, its reading.
  const parts = text.split(READ);
  if (parts.length === 1) return text;
  // Who hears the page hears the word once.
  const over = (kana) => h("rt", { "aria-hidden": "true" }, kana);
  const word = (part, at) => (at % 3 === 0 ? part : at % 3 === 1 ? h("ruby", {}, part, h("rp", {}, "("), over(parts[at + 1]), h("rp", {}, ")")) : "");
  return h("span", { class: "furigana" }, parts.map(word).filter(Boolean));
}

/** A text as it can stand in an element: drawings and lists of choices show nothing above it. */
const wordsIn = (element, text) => (element.namespaceURI === SVG || element.tagName === "OPTION" ? plain(text) : withReadings(text));

function build(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : plain(value));
  }
  const shown = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...shown.map((child) => (typeof child === "string" ? wordsIn(element, child) : child)));
  return element;
}

/** An element with attributes, listeners (`onclick`) and children. */
export const h = (tag, props, ...children) => build(document.createElement(tag), props, children);

/** The same for drawings. */
export const s = (tag, props, ...children) => build(document.createElementNS(SVG, tag), props, children);

/** Gives an element another text. */
export const setText = (element, text) => element.replaceChildren(wordsIn(element, text));

/** Gives an element a name for those who do not see it. */
export const setLabel = (element, text) => element.setAttribute("aria-label", plain(text));

export const byId = (id) => document.getElementById(id);

/** Tells those who do not see the page what has happened. */
export function announce(text) {
  byId("live").textContent = plain(text);
}

/** A choice from a list of `[value, text]`, or of `{label, options}`. */
export function select(props, options, chosen) {
  const option = ([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text);
  const group = (entry) =>
    Array.isArray(entry) ? option(entry) : h("optgroup", { label: entry.label }, entry.options.map(option));
  return h("select", props, options.map(group));
}

/** Something with its name beside it. */
export const field = (text, input) => h("label", { class: "field" }, h("span", {}, text), input);

/** How many there are of something: a picture of them, and the number. */
export const tally = (count, label, picture) =>
  h("span", { class: "tally", role: "img", "data-count": count, "aria-label": label }, picture, h("b", { "aria-hidden": "true" }, count));

/** A sentence about what went wrong, where it is seen and heard. */
export const problem = (text) => h("p", { class: "problem", role: "alert" }, text);

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Remembers small choices; a browser that forbids it just forgets them. */
export const memory = {
  get(key) {
    try { return localStorage.getItem(`dobutsu-${key}`); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(`dobutsu-${key}`, value); } catch { /* forgotten */ }
  },
};
