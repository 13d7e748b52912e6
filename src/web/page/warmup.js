// The thesis's warm-up: the best individual's genes as circles, which come to the sine over the generations.

import { api } from "./api.js";
import { Chart, COLOURS, fixed } from "./chart.js";
import { announce, field, h, messageOf, problem, reducedMotion, select, setText } from "./dom.js";
import { numberField } from "./number.js";
import { t } from "./words.js";

/** How long a picture stays while it plays, in milliseconds: fewer and larger steps for who wants less motion. */
const PACE = { smooth: 60, calm: 1000 };
/** Generations that are shown one by one; later ones, in which less happens, by ever more at once. */
const ONE_BY_ONE = 50;
/** How far above and below the middle of the sine the chart may reach. */
const REACHES = [1, 2, 4, 10];
const WIDEST = 21;
const MIDDLE = 0.5;
/** @param {number} reach @returns {Page.Bounds} */
const scale = (reach) => [MIDDLE - reach, MIDDLE + reach];
const SINE = Array.from({ length: 43 }, (_, at) => [at / 20, Math.sin(at / 20)]);

export class Warmup {
  constructor() {
    /** @type {Api.CurveBest[]} */
    this.best = [];
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | null} */
    this.asked = null;
    this.mutation = select({ id: "warmup-mutation" }, [1, 3, 5].map((share) => [share, `${share} %`]), 1);
    this.elite = select({ id: "warmup-elite" }, [1, 2].map((count) => [count, t("warmup_elite_of", count)]), 1);
    this.seed = numberField("warmup-seed", t("run_seed"), 1, 2 ** 53 - 1);
    this.slider = h("input", { type: "range", id: "warmup-generation", min: 1, max: 1000, step: 1, value: 1, "aria-label": t("generation"), oninput: () => { this.stop(); this.draw(); } });
    this.button = h("button", { class: "main", id: "warmup-play", onclick: () => (this.timer ? this.pause() : this.play()) }, t("warmup_play"));
    this.now = h("p", { class: "now", id: "warmup-now" });
    this.note = h("div", {});
    this.chart = new Chart({ title: t("warmup_title"), x: "t", y: t("value"), series: this.series([]), bounds: scale(WIDEST), digits: 3, unit: 0.1, file: "warm-up" });
    for (const input of [this.mutation, this.elite, this.seed.input]) input.addEventListener("change", () => this.load());
    this.element = this.build();
    this.load();
  }

  build() {
    const { element } = this.chart;
    element.id = "warmup";
    element.querySelector("figcaption")?.after(
      h("p", { class: "quiet" }, t("warmup_note")),
      h("div", { class: "choices" }, field(t("warmup_mutation"), this.mutation), field(t("warmup_elite"), this.elite), this.seed.element),
      this.note,
    );
    element.append(h("div", { class: "player" }, this.button, this.slider, this.now));
    return element;
  }

  leave() {
    this.stop();
    this.asked?.abort();
    this.chart.leave();
  }

  get generation() {
    return Number(this.slider.value);
  }

  get isOver() {
    return this.generation >= Number(this.slider.max);
  }

  /** Asks for the run that is chosen; what was asked before is no longer wanted. */
  async load() {
    if (!this.seed.check()) return;
    this.asked?.abort();
    const { signal } = (this.asked = new AbortController());
    try {
      const { best, generations } = await api.curve({ seed: this.seed.input.value.trim(), elite: this.elite.value, mutation: this.mutation.value }, signal);
      if (signal.aborted) return;
      this.best = best;
      this.slider.max = String(generations);
      this.note.replaceChildren();
      this.draw();
    } catch (error) {
      if (!signal.aborted) this.note.replaceChildren(problem(messageOf(error)));
    }
  }

  /** @param {number[]} genes @returns {Page.Series[]} */
  series(genes) {
    return [
      { name: t("warmup_best"), colour: COLOURS.paper, circles: true, points: genes.map((gene, at) => [(at + 1) / 10, gene]) },
      { name: "sin t", colour: COLOURS.ours, points: SINE },
    ];
  }

  /**
   * As narrow as all circles from here on let it be: while it plays, the scale only ever narrows.
   * @param {number} generation
   */
  bounds(generation) {
    const later = this.best.filter((_, at) => (this.best[at + 1]?.generation ?? Infinity) > generation);
    const far = Math.max(0, ...later.flatMap(({ genes }) => genes.map((gene) => Math.abs(gene - MIDDLE))));
    const reach = REACHES.find((reach) => far <= 0.95 * reach) ?? WIDEST;
    return scale(reach);
  }

  draw() {
    const shown = this.best.findLast(({ generation }) => generation <= this.generation);
    if (!shown) return;
    this.chart.setBounds(this.bounds(this.generation));
    this.chart.setSeries(this.series(shown.genes));
    const words = t("warmup_now", this.generation, fixed(shown.error, 3));
    setText(this.now, words);
    this.slider.setAttribute("aria-valuetext", words);
  }

  play() {
    if (this.isOver) this.slider.value = "1";
    setText(this.button, t("warmup_pause"));
    this.draw();
    const calm = reducedMotion();
    this.timer = setInterval(() => this.step(calm), calm ? PACE.calm : PACE.smooth);
  }

  /**
   * Without motion it is shown as some pictures, each of twice as many generations.
   * @param {boolean} calm
   */
  step(calm) {
    const { generation } = this;
    this.slider.value = String(calm ? 2 * generation : generation + Math.ceil(generation / ONE_BY_ONE));
    this.draw();
    if (this.isOver) this.pause();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    setText(this.button, t("warmup_play"));
  }

  /** Who does not see the circles hears where they are. */
  pause() {
    this.stop();
    announce(this.now.textContent);
  }
}
