// The runs in the results folder, and a form to start one.

import { api } from "./api.js";
import { CyclesView } from "./cycles.js";
import { field, h, problem, select } from "./dom.js";
import { chosenGame, GAMES } from "./games.js";
import { markdown } from "./markdown.js";
import { RunView } from "./run.js";
import { t, tg } from "./words.js";

let styled = false;

/** The styles of this part come with it. */
function style() {
  if (styled) return null;
  styled = true;
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/runs.css", onload: done, onerror: done }));
  });
}

export async function runsScreen(id) {
  await style();
  return id ? runScreen(id) : listScreen();
}

async function runScreen(id) {
  const run = await api.run(id);
  const view = run.kind === "learner" ? new CyclesView(run) : new RunView(run);
  const back = h("p", {}, h("a", { class: "button", href: "#/runs" }, `‹ ${t("back_runs")}`));
  return { element: h("div", { class: "runs" }, back, view.element), leave: () => view.leave() };
}

async function listScreen() {
  const { runs, overview, running } = await api.runs();
  const own = runs.filter((run) => run.kind === "run");
  const learners = runs.filter((run) => run.kind === "learner");
  const others = runs.filter((run) => !own.includes(run) && !learners.includes(run));
  const more = {
    run: (run) => [t(`preset_${run.preset}`), run.side ? t(`side_only_${run.side}`) : t("side_none"), t("seed_of", run.seed)],
    learner: (run) => [t(`preset_${run.preset}`), t("seed_of", run.seed), t("run_cycles", run.done, run.cycles)],
  };
  const about = (run) => [tg(run.game, "title"), ...(more[run.kind]?.(run) ?? [])];
  const card = (run) => h(
    "a",
    { class: "run-card", href: address(run.id), "data-run": run.id },
    h("strong", {}, run.title ?? run.id),
    h("span", { class: "quiet" }, about(run).join(" · ")),
    run.state ? h("span", { class: `state ${run.state}` }, t(`state_${run.state}`)) : null,
    run.failure ? h("span", { class: "quiet" }, run.failure) : null,
  );
  const element = h(
    "div",
    { class: "runs" },
    h("h1", {}, t("runs_title")),
    h("p", { class: "lead" }, t("runs_note")),
    startForm(running),
    h("section", {}, h("h2", {}, t("runs_list")), own.length ? h("div", { class: "run-cards" }, own.map(card)) : h("p", { class: "quiet" }, t("runs_none"))),
    learners.length ? h("section", {}, h("h2", {}, t("runs_learners")), h("div", { class: "run-cards" }, learners.map(card))) : null,
    others.length ? h("section", {}, h("h2", {}, t("runs_experiments")), h("div", { class: "run-cards" }, others.map(card))) : null,
    overview ? h("section", { class: "panel" }, h("h2", {}, t("runs_overview")), markdown(overview.replace(/^# .*\n/, ""), 2)) : null,
  );
  return { element, leave: null };
}

const address = (id) => `#/runs/${id.split("/").map(encodeURIComponent).join("/")}`;

function startForm(running) {
  const number = (id, value, max) => h("input", { id, type: "number", min: 1, max, step: 1, value, inputmode: "numeric" });
  const game = select({ id: "run-game" }, Object.keys(GAMES).map((name) => [name, tg(name, "title")]), chosenGame());
  const preset = select({ id: "run-preset" }, [["paper", t("preset_paper")], ["robust", t("preset_robust")]], "paper");
  const side = select({ id: "run-side" }, [["", t("side_none")], ["first", t("side_only_first")], ["second", t("side_only_second")]], "");
  const seed = number("run-seed", 1, 2 ** 53 - 1);
  const generations = number("run-generations", 1, 2000);
  const offer = () => {
    generations.value = GAMES[game.value].generations[preset.value];
    generations.max = preset.value === "paper" ? 2000 : 200;
  };
  game.addEventListener("change", offer);
  preset.addEventListener("change", offer);
  offer();
  const note = h("div", {});
  const start = async (event) => {
    event.preventDefault();
    note.replaceChildren();
    try {
      const { id } = await api.startRun({ game: game.value, preset: preset.value, seed: Number(seed.value), side: side.value || null, generations: Number(generations.value) });
      location.hash = address(id);
    } catch (error) {
      note.replaceChildren(problem(error.message));
    }
  };
  return h(
    "form",
    { class: "panel", id: "run-form", novalidate: true, onsubmit: start },
    h("h2", {}, t("run_start")),
    h("div", { class: "choices" }, field(t("run_game"), game), field(t("run_preset"), preset), field(t("run_side"), side), field(t("run_seed"), seed), field(t("run_generations"), generations)),
    h("button", { class: "main", id: "run-start" }, t("run_start")),
    running.map((id) => h("p", {}, h("a", { href: address(id) }, `${id}: ${t("state_running")}`))),
    note,
  );
}
