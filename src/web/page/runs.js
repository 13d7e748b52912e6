// The runs in the results folder, and a form to start one.

import { api } from "./api.js";
import { CyclesView } from "./cycles.js";
import { announce, field, h, messageOf, problem, select } from "./dom.js";
import { ALL_GAMES, chosenGame, GAMES, SIDES } from "./games.js";
import { numberField } from "./number.js";
import { smallProgress } from "./progress.js";
import { redraw, titledElement, written } from "./report.js";
import { ArticleView, RunView } from "./run.js";
import { Warmup } from "./warmup.js";
import { lang, t, tg } from "./words.js";

/** While something goes on, the list is asked for again this often. */
const LOOK_EVERY = 3000;

let styled = false;

/** The styles of this part come with it. */
function style() {
  if (styled) return null;
  styled = true;
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/runs.css", onload: done, onerror: done }));
  });
}

/** @param {string} id */
export async function runsScreen(id) {
  await style();
  return id ? runScreen(id) : listScreen();
}

/** @param {Api.Detail} run */
function viewOf(run) {
  if (run.kind === "run") return new RunView(run);
  return run.kind === "learner" ? new CyclesView(run) : new ArticleView(run);
}

/** @param {string} id */
async function runScreen(id) {
  const run = await api.run(id);
  const view = viewOf(run);
  const back = h("p", {}, h("a", { class: "button", href: "#/runs" }, `‹ ${t("back_runs")}`));
  return { element: h("div", { class: "runs" }, back, view.element), leave: () => view.leave() };
}

/** @param {string} id */
const address = (id) => `#/runs/${id.split("/").map(encodeURIComponent).join("/")}`;

/**
 * What a card of the list says.
 * @param {Api.Line} run
 * @returns {Node[]}
 */
function cardParts(run) {
  if (run.kind === "experiment") {
    const title = titledElement("strong", run.title, run.id);
    if (!run.picture) return [title];
    return [h("img", { class: "thumb", src: api.runFile(run.id, run.picture), loading: "lazy", alt: "" }), title];
  }
  const name = titledElement("strong", null, run.id);
  if (run.kind === "sweep") return [name];
  const side = run.kind === "run" ? [run.side ? t(`side_only_${run.side}`) : t("side_none")] : [];
  const cycles = run.kind === "learner" ? [t("run_cycles", run.done, run.cycles)] : [];
  const about = [tg(run.game, "title"), t(`preset_${run.preset}`), ...side, t("seed_of", run.seed), ...cycles];
  const [done, of] = run.kind === "learner" ? [run.done, run.cycles] : [run.reached, run.last];
  const state = h("span", { class: `state ${run.state}` }, t(`state_${run.state}`));
  const parts = [name, h("span", { class: "quiet" }, about.join(" · ")), state];
  if (run.state === "running") parts.push(smallProgress(done, of, run.left));
  if (run.kind === "run" && run.failure) parts.push(h("span", { class: "quiet", lang: "en" }, run.failure));
  return parts;
}

/** A group of the list: cards that are there already stay where they are, with whoever is on one of them. */
class Cards {
  /** @param {HTMLElement} heading @param {(run: Api.Line) => boolean} belongs @param {string | null} [none] */
  constructor(heading, belongs, none = null) {
    this.belongs = belongs;
    /** @type {Map<string, { said: string, element: HTMLElement }>} */
    this.cards = new Map();
    this.box = h("div", { class: "run-cards" });
    this.none = none === null ? null : h("p", { class: "quiet" }, none);
    this.element = h("section", {}, heading, this.none, this.box);
  }

  /** @param {Api.Line[]} runs */
  set(runs) {
    const mine = runs.filter(this.belongs);
    const before = [...this.cards.keys()].join("\n");
    const cards = new Map(mine.map((run) => [run.id, this.card(run)]));
    this.cards = cards;
    if ([...cards.keys()].join("\n") !== before) redraw(this.box, ...[...cards.values()].map(({ element }) => element));
    if (this.none) this.none.hidden = mine.length > 0;
    this.element.hidden = !this.none && !mine.length;
  }

