// The coach: who wins and how sure that is, the best move, how the game would go on, and what each move is worth; by the solved game if the server has its table, else by a search. Or what a network that plays thinks of it.

import { api } from "./api.js";
import { announce, h, memory, problem, s, setLabel, setText } from "./dom.js";
import { GAMES } from "./games.js";
import { moveLine, moveText, moveWords, sideName, t } from "./words.js";

/** Asked for what the table or a search says; anything else is the side of a network. */
const EXACT = "exact";
/** With less of a chance than this a side is behind, and with more than the rest of it ahead. */
const EVEN = 0.38;

export class Analysis {
  /**
   * `isNetwork` says whether a player can be asked what it thinks. `onSwitch` is told whether it is on, `onWorth` what to show on the board, `onBest` which
   * move is best (or null), `onLook` which move is pointed at (or null), `onPick` which was clicked, `onLine` how the game would go on, as texts of moves,
   * and how many of them to show.
   */
  constructor(listeners) {
    Object.assign(this, listeners);
    this.on = memory.get("analysis") === "on";
    this.judge = memory.get("analysis-judge");
    this.abort = null;
    /** How good it looks for the first player: a bar at the board. */
    this.bar = h("div", { class: "eval", id: "eval", role: "img", hidden: true });
    this.verdict = h("p", { class: "verdict", id: "verdict" });
    this.judges = h("div", { class: "judges", role: "group" });
    this.list = h("div", { class: "worths" });
    this.line = h("div", { class: "line-ahead", id: "line-ahead" });
    this.element = h("section", { class: "panel", id: "analysis" });
    this.draw();
  }

