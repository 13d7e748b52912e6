// One run: its values, scores and strength over the generations, as it goes on or as it was.

import { api } from "./api.js";
import { Chart, colour, COLOURS, fixed } from "./chart.js";
import { announce, h, messageOf, problem } from "./dom.js";
import { GAMES } from "./games.js";
import { titled } from "./markdown.js";
import { Multiples } from "./multiples.js";
import { Progress } from "./progress.js";
import { compareBox, downloads, pictures, redraw, Table, titledElement, written } from "./report.js";
import { lang, t, tg } from "./words.js";

// The columns of a row.
const GENERATION = 0;
const WINNER_SCORE = 1;
const MEAN_SCORE = 2;
const WINNER = 3;
const FROZEN = 5;

/** @typedef {Extract<Api.Detail, { kind: "run" }>} Run */
/** A run and how its lines look. @typedef {{ run: Run, name: string, colour: string, dashed?: boolean }} Beside */

/**
 * What files of a run's charts are called.
 * @param {{ id: string }} run
 * @param {string} name
 */
export const fileOf = (run, name) => `${run.id.replaceAll("/", "-")}-${name}`;

/** @type {[word: string, column: 1 | 2][]} */
const SCORES = [["winner_score", WINNER_SCORE], ["mean_score", MEAN_SCORE]];

