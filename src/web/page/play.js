// The screen on which a game is played or watched.

import { Analysis } from "./analysis.js";
import { api } from "./api.js";
import { Board } from "./board.js";
import { announce, h, memory, problem, reducedMotion, sleep } from "./dom.js";
import { Game } from "./game.js";
import { GAMES } from "./games.js";
import { pieceArt } from "./pieces.js";
import { transferPanel } from "./transfer.js";
import { endWords, moveLine, moveWords, sideName, t, tg } from "./words.js";

/** Milliseconds between moves of two computers, the slowest first. */
const SPEEDS = [2000, 1200, 700, 350, 100, 0];
/** A computer that answers at once would leave no time to see what it did. */
const THINKING = 450;

/** Who sits there; a person needs no name. */
const playerName = (player) => (player.human ? {} : { name: player.name ?? player.player, about: player.about });

export class PlayScreen {
  /** `leave` goes back to the menu; `onGame` is told if another game is loaded than the one that was begun. */
  constructor(game, leave, onGame) {
    this.game = game;
    this.leave = leave;
    this.onGame = onGame;
    this.running = true;
    this.paused = false;
    this.turn = 0;
    this.speed = Number(memory.get("speed") ?? 2);
    this.board = new Board((move) => this.onMove(move), (side) => playerName(this.game.players[side]));
    if (game.people.length === 1 && game.people[0] === "second") this.board.flip();
    this.analysis = new Analysis({
      onSwitch: (on) => this.board.showWays(on),
      onWorth: (worth) => this.board.showWorth(worth),
      onLook: (move) => this.board.hint(move),
      onPick: (move) => this.pick(move),
    });
    this.banner = h("div", { class: "banner", id: "turn" });
    this.list = h("ol", { class: "moves", id: "moves" });
    this.viewing = h("div", { class: "viewing" });
    this.trouble = h("div", {});
    this.keys = h("p", { class: "quiet keys" });
    this.dialog = h("dialog", { class: "over", id: "over", "aria-labelledby": "over-title" });
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.draw();
  }

  draw() {
    const button = (id, text, action, more) => h("button", { id, onclick: action, ...more }, text);
    const step = (id, sign, label, count) => h("button", { id, class: "sign", title: t(label), "aria-label": t(label), onclick: () => this.goTo(count()) }, sign);
    const { game } = this;
    const watch = game.people.length === 0;
    this.pauseButton = button("pause", t("pause"), () => this.setPaused(!this.paused), { class: "main" });
    const slider = h("input", {
      type: "range", id: "speed", min: 0, max: SPEEDS.length - 1, step: 1, value: this.speed,
      oninput: () => { this.speed = Number(slider.value); memory.set("speed", slider.value); },
    });
    const controls = h(
      "div",
      { class: "controls" },
      watch ? [this.pauseButton, button("one-move", t("step"), () => this.oneMove()), h("label", { class: "speed" }, t("speed"), slider)] : null,
      button("undo", t("undo"), () => this.undo()),
      button("flip", t("flip"), () => this.board.flip()),
      button("new-game", t("new_game"), () => this.restart()),
      button("to-menu", t("back_menu"), () => this.leave()),
    );
    const steps = h(
      "div",
      { class: "steps" },
      step("to-start", "«", "to_start", () => 0),
      step("step-back", "‹", "step_back", () => this.game.view - 1),
      step("step-forward", "›", "step_forward", () => this.game.view + 1),
      step("to-end", "»", "to_end", () => this.game.moves.length),
    );
    const moves = h("section", { class: "panel" }, h("h2", {}, t("moves")), steps, this.viewing, this.list);
    this.transfer = transferPanel(() => this.game, () => this.shown, (read) => this.load(read));
    this.element = h(
      "div",
      { class: "play" },
      h("div", { class: "stage" }, this.banner, this.board.whole, controls, this.trouble),
      h("aside", { class: "side" }, moves, this.analysis.element, this.transfer, this.keys),
      this.dialog,
    );
  }

  async begin() {
    await this.attempt(() => this.game.refresh());
    this.show();
    this.next();
  }

  /** Leaves nothing running behind. */
  end() {
    this.running = false;
    this.stopThinking();
    this.analysis.abort?.abort();
    document.removeEventListener("keydown", this.onKey);
  }

