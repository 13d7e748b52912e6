// One run: its values, scores and strength over the generations, as it goes on or as it was.

import { api } from "./api.js";
import { Chart, COLOURS } from "./chart.js";
import { announce, h, problem } from "./dom.js";
import { GAMES } from "./games.js";
import { markdown } from "./markdown.js";
import { lang, t, tg } from "./words.js";

const [GENERATION, WINNER_SCORE, MEAN_SCORE, WINNER, , FROZEN] = [0, 1, 2, 3, 4, 5];

export class RunView {
  constructor(run) {
    this.charts = [];
    this.element = h("div", { class: "run", id: "run" });
    this.show(run);
  }

  leave() {
    this.source?.close();
    this.charts.forEach((chart) => chart.leave());
  }

  show(run) {
    this.leave();
    this.run = run;
    this.element.dataset.state = run.state ?? "";
    if (run.kind !== "run") return this.showArticle();
    const { settings } = run;
    this.status = h("p", { class: "status", id: "run-status" });
    this.note = h("div", {});
    this.values = h("div", {});
    this.chartBox = h("div", {});
    const about = [tg(run.game, "title"), t(`preset_${settings.preset}`), settings["fix-side"] ? t(`side_only_${settings["fix-side"]}`) : t("side_none"), t("seed_of", settings.seed)];
    const champion = run.champion ? h("a", { class: "button", id: "play-champion", href: `#/${run.game}/setup/cpu/${encodeURIComponent(`genome=${run.id}${GAMES[run.game].decided ? "" : `:terminal=${settings.terminal}`}`)}` }, t("play_champion")) : null;
    const stop = run.state === "running" ? h("button", { class: "main", id: "run-stop", onclick: () => this.stop() }, t("run_stop")) : null;
    this.element.replaceChildren(
      h("h1", {}, run.id),
      h("p", { class: "quiet" }, about.join(" · ")),
      h("div", { class: "run-head" }, this.status, stop ?? "", champion ?? ""),
      run.failure ? problem(t("run_failed", run.failure)) : "",
      run.resume ? h("p", {}, `${t("run_resume")} `, h("code", {}, run.resume)) : "",
      this.note,
      this.chartBox,
      h("p", { class: "quiet" }, t("chart_help")),
      this.values,
      run.markdown ? h("details", { class: "panel" }, h("summary", {}, t("full_summary")), markdown(run.markdown.replace(/^# .*\n/, ""), 1)) : "",
    );
    this.drawCharts();
    this.drawStatus();
    if (run.state === "running") this.follow();
  }

  showArticle() {
    const { chart, markdown: text } = this.run;
    const parts = [h("section", { class: "panel article" }, markdown(text ?? "", 0))];
    if (chart) {
      const series = chart.series.map((line, at) => ({ ...line, colour: COLOURS[at] }));
      if (chart.level !== null) series.push({ name: t("paper"), colour: "#d0485a", points: [], level: chart.level });
      const drawn = new Chart({ title: text.split("\n")[0].replace("# ", ""), x: t("generation"), y: t(chart.y), series });
      this.charts = [drawn];
      parts.unshift(drawn.element, h("p", { class: "quiet" }, t("chart_help")));
    }
    this.element.replaceChildren(...parts);
  }

  /** What the genes are called. */
  get labels() {
    return this.run.labels[lang()];
  }

  geneSeries() {
    const { labels } = this;
    const { rows, paper } = this.run;
    const lines = labels.map((name, at) => ({ name, colour: COLOURS[at % COLOURS.length], points: rows.map((row) => [row[GENERATION], row[WINNER][at]]) }));
    const levels = (paper?.genes ?? []).map((level, at) => ({ name: `${labels[at]} (${t("paper")})`, of: labels[at], colour: COLOURS[at % COLOURS.length], points: [], level }));
    return [...lines, ...levels];
  }

  scoreSeries() {
    const { rows } = this.run;
    const line = (name, colour, column) => ({ name: t(name), colour, points: rows.map((row) => [row[GENERATION], row[column]]) });
    return [line("winner_score", COLOURS[0], WINNER_SCORE), line("mean_score", COLOURS[1], MEAN_SCORE)];
  }

  drawCharts() {
    const { strength } = this.run;
    this.genes = new Chart({ title: t("chart_genes"), x: t("generation"), y: t("value"), series: this.geneSeries() });
    this.scores = new Chart({ title: t("chart_scores"), x: t("generation"), y: t("score"), series: this.scoreSeries(), low: 0, digits: 3 });
    this.charts = [this.genes, this.scores];
    if (strength.length) this.charts.push(this.strengthChart());
    this.chartBox.replaceChildren(...this.charts.map((chart) => chart.element));
    this.drawValues();
  }

  strengthChart() {
    const { strength, paper, settings } = this.run;
    const series = [
      { name: t("score"), colour: COLOURS[0], points: strength.map(([x, y]) => [x, y]), band: strength.map(([x, , low, high]) => [x, low, high]) },
      { name: t("untrained_level"), colour: "#7a8a99", points: [], level: 0.5 },
    ];
    const sides = [paper?.first, paper?.second].filter(Boolean);
    if (sides.length) {
      const score = sides.reduce((sum, side) => sum + side.wins + side.draws / 2, 0) / sides.length / 100;
      series.push({ name: `${t("paper")}${settings["fix-side"] ? "" : " (Table 5)"}`, colour: "#d0485a", points: [], level: score });
    }
    return new Chart({ title: t("chart_strength"), x: t("generation"), y: t("score"), series, low: 0, high: 1, digits: 3 });
  }

  drawValues() {
    const { genes, rows, untrained, paper, champion } = this.run;
    const last = rows.at(-1);
    const frozenAt = (gene) => rows.find((row) => row[FROZEN].includes(gene))?.[GENERATION] ?? "–";
    const shown = (value) => (value === undefined || value === null ? "–" : Number(value).toFixed(1));
    const { published } = GAMES[this.run.game];
    const line = (gene, at) => h(
      "tr", {},
      h("th", { scope: "row" }, this.labels[at]),
      h("td", {}, shown(untrained[at])), h("td", {}, shown(champion?.[at] ?? last?.[WINNER][at])), published ? h("td", {}, shown(paper?.genes[at])) : null,
      h("td", {}, frozenAt(gene)), published ? h("td", {}, paper?.frozen?.[at] ?? "–") : null,
    );
    const head = [t("gene"), t("untrained"), t("ours"), published && t("paper"), t("frozen_at"), published && `${t("frozen_at")} (${t("paper")})`].filter(Boolean);
    const title = tg(this.run.game, "values_table");
    this.values.replaceChildren(
      h("section", { class: "panel" }, h("h2", {}, title), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", {}, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, genes.map(line))))),
    );
  }

  drawStatus() {
    const { run } = this;
    const reached = run.rows.at(-1)?.[GENERATION] ?? 0;
    this.status.replaceChildren(h("span", { class: `state ${run.state}` }, t(`state_${run.state}`)), ` ${t("run_progress", reached, run.last)}`);
    this.status.dataset.generation = reached;
  }

  /** New generations as they are played, then the whole once more with its reports. */
  follow() {
    const { run } = this;
    this.source = api.events(run.id, run.rows.at(-1)?.[GENERATION] ?? 0);
    let due = null;
    this.source.addEventListener("rows", (event) => {
      for (const row of JSON.parse(event.data)) {
        // A run that began anew begins anew here too.
        if (row[GENERATION] <= (run.rows.at(-1)?.[GENERATION] ?? 0)) run.rows.length = 0;
        run.rows.push(row);
      }
      due ??= requestAnimationFrame(() => {
        due = null;
        this.genes.setSeries(this.geneSeries());
        this.scores.setSeries(this.scoreSeries());
        this.drawValues();
        this.drawStatus();
      });
    });
    this.source.addEventListener("end", async () => {
      this.source.close();
      announce(t("run_ended"));
      try {
        this.show(await api.run(run.id));
      } catch (error) {
        this.note.replaceChildren(problem(error.message));
      }
    });
    this.source.onerror = () => {
      if (this.source.readyState === EventSource.CLOSED) this.note.replaceChildren(problem(t("server_away")));
    };
  }

  async stop() {
    try {
      await api.stopRun(this.run.id);
    } catch (error) {
      this.note.replaceChildren(problem(error.message));
    }
  }
}
