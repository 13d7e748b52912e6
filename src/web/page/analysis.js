// The coach: who wins and how sure that is, the best move, how the game would go on, and what each move is worth; by the solved game if the server has its table, else by a search. Or what a network that plays thinks of it.

import { api } from "./api.js";
import { announce, focusOn, h, isAbort, memory, messageOf, problem, s, setLabel, setText } from "./dom.js";
import { GAMES, SIDES } from "./games.js";
import { moveLine, moveText, moveWords, sideName, t } from "./words.js";

/** Asked for what the table or a search says; anything else is the side of a network. */
const EXACT = "exact";
/** With less of a chance than this a side is behind, and with more than the rest of it ahead. */
const EVEN = 0.38;

/**
 * @typedef {object} Listeners
 * @property {(player: Page.Player) => boolean} isNetwork whether a player can be asked what it thinks
 * @property {(on: boolean) => void} onSwitch whether the coach is on
 * @property {(worth: Page.Worths) => void} onWorth what to show on the board
 * @property {(move: Api.MoveInfo | null) => void} onBest which move is best
 * @property {(move: Api.MoveInfo | null) => void} onLook which move is pointed at
 * @property {(move: Api.MoveInfo) => void} onPick which move was clicked
 * @property {(texts: string[], shown: number) => void} onLine how the game would go on, and how much of that to show
 */

