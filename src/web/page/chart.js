// A line chart to look into: zoom by dragging or pinching, point or tap for values, click a name to hide a line.

import { announce, h, s } from "./dom.js";
import { listen } from "./gestures.js";
import { saveChart, stroke } from "./picture.js";
import { t } from "./words.js";

const HEIGHT = { large: 300, small: 150 };
/** How wide a letter of the ticks is at most. */
const LETTER = 7;
/** Told apart by most people, on light and on dark. */
export const COLOURS = { ours: "#3d7dd8", other: "#e0762e", paper: "#d0485a", plain: "#7a8a99", frozen: "#9063cd" };
const MANY = ["#3d7dd8", "#e0762e", "#2f9e6e", "#d0485a", "#9063cd", "#8c6d46", "#d65fb0", "#7a8a99", "#b3a11c", "#1fa5b8", "#5b5bd6", "#c2410c"];
/** @param {number} number */
export const colour = (number) => MANY[number % MANY.length];

let charts = 0;

/**
 * @typedef {object} Options
 * @property {string} title
 * @property {string} x
 * @property {string} y
 * @property {Page.Series[]} series
 * @property {Page.Bounds} [bounds]
 * @property {number} [digits]
 * @property {number} [unit]
 * @property {string} file
 * @property {boolean} [small]
 * @property {((zoom: Page.Zoom) => void) | null} [onZoom]
 */

