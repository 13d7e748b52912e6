// How far a run is, and how long it should still take.

import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * A time in words, no more exact than anybody can know.
 * @param {number} seconds
 */
export function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return t("time_seconds", Math.max(1, whole));
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return t("time_minutes", minutes);
  return t("time_hours", Math.floor(minutes / 60), minutes % 60);
}

/** @param {number | null} left */
const timeLeft = (left) => (left === null ? t("time_unknown") : t("time_left", duration(left)));

export class Progress {
  /**
   * `words` says how far it is: `(done, of)`.
   * @param {(done: number, of: number) => string} words
   */
  constructor(words) {
    this.words = words;
    /** @type {number | null} */
    this.left = null;
    this.since = Date.now();
    this.bar = h("progress", { id: "run-bar", max: 1, "aria-label": t("progress") });
    this.text = h("span", { id: "run-progress" });
    this.time = h("span", { id: "time-left", class: "quiet" });
    this.element = h("div", { class: "progress" }, this.bar, h("p", {}, this.text, " ", this.time));
    // Between two messages the time goes by too.
    this.clock = setInterval(() => this.tick(), 1000);
  }

  /**
   * `left` are the seconds that are left: nothing if that is not known yet.
   * @param {{ done: number, of: number, running: boolean, left: number | null }} now
   */
  set({ done, of, running, left }) {
    this.running = running;
    this.left = left;
    this.over = done >= of;
    this.since = Date.now();
    this.bar.max = Math.max(of, 1);
    this.bar.value = done;
    this.text.textContent = this.words(done, of);
    this.tick();
  }

  tick() {
    const gone = (Date.now() - this.since) / 1000;
    const left = this.left === null ? null : Math.max(0, this.left - gone);
    // When all is played there is still the champion to measure.
    this.time.textContent = this.running ? `· ${this.over ? t("time_report") : timeLeft(left)}` : "";
  }

  leave() {
    clearInterval(this.clock);
  }
}

/**
 * The same in a line of a list.
 * @param {number} done
 * @param {number} of
 * @param {number | null} left
 */
export const smallProgress = (done, of, left) =>
  h("span", { class: "small-progress" }, h("progress", { max: Math.max(of, 1), value: done, "aria-label": t("progress") }), h("span", { class: "quiet" }, timeLeft(left)));
