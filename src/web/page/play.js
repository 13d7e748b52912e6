// The screen on which a game is played or watched.

import { Analysis } from "./analysis.js";
import { api } from "./api.js";
import { Board } from "./board.js";
import { Clock, clockText } from "./clock.js";
import { announce, byId, focusOn, h, isAbort, memory, messageOf, problem, select, setText, sleep } from "./dom.js";
import { Game } from "./game.js";
import { GAMES, isGame, otherSide, SIDES } from "./games.js";
import { chooseWay, chosenWay, waysOf } from "./labels.js";
import { levelName, neighbours } from "./levels.js";
import { heardOpponents, isNetwork, opponentsOf, playerWords } from "./opponents.js";
import { pieceArt } from "./pieces.js";
import { Review } from "./review.js";
import { play as sound, soundIsOn, soundOf, switchSound } from "./sound.js";
import { asideGame, keep, putAside } from "./store.js";
import { transferPanel, typedPanel } from "./transfer.js";
import { endWords, lang, moveLine, moveWords, sideName, t, tg } from "./words.js";

/** Milliseconds between moves of two computers, the slowest first. */
const SPEEDS = [2000, 1200, 700, 350, 100, 0];
/** A computer that answers at once would leave no time to see what it did. */
const THINKING = 450;
/** Below so many milliseconds a clock warns. */
const LOW = 20000;

export class PlayScreen {
  /**
   * `leave` goes back to the menu; `onGame` is told if another game is loaded than the one that was begun.
   * @param {Game} game
   * @param {() => void} leave
   * @param {(game: Api.GameName) => void} onGame
   */
  constructor(game, leave, onGame) {
    this.game = game;
    this.leave = leave;
    this.onGame = onGame;
    this.running = true;
    this.paused = false;
    this.turn = 0;
    this.busy = false;
    /** Whether another screen is shown. */
    this.away = false;
    /**
     * Moves that were not played but are looked at: after how many of the game, and how many of them.
     * @type {{ from: number, shown: number } | null}
     */
    this.whatIf = null;
    /** @type {AbortController | null} */
    this.thinking = null;
    /**
     * The state on the board.
     * @type {Api.StateInfo | null}
     */
    this.now = null;
    this.speed = Number(memory.get("speed") ?? 2);
    this.board = new Board((move) => this.onMove(move), (side) => this.seat(side));
    this.turnBoard();
    this.analysis = new Analysis({
      isNetwork: ({ player }) => player !== undefined && this.offered !== null && isNetwork(player, this.offered),
      onSwitch: (on) => this.switchCoach(on),
      onWorth: (worth) => this.board.showWorth(worth),
      onBest: (move) => this.board.pointOut(move),
      onLook: (move) => this.board.hint(move),
      onPick: (move) => this.pick(move),
      onLine: (texts, shown) => this.lookAhead(texts, shown),
    });
    this.review = new Review({ onMarks: () => this.drawMoves(), onLook: (ply, better) => this.lookBack(ply, better) });
    // Drawn below, and anew in another language.
    this.element = h("div", {});
    this.aside = h("div", {});
    this.pauseButton = h("button", {});
    this.hintButton = h("button", {});
    // Who has moved has moved: while the server looks at it, no time passes.
    this.clock = new Clock(() => (this.busy ? null : this.game), (side) => this.showClock(side), (side) => this.onLate(side));
    this.banner = h("div", { class: "banner", id: "turn" });
    this.list = h("ol", { class: "moves", id: "moves" });
    this.viewing = h("div", { class: "viewing" });
    this.trouble = h("div", { class: "trouble" });
    this.keys = h("p", { class: "quiet keys" });
    this.dialog = h("dialog", { class: "over", id: "over", "aria-labelledby": "over-title" });
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onHide = () => keep(this.game);
    document.addEventListener("keydown", this.onKey);
    addEventListener("pagehide", this.onHide);
    this.draw();
  }

  /** A person who plays the second side alone sees the board from there. */
  turnBoard() {
    const { people } = this.game;
    if (this.board.flipped !== (people.length === 1 && people[0] === "second")) this.board.flip();
  }

  /**
   * Who sits at a side, as the board shows it; a person needs no name.
   * @param {Api.Side} side
   */
  seat(side) {
    const { player } = this.game.players[side];
    const { clock } = this.game;
    // Show no names until the server has sent the list of opponents.
    const words = player && this.offered ? playerWords(player, this.offered) : { name: "" };
    return { ...words, clock: clock && clockText(clock[side]) };
  }

