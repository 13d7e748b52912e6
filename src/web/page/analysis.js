// What each move is worth: by the solved game if the server has its table, else by a search; or what a network that plays thinks of it.

import { api } from "./api.js";
import { h, memory, problem, s } from "./dom.js";
import { GAMES } from "./games.js";
import { moveLine, sideName, t } from "./words.js";

/** Asked for what the table or a search says; anything else is the side of a network. */
const EXACT = "exact";

export class Analysis {
  /** `onSwitch` is told whether it is on, `onWorth` what to show on the board, `onLook` which move is pointed at (or null), `onPick` which was clicked. */
  constructor({ onSwitch, onWorth, onLook, onPick }) {
    Object.assign(this, { onSwitch, onWorth, onLook, onPick });
    this.on = memory.get("analysis") === "on";
    this.judge = memory.get("analysis-judge");
    this.abort = null;
    this.judges = h("div", { class: "judges", role: "group" });
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
      this.judges,
      this.list,
    );
  }

  toggle(on) {
    this.on = on;
    memory.set("analysis", on ? "on" : "off");
    this.update(this.game, this.state);
  }

  ask(judge) {
    this.judge = judge;
    memory.set("analysis-judge", judge);
    this.update(this.game, this.state);
  }

  /** The sides whose network can be asked what it thinks; two of the same think the same. */
  networks() {
    const { first, second } = this.game.players;
    const sides = first.player === second.player ? ["first"] : ["first", "second"];
    return sides.filter((side) => this.game.players[side].network);
  }

  /** Offers the choice whom to ask, where there is one; tells who is asked now. */
  drawJudges() {
    const networks = this.networks();
    const asked = this.judge === EXACT || !networks.length ? EXACT : networks.find((side) => side === this.judge) ?? networks[0];
    const name = (judge) => (judge === EXACT ? t("judge_exact") : networks.length > 1 ? t("judge_network_of", sideName(judge)) : t("judge_network"));
    const button = (judge) => h("button", { class: "small", "data-judge": judge, "aria-pressed": String(judge === asked), onclick: () => this.ask(judge) }, name(judge));
    this.judges.setAttribute("aria-label", t("judge_by"));
    this.judges.replaceChildren(...(networks.length ? [EXACT, ...networks].map(button) : []));
    return asked;
  }

  /** Looks at the shown state of a game. */
  async update(game, state) {
    this.game = game;
    this.state = state;
    this.abort?.abort();
    this.onSwitch(this.on);
    if (!this.on || !state) {
      this.judges.replaceChildren();
      this.list.replaceChildren();
      this.onWorth(new Map());
      return;
    }
    const judge = this.drawJudges();
    if (state.verdict) {
      this.list.replaceChildren(h("p", { class: "quiet" }, t("analysis_over")));
      return;
    }
    const abort = (this.abort = new AbortController());
    try {
      const found = await api.analyse(game.text(state.history.length), game.players[judge]?.player, abort.signal);
      if (!abort.signal.aborted) this.show(found, state);
    } catch (error) {
      if (error.name !== "AbortError") this.list.replaceChildren(problem(error.message));
    }
  }

  show(found, state) {
    const byText = new Map(state.moves.map((move) => [move.text, move]));
    const worth = new Map();
    const network = found.source === "network";
    const row = (line) => {
      const move = byText.get(line.text);
      if (!move) return null;
      const [kind, long, short] = network ? thought(line) : words(line, GAMES[state.game].digits);
      worth.set(line.text, { kind, text: short });
      const text = [h("span", { class: "what" }, moveLine(move, state)), h("span", { class: `worth ${kind}` }, (line.best ? "★ " : "") + long)];
      const [look, away] = [() => this.onLook(move), () => this.onLook(null)];
      return h("li", {}, h("button", { class: `line${network ? " thought" : ""}`, onclick: () => this.onPick(move), onpointerenter: look, onpointerleave: away, onfocus: look, onblur: away }, text, network ? tries(line, found.simulations) : null));
    };
    this.list.replaceChildren(
      h("p", { class: "quiet", "data-source": found.source }, source(found, state)),
      h("ol", {}, found.moves.map(row)),
    );
    this.list.dataset.ply = state.history.length;
    this.onWorth(worth);
  }
}

/** Who says it, in a sentence. */
function source({ source, depth, simulations, value, own }, { turn }) {
  if (source === "table") return t("by_table");
  if (source === "search") return t("by_search", depth);
  const side = sideName(turn);
  return simulations ? t("by_network", simulations, side, signed(value), signed(own)) : t("by_policy", side, signed(own));
}

/** With a sign; what is nothing when rounded has neither. */
function signed(number, digits = 2) {
  const text = Math.abs(number).toFixed(digits);
  return (Number(text) === 0 ? "±" : number > 0 ? "+" : "−") + text;
}

/** Whether that is good or bad for who makes the move. */
const kindOf = (text) => ({ "+": "good", "−": "bad" })[text[0]] ?? "draw";

const percent = (share) => Math.round(100 * share);

/** Kind, in words, and short enough for a square. */
function words({ result, plies, points }, digits) {
  if (result === "win") return ["win", t("worth_win", plies), t("short_win", plies)];
  if (result === "loss") return ["loss", t("worth_loss", plies), t("short_loss", plies)];
  if (result === "draw") return ["draw", t("worth_draw"), "="];
  const text = signed(points, digits);
  return [kindOf(text), text, text];
}

/** The same for what a network thinks of a move: on the square is how often it was tried. */
function thought({ value, share, proven }) {
  const short = `${percent(share)}%`;
  if (proven) return value > 0 ? ["win", t("proven_win"), short] : ["loss", t("proven_loss"), short];
  // What was never tried has no value.
  const text = value === null ? "" : signed(value);
  return [kindOf(text), text, short];
}

/** How often a move was tried, to be seen at a glance; a mark shows what the policy made of it at first. */
function tries({ visits, share, prior }, simulations) {
  const mark = Math.min(Math.max(100 * prior, 0.8), 99.2);
  const bar = s(
    "svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "whole", width: 100, height: 10 }),
    s("rect", { class: "share", width: 100 * share, height: 10 }),
    s("rect", { class: "prior", x: mark - 0.8, width: 1.6, height: 10 }),
  );
  return h("span", { class: "tries", "data-visits": visits }, bar, h("small", {}, simulations ? t("tried", visits, percent(share), percent(prior)) : `${percent(prior)} %`));
}
