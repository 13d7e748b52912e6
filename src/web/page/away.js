// When the server is away: it is said at the top, and whatever waits for it is tried again, by itself or at once.

import { announce, byId, h } from "./dom.js";
import { t } from "./words.js";

/** Milliseconds until the next try, and at most. */
const FIRST = 500;
const LONGEST = 5000;
/** How often a page that asks nothing looks whether the server is there. */
const LOOK = 10000;

/** @type {(() => void)[]} */
let waiting = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let pause = FIRST;

/** Whether the server is known to be away. */
export const isAway = () => !byId("away").hidden;

/**
 * The next time to try again; rejected if no request waits any more.
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function nextTry(signal) {
  show();
  timer ??= setTimeout(tryAgain, pause);
  return new Promise((done, gone) => {
    /** @type {() => void} */
    const end = () => gone(signal?.reason);
    signal?.addEventListener("abort", end, { once: true });
    waiting.push(() => {
      signal?.removeEventListener("abort", end);
      done();
    });
  });
}

function tryAgain() {
  clearTimeout(timer);
  timer = undefined;
  pause = Math.min(2 * pause, LONGEST);
  const all = waiting;
  waiting = [];
  all.forEach((again) => again());
}

/** Everything that waits, now. */
function tryNow() {
  pause = FIRST;
  if (waiting.length) tryAgain();
  else look();
}

function show() {
  const bar = byId("away");
  if (!bar.hidden) return;
  bar.hidden = false;
  draw();
  announce(t("server_away"));
}

/** In the present language. */
export function draw() {
  const bar = byId("away");
  if (bar.hidden) return;
  bar.replaceChildren(h("span", {}, t("server_away")), h("button", { id: "try-again", onclick: tryNow }, t("try_again")));
}

/** The server has answered. */
export function isBack() {
  const bar = byId("away");
  pause = FIRST;
  if (bar.hidden) return;
  const focused = bar.contains(document.activeElement);
  bar.hidden = true;
  bar.replaceChildren();
  if (focused) byId("screen").focus({ preventScroll: true });
  announce(t("server_back"));
  if (waiting.length) tryAgain();
}

/** Whether the server answers at all. */
async function look() {
  try {
    await fetch("/icon.svg", { method: "HEAD", cache: "no-store" });
    isBack();
    return true;
  } catch {
    show();
    return false;
  }
}

/** Keeps an eye on the server also while nothing is asked. */
export function watch() {
  setInterval(() => document.visibilityState === "visible" && !waiting.length && look(), LOOK);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
}

/**
 * A part of the page that comes when it is wanted. If the server is away just then, the page begins anew when it is back: nothing is lost.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function part(load) {
  try {
    return await load();
  } catch {
    while (!(await look())) await nextTry();
    location.reload();
    return new Promise(() => {});
  }
}