export class RunView {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** @type {Run | null} */
    this.other = null;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {Chart | null} */
    this.strength = null;
    this.strengthNote = h("p", { class: "quiet" });
    const { settings } = this;
    const about = [tg(run.game, "title"), t(`preset_${settings.preset}`), settings["fix-side"] ? t(`side_only_${settings["fix-side"]}`) : t("side_none"), t("seed_of", settings.seed)];
    this.status = h("p", { class: "status", id: "run-status" });
    this.head = h("div", { class: "run-head" });
    this.progress = new Progress((done, of) => t("run_progress", done, of));
    this.note = h("div", {});
    this.genes = new Multiples({ title: t("chart_genes"), x: t("generation"), y: t("value"), plans: this.genePlans(), digits: this.digits, apart: settings.preset !== "paper", file: fileOf(run, "values") });
    this.scores = new Chart({ title: t("chart_scores"), x: t("generation"), y: t("score"), series: this.scoreSeries(), bounds: [0, null], digits: 3, file: fileOf(run, "scores") });
    this.strengthBox = h("div", {});
    // A run that is not of the paper's kind has nothing of the paper beside it.
    this.values = new Table(GAMES[run.game].published && !run.paper ? t("values_plain") : tg(run.game, "values_table"));
    this.report = h("div", {});
    this.element = h(
      "div",
      { class: "run", id: "run" },
      h("h1", {}, run.id),
      h("p", { class: "quiet" }, about.join(" · ")),
      this.head,
      this.progress.element,
      this.note,
      compareBox(run, (other) => { this.other = /** @type {Run | null} */ (other); this.draw(); }),
      this.genes.element,
      this.scores.element,
      this.strengthBox,
      h("p", { class: "quiet" }, `${t("chart_help_small")} ${t("chart_help")}`),
      this.values.element,
      this.report,
    );
    this.update(run);
  }

  leave() {
    this.source?.close();
    this.progress.leave();
    [this.genes, this.scores, this.strength].forEach((chart) => chart?.leave());
  }

  /**
   * The run as it is now.
   * @param {Run} run
   */
  update(run) {
    this.source?.close();
    this.run = run;
    this.element.dataset.state = run.state;
    this.drawHead();
    this.draw();
    redraw(
      this.report,
      downloads(run),
      run.markdown && h("details", { class: "panel" }, h("summary", {}, t("full_summary")), written(run.markdown, { above: 1, run })),
    );
    if (run.state === "running") this.follow();
  }

  drawHead() {
    const { run } = this;
    const champion = run.champion && h("a", { class: "button", id: "play-champion", href: `#/${run.game}/setup/cpu/${encodeURIComponent(`genome=${run.id}${GAMES[run.game].decided ? "" : `:terminal=${this.settings.terminal}`}`)}` }, t("play_champion"));
    const stop = run.state === "running" && h("button", { class: "main", id: "run-stop", onclick: () => this.stop() }, t("run_stop"));
    const resume = run.resume && h("button", { class: "main", id: "run-resume", onclick: () => this.resume() }, t("run_go_on"));
    redraw(
      this.head,
      this.status,
      stop,
      resume,
      champion,
      run.failure && problem(t("run_failed", run.failure)),
      run.resume && h("p", { class: "quiet wide" }, `${t("run_resume")} `, h("code", {}, run.resume)),
    );
  }

  /** Everything that changes from generation to generation. */
  draw() {
    const { run } = this;
    const reached = run.rows.at(-1)?.[GENERATION] ?? 0;
    this.status.replaceChildren(h("span", { class: `state ${run.state}` }, t(`state_${run.state}`)));
    this.status.dataset.generation = String(reached);
    this.progress.set({ done: run.state === "finished" ? run.last : reached, of: run.last, running: run.state === "running", left: run.left });
    if (run.state === "finished") this.progress.text.textContent = t("run_over", reached);
    this.genes.setPlans(this.genePlans());
    this.scores.setSeries(this.scoreSeries());
    this.drawStrength();
    this.drawValues();
  }

  /** Weights of a few points need more digits than those of hundreds. */
  get digits() {
    return Math.max(...this.run.untrained.map(Math.abs)) < 10 ? 2 : 1;
  }

  get settings() {
    return /** @type {Page.RunSettings} */ (this.run.settings);
  }

  /** What the genes are called. */
  get labels() {
    return this.run.labels[lang()];
  }

  /** This run, and the one beside it. */
  get both() {
    /** @type {Beside} */
    const ours = { run: this.run, name: t("ours"), colour: COLOURS.ours };
    return this.other ? [ours, { run: this.other, name: this.other.id, colour: COLOURS.other, dashed: true }] : [ours];
  }

  genePlans() {
    const { run } = this;
    /** @param {Beside} one @param {string} gene */
    const line = ({ run, ...look }, gene) => {
      const place = run.genes.indexOf(gene);
      return { ...look, points: place < 0 ? [] : run.rows.map((row) => [row[GENERATION], row[WINNER][place]]) };
    };
    /** @param {string} gene @param {number} at */
    const frozen = (gene, at) => {
      const row = run.rows.find((row) => row[FROZEN].includes(gene));
      const points = row ? [[row[GENERATION], row[WINNER][at]]] : [];
      return row ? [{ name: t("frozen"), colour: COLOURS.frozen, dot: true, points }] : [];
    };
    return run.genes.map((gene, at) => {
      const level = run.paper?.genes?.[at];
      const paper = level === undefined ? [] : [{ name: t("paper"), colour: COLOURS.paper, points: [], level }];
      const lines = this.both.map((one) => line(one, gene));
      return { title: this.labels[at], series: [...lines, ...paper, ...frozen(gene, at)] };
    });
  }

  scoreSeries() {
    /** @param {Beside} one */
    const lines = ({ run, name, dashed }) => SCORES.map(([word, column], at) => ({
      name: dashed ? `${t(word)} (${name})` : t(word), colour: colour(2 * at + (dashed ? 1 : 0)), dashed, points: run.rows.map((row) => [row[GENERATION], row[column]]),
    }));
    return this.both.flatMap(lines);
  }

  strengthSeries() {
    const { settings } = this;
    const { paper } = this.run;
    /** @param {Beside} one */
    const line = ({ run: { strength }, ...look }) => ({ ...look, points: strength.map(([x, y]) => [x, y]), band: strength.map(([x, , low, high]) => [x, low, high]) });
    /** @type {Page.Series[]} */
    const series = [...this.both.map(line), { name: t("untrained_level"), colour: COLOURS.plain, points: [], level: 0.5 }];
    const sides = [paper?.first, paper?.second].filter((side) => side !== undefined);
    if (sides.length) {
      const score = sides.reduce((sum, side) => sum + side.wins + side.draws / 2, 0) / sides.length / 100;
      series.push({ name: `${t("paper")}${settings["fix-side"] ? "" : ` (${t("table_5")})`}`, colour: COLOURS.paper, points: [], level: score });
    }
    return series;
  }

  drawStrength() {
    const { run } = this;
    if (!this.both.some(({ run }) => run.strength.length)) return;
    if (!this.strength) {
      this.strength = new Chart({ title: t("chart_strength"), x: t("generation"), y: t("score"), series: [], bounds: [0, 1], digits: 3, file: fileOf(run, "strength") });
      this.strengthBox.replaceChildren(this.strength.element, this.strengthNote);
    }
    this.strength.setSeries(this.strengthSeries());
    this.strengthNote.textContent = run.strength_games ? t("strength_meanwhile", run.strength_games) : "";
  }

  drawValues() {
    const { genes, rows, untrained, paper, champion } = this.run;
    /** @param {string} gene */
    const frozenAt = (gene) => rows.find((row) => row[FROZEN].includes(gene))?.[GENERATION] ?? "–";
    /** @param {number | null | undefined} value */
    const shown = (value) => (value === undefined || value === null ? "–" : fixed(value, this.digits));
    /** @param {Pick<Api.RunDetail, "champion" | "rows">} run @param {number} at */
    const found = ({ champion, rows }, at) => champion?.[at] ?? rows.at(-1)?.[WINNER][at];
    const { other } = this;
    // Of runs for one side the paper does not say when their genes froze: what it leaves out, the server leaves out too.
    const frozen = paper?.frozen;
    /** @param {string} gene @param {number} at */
    const line = (gene, at) => [
      this.labels[at], shown(untrained[at]), shown(found({ champion, rows }, at)),
      ...(other ? [shown(found(other, other.genes.indexOf(gene)))] : []),
      ...(paper ? [shown(paper.genes?.[at])] : []), frozenAt(gene), ...(frozen ? [frozen[at] ?? "–"] : []),
    ];
    const head = [t("gene"), t("untrained"), t("ours"), ...(other ? [other.id] : []), ...(paper ? [t("paper")] : []), t("frozen_at"), ...(frozen ? [`${t("frozen_at")} (${t("paper")})`] : [])];
    this.values.set(head, genes.map(line));
  }

  /** New generations as they are played, then the whole once more with its reports. */
  follow() {
    const { run } = this;
    const source = (this.source = api.events(run.id, run.rows.at(-1)?.[GENERATION] ?? 0));
    /** @type {number | null} */
    let due = null;
    const later = () => {
      due ??= requestAnimationFrame(() => {
        due = null;
        if (this.run === run) this.draw();
      });
    };
    source.addEventListener("rows", (event) => {
      for (const row of JSON.parse(event.data)) {
        // A run that began anew begins anew here too.
        if (row[GENERATION] <= (run.rows.at(-1)?.[GENERATION] ?? 0)) run.rows.length = 0;
        run.rows.push(row);
      }
      later();
    });
    for (const name of ["left", "strength"]) {
      source.addEventListener(name, (event) => {
        Object.assign(run, { [name]: JSON.parse(event.data) });
        later();
      });
    }
    source.addEventListener("end", async () => {
      source.close();
      announce(t("run_ended"));
      await this.trying(async () => this.update(/** @type {Run} */ (await api.run(run.id))));
    });
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) this.note.replaceChildren(problem(t("server_away")));
    };
  }

  /** @param {() => Promise<unknown>} work */
  async trying(work) {
    this.note.replaceChildren();
    try {
      await work();
    } catch (error) {
      this.note.replaceChildren(problem(messageOf(error)));
    }
  }

  stop() {
    return this.trying(() => api.stopRun(this.run.id));
  }

  resume() {
    const { id } = this.run;
    return this.trying(async () => {
      const [busy] = (await api.runs()).running;
      if (busy) throw new Error(t("error_run_busy", busy));
      await api.resumeRun(id, { language: lang() });
      announce(t("run_goes_on"));
      this.update(/** @type {Run} */ (await api.run(id)));
    });
  }
}

/** What an experiment or a sweep has left: its text beside the paper's, its pictures, its tables. */
export class ArticleView {
  /** @param {Extract<Api.Detail, { kind: "experiment" | "sweep" }>} run */
  constructor(run) {
    const { chart } = run;
    const text = run.markdown;
    const { title } = titled(text ?? "");
    /** @type {Page.Series[]} */
    const series = chart ? chart.series.map((line, at) => ({ ...line, name: t(line.name), colour: colour(at) })) : [];
    if (chart && chart.level !== null) series.push({ name: t("paper"), colour: COLOURS.paper, points: [], level: chart.level });
    this.chart = chart && new Chart({ title: t("chart_experiment"), x: t("generation"), y: t(chart.y), series, file: fileOf(run, "chart") });
    this.element = h(
      "div",
      { class: "run", id: "run" },
      titledElement("h1", title, run.id),
      this.chart ? [this.chart.element, h("p", { class: "quiet" }, t("chart_help"))] : null,
      pictures(run),
      text ? h("section", { class: "panel article" }, written(text, { run })) : null,
      downloads(run, Boolean(chart)),
    );
  }

  leave() {
    this.chart?.leave();
  }
}
