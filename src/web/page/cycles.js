// A network that learns by playing itself: how its cycles went, and how they go on.

import { api } from "./api.js";
import { COLOURS } from "./chart.js";
import { announce, h, messageOf, problem } from "./dom.js";
import { Multiples } from "./multiples.js";
import { Progress } from "./progress.js";
import { compareBox, downloads, redraw } from "./report.js";
import { fileOf } from "./run.js";
import { lang, t, tg } from "./words.js";

/** A cycle takes minutes: there is no hurry to hear of the next. */
const LOOK_EVERY = 2000;
/** What the names of the columns begin with that tell of games against others. */
const AGAINST = "score against ";
/** The columns of the other charts. */
const PLAY = ["tree_keeps", "policy_keeps", "tree_value_right", "value_right", "careless", "policy_careless"];
const LOSSES = ["policy_loss", "value_loss"];

/** @typedef {Extract<Api.Detail, { kind: "learner" }>} Learner */

export class CyclesView {
  /** @param {Learner} run */
  constructor(run) {
    this.run = run;
    /** @type {Learner | null} */
    this.other = null;
    /** @type {Multiples[]} */
    this.groups = [];
    this.left = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.next = undefined;
    this.headNow = "";
    this.filesNow = "";
    this.titles = "";
    const about = [tg(run.game, "title"), t(`preset_${run.preset}`), t(`rules_${run.rules}`), t("seed_of", run.seed)];
    this.status = h("p", { class: "status", id: "run-status" });
    this.head = h("div", { class: "run-head" });
    this.progress = new Progress((done, of) => t("run_cycles", done, of));
    this.note = h("div", {});
    this.chartBox = h("div", {});
    this.help = h("p", { class: "quiet" }, `${t("chart_help_small")} ${t("chart_help")}`);
    this.files = h("div", {});
    this.element = h(
      "div",
      { class: "run", id: "run" },
      h("h1", {}, run.id),
      h("p", { class: "quiet" }, about.join(" · ")),
      this.head,
      this.progress.element,
      this.note,
      compareBox(run, (other) => { this.other = /** @type {Learner | null} */ (other); this.drawCharts(); }),
      this.chartBox,
      this.help,
      this.files,
    );
    this.update(run);
  }

  leave() {
    clearTimeout(this.next);
    this.left = true;
    this.progress.leave();
    this.groups.forEach((group) => group.leave());
  }

  /**
   * The run as it is now.
   * @param {Learner} run
   */
  update(run) {
    const head = JSON.stringify([run.state, run.network]);
    const files = JSON.stringify(run.files.map(({ name }) => name));
    this.run = run;
    this.element.dataset.state = run.state;
    this.status.dataset.cycle = String(run.done);
    if (head !== this.headNow) this.drawHead();
    if (files !== this.filesNow) redraw(this.files, downloads(run));
    [this.headNow, this.filesNow] = [head, files];
    this.progress.set({ done: run.done, of: run.cycles, running: run.state === "running", left: run.left });
    this.drawCharts();
    if (run.state === "running") this.look();
  }

  drawHead() {
    const { run } = this;
    this.status.replaceChildren(h("span", { class: `state ${run.state}` }, t(`state_${run.state}`)));
    redraw(
      this.head,
      this.status,
      run.network && h("a", { class: "button", id: "play-network", href: `#/${run.game}/setup/cpu/${encodeURIComponent(`net=${run.id}`)}` }, t("play_network")),
      run.state === "running" && h("button", { class: "main", id: "run-stop", onclick: () => this.stop() }, t("run_stop")),
      run.resume && h("button", { class: "main", id: "run-resume", onclick: () => this.resume() }, t("run_go_on")),
      run.resume && h("p", { class: "quiet wide" }, `${t("run_resume")} `, h("code", {}, run.resume)),
    );
  }

  stop() {
    return this.trying(() => api.stopRun(this.run.id));
  }

  resume() {
    const { id } = this.run;
    return this.trying(async () => {
      await api.resumeRun(id, { language: lang() });
      announce(t("run_goes_on"));
      this.update(/** @type {Learner} */ (await api.run(id)));
    });
  }

  /** @param {() => Promise<unknown>} what */
  async trying(what) {
    try {
      await what();
      this.note.replaceChildren();
    } catch (error) {
      this.note.replaceChildren(problem(messageOf(error)));
    }
  }

  /** What the charts show, in groups of the same scale: those with nothing in them are left out. */
  plans() {
    /** @param {Learner} run @param {string} column */
    const points = ({ columns, rows }, column) => {
      const place = columns.indexOf(column);
      if (place < 0) return [];
      return rows.map((row) => [row[0], row[place]]).filter((point) => point.every((value) => value !== null));
    };
    const { run, other } = this;
    /** @param {string} column @param {string} title */
    const plan = (column, title) => {
      /** @type {Page.Series[]} */
      const series = [{ name: t("ours"), colour: COLOURS.ours, points: points(run, column) }];
      if (other) series.push({ name: other.id, colour: COLOURS.other, dashed: true, points: points(other, column) });
      return { title, series };
    };
    /**
     * @param {string} name
     * @param {string} y
     * @param {string[]} columns
     * @param {(column: string) => string} named
     * @param {Page.Bounds | null} bounds
     */
    const group = (name, y, columns, named, bounds) => ({
      title: t(`chart_${name}`), x: t("cycle"), y: t(y), digits: 3, bounds, file: fileOf(run, name),
      plans: columns.map((column) => plan(column, named(column))).filter(({ series }) => series[0].points.length),
    });
    const opponents = run.columns.filter((column) => column.startsWith(AGAINST));
    return [
      group("against", "score", opponents, (name) => name.slice(AGAINST.length), [0, 1]),
      group("play", "share", PLAY, t, [0, 1]),
      group("losses", "loss", LOSSES, t, null),
    ].filter(({ plans }) => plans.length);
  }

  /** Lines that grow keep their charts, with what was enlarged there. */
  drawCharts() {
    const groups = this.plans();
    const titles = JSON.stringify(groups.map(({ plans }) => plans.map(({ title }) => title)));
    if (titles === this.titles) {
      groups.forEach(({ plans }, at) => this.groups[at].setPlans(plans));
      return;
    }
    this.titles = titles;
    this.help.hidden = !groups.length;
    this.groups.forEach((group) => group.leave());
    this.groups = groups.map((group) => new Multiples(group));
    redraw(this.chartBox, ...(groups.length ? this.groups.map(({ element }) => element) : [h("p", { class: "quiet", id: "no-cycles" }, t("no_cycles"))]));
  }

  /** Asks again in a while. */
  look() {
    this.next = setTimeout(() => this.ask(), LOOK_EVERY);
  }

  async ask() {
    try {
      const run = /** @type {Learner} */ (await api.run(this.run.id));
      if (this.left) return;
      this.note.replaceChildren();
      if (run.state !== "running") announce(t("run_ended"));
      this.update(run);
    } catch (error) {
      if (this.left) return;
      this.note.replaceChildren(problem(messageOf(error)));
      this.look();
    }
  }
}
