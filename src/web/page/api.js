// What the page asks the server. Every failure becomes an Error whose message is a sentence; while the server is away, what only asks is asked again.

import { isBack, nextTry } from "./away.js";
import { isAbort } from "./dom.js";
import { has, t } from "./words.js";

/** @param {Document} page */
const tokenOf = (page) => page.querySelector("meta[name=dobutsu-token]")?.getAttribute("content");

/** What shows the server that its own page asks: whatever changes something needs it. A server that was started anew has another one. */
let token = tokenOf(document) ?? "";

/** @returns {Promise<boolean>} */
async function newToken() {
  const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
  const now = tokenOf(page);
  const changed = Boolean(now) && now !== token;
  token = now ?? token;
  return changed;
}

/**
 * What the server refuses, in the language of the page if it has a code that the page has words for.
 * @param {Api.Refusal | null} data
 * @param {number} status
 */
function sentence(data, status) {
  if (!data?.error) return t("server_odd", status);
  return has(`error_${data.code}`) ? t(`error_${data.code}`, ...(data.with ?? [])) : t("server_says", data.error);
}

/** The screen that is shown, and what gives up its requests when it is left. */
let screen = { name: "", abort: new AbortController() };

/**
 * Another screen is shown, by its name: what the one before has asked for is given up. Returns whether it is another one.
 * @param {string} name
 */
export function enter(name) {
  if (name === screen.name) return false;
  screen.abort.abort();
  screen = { name, abort: new AbortController() };
  return true;
}

/**
 * `changes` says that asking twice is not the same as asking once; what changes something, and what `lasts` longer than the
 * screen, is not given up with it.
 * @template T
 * @param {string} path
 * @param {{ body?: object, method?: string, signal?: AbortSignal, changes?: boolean, lasts?: boolean }} [how]
 * @returns {Promise<T>}
 */
async function ask(path, { body, method = body ? "POST" : "GET", signal: own, changes = false, lasts = changes } = {}) {
  const signals = [own, lasts ? undefined : screen.abort.signal].filter((signal) => signal !== undefined);
  const signal = signals.length ? AbortSignal.any(signals) : undefined;
  for (;;) {
    let response;
    try {
      /** @type {Record<string, string>} */
      const headers = { "x-dobutsu-token": token };
      if (body) headers["content-type"] = "application/json";
      response = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal });
    } catch (error) {
      if (isAbort(error)) throw error;
      if (changes) throw new Error(t("server_away"));
      await nextTry(signal);
      continue;
    }
    isBack();
    const data = await response.json().catch(() => null);
    // Also if it is given up half way through the answer, of which nothing is left then.
    signal?.throwIfAborted();
    if (response.ok) return data;
    if (data?.code === "token" && (await newToken())) continue;
    throw new Error(sentence(data, response.status));
  }
}

/** @param {string} id */
const runPath = (id) => `/api/runs/${id.split("/").map(encodeURIComponent).join("/")}`;

export const api = {
  /** @type {(game: Page.GameText) => Promise<Api.StateInfo>} */
  state: (game) => ask("/api/state", { body: { game }, lasts: true }),
  /** @type {(game: Page.GameText, player: string, signal?: AbortSignal) => Promise<Api.Answer>} */
  move: (game, player, signal) => ask("/api/move", { body: { game, player }, signal }),
  /** @type {(game: Page.GameText, player?: string, signal?: AbortSignal) => Promise<Api.Analysis>} */
  analyse: (game, player, signal) => ask("/api/analyse", { body: { game, player }, signal }),
  /** @type {(game: Page.GameText, from: number, signal?: AbortSignal) => Promise<Api.Review>} */
  review: (game, from, signal) => ask("/api/review", { body: { game, from }, signal }),
  /** @type {(game: Api.GameName) => Promise<Api.Offers>} */
  opponents: (game) => ask(`/api/opponents?game=${encodeURIComponent(game)}`),
  /** @type {(wanted: Record<string, string>, signal?: AbortSignal) => Promise<Api.CurveInfo>} */
  curve: (wanted, signal) => ask(`/api/curve?${new URLSearchParams(wanted)}`, { signal }),
  /** @type {() => Promise<Api.Runs>} */
  runs: () => ask("/api/runs"),
  /** @type {(id: string) => Promise<Api.Detail>} */
  run: (id) => ask(runPath(id)),
  /** @type {(wanted: Api.Wanted) => Promise<{ id: string }>} */
  startRun: (wanted) => ask("/api/runs", { body: wanted, changes: true }),
  /** @type {(id: string, wanted: Api.Wanted) => Promise<{ id: string }>} */
  resumeRun: (id, wanted) => ask(runPath(id), { body: wanted, changes: true }),
  /** @type {(id: string, name: string) => string} */
  runFile: (id, name) => `${runPath(id)}/files/${encodeURIComponent(name)}`,
  /** @type {(id: string) => Promise<{ id: string }>} */
  stopRun: (id) => ask(runPath(id), { method: "DELETE", changes: true }),
  /** @type {(id: string, after: number) => EventSource} */
  events: (id, after) => new EventSource(`${runPath(id)}/events?after=${after}`),
};