export class Chart {
  /**
   * `series`: `{name, colour, points: [[x, y]], dashed, dot, circles, level, band: [[x, low, high]]}`; a level is one value all along, drawn thin;
   * `circles` stand for the points instead of a line.
   * `bounds` are the least and the greatest y, each where it is not to follow from the points; `file` is what a saved picture is called.
   * `unit` is the least distance of two x. A `small` chart can be enlarged, and is no place to zoom in; `onZoom` hears of every zoom.
   * @param {Options} options
   */
  constructor({ title, x, y, series, bounds = [null, null], digits = 1, unit = 1, file, small = false, onZoom = null }) {
    this.title = title;
    this.x = x;
    this.y = y;
    this.series = series;
    this.bounds = bounds;
    this.digits = digits;
    this.unit = unit;
    this.file = file;
    this.onZoom = onZoom;
    this.small = small;
    this.number = ++charts;
    /** @type {Set<string>} */
    this.hidden = new Set();
    /** @type {Page.Zoom} */
    this.zoom = null;
    /**
     * The name of the line that is pointed at.
     * @type {string | null}
     */
    this.picked = null;
    /**
     * Where values were read last.
     * @type {number | null}
     */
    this.seen = null;
    /** @type {{ left: number, right: number, bottom: number, top: number } | null} */
    this.drawn = null;
    this.edge = { left: 0, right: 0, top: 0, bottom: 0 };
    this.plotWidth = 0;
    /** From values to places of the drawing, and back. */
    this.px = (/** @type {number} */ x) => x;
    this.py = (/** @type {number} */ y) => y;
    this.back = (/** @type {number} */ at) => at;
    this.cursor = s("line", {});
    this.choice = s("rect", {});
    this.svg = s("svg", { class: "plot", tabindex: 0, role: "img", "aria-label": `${title}. ${t("chart_keys")}` });
    this.tip = h("div", { class: "tip", hidden: true });
    this.legend = h("div", { class: "legend" });
    this.reset = h("button", { class: "small zoom-out", hidden: true, onclick: () => this.zoomTo(null) }, t("zoom_out"));
    this.save = h("button", { class: "small", "aria-label": `${t("save_svg")}: ${title}`, onclick: () => saveChart(this) }, t("save_svg"));
    const enlarge = () => this.setSmall(!this.small);
    this.opener = small ? h("button", { class: "opener", onclick: enlarge }, title) : null;
    this.heading = this.opener ? h("h3", {}, this.opener) : h("h2", {}, title);
    this.element = h(
      "figure",
      { class: "chart" },
      h("figcaption", {}, this.heading, h("span", { class: "tools" }, this.reset, this.save)),
      h("div", { class: "plot-box" }, this.svg, this.tip),
      this.legend,
    );
    this.setSmall(small);
    listen(this);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.element);
    this.drawLegend();
  }

  /**
   * Small ones show their line; the rest comes when they are enlarged.
   * @param {boolean} small
   */
  setSmall(small) {
    this.small = small;
    this.opener?.setAttribute("aria-expanded", String(!small));
    this.element.classList.toggle("small", small);
    this.save.hidden = small;
    this.legend.hidden = small;
    this.unhover();
    this.draw();
    if (this.opener && !small) this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {Page.Series[]} series */
  setSeries(series) {
    /** @param {Page.Series[]} lines */
    const names = (lines) => lines.map(({ name }) => name).join("\n");
    const same = names(series) === names(this.series);
    this.series = series;
    if (!same) this.drawLegend();
    this.draw();
  }

  /** @param {Page.Bounds} bounds */
  setBounds(bounds) {
    this.bounds = bounds;
    this.draw();
  }

  leave() {
    this.watcher.disconnect();
  }

  shown() {
    return this.series.filter(({ name }) => !this.hidden.has(name));
  }

  /** From the first to the last x of all lines. */
  whole() {
    const xs = this.series.flatMap(({ points }) => [points[0]?.[0], points.at(-1)?.[0] ?? NaN]).filter(Number.isFinite);
    const [left, right] = xs.length ? [Math.min(...xs), Math.max(...xs)] : [0, 1];
    return left === right ? [left - 1, right + 1] : [left, right];
  }

  /**
   * Shows a part of the width, never outside the lines; `null` shows all.
   * @param {number[] | null} wanted
   */
  zoomTo(wanted) {
    const [first, last] = this.whole();
    const width = wanted ? Math.max(wanted[1] - wanted[0], Math.min(2 * this.unit, last - first)) : Infinity;
    const left = wanted ? Math.min(Math.max(wanted[0], first), last - width) : first;
    this.zoom = width >= last - first ? null : [left, left + width];
    this.reset.hidden = this.zoom === null || this.small;
    this.draw();
    this.onZoom?.(this.zoom);
  }

  /** What was drawn last: nothing is asked of it before. */
  get range() {
    return /** @type {{ left: number, right: number, bottom: number, top: number }} */ (this.drawn);
  }

  ranges() {
    const [left, right] = this.zoom ?? this.whole();
    const [low, high] = span(this.shown(), left, right);
    const bottom = this.bounds[0] ?? low;
    const top = this.bounds[1] ?? high;
    return { left, right, bottom, top: top > bottom ? top : bottom + 1 };
  }

  draw() {
    const width = this.svg.parentElement?.clientWidth;
    if (!width) return;
    const height = this.small ? HEIGHT.small : HEIGHT.large;
    const range = (this.drawn = this.ranges());
    const rows = ticks(range.bottom, range.top, this.small ? 3 : 5).map(labelled);
    // There is nothing between two generations, for one.
    const columns = ticks(range.left, range.right, Math.min(8, Math.max(2, Math.floor(width / 55))), this.unit).map(labelled);
    /** @param {[number, string][]} list */
    const letters = (list) => Math.max(1, ...list.map(([, text]) => text.length));
    const edge = (this.edge = {
      left: 32 + LETTER * letters(rows),
      right: 6 + Math.ceil((LETTER * (columns.at(-1)?.[1].length ?? 1)) / 2),
      top: 10,
      bottom: 36,
    });
    this.plotWidth = width - edge.left - edge.right;
    const plotHeight = height - edge.top - edge.bottom;
    this.px = (/** @type {number} */ x) => edge.left + ((x - range.left) / (range.right - range.left)) * this.plotWidth;
    this.py = (/** @type {number} */ y) => edge.top + (1 - (y - range.bottom) / (range.top - range.bottom)) * plotHeight;
    this.back = (/** @type {number} */ at) => range.left + ((at - edge.left) / this.plotWidth) * (range.right - range.left);
    const floor = height - edge.bottom;
    const grid = [
      ...rows.flatMap(([y, text]) => [
        s("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: this.py(y), y2: this.py(y) }),
        s("text", { class: "tick", x: edge.left - 6, y: this.py(y) + 4, "text-anchor": "end" }, text),
      ]),
      ...columns.flatMap(([x, text]) => [
        s("line", { class: "grid", x1: this.px(x), x2: this.px(x), y1: edge.top, y2: floor }),
        s("text", { class: "tick", x: this.px(x), y: floor + 15, "text-anchor": "middle" }, text),
      ]),
      s("text", { class: "tick axis-x", x: edge.left + this.plotWidth / 2, y: height - 5, "text-anchor": "middle" }, this.x),
      s("text", { class: "tick axis-y", transform: `translate(15 ${edge.top + plotHeight / 2}) rotate(-90)`, "text-anchor": "middle" }, this.y),
    ];
    const clip = s("clipPath", { id: `clip-${this.number}` }, s("rect", { x: edge.left, y: edge.top - 4, width: this.plotWidth, height: plotHeight + 8 }));
    const lines = s("g", { "clip-path": `url(#clip-${this.number})` }, this.shown().map((line) => this.drawLine(line)));
    this.cursor = s("line", { class: "cursor", y1: edge.top, y2: floor, visibility: "hidden" });
    this.choice = s("rect", { class: "choice", y: edge.top, height: plotHeight, visibility: "hidden" });
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(height));
    this.svg.replaceChildren(clip, ...grid, lines, this.choice, this.cursor);
    if (!this.tip.hidden && this.seen !== null) this.hover(this.px(this.seen));
  }

  /** @param {Page.Series} line */
  drawLine({ name, points, colour, dashed, dot, circles, level, band }) {
    const faint = this.picked && this.picked !== name ? "faint" : null;
    if (level !== undefined) {
      const y = this.py(level);
      return s("line", { class: `level ${faint ?? ""}`, x1: this.edge.left, x2: this.edge.left + this.plotWidth, y1: y, y2: y, stroke: colour });
    }
    if (circles) return s("g", { class: faint }, points.map(([x, y]) => s("circle", { cx: this.px(x), cy: this.py(y), r: 4.5, fill: colour })));
    const parts = [];
    if (band?.length) {
      const up = band.map(([x, , high]) => `${this.px(x).toFixed(1)},${this.py(high).toFixed(1)}`);
      const down = band.map(([x, low]) => `${this.px(x).toFixed(1)},${this.py(low).toFixed(1)}`).reverse();
      parts.push(s("polygon", { class: "band", points: [...up, ...down].join(" "), fill: colour }));
    }
    // A line needs two.
    if (dot || points.length === 1) parts.push(s("circle", { class: dot ? "dot" : null, cx: this.px(points[0][0]), cy: this.py(points[0][1]), r: 3.5, fill: colour }));
    parts.push(s("path", { class: dashed ? "line dashed" : "line", d: this.path(points), stroke: colour }));
    return s("g", { class: faint }, parts);
  }

  /**
   * Many points within one pixel are drawn as their lowest and highest.
   * @param {number[][]} points
   */
  path(points) {
    const { left, right } = this.range;
    const near = (right - left) / this.plotWidth;
    /** @type {string[]} */
    const parts = [];
    /** @param {number} x @param {number} y */
    const put = (x, y) => parts.push(`${parts.length ? "L" : "M"}${this.px(x).toFixed(1)} ${this.py(y).toFixed(1)}`);
    /** @type {{ x: number, first: number, low: number, high: number, last: number } | null} */
    let bucket = null;
    const flush = () => {
      if (!bucket) return;
      if (bucket.first !== bucket.low) put(bucket.x, bucket.first);
      if (bucket.low !== bucket.high) { put(bucket.x, bucket.low); put(bucket.x, bucket.high); }
      put(bucket.x, bucket.last);
    };
    points.forEach(([x, y], at) => {
      // The neighbours outside are drawn too: lines go on beyond the edge.
      if ((points[at + 1]?.[0] ?? x) < left || (points[at - 1]?.[0] ?? x) > right) return;
      if (bucket && x - bucket.x < near) {
        bucket.low = Math.min(bucket.low, y);
        bucket.high = Math.max(bucket.high, y);
        bucket.last = y;
      } else {
        flush();
        bucket = { x, first: y, low: y, high: y, last: y };
      }
    });
    flush();
    return parts.join("");
  }

  drawLegend() {
    /** @param {Page.Series} line */
    const entry = (line) => {
      /** @type {(on: boolean) => () => void} */
      const pick = (on) => () => { this.picked = on ? line.name : null; this.draw(); };
      const button = h(
        "button",
        {
          class: "key", "aria-pressed": String(!this.hidden.has(line.name)), onpointerenter: pick(true), onpointerleave: pick(false),
          onclick: () => {
            if (!this.hidden.delete(line.name)) this.hidden.add(line.name);
            button.setAttribute("aria-pressed", String(!this.hidden.has(line.name)));
            this.draw();
          },
        },
        stroke(line),
        line.name,
      );
      return button;
    };
    this.legend.replaceChildren(...this.series.map(entry));
  }

  /**
   * Shows the values near a place of the plot, and says them where there are only keys.
   * @param {number} where
   * @param {boolean} [aloud]
   */
  hover(where, aloud = false) {
    const x = this.back(where);
    if (!(x >= this.range.left && x <= this.range.right)) return this.unhover();
    const lead = this.shown().find(({ points }) => points.length > 1);
    const exact = lead ? nearest(lead.points, x)[0] : Math.round(x);
    const values = this.shown().filter(({ dot }) => !dot).map((line) => {
      const value = line.level ?? nearest(line.points, exact)?.[1];
      return value === undefined ? null : { line, text: `${line.name}: ${fixed(value, this.digits)}` };
    }).filter((value) => value !== null);
    this.seen = x;
    this.cursor.setAttribute("x1", String(this.px(exact)));
    this.cursor.setAttribute("x2", String(this.px(exact)));
    this.cursor.setAttribute("visibility", "visible");
    /** @param {Page.Series} line */
    const dot = (line) => s("svg", { width: 10, height: 10, "aria-hidden": "true" }, s("circle", { cx: 5, cy: 5, r: 4, fill: line.colour }));
    const lines = values.map(({ line, text }) => h("div", {}, dot(line), ` ${text}`));
    this.tip.replaceChildren(h("strong", {}, `${this.x} ${exact}`), ...lines);
    this.tip.hidden = false;
    const width = this.svg.clientWidth;
    this.tip.style.left = where < width / 2 ? `${where + 12}px` : "";
    this.tip.style.right = where < width / 2 ? "" : `${width - where + 12}px`;
    if (aloud) announce([`${this.x} ${exact}`, ...values.map(({ text }) => text)].join(", "));
  }

  unhover() {
    this.tip.hidden = true;
    this.cursor.setAttribute("visibility", "hidden");
  }
}

