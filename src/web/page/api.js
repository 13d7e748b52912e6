// What the page asks the server. Every failure becomes an Error whose message is a sentence; while the server is away, what only asks is asked again.

import { isBack, nextTry } from "./away.js";
import { has, t } from "./words.js";

/** What shows the server that its own page asks: whatever changes something needs it. A server that was started anew has another one. */
let token = document.querySelector("meta[name=dobutsu-token]").content;

async function newToken() {
  const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
  const now = page.querySelector("meta[name=dobutsu-token]")?.content;
  const changed = Boolean(now) && now !== token;
  token = now ?? token;
  return changed;
}

/** What the server refuses, in the language of the page if it has a code that the page has words for. */
function sentence(data, status) {
  if (!data?.error) return t("server_odd", status);
  return has(`error_${data.code}`) ? t(`error_${data.code}`, ...data.with) : t("server_says", data.error);
}

/** `changes` says that asking twice is not the same as asking once. */
async function ask(path, { body, method = body ? "POST" : "GET", signal, changes = false } = {}) {
  for (;;) {
    let response;
    try {
      const headers = { "x-dobutsu-token": token, ...(body && { "content-type": "application/json" }) };
      response = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
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

const runPath = (id) => `/api/runs/${id.split("/").map(encodeURIComponent).join("/")}`;

export const api = {
  state: (game) => ask("/api/state", { body: { game } }),
  move: (game, player, signal) => ask("/api/move", { body: { game, player }, signal }),
  analyse: (game, player, signal) => ask("/api/analyse", { body: { game, player }, signal }),
  review: (game, from, signal) => ask("/api/review", { body: { game, from }, signal }),
  opponents: (game) => ask(`/api/opponents?game=${encodeURIComponent(game)}`),
  curve: (wanted, signal) => ask(`/api/curve?${new URLSearchParams(wanted)}`, { signal }),
  runs: () => ask("/api/runs"),
  run: (id) => ask(runPath(id)),
  startRun: (wanted) => ask("/api/runs", { body: wanted, changes: true }),
  resumeRun: (id, wanted) => ask(runPath(id), { body: wanted, changes: true }),
  runFile: (id, name) => `${runPath(id)}/files/${encodeURIComponent(name)}`,
  stopRun: (id) => ask(runPath(id), { method: "DELETE", changes: true }),
  events: (id, after) => new EventSource(`${runPath(id)}/events?after=${after}`),
};
