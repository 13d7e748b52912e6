// A line chart to look into: drag to zoom, hover for values, click a name to hide a line.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const MARGIN = { left: 46, right: 24, top: 10, bottom: 30 };
const HEIGHT = 300;
/** Stands for all levels of lines in the legend. */
const LEVELS = "levels";
/** Told apart by most people, on light and on dark. */
export const COLOURS = ["#3d7dd8", "#e0762e", "#2f9e6e", "#d0485a", "#9063cd", "#8c6d46", "#d65fb0", "#7a8a99", "#b3a11c", "#1fa5b8", "#5b5bd6", "#c2410c"];

export class Chart {
  /**
   * `series`: `{name, colour, points: [[x, y]], level, of, band: [[x, low, high]]}`; a level is drawn dashed. Levels `of` another
   * line go with it, and can be hidden all together.
   */
  constructor({ title, x, y, series, low = null, high = null, digits = 1 }) {
    Object.assign(this, { title, x, y, series, low, high, digits });
    this.hidden = new Set();
    this.zoom = null;
    this.svg = s("svg", { class: "plot", height: HEIGHT, tabindex: 0, role: "img", "aria-label": title });
    this.tip = h("div", { class: "tip", hidden: true });
    this.legend = h("div", { class: "legend" });
    this.reset = h("button", { class: "small", hidden: true, onclick: () => this.zoomTo(null) }, t("zoom_out"));
    this.element = h(
      "figure",
      { class: "chart" },
      h("figcaption", {}, h("h3", {}, title), this.reset),
      h("div", { class: "plot-box" }, this.svg, this.tip),
      this.legend,
    );
    this.listen();
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.element);
    this.drawLegend();
  }

  setSeries(series) {
    this.series = series;
    this.draw();
  }

  leave() {
    this.watcher.disconnect();
  }

  shown() {
    const seen = (line) => !this.hidden.has(line.of ?? line.name) && !(line.of && this.hidden.has(LEVELS));
    return this.series.filter(seen);
  }

  zoomTo(range) {
    this.zoom = range;
    this.reset.hidden = range === null;
    this.draw();
  }

  ranges() {
    const xs = this.series.flatMap((line) => [line.points[0]?.[0], line.points.at(-1)?.[0]]).filter(Number.isFinite);
    const all = xs.length ? [Math.min(...xs), Math.max(...xs)] : [0, 1];
    const [left, right] = this.zoom ?? (all[0] === all[1] ? [all[0] - 1, all[1] + 1] : all);
    let [bottom, top] = [Infinity, -Infinity];
    const take = (y) => { bottom = Math.min(bottom, y); top = Math.max(top, y); };
    for (const line of this.shown()) {
      if (line.level !== undefined) take(line.level);
      for (const [x, y] of line.points) if (x >= left && x <= right) take(y);
      for (const [x, low, high] of line.band ?? []) if (x >= left && x <= right) { take(low); take(high); }
    }
    if (!Number.isFinite(bottom)) [bottom, top] = [0, 1];
    bottom = this.low ?? Math.min(bottom, 0);
    top = this.high ?? top + 0.05 * (top - bottom || 1);
    return { left, right, bottom, top };
  }

  draw() {
    const width = this.svg.parentElement.clientWidth;
    if (!width) return;
    const range = (this.range = this.ranges());
    const plotWidth = width - MARGIN.left - MARGIN.right;
    const plotHeight = HEIGHT - MARGIN.top - MARGIN.bottom;
    const px = (this.px = (x) => MARGIN.left + ((x - range.left) / (range.right - range.left)) * plotWidth);
    const py = (this.py = (y) => MARGIN.top + (1 - (y - range.bottom) / (range.top - range.bottom)) * plotHeight);
    this.back = (at) => range.left + ((at - MARGIN.left) / plotWidth) * (range.right - range.left);
    const grid = [];
    for (const y of ticks(range.bottom, range.top, 5)) {
      grid.push(s("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: py(y), y2: py(y) }));
      grid.push(s("text", { class: "tick", x: MARGIN.left - 6, y: py(y) + 4, "text-anchor": "end" }, format(y)));
    }
    // There is nothing between two generations.
    for (const x of ticks(range.left, range.right, width < 500 ? 4 : 8, 1)) {
      grid.push(s("line", { class: "grid", x1: px(x), x2: px(x), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }));
      grid.push(s("text", { class: "tick", x: px(x), y: HEIGHT - MARGIN.bottom + 16, "text-anchor": "middle" }, format(x)));
    }
    grid.push(s("text", { class: "tick", x: width - MARGIN.right, y: HEIGHT - 2, "text-anchor": "end" }, this.x));
    const clip = s("clipPath", { id: `clip-${this.id()}` }, s("rect", { x: MARGIN.left, y: MARGIN.top, width: plotWidth, height: plotHeight }));
    const lines = s("g", { "clip-path": `url(#clip-${this.id()})` }, this.shown().map((line) => this.drawLine(line, plotWidth)));
    this.cursor = s("line", { class: "cursor", y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom, visibility: "hidden" });
    this.choice = s("rect", { class: "choice", y: MARGIN.top, height: plotHeight, visibility: "hidden" });
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.svg.setAttribute("width", width);
    this.svg.replaceChildren(clip, ...grid, lines, this.choice, this.cursor);
  }

  id() {
    this.key ??= `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6)}`;
    return this.key;
  }

  drawLine({ name, of, points, colour, level, band }, plotWidth) {
    const faint = this.picked && this.picked !== LEVELS && this.picked !== (of ?? name) ? "faint" : null;
    if (level !== undefined) {
      const y = this.py(level);
      return s("line", { class: `level ${faint ?? ""}`, x1: MARGIN.left, x2: MARGIN.left + plotWidth, y1: y, y2: y, stroke: colour });
    }
    const parts = [];
    if (band?.length) {
      const up = band.map(([x, , high]) => `${this.px(x).toFixed(1)},${this.py(high).toFixed(1)}`);
      const down = band.map(([x, low]) => `${this.px(x).toFixed(1)},${this.py(low).toFixed(1)}`).reverse();
      parts.push(s("polygon", { class: "band", points: [...up, ...down].join(" "), fill: colour }));
    }
    // A line needs two.
    if (points.length === 1) parts.push(s("circle", { cx: this.px(points[0][0]), cy: this.py(points[0][1]), r: 3.5, fill: colour }));
    parts.push(s("path", { class: "line", d: this.path(points, plotWidth), stroke: colour }));
    return s("g", { class: faint }, parts);
  }

  /** Many points within one pixel are drawn as their lowest and highest. */
  path(points, plotWidth) {
    const { left, right } = this.range;
    const near = (right - left) / plotWidth;
    const parts = [];
    const put = (x, y) => parts.push(`${parts.length ? "L" : "M"}${this.px(x).toFixed(1)} ${this.py(y).toFixed(1)}`);
    let bucket = null;
    const flush = () => {
      if (!bucket) return;
      if (bucket.first !== bucket.low) put(bucket.x, bucket.first);
      if (bucket.low !== bucket.high) { put(bucket.x, bucket.low); put(bucket.x, bucket.high); }
      put(bucket.x, bucket.last);
    };
    for (const [x, y] of points) {
      if (x < left - near || x > right + near) continue;
      if (bucket && x - bucket.x < near) {
        bucket.low = Math.min(bucket.low, y);
        bucket.high = Math.max(bucket.high, y);
        bucket.last = y;
      } else {
        flush();
        bucket = { x, first: y, low: y, high: y, last: y };
      }
    }
    flush();
    return parts.join("");
  }

  drawLegend() {
    const entry = (line) => {
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
        s("svg", { viewBox: "0 0 24 8", width: 24, height: 8, "aria-hidden": "true" }, s("line", { x1: 1, x2: 23, y1: 4, y2: 4, stroke: line.colour, "stroke-width": 3, "stroke-dasharray": line.level !== undefined ? "5 4" : null })),
        line.text ?? line.name,
      );
      return button;
    };
    const lines = this.series.filter((line) => !line.of);
    if (lines.length < this.series.length) lines.push({ name: LEVELS, text: t("paper"), colour: "currentColor", level: 0 });
    this.legend.replaceChildren(...lines.map(entry));
  }

  listen() {
    const at = (event) => event.clientX - this.svg.getBoundingClientRect().left;
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button) return;
      from = at(event);
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!this.range) return;
      this.hover(at(event));
      if (from === null) return;
      const [a, b] = [from, at(event)].sort((x, y) => x - y);
      this.choice.setAttribute("x", a);
      this.choice.setAttribute("width", b - a);
      this.choice.setAttribute("visibility", "visible");
    });
    this.svg.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const [a, b] = [from, at(event)].sort((x, y) => x - y).map((x) => this.back(x));
      const wide = Math.abs(at(event) - from) > 8;
      from = null;
      if (wide) this.zoomTo([a, b]);
      else this.choice.setAttribute("visibility", "hidden");
    });
    this.svg.addEventListener("pointerleave", () => this.unhover());
    this.svg.addEventListener("dblclick", () => this.zoomTo(null));
    this.svg.addEventListener("blur", () => this.unhover());
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
  }

  onKey(event) {
    if (!this.range) return;
    const { left, right } = this.range;
    const middle = this.seen ?? (left + right) / 2;
    const wide = (right - left) / 4;
    const action = {
      "+": () => this.zoomTo([middle - wide, middle + wide]),
      "-": () => this.zoomTo(null),
      Escape: () => this.zoomTo(null),
      ArrowLeft: () => this.hover(this.px(middle - (right - left) / 60)),
      ArrowRight: () => this.hover(this.px(middle + (right - left) / 60)),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  hover(where) {
    const x = this.back(where);
    if (x < this.range.left || x > this.range.right) return this.unhover();
    this.seen = x;
    const rows = this.shown().filter((line) => !line.of).map((line) => {
      const value = line.level ?? nearest(line.points, x)?.[1];
      if (value === undefined) return null;
      return h("div", {}, s("svg", { width: 10, height: 10 }, s("circle", { cx: 5, cy: 5, r: 4, fill: line.colour })), ` ${line.name}: ${value.toFixed(this.digits)}`);
    });
    const lead = this.shown().find((line) => line.points.length);
    const exact = lead ? nearest(lead.points, x)[0] : x;
    this.cursor.setAttribute("x1", this.px(exact));
    this.cursor.setAttribute("x2", this.px(exact));
    this.cursor.setAttribute("visibility", "visible");
    this.tip.replaceChildren(h("strong", {}, `${this.x} ${exact}`), ...rows.filter(Boolean));
    this.tip.hidden = false;
    const width = this.svg.clientWidth;
    this.tip.style.left = where < width / 2 ? `${where + 12}px` : "";
    this.tip.style.right = where < width / 2 ? "" : `${width - where + 12}px`;
  }

  unhover() {
    this.tip.hidden = true;
    this.cursor?.setAttribute("visibility", "hidden");
  }
}

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

/** Round numbers between two, at least so far from each other. */
function ticks(from, to, about, least = 0) {
  const rough = Math.max((to - from) / about, least) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step / 1e6; at += step) found.push(Number(at.toPrecision(10)));
  return found;
}

const format = (number) => (Math.abs(number) >= 10000 ? number.toExponential(0) : String(number));
