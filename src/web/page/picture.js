// Charts as files: their own drawings with all styles in them, title and legend included.

import { h, s } from "./dom.js";

/**
 * How a line looks, for legends.
 * @param {Page.Series} line
 */
export function stroke({ colour, dashed, dot, circles, level }) {
  const line = s("line", { x1: 1, x2: 23, y1: 5, y2: 5, stroke: colour, "stroke-width": level === undefined ? 3 : 1.2, "stroke-dasharray": dashed ? "6 4" : null });
  return s("svg", { viewBox: "0 0 24 10", width: 24, height: 10, "aria-hidden": "true" }, dot || circles ? s("circle", { cx: 12, cy: 5, r: 4, fill: colour }) : line);
}

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family"];
const [TITLE, LINE] = [26, 18];

/**
 * A drawing that looks the same without the page around it.
 * @param {SVGSVGElement} svg
 */
function alone(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, at) => {
    const styles = getComputedStyle(element);
    for (const name of STYLES) {
      const value = styles.getPropertyValue(name);
      if (value && value !== "none" && value !== "normal") to[at].setAttribute(name, value);
    }
    if (styles.fill === "none") to[at].setAttribute("fill", "none");
  });
  for (const element of to) ["class", "tabindex", "role", "aria-label"].forEach((name) => element.removeAttribute(name));
  copy.querySelectorAll("[visibility=hidden]").forEach((element) => element.remove());
  return copy;
}

/**
 * One chart with its title above and its legend below, and how large that is.
 * @param {import("./chart.js").Chart} chart
 */
function drawn(chart) {
  const [width, height] = ["width", "height"].map((name) => Number(chart.svg.getAttribute(name)));
  const { color, fontFamily } = getComputedStyle(chart.element);
  /** @param {string} words @param {number} x @param {number} y @param {number} size */
  const text = (words, x, y, size) => s("text", { x, y, fill: color, "font-size": size, "font-family": fontFamily }, words);
  const plot = alone(chart.svg);
  plot.setAttribute("y", String(TITLE));
  const keys = chart.small ? [] : chart.shown();
  const legend = keys.map((line, at) => s("g", { transform: `translate(8 ${TITLE + height + at * LINE})` }, stroke(line), text(line.name, 32, 9, 12)));
  return { width, height: TITLE + height + keys.length * LINE + 8, parts: [text(chart.title, 8, 18, 15), plot, ...legend] };
}

/**
 * @param {string} name
 * @param {number} width
 * @param {number} height
 * @param {Element} element
 * @param {Page.Child[]} parts
 */
function save(name, width, height, element, parts) {
  const background = s("rect", { width, height, fill: getComputedStyle(element).backgroundColor });
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, background, parts);
  const file = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: `${name}.svg` }).click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** @param {import("./chart.js").Chart} chart */
export function saveChart(chart) {
  const { width, height, parts } = drawn(chart);
  save(chart.file, width, height, chart.element, parts);
}

/**
 * Several as they stand on the page, side by side.
 * @param {string} name
 * @param {import("./chart.js").Chart[]} charts
 */
export function saveAll(name, charts) {
  const places = charts.map(({ element }) => element.getBoundingClientRect());
  const left = Math.min(...places.map((place) => place.left));
  const pictures = charts.map(drawn);
  // Each row begins below the tallest of the row before.
  let [top, tallest] = [0, 0];
  /** @type {number | null} */
  let before = null;
  const parts = pictures.map(({ height, parts }, at) => {
    if (before !== null && places[at].top > before + 1) [top, tallest] = [top + tallest, 0];
    [before, tallest] = [places[at].top, Math.max(tallest, height)];
    return s("g", { transform: `translate(${places[at].left - left} ${top})` }, parts);
  });
  const width = Math.max(...places.map((place, at) => place.left - left + pictures[at].width));
  save(name, Math.ceil(width), top + tallest, charts[0].element, parts);
}