  async attempt(work) {
    try {
      this.trouble.replaceChildren();
      await work();
      return true;
    } catch (error) {
      if (error.name !== "AbortError") this.trouble.replaceChildren(problem(error.message));
      return false;
    }
  }

  stopThinking() {
    this.turn += 1;
    this.thinking?.abort();
    this.thinking = null;
  }

  /** Shows the end of the game, and the last move as it is made. */
  show(animate = false) {
    const { game } = this;
    if (!game.state) return;
    this.shown = game.state;
    const human = Boolean(game.mover?.human);
    this.board.show(game.state, { active: human, move: animate ? game.state.history.at(-1) : null });
    this.drawBanner();
    this.drawMoves();
    this.keys.textContent = tg(game.game, "keys");
    this.analysis.update(game, game.state);
    if (animate) {
      const last = game.state.history.at(-1);
      const check = game.state.check && !game.state.verdict ? ` ${tg(game.game, "check")}` : "";
      announce(`${sideName(last.side)}: ${moveWords(last, game.state)}.${check}`);
    }
    if (game.state.verdict && animate) this.over();
  }

  drawBanner() {
    const { game } = this;
    const state = this.shown;
    const side = state.verdict ? state.verdict.winner : state.turn;
    let text;
    if (state.verdict) text = t(`over_${state.verdict.winner}`);
    else if (!game.atEnd || game.people.length === 2) text = t("turn_of", sideName(side));
    else if (game.mover?.human) text = t("turn_you", sideName(side));
    else text = this.paused ? t("paused") : t("turn_thinks", sideName(side));
    const check = state.check && !state.verdict ? h("span", { class: "check" }, tg(game.game, "check")) : null;
    this.banner.className = `banner ${side}`;
    this.banner.replaceChildren(h("span", { class: "who" }, h("i", { class: "spot", "aria-hidden": "true" }), text), check ?? "");
  }

  drawMoves() {
    const { game } = this;
    const item = (move, at) => h(
      "li",
      { class: move.side },
      h("button", { class: `line ${at + 1 === game.view ? "now" : ""}`, "aria-current": at + 1 === game.view ? "step" : null, onclick: () => this.goTo(at + 1) }, moveLine(move, game.state)),
    );
    const all = game.state.history;
    this.list.replaceChildren(...(all.length ? all.map(item) : [h("li", { class: "none quiet" }, t("no_moves"))]));
    const now = this.list.querySelector(".now");
    if (now) this.list.scrollTop = now.offsetTop - this.list.clientHeight / 2;
    const note = game.atEnd ? [] : [
      h("span", {}, t("viewing", game.view, game.moves.length)),
      h("button", { id: "from-here", onclick: () => this.fromHere() }, t("from_here")),
    ];
    this.viewing.replaceChildren(...note);
  }

  /** Looks at the game after so many moves. */
  async goTo(count) {
    const { game } = this;
    const wanted = Math.max(0, Math.min(game.moves.length, count));
    if (wanted === game.view || !game.state) return;
    if (game.people.length === 0) this.setPaused(true);
    const forward = wanted === game.view + 1;
    game.view = wanted;
    if (game.atEnd) {
      this.show();
      return;
    }
    await this.attempt(async () => {
      const state = await api.state(game.text(wanted));
      if (game.view !== wanted) return;
      this.shown = state;
      this.board.show(state, { active: false, move: forward ? state.history.at(-1) : null });
      this.drawBanner();
      this.drawMoves();
      this.analysis.update(game, state);
    });
  }

  async fromHere() {
    this.stopThinking();
    this.game.moves = this.game.moves.slice(0, this.game.view);
    await this.begin();
  }

  async onMove(move) {
    if (!this.game.mover?.human || !this.game.atEnd || this.busy) return;
    this.busy = true;
    const played = await this.attempt(() => this.game.play(move.text));
    this.busy = false;
    if (played) this.show(true);
    else this.show();
    this.next();
  }

  /** A move of the analysis is played if it is a person's turn. */
  pick(move) {
    if (this.game.atEnd) this.onMove(move);
  }