  /** What is on the board: nothing is asked of it before. */
  get shown() {
    return /** @type {Api.StateInfo} */ (this.now);
  }

  /** What the server offers for this game, by which players get their names. */
  get offered() {
    return heardOpponents(this.game.game);
  }

  /** Learns who the players are, if that is not known yet. */
  async meet() {
    const { game } = this;
    if (this.offered || game.people.length === 2) return;
    await opponentsOf(game.game);
    if (this.game !== game || !this.running) return;
    this.board.draw();
    if (this.now) this.analysis.update(game, this.now);
  }

  draw() {
    /** @param {string} id @param {string} text @param {() => void} action @param {Page.Props} [more] */
    const button = (id, text, action, more) => h("button", { id, onclick: action, ...more }, text);
    /** @param {string} id @param {string} sign @param {string} label @param {() => number} count */
    const step = (id, sign, label, count) => h("button", { id, class: "sign", title: t(label), "aria-label": t(label), onclick: () => this.goTo(count()) }, sign);
    const { game } = this;
    const watch = game.people.length === 0;
    this.pauseButton = button("pause", t(this.paused ? "resume" : "pause"), () => this.setPaused(!this.paused), { class: "main" });
    const slider = h("input", {
      type: "range", id: "speed", min: 0, max: SPEEDS.length - 1, step: 1, value: this.speed,
      oninput: () => { this.speed = Number(slider.value); memory.set("speed", slider.value); },
    });
    this.hintButton = button("hint", t("hint"), () => this.hint());
    const controls = h(
      "div",
      { class: "controls" },
      watch ? [this.pauseButton, button("one-move", t("step"), () => this.oneMove()), h("label", { class: "speed" }, t("speed"), slider)] : this.hintButton,
      // With a clock no time comes back, and so no move.
      game.clock ? null : button("undo", t("undo"), () => this.undo()),
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
    const typed = watch ? null : typedPanel(() => (this.game.mover?.human && this.game.atEnd && !this.whatIf ? this.game.state : null), (move) => this.onMove(move));
    const moves = h("section", { class: "panel" }, h("h2", {}, t("moves")), steps, this.viewing, this.list, typed);
    this.aside = h("div", { class: "aside-note" });
    this.transfer = transferPanel(() => this.game, () => this.shown, (read) => this.load(read));
    this.element = h(
      "div",
      { class: "play" },
      h("h1", { class: "unseen" }, tg(game.game, "title")),
      this.banner,
      this.analysis.bar,
      this.board.whole,
      this.board.about,
      this.dialog,
      controls,
      this.trouble,
      h("aside", { class: "side" }, this.aside, this.review.element, this.analysis.element, moves, this.transfer, this.settings(), this.keys),
    );
  }

  /** What can be set while a game goes on, and by which rules it is played. */
  settings() {
    const { game } = this;
    const ways = waysOf(game.game);
    const way = select({ id: "labels", onchange: () => { chooseWay(game.game, way.value); this.replaceWhole(); byId("labels").focus(); } }, ways.map((name) => [name, tg(game.game, `labels_${name}`)]), chosenWay(game.game, lang()));
    const box = h("input", { type: "checkbox", id: "sound", onchange: () => { switchSound(box.checked); } });
    box.checked = soundIsOn();
    return h(
      "section",
      { class: "panel settings" },
      h("h2", {}, t("settings")),
      h("p", { id: "rules-now" }, h("b", {}, `${t("rules_choice")}: `), t(`rules_${game.rules}`), " ", h("a", { href: `#/${game.game}/rules` }, t("nav_rules"))),
      h("label", { class: "switch" }, box, h("span", {}, t("sound"))),
      ways.length > 1 ? h("label", { class: "field" }, h("span", {}, t("labels")), way) : null,
    );
  }

  async begin() {
    // A game without rules of its own is played by those that the server names.
    const begun = await this.attempt(async () => {
      await this.game.refresh();
      this.game.rules ??= this.game.state?.rules;
    });
    if (!begun) return;
    const { view } = this.game;
    // Without names a game can be played too.
    this.meet().catch(() => {});
    this.show();
    if (view < this.game.moves.length) {
      this.game.view = this.game.moves.length;
      return this.goTo(view);
    }
    this.next();
  }

  /** Another screen is shown: requests are given up. */
  goAway() {
    this.away = true;
    this.setPaused(true);
    this.stopThinking();
  }

  /** This screen is shown again: sends the requests that were given up. */
  comeBack() {
    this.away = false;
    if (!this.running || !this.game.state || this.busy) return;
    if (!this.whatIf) this.drawRest();
    if (this.game.atEnd) this.next();
  }

  /** Leaves nothing running behind. */
  end() {
    this.running = false;
    this.stopThinking();
    this.analysis.stop();
    this.review.stop();
    this.clock.end();
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("pagehide", this.onHide);
  }

  /** @param {() => Promise<unknown>} work */
  async attempt(work) {
    try {
      this.trouble.replaceChildren();
      await work();
      return true;
    } catch (error) {
      if (!isAbort(error)) this.trouble.replaceChildren(problem(messageOf(error)));
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
    keep(game);
    this.whatIf = null;
    this.now = game.state;
    const human = Boolean(game.mover?.human);
    const last = game.state.history.at(-1);
    this.board.show(game.state, { active: human, move: animate ? last ?? null : null });
    this.drawRest();
    if (!game.state.verdict) this.dialog.close();
    if (!animate || !last) return;
    const check = game.state.check && !game.state.verdict ? ` ${tg(game.game, "check")}` : "";
    announce(`${sideName(last.side)}: ${moveWords(last, game.state)}.${check}`);
    sound(check ? "check" : soundOf(last));
    if (game.state.verdict) this.over();
  }

  /** What is around the board, for what is shown on it. */
  drawRest() {
    const { game } = this;
    this.drawBanner();
    this.drawMoves();
    this.drawAside();
    setText(this.keys, tg(game.game, "keys"));
    this.hintButton.disabled = !game.mover?.human || !game.atEnd || Boolean(this.whatIf);
    if (this.away) return;
    this.analysis.update(game, this.shown);
    if (this.analysis.on) this.review.update(game).catch(() => {});
  }

  /** The game before this one can be brought back. */
  drawAside() {
    const before = asideGame();
    const note = before && [h("span", {}, t("aside_note", before.moves.length)), h("button", { id: "bring-back", class: "small", onclick: () => this.bringBack() }, t("bring_back"))];
    this.aside.replaceChildren(...(note ? [h("p", {}, note)] : []));
  }

  /**
   * Whose turn it is, as a person would say it.
   * @param {Api.Side} side
   */
  turnWords(side) {
    const { game } = this;
    if (!game.atEnd || this.whatIf || game.people.length === 2) return t("turn_of", sideName(side));
    if (game.mover?.human) return t("turn_you", sideName(side));
    return this.paused ? t("paused") : t("turn_thinks", sideName(side));
  }

  /**
   * How the game ended, for who plays it.
   * @param {{ winner: string }} verdict
   */
  endTitle({ winner }) {
    const { people } = this.game;
    if (people.length !== 1 || winner === "draw") return t(`over_${winner}`);
    return t(people[0] === winner ? "you_win" : "you_lost");
  }

  /**
   * What to beware of: danger to the king, and positions that come again.
   * @param {Api.StateInfo} state
   */
  warning(state) {
    if (state.verdict) return null;
    if (state.check) return tg(this.game.game, "check");
    const { occurrences, repetitions } = state;
    if (repetitions && occurrences > 1 && occurrences === repetitions - 1) return t("warn_repetition", occurrences);
    return null;
  }

  drawBanner() {
    const state = this.shown;
    const side = state.verdict ? state.verdict.winner : state.turn;
    const text = state.verdict ? this.endTitle(state.verdict) : this.turnWords(state.turn);
    const warning = this.warning(state);
    this.banner.className = `banner ${side}`;
    this.banner.replaceChildren(
      h("span", { class: "who" }, h("i", { class: "spot", "aria-hidden": "true" }), text),
      warning ? h("span", { class: "check" }, warning) : "",
      state.verdict ? h("span", { class: "reason" }, endWords(state)) : "",
    );
  }

  drawMoves() {
    const { game } = this;
    const state = /** @type {Api.StateInfo} */ (game.state);
    /** @param {Api.MoveInfo} move @param {number} at */
    const item = (move, at) => h(
      "li",
      { class: move.side },
      h(
        "button",
        { class: `line ${at + 1 === game.view ? "now" : ""}`, "data-ply": at + 1, "aria-current": at + 1 === game.view ? "step" : null, onclick: () => this.goTo(at + 1) },
        moveLine(move, state),
        this.review.mark(at + 1) ? h("span", { class: "mark", title: t(this.review.mark(at + 1) === "??" ? "mark_blunder" : "mark_mistake") }, this.review.mark(at + 1)) : null,
      ),
    );
    const pressed = document.activeElement;
    const focused = pressed instanceof HTMLElement && this.list.contains(pressed) ? pressed.dataset.ply : null;
    const all = state.history;
    this.list.replaceChildren(...(all.length ? all.map(item) : [h("li", { class: "none quiet" }, t("no_moves"))]));
    // Drawn anew, the line that was pressed would have lost the focus.
    if (focused) focusOn(this.list.querySelector(`[data-ply="${focused}"]`));
    const now = this.list.querySelector(".now");
    if (now instanceof HTMLElement) this.list.scrollTop = now.offsetTop - this.list.clientHeight / 2;
    this.viewing.replaceChildren(...this.viewNote());
  }

  /** Where one is, if that is not the end of the game, and the way back or on. */
  viewNote() {
    const { game } = this;
    /** @param {string} id @param {string} word @param {() => void} action */
    const go = (id, word, action) => h("button", { id, onclick: action }, t(word));
    if (this.whatIf) return [h("span", {}, t("what_if")), go("leave-line", "leave_line", () => this.leaveLine())];
    if (game.atEnd) return [];
    return [h("span", {}, t("viewing", game.view, game.moves.length)), go("from-here", "from_here", () => this.fromHere())];
  }

  /**
   * Shows the game after this many moves.
   * @param {number} count
   * @param {Api.MoveInfo | null} [better]
   */
  async goTo(count, better = null) {
    const { game } = this;
    const wanted = Math.max(0, Math.min(game.moves.length, count));
    if ((wanted === game.view && !this.whatIf && !better) || !game.state) return;
    if (game.people.length === 0) this.setPaused(true);
    const forward = wanted === game.view + 1 && !this.whatIf;
    game.view = wanted;
    this.whatIf = null;
    keep(game);
    if (game.atEnd && !better) {
      this.show();
      // Who came here by a link, or has looked back, goes on with the game.
      if (!this.thinking) this.next();
      return;
    }
    await this.attempt(async () => {
      const state = await api.state(game.text(wanted));
      if (game.view !== wanted || this.whatIf) return;
      this.now = state;
      this.board.show(state, { active: false, move: forward ? state.history.at(-1) : null });
      this.drawRest();
      if (better) this.board.pointOut(better);
    });
  }

  /**
   * Looks at the position before a move, with an arrow for what would have been better; or at what came of it.
   * @param {number} ply
   * @param {Api.MoveInfo | null} better
   */
  lookBack(ply, better) {
    return better ? this.goTo(ply - 1, better) : this.goTo(ply);
  }

  /**
   * Shows this many moves of a line that goes on from what is shown.
   * @param {string[]} texts
   * @param {number} shown
   */
  async lookAhead(texts, shown) {
    const { game } = this;
    const from = this.whatIf?.from ?? game.view;
    if (shown <= 0) return this.leaveLine();
    if (game.people.length === 0) this.setPaused(true);
    await this.attempt(async () => {
      const moves = game.moves.slice(0, from);
      const [state, whole] = await Promise.all([shown, texts.length].map((count) => api.state({ ...game.text(), moves: [...moves, ...texts.slice(0, count)] })));
      const forward = shown === (this.whatIf?.shown ?? 0) + 1;
      this.whatIf = { from, shown };
      this.now = state;
      this.board.show(state, { active: false, move: forward ? state.history.at(-1) : null });
      this.drawBanner();
      this.drawMoves();
      this.hintButton.disabled = true;
      this.analysis.drawSteps(whole.history.slice(from), shown, game.game);
      const last = state.history.at(-1);
      if (last) announce(`${sideName(last.side)}: ${moveWords(last, state)}`);
    });
  }

  /** Back from a line to where it began. */
  async leaveLine() {
    if (!this.whatIf) return;
    const { from } = this.whatIf;
    await this.goTo(from);
  }

  /** Shows a person the best move. */
  async hint() {
    const { state } = this.game;
    if (this.hintButton.disabled || !state) return;
    await this.attempt(async () => {
      const found = await this.analysis.hint(this.game, state);
      if (!found || this.game.state !== state || !this.game.atEnd) return;
      this.board.pointOut(found.move);
      this.trouble.replaceChildren(h("p", { class: "hint-words", id: "hint-words" }, found.words));
    });
  }

  /** @param {Api.Side} side */
  showClock(side) {
    const left = this.game.clock?.[side] ?? 0;
    this.board.showClock(side, clockText(left), left < LOW);
  }

  /** @param {Api.Side} side */
  onLate(side) {
    this.stopThinking();
    this.game.isLate(side);
    this.show();
    this.over();
  }

  async fromHere() {
    this.stopThinking();
    putAside(this.game);
    this.game.moves = this.game.moves.slice(0, this.game.view);
    await this.begin();
  }

  /** @param {Api.MoveInfo} move */
  async onMove(move) {
    if (!this.game.mover?.human || !this.game.atEnd || this.whatIf || this.busy) return;
    this.busy = true;
    // What was asked about the position before is of no use any more, and would keep the server from what comes next.
    if (this.analysis.on) this.review.stop();
    this.analysis.stop();
    const played = await this.attempt(() => this.game.play(move.text));
    this.busy = false;
    if (played) this.show(true);
    else this.show();
    this.next();
  }

  /**
   * The coach has been switched on or off: without it, nothing is asked for it.
   * @param {boolean} on
   */
  switchCoach(on) {
    this.board.showWays(on);
    if (!on && !this.review.open) this.review.stop();
  }

  /**
   * A move of the analysis is played if it is a person's turn.
   * @param {Api.MoveInfo} move
   */
  pick(move) {
    if (this.game.atEnd && !this.whatIf) this.onMove(move);
  }

  /** Lets the computer move if it is its turn. */
  async next() {
    const { game } = this;
    const watch = game.people.length === 0;
    if (!this.running || this.away || !game.mover || game.mover.human || (watch && this.paused)) return;
    this.stopThinking();
    const turn = this.turn;
    const thinking = (this.thinking = new AbortController());
    const wait = watch ? SPEEDS[this.speed] : THINKING;
    const asked = await this.attempt(async () => {
      // A moment to see what was played last.
      await sleep(wait);
      if (turn !== this.turn) return;
      await game.ask(thinking.signal);
    });
    if (turn !== this.turn || !this.running) return;
    this.thinking = null;
    if (!asked) return this.setPaused(true);
    this.show(true);
    this.next();
  }

  /** @param {boolean} paused */
  setPaused(paused) {
    if (this.game.people.length > 0 || this.paused === paused) return;
    this.paused = paused;
    setText(this.pauseButton, t(paused ? "resume" : "pause"));
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

  /** Begins anew; the game so far can be brought back. */
  async restart(next = this.game.again()) {
    this.stopThinking();
    putAside(this.game);
    await this.take(next);
  }

  /** Exchanges the game for the one before it. */
  async bringBack() {
    const before = asideGame();
    if (!before) return;
    this.stopThinking();
    putAside(this.game);
    await this.take(new Game(before));
    this.onGame(before.game);
  }

  /**
   * Another game is on the board from now on.
   * @param {Game} game
   */
  async take(game) {
    this.game = game;
    this.paused = false;
    this.review.forget();
    this.dialog.close();
    this.turnBoard();
    this.replaceWhole();
    await this.begin();
  }

  /**
   * A pasted position or game: shown only if the server finds it in order.
   * @param {Page.Pasted} read
   */
  async load({ game: told, start, moves, rules }) {
    const { mode, players } = this.game;
    if (told !== undefined && !isGame(told)) throw new Error(t("unknown_game", told));
    const another = told !== undefined && told !== this.game.game;
    // A computer was chosen for the game that is on the board.
    if (another && mode !== "people") throw new Error(t("another_game", tg(told, "title")));
    const game = new Game({ game: told ?? this.game.game, mode, rules: rules ?? this.game.rules, players, start, moves });
    await game.refresh();
    this.stopThinking();
    putAside(this.game);
    this.review.forget();
    this.dialog.close();
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
    if (this.review.open) this.review.draw(this.game);
  }

  /** The end of the game, beside the board: the squares that decided it stay in sight. */
  over() {
    const state = /** @type {Api.StateInfo} */ (this.game.state);
    const { winner, by } = /** @type {Api.VerdictInfo} */ (state.verdict);
    const { king } = GAMES[this.game.game];
    const ended = endWords(state);
    const title = this.endTitle({ winner });
    const alone = this.game.people.length === 1;
    const shown = SIDES.filter((side) => winner === "draw" || winner === side);
    const art = shown.map((side) => pieceArt(this.game.game, king, side));
    /** @param {() => void} [after] */
    const close = (after) => () => { this.dialog.close(); after?.(); };
    /** @param {string} id @param {string} word @param {(() => void) | undefined} action @param {Page.Props} [more] */
    const button = (id, word, action, more) => h("button", { id, onclick: close(action), ...more }, t(word));
    const rematch = () => this.restart(this.game.again({ swapped: alone }));
    this.dialog.className = `over ${winner}`;
    this.dialog.replaceChildren(
      h("div", { class: "over-art" }, art),
      h("h2", { id: "over-title" }, title),
      h("p", { id: "over-by", "data-by": by }, alone && winner !== "draw" ? `${t(`over_${winner}`)} ${ended}` : ended),
      h(
        "div",
        { class: "buttons" },
        button("again", alone ? "rematch" : "again", rematch, { class: "main" }),
        h("span", { class: "other-levels" }),
        button("review-game", "review_button", () => this.review.show(this.game)),
        button("look", "look", undefined),
        button("over-menu", "back_menu", () => this.leave()),
      ),
    );
    // Without other levels to offer, the game can be played again.
    if (alone) this.offerLevels().catch(() => {});
    sound(winner === "draw" ? "drawn" : !alone || this.game.people[0] === winner ? "won" : "lost");
    // Not by `show()`, which would scroll the board away to what it gives the focus.
    this.dialog.open = true;
    // What was just played has the focus: the end is read out, and the next button is near.
    focusOn(this.dialog.querySelector("#again"));
    this.bringNear(this.dialog);
    announce(`${title} ${ended}`);
  }

  /**
   * Scrolls towards something below the board, as far as the whole board stays in sight.
   * @param {Element} element
   */
  bringNear(element) {
    const hidden = element.getBoundingClientRect().bottom + 8 - innerHeight;
    const spare = this.board.element.getBoundingClientRect().top - 4;
    if (hidden > 0 && spare > 0) scrollBy(0, Math.min(hidden, spare));
  }

  /** The next easier and harder opponent, where the present one is a level. */
  async offerLevels() {
    const { game } = this;
    const [mine] = game.people;
    const theirs = otherSide(mine);
    const { levels } = await opponentsOf(game.game);
    const near = neighbours(levels, game.players[theirs], game.rules ?? "");
    if (this.game !== game) return;
    /** @param {string} word */
    const offer = (word) => {
      const level = near[word];
      if (!level) return null;
      const players = { ...game.players, [theirs]: { player: level.player } };
      const begin = () => this.restart(game.again({ players }));
      return h("button", { id: word, onclick: begin, title: levelName(level, game.game) }, t(word));
    };
    const buttons = [offer("easier"), offer("harder")].filter((button) => button !== null);
    this.dialog.querySelector(".other-levels")?.replaceChildren(...buttons);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.element.isConnected) return;
    const target = /** @type {Element} */ (event.target);
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    // On the board arrows go from square to square.
    /** @type {Record<string, number>} */
    const arrows = target.closest(".squares") ? {} : { ArrowLeft: -1, ArrowRight: 1, Home: -this.game.moves.length, End: this.game.moves.length };
    if (event.key in arrows) {
      event.preventDefault();
      return this.goTo(this.game.view + arrows[event.key]);
    }
    /** @type {Record<string, () => void>} */
    const actions = {
      Escape: () => this.board.letGo("let_go"),
      u: () => { if (!this.game.clock) this.undo(); },
      f: () => this.board.flip(),
      h: () => this.hint(),
      t: () => this.board.turnOver(),
      w: () => this.board.switchWalls(),
      ",": () => this.goTo(this.game.view - 1),
      ".": () => this.goTo(this.game.view + 1),
      p: () => this.setPaused(!this.paused),
    };
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }
}