  /** @param {Api.Line} run */
  card(run) {
    const said = JSON.stringify(run);
    const old = this.cards.get(run.id);
    if (old?.said === said) return old;
    const element = old?.element ?? h("a", { class: "run-card", id: `card-${run.id}`, href: address(run.id), "data-run": run.id });
    element.replaceChildren(...cardParts(run));
    return { said, element };
  }
}

async function listScreen() {
  /** @param {Api.Line} run */
  const isExperiment = ({ kind }) => kind !== "run" && kind !== "learner";
  /** @param {Api.GameName} name */
  const experimentsOf = (name) => new Cards(h("h3", {}, tg(name, "title")), (run) => isExperiment(run) && run.game === name);
  const own = [
    new Cards(h("h2", {}, t("runs_list")), ({ kind }) => kind === "run", t("runs_none")),
    new Cards(h("h2", {}, t("runs_learners")), ({ kind }) => kind === "learner"),
  ];
  const experiments = ALL_GAMES.map(experimentsOf);
  const section = h("section", {}, h("h2", {}, t("runs_experiments")), experiments.map((group) => group.element));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  let left = false;
  const look = async () => {
    const { runs, overview } = await api.runs();
    if (left) return overview;
    [...own, ...experiments].forEach((group) => group.set(runs));
    section.hidden = !runs.some(isExperiment);
    // Where nothing goes on, nothing changes.
    if (runs.some((run) => "state" in run && run.state === "running")) next = setTimeout(() => look().catch(() => {}), LOOK_EVERY);
    return overview;
  };
  const overview = await look();
  const warmup = new Warmup();
  const element = h(
    "div",
    { class: "runs" },
    h("h1", {}, t("runs_title")),
    h("p", { class: "lead" }, t("runs_note")),
    startForm(),
    own.map((group) => group.element),
    warmup.element,
    section,
    overview ? h("section", { class: "panel" }, h("h2", {}, t("runs_overview")), written(overview, { above: 1 })) : null,
  );
  return { element, leave: () => { left = true; clearTimeout(next); warmup.leave(); } };
}

function startForm() {
  const game = select({ id: "run-game" }, ALL_GAMES.map((name) => [name, tg(name, "title")]), chosenGame());
  const preset = select({ id: "run-preset" }, [["paper", t("preset_paper")], ["robust", t("preset_robust")]], "paper");
  const side = select({ id: "run-side" }, [["", t("side_none")], ["first", t("side_only_first")], ["second", t("side_only_second")]], "");
  const seed = numberField("run-seed", t("run_seed"), 1, 2 ** 53 - 1);
  const generations = numberField("run-generations", t("run_generations"), 1, 2000);
  const gameOf = () => /** @type {Api.GameName} */ (game.value);
  const offer = () => {
    generations.input.max = preset.value === "paper" ? "2000" : "200";
    generations.input.value = String(GAMES[gameOf()].generations[preset.value]);
    generations.check();
  };
  game.addEventListener("change", offer);
  preset.addEventListener("change", offer);
  offer();
  const note = h("div", {});
  /** @param {SubmitEvent} event */
  const start = async (event) => {
    event.preventDefault();
    note.replaceChildren();
    const wrong = [seed, generations].filter((field) => !field.check());
    if (wrong.length) return wrong[0].input.focus();
    try {
      const [busy] = (await api.runs()).running;
      if (busy) return note.replaceChildren(problem(t("error_run_busy", busy)), h("p", {}, h("a", { href: address(busy) }, busy)));
      const { id } = await api.startRun({
        game: gameOf(),
        preset: preset.value === "robust" ? "robust" : "paper",
        seed: Number(seed.input.value),
        side: SIDES.find((one) => one === side.value) ?? null,
        generations: Number(generations.input.value),
        language: lang(),
      });
      location.hash = address(id);
      announce(t("run_goes_on"));
    } catch (error) {
      note.replaceChildren(problem(messageOf(error)));
    }
  };
  return h(
    "form",
    { class: "panel", id: "run-form", novalidate: true, onsubmit: start },
    h("h2", {}, t("run_start")),
    h("div", { class: "choices" }, field(t("run_game"), game), field(t("run_preset"), preset), field(t("run_side"), side), seed.element, generations.element),
    h("button", { class: "main", id: "run-start" }, t("run_start")),
    note,
  );
}
