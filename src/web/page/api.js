// What the page asks the server. Every failure becomes an Error whose message is a sentence.

import { t } from "./words.js";

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(t("server_away"));
  }
  const data = await response.json().catch(() => null);
  if (!response.ok) throw new Error(data?.error ?? t("server_odd", response.status));
  return data;
}

/** What shows the server that its own page asks: whatever changes something needs it. */
const own = { "x-dobutsu-token": document.querySelector("meta[name=dobutsu-token]").content };

const post = (path, body, signal) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json", ...own }, body: JSON.stringify(body), signal });

const runPath = (id) => `/api/runs/${id.split("/").map(encodeURIComponent).join("/")}`;

export const api = {
  state: (game) => post("/api/state", { game }),
  move: (game, player, signal) => post("/api/move", { game, player }, signal),
  analyse: (game, player, signal) => post("/api/analyse", { game, player }, signal),
  opponents: (game) => ask(`/api/opponents?game=${encodeURIComponent(game)}`),
  runs: () => ask("/api/runs"),
  run: (id) => ask(runPath(id)),
  startRun: (wanted) => post("/api/runs", wanted),
  resumeRun: (id, wanted) => post(runPath(id), wanted),
  runFile: (id, name) => `${runPath(id)}/files/${encodeURIComponent(name)}`,
  stopRun: (id) => ask(runPath(id), { method: "DELETE", headers: own }),
  events: (id, after) => new EventSource(`${runPath(id)}/events?after=${after}`),
};
