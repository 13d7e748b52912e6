// The runs in the results folder, and a form to start one.

import { api } from "./api.js";
import { CyclesView } from "./cycles.js";
import { announce, field, h, problem, select } from "./dom.js";
import { chosenGame, GAMES } from "./games.js";
import { titled } from "./markdown.js";
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

export async function runsScreen(id) {
  await style();
  return id ? runScreen(id) : listScreen();
}

async function runScreen(id) {
  const run = await api.run(id);
  const View = { run: RunView, learner: CyclesView }[run.kind] ?? ArticleView;
  const view = new View(run);
  const back = h("p", {}, h("a", { class: "button", href: "#/runs" }, `‹ ${t("back_runs")}`));
  return { element: h("div", { class: "runs" }, back, view.element), leave: () => view.leave() };
}

const address = (id) => `#/runs/${id.split("/").map(encodeURIComponent).join("/")}`;

/** What a card of the list says. */
function cardParts(run) {
  const more = {
    run: () => [t(`preset_${run.preset}`), run.side ? t(`side_only_${run.side}`) : t("side_none"), t("seed_of", run.seed)],
    learner: () => [t(`preset_${run.preset}`), t("seed_of", run.seed), t("run_cycles", run.done, run.cycles)],
  };
  const [done, of] = run.kind === "learner" ? [run.done, run.cycles] : [run.reached, run.last];
  return [
    run.picture ? h("img", { class: "thumb", src: api.runFile(run.id, run.picture), loading: "lazy", alt: "" }) : null,
    titledElement("strong", run.title, run.id),
    more[run.kind] ? h("span", { class: "quiet" }, [tg(run.game, "title"), ...more[run.kind]()].join(" · ")) : null,
    run.state ? h("span", { class: `state ${run.state}` }, t(`state_${run.state}`)) : null,
    run.state === "running" ? smallProgress(done, of, run.left) : null,
    run.failure ? h("span", { class: "quiet", lang: "en" }, run.failure) : null,
  ].filter(Boolean);
}

/** A group of the list: cards that are there already stay where they are, with whoever is on one of them. */
class Cards {
  constructor(heading, belongs, none = null) {
    Object.assign(this, { belongs, cards: new Map() });
    this.box = h("div", { class: "run-cards" });
    this.none = none && h("p", { class: "quiet" }, none);
    this.element = h("section", {}, heading, this.none, this.box);
  }

  set(runs) {
    const mine = runs.filter(this.belongs);
    const before = [...this.cards.keys()].join("\n");
    const cards = new Map(mine.map((run) => [run.id, this.card(run)]));
    this.cards = cards;
    if ([...cards.keys()].join("\n") !== before) redraw(this.box, ...[...cards.values()].map(({ element }) => element));
    if (this.none) this.none.hidden = mine.length > 0;
    this.element.hidden = !this.none && !mine.length;
  }

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
  const isExperiment = ({ kind }) => kind !== "run" && kind !== "learner";
  const experimentsOf = (name) => new Cards(h("h3", {}, tg(name, "title")), (run) => isExperiment(run) && run.game === name);
  const own = [
    new Cards(h("h2", {}, t("runs_list")), ({ kind }) => kind === "run", t("runs_none")),
    new Cards(h("h2", {}, t("runs_learners")), ({ kind }) => kind === "learner"),
  ];
  const experiments = Object.keys(GAMES).map(experimentsOf);
  const section = h("section", {}, h("h2", {}, t("runs_experiments")), experiments.map((group) => group.element));
  let [next, left] = [null, false];
  const look = async () => {
    const { runs, overview } = await api.runs();
    if (left) return overview;
    [...own, ...experiments].forEach((group) => group.set(runs));
    section.hidden = !runs.some(isExperiment);
    // Where nothing goes on, nothing changes.
    if (runs.some(({ state }) => state === "running")) next = setTimeout(() => look().catch(() => {}), LOOK_EVERY);
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
    overview ? h("section", { class: "panel" }, h("h2", {}, t("runs_overview")), written(titled(overview)[1], { above: 1 })) : null,
  );
  return { element, leave: () => { left = true; clearTimeout(next); warmup.leave(); } };
}

function startForm() {
  const game = select({ id: "run-game" }, Object.keys(GAMES).map((name) => [name, tg(name, "title")]), chosenGame());
  const preset = select({ id: "run-preset" }, [["paper", t("preset_paper")], ["robust", t("preset_robust")]], "paper");
  const side = select({ id: "run-side" }, [["", t("side_none")], ["first", t("side_only_first")], ["second", t("side_only_second")]], "");
  const seed = numberField("run-seed", t("run_seed"), 1, 2 ** 53 - 1);
  const generations = numberField("run-generations", t("run_generations"), 1, 2000);
  const offer = () => {
    generations.input.max = preset.value === "paper" ? 2000 : 200;
    generations.input.value = GAMES[game.value].generations[preset.value];
    generations.check();
  };
  game.addEventListener("change", offer);
  preset.addEventListener("change", offer);
  offer();
  const note = h("div", {});
  const start = async (event) => {
    event.preventDefault();
    note.replaceChildren();
    const wrong = [seed, generations].filter((field) => !field.check());
    if (wrong.length) return wrong[0].input.focus();
    try {
      const [busy] = (await api.runs()).running;
      if (busy) return note.replaceChildren(problem(t("error_run_busy", busy)), h("p", {}, h("a", { href: address(busy) }, busy)));
      const { id } = await api.startRun({
        game: game.value, preset: preset.value, seed: Number(seed.input.value), side: side.value || null, generations: Number(generations.input.value), language: lang(),
      });
      location.hash = address(id);
      announce(t("run_goes_on"));
    } catch (error) {
      note.replaceChildren(problem(error.message));
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
