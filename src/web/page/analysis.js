// What each move is worth: by the solved game if the server has its table, else by a search.

import { api } from "./api.js";
import { h, memory, problem } from "./dom.js";
import { GAMES } from "./games.js";
import { moveLine, t } from "./words.js";

export class Analysis {
  /** `onSwitch` is told whether it is on, `onWorth` what to show on the board, `onLook` which move is pointed at (or null), `onPick` which was clicked. */
  constructor({ onSwitch, onWorth, onLook, onPick }) {
    Object.assign(this, { onSwitch, onWorth, onLook, onPick });
    this.on = memory.get("analysis") === "on";
    this.abort = null;
    this.list = h("div", { class: "worths" });
    this.element = h("section", { class: "panel", id: "analysis" });
    this.draw();
  }

  draw() {
    const box = h("input", { type: "checkbox", id: "analysis-on", onchange: () => this.toggle(box.checked) });
    box.checked = this.on;
    this.element.replaceChildren(
      h("h2", {}, t("analysis")),
      h("label", { class: "switch" }, box, h("span", {}, t("analysis_on"))),
      this.list,
    );
  }

  toggle(on) {
    this.on = on;
    memory.set("analysis", on ? "on" : "off");
    this.update(this.game, this.state);
  }

  /** Looks at the shown state of a game. */
  async update(game, state) {
    this.game = game;
    this.state = state;
    this.abort?.abort();
    this.onSwitch(this.on);
    if (!this.on || !state) {
      this.list.replaceChildren();
      this.onWorth(new Map());
      return;
    }
    if (state.verdict) {
      this.list.replaceChildren(h("p", { class: "quiet" }, t("analysis_over")));
      return;
    }
    const abort = (this.abort = new AbortController());
    try {
      const found = await api.analyse(game.text(state.history.length), abort.signal);
      if (!abort.signal.aborted) this.show(found, state);
    } catch (error) {
      if (error.name !== "AbortError") this.list.replaceChildren(problem(error.message));
    }
  }

  show(found, state) {
    const byText = new Map(state.moves.map((move) => [move.text, move]));
    const worth = new Map();
    const row = (line) => {
      const move = byText.get(line.text);
      if (!move) return null;
      const [kind, long, short] = words(line, GAMES[state.game].digits);
      worth.set(line.text, { kind, text: short });
      const text = [h("span", { class: "what" }, moveLine(move, state)), h("span", { class: `worth ${kind}` }, (line.best ? "★ " : "") + long)];
      const [look, away] = [() => this.onLook(move), () => this.onLook(null)];
      return h("li", {}, h("button", { class: "line", onclick: () => this.onPick(move), onpointerenter: look, onpointerleave: away, onfocus: look, onblur: away }, text));
    };
    const source = found.source === "table" ? t("by_table") : t("by_search", found.depth);
    this.list.replaceChildren(
      h("p", { class: "quiet", "data-source": found.source }, source),
      h("ol", {}, found.moves.map(row)),
    );
    this.list.dataset.ply = state.history.length;
    this.onWorth(worth);
  }
}

/** Kind, in words, and short enough for a square. */
function words({ result, plies, points }, digits) {
  if (result === "win") return ["win", t("worth_win", plies), t("short_win", plies)];
  if (result === "loss") return ["loss", t("worth_loss", plies), t("short_loss", plies)];
  if (result === "draw") return ["draw", t("worth_draw"), "="];
  const text = (points > 0 ? "+" : points < 0 ? "−" : "±") + Math.abs(points).toFixed(digits);
  return [points > 0 ? "good" : points < 0 ? "bad" : "draw", text, text];
}