  /** Lets the computer move if it is its turn. */
  async next() {
    const { game } = this;
    const watch = game.people.length === 0;
    if (!this.running || !game.mover || game.mover.human || (watch && this.paused)) return;
    this.stopThinking();
    const turn = this.turn;
    const thinking = (this.thinking = new AbortController());
    const wait = watch ? SPEEDS[this.speed] : reducedMotion() ? 0 : THINKING;
    const asked = await this.attempt(async () => {
      // A moment to see what was played last.
      await sleep(wait);
      if (turn !== this.turn) return;
      await game.ask(thinking.signal);
    });
    if (turn !== this.turn || !this.running) return;
    if (!asked) return this.setPaused(true);
    this.show(true);
    this.next();
  }

  setPaused(paused) {
    if (this.game.people.length > 0 || this.paused === paused) return;
    this.paused = paused;
    this.pauseButton.textContent = paused ? t("resume") : t("pause");
    if (paused) this.stopThinking();
    if (!paused) this.game.view = this.game.moves.length;
    if (this.game.atEnd) this.show();
    this.next();
  }

  async oneMove() {
    this.setPaused(true);
    const { game } = this;
    if (!game.mover) return;
    if (!game.atEnd) return this.goTo(game.moves.length);
    if (await this.attempt(() => game.ask())) this.show(true);
  }

  async undo() {
    if (!this.game.moves.length) return;
    this.stopThinking();
    this.setPaused(true);
    await this.attempt(() => this.game.undo());
    this.show();
    this.next();
  }

  async restart() {
    this.stopThinking();
    const { game, mode, rules, players } = this.game;
    this.game = new Game({ game, mode, rules, players });
    this.paused = false;
    this.replaceWhole();
    await this.begin();
  }

  /** A pasted position or game: shown only if the server finds it in order. */
  async load({ game: told, start, moves, rules }) {
    const { mode, players } = this.game;
    const another = told !== undefined && told !== this.game.game;
    if (another && !Object.hasOwn(GAMES, told)) throw new Error(t("unknown_game", told));
    // A computer was chosen for the game that is on the board.
    if (another && mode !== "people") throw new Error(t("another_game", tg(told, "title")));
    const game = new Game({ game: told ?? this.game.game, mode, rules: rules ?? this.game.rules, players, start, moves });
    await game.refresh();
    this.stopThinking();
    if (game.people.length === 0) this.setPaused(true);
    this.game = game;
    if (another) this.onGame(told);
    this.show();
    this.next();
  }

  /** Builds the screen anew, as for another language. */
  replaceWhole() {
    const old = this.element;
    this.analysis.draw();
    this.board.forgetPieces();
    this.draw();
    old.replaceWith(this.element);
    if (this.game.state) this.show();
    if (this.paused) this.pauseButton.textContent = t("resume");
  }

  over() {
    const { winner, by } = this.game.state.verdict;
    const { king } = GAMES[this.game.game];
    const ended = endWords(this.game.state);
    const art = (winner === "draw" ? ["first", "second"] : [winner]).map((side) => pieceArt(this.game.game, king, side));
    const close = (after) => () => { this.dialog.close(); after?.(); };
    this.dialog.className = `over ${winner}`;
    this.dialog.replaceChildren(
      h("div", { class: "over-art" }, art),
      h("h2", { id: "over-title" }, t(`over_${winner}`)),
      h("p", { id: "over-by", "data-by": by }, ended),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "main", id: "again", onclick: close(() => this.restart()) }, t("again")),
        h("button", { id: "look", onclick: close() }, t("look")),
        h("button", { id: "over-menu", onclick: close(() => this.leave()) }, t("back_menu")),
      ),
    );
    // The last move is seen before the end is announced.
    setTimeout(() => {
      if (this.running && this.game.state?.verdict && this.element.isConnected && !this.dialog.open) this.dialog.showModal();
    }, reducedMotion() ? 0 : 500);
    announce(`${t(`over_${winner}`)} ${ended}`);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const action = {
      Escape: () => this.board.letGo("let_go"),
      u: () => this.undo(),
      f: () => this.board.flip(),
      t: () => this.board.turnOver(),
      w: () => this.board.switchWalls(),
      ",": () => this.goTo(this.game.view - 1),
      ".": () => this.goTo(this.game.view + 1),
      p: () => this.setPaused(!this.paused),
    }[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }
}
