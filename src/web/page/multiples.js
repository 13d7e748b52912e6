// Many small charts of one kind side by side, with the same width of time: each can be enlarged.

import { Chart, span } from "./chart.js";
import { h, memory } from "./dom.js";
import { saveAll, stroke } from "./picture.js";
import { t } from "./words.js";

const OWN_SCALES = "own-scales";

/**
 * @typedef {object} Options
 * @property {string} title
 * @property {string} x
 * @property {string} y
 * @property {Page.Plan[]} plans
 * @property {Page.Bounds | null} [bounds]
 * @property {boolean} [apart]
 * @property {number} [digits]
 * @property {string} file
 */

export class Multiples {
  /**
   * `plans`: `{title, series}` each, `x`, `y`, `digits` and `file` for all; `bounds` if the scale is known, else it follows from all
   * lines together, or from each chart's own if that is wished. `apart` says that the lines have little of one scale.
   * @param {Options} options
   */
  constructor({ title, x, y, plans, bounds = null, apart = false, digits = 1, file }) {
    this.bounds = bounds;
    this.plans = plans;
    this.zooming = false;
    this.names = "";
    this.own = !bounds && (memory.get(OWN_SCALES) ?? (apart ? "yes" : "no")) === "yes";
    /** @param {Page.Plan} plan @param {number} at */
    const chart = ({ title, series }, at) => new Chart({
      title, x, y, series, digits, small: true, file: `${file}-${at + 1}`, onZoom: (range) => this.zoomed(range),
    });
    this.charts = plans.map(chart);
    this.legend = h("div", { class: "legend" });
    this.element = h(
      "section",
      { class: "multiples" },
      h("div", { class: "multiples-head" }, h("h2", {}, title), h("span", { class: "tools" }, bounds ? null : this.scaleSwitch(), h("button", { class: "small", onclick: () => saveAll(file, this.charts), "aria-label": `${t("save_svg")}: ${title}` }, t("save_svg")))),
      this.legend,
      h("div", { class: "grid-of-charts" }, this.charts.map(({ element }) => element)),
    );
    this.setPlans(plans);
  }

  scaleSwitch() {
    const box = h("input", { type: "checkbox", checked: this.own, onchange: () => {
      this.own = box.checked;
      memory.set(OWN_SCALES, this.own ? "yes" : "no");
      this.scale();
    } });
    return h("label", { class: "check" }, box, t("own_scales"));
  }

  /** @param {Page.Plan[]} plans */
  setPlans(plans) {
    this.plans = plans;
    this.scale();
    plans.forEach(({ series }, at) => this.charts[at].setSeries(series));
    // The lines of all charts mean the same: one legend is enough.
    const lines = new Map(plans.flatMap(({ series }) => series).map((line) => [line.name, line]));
    const names = [...lines.keys()].join("\n");
    if (names === this.names) return;
    this.names = names;
    this.legend.hidden = lines.size < 2;
    this.legend.replaceChildren(...[...lines.values()].map((line) => h("span", { class: "key" }, stroke(line), line.name)));
  }

  scale() {
    const shared = this.bounds ?? span(this.plans.flatMap(({ series }) => series));
    this.charts.forEach((chart) => chart.setBounds(this.own ? [null, null] : shared));
  }

  /**
   * All show the same part of the time.
   * @param {Page.Zoom} range
   */
  zoomed(range) {
    if (this.zooming) return;
    this.zooming = true;
    this.charts.forEach((chart) => chart.zoomTo(range));
    this.zooming = false;
  }

  leave() {
    this.charts.forEach((chart) => chart.leave());
  }
}
