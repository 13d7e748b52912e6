// How a chart is handled: the mouse drags a part to zoom in, two fingers pinch, a tap or the mouse shows values, keys do all of it.

/** So far a finger or the mouse may slip in a click. */
const SLIP = 8;

/** @param {import("./chart.js").Chart} chart */
export function listen(chart) {
  const { svg } = chart;
  /** @param {MouseEvent} event */
  const at = (event) => event.clientX - svg.getBoundingClientRect().left;
  /**
   * The fingers on the chart: where each is.
   * @type {Map<number, number>}
   */
  const fingers = new Map();
  /**
   * Where the mouse began to drag, or one finger came down.
   * @type {number | null}
   */
  let from = null;
  /**
   * What two fingers have taken hold of.
   * @type {number[] | null}
   */
  let held = null;

  /** @param {PointerEvent} event */
  const down = (event) => {
    if (!chart.drawn || event.button) return;
    if (event.pointerType !== "mouse") fingers.set(event.pointerId, at(event));
    from = fingers.size > 1 ? null : at(event);
    held = fingers.size === 2 && !chart.small ? [...fingers.values()].map(chart.back) : null;
    if (event.pointerType === "mouse" && !chart.small) svg.setPointerCapture(event.pointerId);
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!chart.drawn) return;
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, at(event));
    if (held) return pinch(chart, held, [...fingers.values()]);
    if (fingers.size > 1) return;
    if (event.pointerType === "mouse" || !chart.small) chart.hover(at(event));
    if (event.pointerType !== "mouse" || from === null || chart.small) return;
    const [a, b] = [from, at(event)].sort((x, y) => x - y);
    chart.choice.setAttribute("x", String(a));
    chart.choice.setAttribute("width", String(b - a));
    chart.choice.setAttribute("visibility", "visible");
  };
  /** @param {PointerEvent} event */
  const up = (event) => {
    fingers.delete(event.pointerId);
    if (held) {
      // Who lifts one finger of two wants no more.
      if (!fingers.size) held = null;
      return;
    }
    if (from === null) return;
    const [start, end] = [from, at(event)];
    from = null;
    const clicked = Math.abs(end - start) <= SLIP;
    if (chart.small) {
      if (clicked) chart.setSmall(false);
    } else if (event.pointerType === "mouse") {
      chart.choice.setAttribute("visibility", "hidden");
      if (!clicked) chart.zoomTo([start, end].sort((x, y) => x - y).map(chart.back));
    } else if (clicked) chart.hover(end);
  };
  /** @param {PointerEvent} event */
  const away = (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) held = null;
    from = null;
  };
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", away);
  // What a finger has shown stays until the next tap elsewhere.
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") chart.unhover();
  });
  svg.addEventListener("blur", () => chart.unhover());
  svg.addEventListener("dblclick", () => chart.zoomTo(null));
  // One finger may scroll the page up and down (touch-action), two may not.
  svg.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  // Two fingers on a touchpad come as a wheel with a key.
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !chart.drawn || chart.small) return;
    event.preventDefault();
    around(chart, chart.back(at(event)), Math.exp(event.deltaY / 100));
  }, { passive: false });
  svg.addEventListener("keydown", (event) => onKey(chart, event));
}

/**
 * Keeps under two fingers what they took hold of.
 * @param {import("./chart.js").Chart} chart
 * @param {number[]} held
 * @param {number[]} places
 */
function pinch(chart, held, places) {
  if (places.length !== 2) return;
  const [[a, b], [p, q]] = held[0] < held[1] ? [held, places] : [[...held].reverse(), [...places].reverse()];
  if (b - a <= 0 || q - p < SLIP) return;
  const each = (b - a) / (q - p);
  const left = a - (p - chart.edge.left) * each;
  chart.zoomTo([left, left + chart.plotWidth * each]);
}

/**
 * Zooms by a factor around a place.
 * @param {import("./chart.js").Chart} chart
 * @param {number} middle
 * @param {number} times
 */
function around(chart, middle, times) {
  const { left, right } = chart.range;
  chart.zoomTo([middle - (middle - left) * times, middle + (right - middle) * times]);
}

/** @param {import("./chart.js").Chart} chart @param {KeyboardEvent} event */
function onKey(chart, event) {
  if (!chart.drawn) return;
  const { left, right } = chart.range;
  const middle = Math.min(Math.max(chart.seen ?? (left + right) / 2, left), right);
  // A step of the keys is at least one generation, or whatever else lies nowhere closer.
  const step = chart.unit * Math.max(1, Math.round((right - left) / chart.unit / 60));
  /** @param {number} x */
  const look = (x) => chart.hover(chart.px(Math.min(Math.max(x, left), right)), true);
  /** @type {Record<string, () => unknown>} */
  const actions = {
    Enter: () => chart.opener && chart.setSmall(!chart.small),
    "+": () => !chart.small && around(chart, middle, 0.5),
    "-": () => around(chart, middle, 2),
    Escape: () => chart.zoomTo(null),
    ArrowLeft: () => look(middle - step),
    ArrowRight: () => look(middle + step),
    Home: () => look(left),
    End: () => look(right),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
