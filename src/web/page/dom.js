// Small helpers to build the page without a framework.

const SVG = "http://www.w3.org/2000/svg";

/** A word of kanji with how it is read, as the Japanese words have it: `[漢字|かんじ]`. */
const READ = /\[([^[\]|]+)\|([ぁ-ゖァ-ヺー]+)\]/g;

/**
 * Where nothing can stand above the text, the reading stands for the kanji: a child knows it, and a voice cannot get it wrong.
 * @param {unknown} text
 * @returns {string}
 */
export const plain = (text) => String(text).replace(READ, "$2");

/**
 * A text with the readings above its kanji, as one element: a button or a row takes it for one part.
 * @param {string} text
 * @returns {string | HTMLElement}
 */
function withReadings(text) {
  // By turns: what stands between, a word, its reading.
  const parts = text.split(READ);
  if (parts.length === 1) return text;
  // Who hears the page hears the word once.
  /** @param {string} kana */
  const over = (kana) => h("rt", { "aria-hidden": "true" }, kana);
  /** @param {string} part @param {number} at @returns {Page.Child} */
  const word = (part, at) => (at % 3 === 0 ? part : at % 3 === 1 ? h("ruby", {}, part, h("rp", {}, "("), over(parts[at + 1]), h("rp", {}, ")")) : "");
  return h("span", { class: "furigana" }, parts.map(word).filter(Boolean));
}

/**
 * A text as it can stand in an element: drawings and lists of choices show nothing above it.
 * @param {Element} element
 * @param {string} text
 */
const wordsIn = (element, text) => (element.namespaceURI === SVG || element.tagName === "OPTION" ? plain(text) : withReadings(text));

/**
 * @template {Element} T
 * @param {T} element
 * @param {Page.Props | null | undefined} props
 * @param {Page.Child[]} children
 * @returns {T}
 */
function build(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {HTMLInputElement} */ (/** @type {unknown} */ (element)).value = String(value);
    else element.setAttribute(name, value === true ? "" : plain(value));
  }
  const all = /** @type {unknown[]} */ (children).flat(Infinity);
  const shown = all.filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...shown.map((child) => (child instanceof Node ? child : wordsIn(element, String(child)))));
  return element;
}

/**
 * An element with attributes, listeners (`onclick`) and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Props | null} [props]
 * @param {...Page.Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const h = (tag, props, ...children) => build(document.createElement(tag), props, children);

/**
 * The same for drawings.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Props | null} [props]
 * @param {...Page.Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export const s = (tag, props, ...children) => build(document.createElementNS(SVG, tag), props, children);

/**
 * Gives an element another text.
 * @param {Element} element
 * @param {string} text
 */
export const setText = (element, text) => element.replaceChildren(wordsIn(element, text));

/**
 * Gives an element a name for those who do not see it.
 * @param {Element} element
 * @param {string} text
 */
export const setLabel = (element, text) => element.setAttribute("aria-label", plain(text));

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Gives an element the focus, where the page stays as it is. @type {(element: Element | null | undefined) => void} */
export const focusOn = (element) => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
};

/**
 * Tells those who do not see the page what has happened.
 * @param {string | null} text
 */
export function announce(text) {
  byId("live").textContent = plain(text);
}

/**
 * A choice from a list of `[value, text]`, or of `{label, options}`.
 * @param {Page.Props} props
 * @param {Page.Option[]} options
 * @param {unknown} chosen
 */
export function select(props, options, chosen) {
  /** @param {Page.Choice} choice */
  const option = ([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text);
  /** @param {Page.Option} entry */
  const group = (entry) =>
    Array.isArray(entry) ? option(entry) : h("optgroup", { label: entry.label }, entry.options.map(option));
  return h("select", props, options.map(group));
}

/**
 * Something with its name beside it.
 * @param {string} text
 * @param {Node} input
 */
export const field = (text, input) => h("label", { class: "field" }, h("span", {}, text), input);

/**
 * How many there are of something: a picture of them, and the number.
 * @param {number} count
 * @param {string} label
 * @param {Node} picture
 */
export const tally = (count, label, picture) =>
  h("span", { class: "tally", role: "img", "data-count": count, "aria-label": label }, picture, h("b", { "aria-hidden": "true" }, count));

/**
 * A sentence about what went wrong, where it is seen and heard.
 * @param {string} text
 */
export const problem = (text) => h("p", { class: "problem", role: "alert" }, text);

/** Whether it was not an error, but given up. @type {(error: unknown) => boolean} */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** @type {(error: unknown) => string} */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {number} milliseconds */
export const sleep = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Remembers small choices; a browser that forbids it just forgets them. */
export const memory = {
  /** @param {string} key */
  get(key) {
    try { return localStorage.getItem(`dobutsu-${key}`); } catch { return null; }
  },
  /** @param {string} key @param {string} value */
  set(key, value) {
    try { localStorage.setItem(`dobutsu-${key}`, value); } catch { /* forgotten */ }
  },
};