/**
 * The range of the lines' values in the visible part, zero included, with some room above.
 * @param {Page.Series[]} series
 * @param {number} [left]
 * @param {number} [right]
 * @returns {[number, number]}
 */
export function span(series, left = -Infinity, right = Infinity) {
  let [bottom, top] = [Infinity, -Infinity];
  /** @param {number} y */
  const take = (y) => { bottom = Math.min(bottom, y); top = Math.max(top, y); };
  for (const { points, level, band } of series) {
    if (level !== undefined) take(level);
    for (const [x, y] of points) if (x >= left && x <= right) take(y);
    for (const [x, low, high] of band ?? []) if (x >= left && x <= right) { take(low); take(high); }
  }
  if (!Number.isFinite(bottom)) return [0, 1];
  const room = 0.05 * (top - Math.min(bottom, 0) || 1);
  return [bottom < 0 ? bottom - room : 0, top + room];
}

/** @param {number[][]} points @param {number} x */
function nearest(points, x) {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < x) low = middle + 1;
    else high = middle;
  }
  const before = points[low - 1];
  return before && Math.abs(before[0] - x) < Math.abs(points[low][0] - x) ? before : points[low];
}

/**
 * Round numbers between two, at least so far from each other.
 * @param {number} from
 * @param {number} to
 * @param {number} about
 * @param {number} [least]
 */
function ticks(from, to, about, least = 0) {
  const rough = Math.max((to - from) / about, least) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step / 1e6; at += step) found.push(Number(at.toPrecision(10)));
  return found;
}

/**
 * A number with this many digits; zero has no sign.
 * @param {number} number
 * @param {number} digits
 */
export const fixed = (number, digits) => number.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");

/** @param {number} number */
const format = (number) => (Math.abs(number) >= 100000 ? number.toExponential(0) : String(number).replace("-", "−"));

/** @type {(number: number) => [number, string]} */
const labelled = (number) => [number, format(number)];
