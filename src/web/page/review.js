// What the moves of a game gave away: signs in the list of moves while the coach is on, and after the game its turning points.

import { worthWords } from "./analysis.js";
import { api } from "./api.js";
import { focusOn, h, isAbort, messageOf, problem, s } from "./dom.js";
import { moveWords, sideName, t } from "./words.js";

export class Review {
  /**
   * `onMarks` is told when signs have come, `onLook` which move to look at, and which would have been better.
   * @param {{ onMarks: () => void, onLook: (ply: number, better: Api.MoveInfo | null) => void }} listeners
   */
  constructor({ onMarks, onLook }) {
    this.onMarks = onMarks;
    this.onLook = onLook;
    /** @type {AbortController | null} */
    this.abort = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {Api.Ply[]} */
    this.plies = [];
    /** @type {string | null} */
    this.source = null;
    this.open = false;
    this.element = h("section", { class: "panel", id: "review", hidden: true });
    this.forget();
  }

  /** Another game, or another language. */
  forget() {
    this.moves = [];
    this.plies = [];
    this.source = null;
    this.open = false;
    this.element.hidden = true;
    this.stop();
  }

  /** Aborts the pending request. */
  stop() {
    this.abort?.abort();
  }

  /**
   * The sign behind a move, from 1, as far as it is known.
   * @param {number} ply
   */
  mark(ply) {
    return this.plies[ply - 1]?.mark ?? "";
  }

  /**
   * Judges the moves of a game that were not judged before.
   * @param {import("./game.js").Game} game
   */
  async update(game) {
    // Moves that were taken back are forgotten.
    let same = 0;
    while (same < this.moves.length && this.moves[same] === game.moves[same]) same += 1;
    this.plies.length = Math.min(this.plies.length, same);
    this.moves = [...game.moves];
    this.stop();
    const abort = (this.abort = new AbortController());
    while (this.plies.length < game.moves.length) {
      const known = this.plies.length;
      // The server answers with the plies judged within its time slice; ask again for the rest.
      const found = await api.review(game.text(), known, abort.signal);
      // Meanwhile moves may have been taken back.
      if (abort.signal.aborted || this.plies.length !== known || !found.plies.length) return;
      this.plies.push(...found.plies);
      this.source = found.source;
      this.onMarks();
      if (this.open) this.draw(game);
    }
  }

  /**
   * Shows the turning points of a game.
   * @param {import("./game.js").Game} game
   */
  async show(game) {
    this.open = true;
    this.element.hidden = false;
    this.element.replaceChildren(h("h2", { tabindex: -1 }, t("review")), h("p", { class: "quiet" }, t("review_working")));
    focusOn(this.element.querySelector("h2"));
    this.element.scrollIntoView({ block: "nearest" });
    try {
      await this.update(game);
      this.draw(game);
    } catch (error) {
      if (!isAbort(error)) this.element.replaceChildren(h("h2", {}, t("review")), problem(messageOf(error)));
    }
  }

  /** @param {import("./game.js").Game} game */
  draw(game) {
    const state = /** @type {Api.StateInfo} */ (game.state);
    const { history } = state;
    const missing = this.plies.length < history.length;
    const now = document.activeElement;
    const focused = now instanceof HTMLElement && this.element.contains(now) ? now.dataset.ply ?? "heading" : null;
    const turning = this.plies.filter(({ mark }) => mark);
    /** @param {Api.Ply} ply */
    const point = (ply) => {
      const look = () => this.onLook(ply.ply, ply.best_move);
      const played = moveWords(history[ply.ply - 1], state);
      const [best, worth] = [ply.best, ply.worth].map((worth) => worthWords(worth, game.game)[1]);
      const better = t("review_better", moveWords(ply.best_move, state), best, worth);
      return h("li", { class: ply.side }, h("button", { class: "line turning", "data-ply": ply.ply, onclick: look }, h("b", {}, `${t("review_move", ply.ply, sideName(ply.side), played)} ${ply.mark}`), h("small", {}, better)));
    };
    this.element.replaceChildren(
      h("h2", { tabindex: -1 }, t("review")),
      this.chart(history.length),
      missing ? h("p", { class: "quiet", id: "review-so-far" }, t("review_so_far", this.plies.length, history.length)) : "",
      turning.length || !missing ? h("p", { class: "quiet" }, t(turning.length ? "review_turning" : "review_clean", turning.length)) : "",
      h("ol", { class: "turnings" }, turning.map(point)),
      h("p", { class: "quiet", "data-source": this.source }, t(this.source === "table" ? "review_by_table" : "review_by_search")),
    );
    // Drawn anew, what had the focus keeps it.
    if (focused) focusOn(this.element.querySelector(focused === "heading" ? "h2" : `[data-ply="${focused}"]`));
  }

  /**
   * How good it looked for the first player, move by move; a click goes there.
   * @param {number} length
   */
  chart(length) {
    const [width, height] = [300, 70];
    /** @param {number} ply */
    const x = (ply) => (width * ply) / Math.max(1, length);
    /** @param {number} share */
    const y = (share) => height * (1 - share);
    const shares = [this.plies[0]?.before ?? 0.5, ...this.plies.map(({ after }) => after)];
    const path = shares.map((share, ply) => `${ply ? "L" : "M"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("");
    /** @param {Api.Ply} ply */
    const dot = ({ ply, after, mark }) => s("circle", { class: mark === "??" ? "blunder" : "mistake", cx: x(ply), cy: y(after), r: 4.5 });
    /** @param {MouseEvent} event */
    const go = (event) => {
      const box = chart.getBoundingClientRect();
      this.onLook(Math.max(1, Math.round(((event.clientX - box.left) / box.width) * length)), null);
    };
    const chart = s(
      "svg",
      { class: "course", viewBox: `0 -5 ${width} ${height + 10}`, role: "img", "aria-label": t("review_chart"), onclick: go },
      s("path", { class: "ground", d: `${path}L${x(shares.length - 1)} ${height}L0 ${height}z` }),
      s("path", { class: "even", d: `M0 ${height / 2}H${width}` }),
      s("path", { class: "course-line", d: path }),
      this.plies.filter(({ mark }) => mark).map(dot),
    );
    return chart;
  }
}