  draw() {
    const box = h("input", { type: "checkbox", id: "analysis-on", onchange: () => this.toggle(box.checked) });
    box.checked = this.on;
    this.element.replaceChildren(
      h("h2", {}, t("analysis")),
      h("label", { class: "switch" }, box, h("span", {}, t("analysis_on"))),
      this.verdict,
      this.line,
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
    const focused = this.judges.contains(document.activeElement);
    this.update(this.game, this.state);
    if (focused) this.judges.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
  }

  /** The sides whose network can be asked what it thinks; two of the same think the same. */
  networks() {
    const { first, second } = this.game.players;
    const sides = first.player === second.player ? ["first"] : ["first", "second"];
    return sides.filter((side) => this.isNetwork(this.game.players[side]));
  }

  /** Offers the choice whom to ask, where there is one; tells who is asked now. */
  drawJudges() {
    const networks = this.networks();
    const asked = this.judge === EXACT || !networks.length ? EXACT : networks.find((side) => side === this.judge) ?? networks[0];
    const name = (judge) => (judge === EXACT ? t("judge_exact") : networks.length > 1 ? t("judge_network_of", sideName(judge)) : t("judge_network"));
    const button = (judge) => h("button", { class: "small", "data-judge": judge, "aria-pressed": String(judge === asked), onclick: () => this.ask(judge) }, name(judge));
    setLabel(this.judges, t("judge_by"));
    this.judges.replaceChildren(...(networks.length ? [EXACT, ...networks].map(button) : []));
    return asked;
  }

  /** Nothing is known of the position, or nobody wants to know. */
  clear(words = "") {
    this.bar.hidden = !this.on || !this.state?.verdict;
    setText(this.verdict, words);
    this.judges.replaceChildren();
    this.line.replaceChildren();
    this.list.replaceChildren();
    this.onWorth(new Map());
    this.onBest(null);
  }

  /** Aborts the pending request. */
  stop() {
    this.abort?.abort();
  }

  /** Looks at the shown state of a game. */
  async update(game, state) {
    this.game = game;
    this.state = state;
    this.stop();
    this.onSwitch(this.on);
    if (!this.on || !state) return this.clear();
    if (state.verdict) {
      this.clear(t("analysis_over"));
      return this.drawBar({ first: 1, second: 0, draw: 0.5 }[state.verdict.winner]);
    }
    const judge = this.drawJudges();
    const abort = (this.abort = new AbortController());
    try {
      const found = await api.analyse(game.text(state.history.length), game.players[judge]?.player, abort.signal);
      if (!abort.signal.aborted) this.show(found, state);
    } catch (error) {
      if (error.name !== "AbortError") this.list.replaceChildren(problem(error.message));
    }
  }

  /** The best move of a state, asked for once, whether the coach is on or not. */
  async hint(game, state) {
    const found = await api.analyse(game.text(state.history.length));
    const move = state.moves.find(({ text }) => text === found.moves[0]?.text);
    if (!move) return null;
    const words = [t("hint_is", moveWords(move, state)), hintWords(found, state)].filter(Boolean).join(" ");
    announce(words);
    return { move, words };
  }

  drawBar(share) {
    this.bar.hidden = false;
    this.bar.style.setProperty("--first-share", `${(100 * share).toFixed(1)}%`);
    setLabel(this.bar, t("eval_label", Math.round(100 * share)));
    this.bar.dataset.share = share.toFixed(3);
    this.bar.replaceChildren(h("i", { class: "part" }));
  }

  show(found, state) {
    const byText = new Map(state.moves.map((move) => [move.text, move]));
    const worth = new Map();
    const network = found.source === "network";
    const row = (line) => {
      const move = byText.get(line.text);
      if (!move) return null;
      const [kind, long, short] = network ? thought(line) : worthWords(line, state.game);
      worth.set(line.text, { kind, text: short });
      const text = [h("span", { class: "what" }, moveLine(move, state)), h("span", { class: `worth ${kind}` }, (line.best ? "★ " : "") + long)];
      const [look, away] = [() => this.onLook(move), () => this.onLook(null)];
      return h("li", {}, h("button", { class: `line${network ? " thought" : ""}`, onclick: () => this.onPick(move), onpointerenter: look, onpointerleave: away, onfocus: look, onblur: away }, text, network ? tries(line, found.simulations) : null));
    };
    this.drawBar(found.first);
    setText(this.verdict, network ? "" : verdictWords(found, state));
    this.list.replaceChildren(
      h("p", { class: "quiet", "data-source": found.source }, source(found, state)),
      h("ol", {}, found.moves.map(row)),
    );
    this.list.dataset.ply = state.history.length;
    this.drawLine(found.line ?? [], state);
    this.onWorth(worth);
    this.onBest(byText.get(found.moves.find((line) => line.best)?.text) ?? null);
  }

  /** How the game would go on: a button, then the moves to click through. */
  drawLine(line, state) {
    if (line.length < 2) return this.line.replaceChildren();
    const open = h("button", { class: "small", id: "show-line", onclick: () => this.onLine(line, 1) }, t("show_line"));
    this.line.replaceChildren(open);
    this.line.dataset.ply = state.history.length;
  }

  /** The moves of a line, of which so many are on the board. */
  drawSteps(moves, shown, game) {
    const texts = moves.map(({ text }) => text);
    const step = (move, at) => h("button", { class: `ahead ${move.side} ${at + 1 === shown ? "now" : ""}`, "aria-current": at + 1 === shown ? "step" : null, onclick: () => this.onLine(texts, at + 1) }, moveText(move, game));
    const sign = (id, label, text, count) => h("button", { class: "sign", id, title: t(label), "aria-label": t(label), disabled: count < 0 || count > moves.length, onclick: () => this.onLine(texts, count) }, text);
    const focused = document.activeElement?.id;
    const at = this.line.contains(document.activeElement) ? [...this.line.querySelectorAll(".ahead")].indexOf(document.activeElement) : -1;
    this.line.replaceChildren(
      h("div", { class: "steps" }, sign("line-back", "line_back", "‹", shown - 1), h("span", {}, t("line_at", shown, moves.length)), sign("line-forward", "line_forward", "›", shown + 1)),
      h("div", { class: "aheads" }, moves.map(step)),
    );
    // Drawn anew, what was pressed keeps the focus.
    if (at >= 0) this.line.querySelectorAll(".ahead")[at]?.focus({ preventScroll: true });
    else if (/^line-|show-line/.test(focused ?? "")) this.line.querySelector(`#${focused === "show-line" ? "line-forward" : focused}`)?.focus({ preventScroll: true });
    this.line.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** Who wins, in words: for sure by the solved game, as far as is seen by a search. */
export function verdictWords({ source: by, value, first }, { turn }) {
  const other = turn === "first" ? "second" : "first";
  const exact = by === "table";
  if (value.result === "draw") return t("verdict_draw");
  if (value.result === "points") return first > 1 - EVEN ? t("verdict_better", sideName("first")) : first < EVEN ? t("verdict_better", sideName("second")) : t("verdict_even");
  const winner = value.result === "win" ? turn : other;
  return t(exact ? "verdict_wins" : "verdict_sees", sideName(winner), value.plies);
}

/** What a hint adds to its move: what there is to win. Who asks for help is not told that all is lost, but what can still be done. */
function hintWords(found, state) {
  const { value, first } = found;
  if (value.result === "loss") return t("hint_longest");
  const behind = value.result === "points" && (state.turn === "first" ? first : 1 - first) < EVEN;
  return behind ? null : verdictWords(found, state);
}

/** Who says it, in a sentence. */
function source({ source: by, depth, simulations, value, own }, { turn }) {
  if (by === "table") return t("by_table");
  if (by === "search") return t("by_search", depth);
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
export function worthWords({ result, plies, points }, game) {
  if (result === "win") return ["win", t("worth_win", plies), t("short_win", plies)];
  if (result === "loss") return ["loss", t("worth_loss", plies), t("short_loss", plies)];
  if (result === "draw") return ["draw", t("worth_draw"), "="];
  const text = signed(points, GAMES[game].digits);
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