export class Analysis {
  /**
   * @param {Listeners} listeners
   */
  constructor(listeners) {
    this.tell = listeners;
    this.on = memory.get("analysis") === "on";
    this.judge = memory.get("analysis-judge");
    /** @type {AbortController | null} */
    this.abort = null;
    /** @type {import("./game.js").Game | null} */
    this.game = null;
    /** @type {Api.StateInfo | null} */
    this.state = null;
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
    const box = h("input", { type: "checkbox", id: "analysis-on", onchange: () => { this.toggle(box.checked); } });
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

  /** @param {boolean} on */
  toggle(on) {
    this.on = on;
    memory.set("analysis", on ? "on" : "off");
    this.again();
  }

  /** @param {string} judge */
  ask(judge) {
    this.judge = judge;
    memory.set("analysis-judge", judge);
    const focused = this.judges.contains(document.activeElement);
    this.again();
    if (focused) focusOn(this.judges.querySelector("[aria-pressed=true]"));
  }

  again() {
    if (this.game && this.state) this.update(this.game, this.state);
  }

  /** The sides whose network can be asked what it thinks; two of the same think the same. */
  networks() {
    const { players } = /** @type {import("./game.js").Game} */ (this.game);
    const sides = players.first.player === players.second.player ? SIDES.slice(0, 1) : SIDES;
    return sides.filter((side) => this.tell.isNetwork(players[side]));
  }

  /** Offers the choice whom to ask, where there is one; tells who is asked now. */
  drawJudges() {
    const networks = this.networks();
    /** @type {Api.Side | "exact"} */
    const asked = this.judge === EXACT || !networks.length ? EXACT : networks.find((side) => side === this.judge) ?? networks[0];
    /** @param {string} judge */
    const name = (judge) => (judge === EXACT ? t("judge_exact") : networks.length > 1 ? t("judge_network_of", sideName(judge)) : t("judge_network"));
    /** @param {string} judge */
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
    this.tell.onWorth(new Map());
    this.tell.onBest(null);
  }

  /** Aborts the pending request. */
  stop() {
    this.abort?.abort();
  }

  /**
   * Looks at the shown state of a game.
   * @param {import("./game.js").Game} game
   * @param {Api.StateInfo} state
   */
  async update(game, state) {
    this.game = game;
    this.state = state;
    this.stop();
    this.tell.onSwitch(this.on);
    if (!this.on) return this.clear();
    if (state.verdict) {
      this.clear(t("analysis_over"));
      const { winner } = state.verdict;
      return this.drawBar(winner === "first" ? 1 : winner === "second" ? 0 : 0.5);
    }
    const judge = this.drawJudges();
    const abort = (this.abort = new AbortController());
    try {
      const player = judge === EXACT ? undefined : game.players[judge].player;
      const found = await api.analyse(game.text(state.history.length), player, abort.signal);
      if (!abort.signal.aborted && found.source !== "over") this.show(found, state);
    } catch (error) {
      if (!isAbort(error)) this.list.replaceChildren(problem(messageOf(error)));
    }
  }

  /**
   * The best move of a state, asked for once, whether the coach is on or not.
   * @param {import("./game.js").Game} game
   * @param {Api.StateInfo} state
   */
  async hint(game, state) {
    const found = await api.analyse(game.text(state.history.length));
    if (found.source === "over" || found.source === "network") return null;
    const move = state.moves.find(({ text }) => text === found.moves[0]?.text);
    if (!move) return null;
    const words = [t("hint_is", moveWords(move, state)), hintWords(found, state)].filter(Boolean).join(" ");
    announce(words);
    return { move, words };
  }

  /** @param {number} share */
  drawBar(share) {
    this.bar.hidden = false;
    this.bar.style.setProperty("--first-share", `${(100 * share).toFixed(1)}%`);
    setLabel(this.bar, t("eval_label", Math.round(100 * share)));
    this.bar.dataset.share = share.toFixed(3);
    this.bar.replaceChildren(h("i", { class: "part" }));
  }

  /** @param {Exclude<Api.Analysis, { source: "over" }>} found @param {Api.StateInfo} state */
  show(found, state) {
    const byText = new Map(state.moves.map((move) => [move.text, move]));
    /** @type {Page.Worths} */
    const worth = new Map();
    const simulations = found.source === "network" ? found.simulations : null;
    const network = simulations !== null;
    /** @param {Api.MoveWorth | Api.Thought} line */
    const row = (line) => {
      const move = byText.get(line.text);
      if (!move) return null;
      const [kind, long, short] = "visits" in line ? thought(line) : worthWords(line, state.game);
      worth.set(line.text, { kind, text: short });
      const text = [h("span", { class: "what" }, moveLine(move, state)), h("span", { class: `worth ${kind}` }, (line.best ? "★ " : "") + long)];
      const [look, away] = [() => this.tell.onLook(move), () => this.tell.onLook(null)];
      return h("li", {}, h("button", { class: `line${network ? " thought" : ""}`, onclick: () => this.tell.onPick(move), onpointerenter: look, onpointerleave: away, onfocus: look, onblur: away }, text, "visits" in line ? tries(line, simulations ?? 0) : null));
    };
    this.drawBar(found.first);
    setText(this.verdict, found.source === "network" ? "" : verdictWords(found, state));
    this.list.replaceChildren(
      h("p", { class: "quiet", "data-source": found.source }, source(found, state)),
      h("ol", {}, found.moves.map(row)),
    );
    this.list.dataset.ply = String(state.history.length);
    this.drawLine(found.source === "network" ? [] : found.line, state);
    this.tell.onWorth(worth);
    /** @type {(Api.MoveWorth | Api.Thought)[]} */
    const lines = found.moves;
    this.tell.onBest(byText.get(lines.find((line) => line.best)?.text ?? "") ?? null);
  }

  /**
   * How the game would go on: a button, then the moves to click through.
   * @param {string[]} line
   * @param {Api.StateInfo} state
   */
  drawLine(line, state) {
    if (line.length < 2) return this.line.replaceChildren();
    const open = h("button", { class: "small", id: "show-line", onclick: () => this.tell.onLine(line, 1) }, t("show_line"));
    this.line.replaceChildren(open);
    this.line.dataset.ply = String(state.history.length);
  }

  /**
   * The moves of a line, and how many of them are on the board.
   * @param {Api.MoveInfo[]} moves
   * @param {number} shown
   * @param {Api.GameName} game
   */
  drawSteps(moves, shown, game) {
    const texts = moves.map(({ text }) => text);
    /** @param {Api.MoveInfo} move @param {number} at */
    const step = (move, at) => h("button", { class: `ahead ${move.side} ${at + 1 === shown ? "now" : ""}`, "aria-current": at + 1 === shown ? "step" : null, onclick: () => this.tell.onLine(texts, at + 1) }, moveText(move, game));
    /** @param {string} id @param {string} label @param {string} text @param {number} count */
    const sign = (id, label, text, count) => h("button", { class: "sign", id, title: t(label), "aria-label": t(label), disabled: count < 0 || count > moves.length, onclick: () => this.tell.onLine(texts, count) }, text);
    const focused = document.activeElement?.id;
    const at = [...this.line.querySelectorAll(".ahead")].findIndex((button) => button === document.activeElement);
    this.line.replaceChildren(
      h("div", { class: "steps" }, sign("line-back", "line_back", "‹", shown - 1), h("span", {}, t("line_at", shown, moves.length)), sign("line-forward", "line_forward", "›", shown + 1)),
      h("div", { class: "aheads" }, moves.map(step)),
    );
    // Drawn anew, what was pressed keeps the focus.
    if (at >= 0) focusOn(this.line.querySelectorAll(".ahead")[at]);
    else if (/^line-|show-line/.test(focused ?? "")) {
      focusOn(this.line.querySelector(`#${focused === "show-line" ? "line-forward" : focused}`));
    }
    this.line.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/**
 * Who wins, in words: for sure by the solved game, as far as is seen by a search.
 * @param {Exclude<Api.Analysis, { source: "over" | "network" }>} found
 * @param {Api.StateInfo} state
 */
export function verdictWords({ source: by, value, first }, { turn }) {
  const other = turn === "first" ? "second" : "first";
  const exact = by === "table";
  if (value.result === "draw") return t("verdict_draw");
  if (value.result === "points") return first > 1 - EVEN ? t("verdict_better", sideName("first")) : first < EVEN ? t("verdict_better", sideName("second")) : t("verdict_even");
  const winner = value.result === "win" ? turn : other;
  return t(exact ? "verdict_wins" : "verdict_sees", sideName(winner), value.plies);
}

/**
 * What a hint adds to its move: what there is to win. Who asks for help is not told that all is lost, but what can still be done.
 * @param {Exclude<Api.Analysis, { source: "over" | "network" }>} found
 * @param {Api.StateInfo} state
 */
function hintWords(found, state) {
  const { value, first } = found;
  if (value.result === "loss") return t("hint_longest");
  const behind = value.result === "points" && (state.turn === "first" ? first : 1 - first) < EVEN;
  return behind ? null : verdictWords(found, state);
}

/**
 * Who says it, in a sentence.
 * @param {Exclude<Api.Analysis, { source: "over" }>} found
 * @param {Api.StateInfo} state
 */
function source(found, { turn }) {
  if (found.source === "table") return t("by_table");
  if (found.source === "search") return t("by_search", found.depth);
  const { simulations, value, own } = found;
  const side = sideName(turn);
  return simulations ? t("by_network", simulations, side, signed(value), signed(own)) : t("by_policy", side, signed(own));
}

/**
 * With a sign; what is nothing when rounded has neither.
 * @param {number} number
 * @param {number} [digits]
 */
function signed(number, digits = 2) {
  const text = Math.abs(number).toFixed(digits);
  return (Number(text) === 0 ? "±" : number > 0 ? "+" : "−") + text;
}

/**
 * Whether that is good or bad for who makes the move.
 * @param {string} text
 */
const kindOf = (text) => (text[0] === "+" ? "good" : text[0] === "−" ? "bad" : "draw");

/** @param {number} share */
const percent = (share) => Math.round(100 * share);

/**
 * Kind, in words, and short enough for a square.
 * @param {Api.Worth} worth
 * @param {Api.GameName} game
 */
export function worthWords({ result, plies, points }, game) {
  if (result === "win") return ["win", t("worth_win", plies), t("short_win", plies)];
  if (result === "loss") return ["loss", t("worth_loss", plies), t("short_loss", plies)];
  if (result === "draw") return ["draw", t("worth_draw"), "="];
  const text = signed(points ?? 0, GAMES[game].digits);
  return [kindOf(text), text, text];
}

/**
 * The same for what a network thinks of a move: on the square is how often it was tried.
 * @param {Api.Thought} line
 */
function thought({ value, share, proven }) {
  const short = `${percent(share)}%`;
  if (proven) return value !== null && value > 0 ? ["win", t("proven_win"), short] : ["loss", t("proven_loss"), short];
  // What was never tried has no value.
  const text = value === null ? "" : signed(value);
  return [kindOf(text), text, short];
}

/**
 * How often a move was tried, to be seen at a glance; a mark shows what the policy made of it at first.
 * @param {Api.Thought} line
 * @param {number} simulations
 */
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
