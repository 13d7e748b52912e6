// A network that learns by playing itself: how its cycles went, and how they go on.

import { api } from "./api.js";
import { Chart, COLOURS } from "./chart.js";
import { announce, h, problem } from "./dom.js";
import { t, tg } from "./words.js";

/** A cycle takes minutes: there is no hurry to hear of the next. */
const LOOK_EVERY = 2000;
/** What the names of the columns begin with that tell of games against others. */
const AGAINST = "score against ";
/** The columns of the other charts. */
const PLAY = ["tree_keeps", "policy_keeps", "tree_value_right", "value_right", "careless", "policy_careless"];
const LOSSES = ["policy_loss", "value_loss"];

export class CyclesView {
  constructor(run) {
    this.charts = [];
    this.element = h("div", { class: "run", id: "run" });
    this.status = h("p", { class: "status", id: "run-status" });
    this.note = h("div", {});
    this.help = h("p", { class: "quiet" }, t("chart_help"));
    this.show(run);
  }

  leave() {
    clearTimeout(this.next);
    this.left = true;
    this.charts.forEach((chart) => chart.leave());
  }

  show(run) {
    this.run = run;
    this.element.dataset.state = run.state;
    const about = [tg(run.game, "title"), t(`preset_${run.preset}`), t(`rules_${run.rules}`), t("seed_of", run.seed)];
    const play = run.network ? h("a", { class: "button", id: "play-network", href: `#/${run.game}/setup/cpu/${encodeURIComponent(`net=${run.id}`)}` }, t("play_network")) : "";
    this.chartBox = h("div", {});
    this.element.replaceChildren(
      h("h1", {}, run.id),
      h("p", { class: "quiet" }, about.join(" · ")),
      h("div", { class: "run-head" }, this.status, play),
      run.state === "stopped" ? h("p", { class: "quiet" }, t("learner_resume")) : "",
      this.note,
      this.chartBox,
      this.help,
    );
    this.drawStatus();
    this.drawCharts();
    if (run.state === "running") this.look();
  }

  drawStatus() {
    const { run } = this;
    this.status.replaceChildren(h("span", { class: `state ${run.state}` }, t(`state_${run.state}`)), ` ${t("run_cycles", run.done, run.cycles)}`);
    this.status.dataset.cycle = run.done;
  }

  /** What the charts show: those with nothing in them are left out. */
  plans() {
    const { columns, rows } = this.run;
    const line = (column, at, name) => {
      const place = columns.indexOf(column);
      const points = place < 0 ? [] : rows.map((row) => [row[0], row[place]]).filter(([, y]) => y !== null);
      return { name, colour: COLOURS[at], points };
    };
    const plan = (title, y, names, named, more) => ({
      title: t(title), x: t("cycle"), y: t(y), low: 0, digits: 3, ...more,
      series: names.map((name, at) => line(name, at % COLOURS.length, named(name))).filter(({ points }) => points.length),
    });
    const opponents = columns.filter((column) => column.startsWith(AGAINST));
    return [
      plan("chart_against", "score", opponents, (name) => name.slice(AGAINST.length), { high: 1 }),
      plan("chart_play", "share", PLAY, t, { high: 1 }),
      plan("chart_losses", "loss", LOSSES, t),
    ].filter(({ series }) => series.length);
  }

  /** Lines that grow keep their charts, with what was hidden or enlarged there. */
  drawCharts() {
    const plans = this.plans();
    const lines = JSON.stringify(plans.map(({ series }) => series.map(({ name }) => name)));
    if (lines === this.lines && this.chartBox.hasChildNodes()) {
      plans.forEach(({ series }, at) => this.charts[at].setSeries(series));
      return;
    }
    this.lines = lines;
    this.help.hidden = !plans.length;
    this.charts.forEach((chart) => chart.leave());
    this.charts = plans.map((plan) => new Chart(plan));
    this.chartBox.replaceChildren(...(plans.length ? this.charts.map((chart) => chart.element) : [h("p", { class: "quiet", id: "no-cycles" }, t("no_cycles"))]));
  }

  /** Asks again in a while. */
  look() {
    this.next = setTimeout(() => this.update(), LOOK_EVERY);
  }

  async update() {
    try {
      const run = await api.run(this.run.id);
      if (this.left) return;
      this.note.replaceChildren();
      if (run.state !== "running") {
        announce(t("run_ended"));
        return this.show(run);
      }
      // Only now is there anything to play against.
      if (run.network !== this.run.network) return this.show(run);
      this.run = run;
      this.drawStatus();
      this.drawCharts();
    } catch (error) {
      if (this.left) return;
      this.note.replaceChildren(problem(error.message));
    }
    this.look();
  }
}
