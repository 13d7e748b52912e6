// The board with both hands, of whichever size: shows a state, lets a person choose a move among those the server has listed.

import { announce, focusOn, h, plain, s, setLabel } from "./dom.js";
import { Drag } from "./drag.js";
import { GAMES, otherSide, SIDES } from "./games.js";
import { takenPieces } from "./hasami.js";
import { labels } from "./labels.js";
import { Mason } from "./mason.js";
import { PiecePanel } from "./piece.js";
import { pieceArt } from "./pieces.js";
import { wallsLeft } from "./quoridor.js";
import { WallLayer, walledOff } from "./walls.js";
import { captureWords, heldName, lang, pieceName, sideName, squareName, t, tg } from "./words.js";

/** In the drawing of arrows a square is so wide. */
const SQUARE = 100;

export class Board {
  /**
   * `onMove` is told of the move that a person has chosen; `seatOf` says who sits at a side: `{name, about, clock}`.
   * @param {(move: Api.MoveInfo) => void} onMove
   * @param {(side: Api.Side) => { name: string, about?: string, clock?: string | null }} seatOf
   */
  constructor(onMove, seatOf) {
    this.onMove = onMove;
    this.seatOf = seatOf;
    this.flipped = false;
    this.active = false;
    /** @type {Api.StateInfo | null} */
    this.now = null;
    /**
     * A square, or the face with which a piece in hand is to be dropped.
     * @type {number | string | null}
     */
    this.chosen = null;
    /** @type {Page.Worths} */
    this.worth = new Map();
    this.ways = false;
    /** @type {Api.MoveInfo | null} */
    this.hinted = null;
    /** @type {Api.MoveInfo | null} */
    this.pointed = null;
    /**
     * The text of the move that was dragged.
     * @type {string | null}
     */
    this.carried = null;
    this.columns = 0;
    this.rows = 0;
    this.focus = 0;
    this.size = "";
    /** @type {Map<number, HTMLButtonElement>} */
    this.squares = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.pieces = new Map();
    this.layer = h("div", { class: "pieces", "aria-hidden": "true" });
    this.grid = h("div", { class: "squares", role: "grid", onkeydown: (event) => this.onKey(event), onkeyup: (event) => this.onKeyUp(event) });
    this.walls = new WallLayer();
    this.arrows = s("svg", { class: "arrows", "aria-hidden": "true" });
    this.inner = h("div", { class: "inner" }, this.grid, this.walls.element, this.layer, this.arrows);
    this.mason = new Mason(this.inner, (move) => this.placeWall(move), (refused) => this.drawPassing(refused));
    this.edges = ["top", "left", "right", "bottom"].map((edge) => h("div", { class: `names at-${edge}`, "data-edge": edge, "aria-hidden": "true" }));
    this.element = h("div", { class: "board" }, this.edges, this.inner);
    this.trays = { first: h("div", { class: "tray first", role: "group" }), second: h("div", { class: "tray second", role: "group" }) };
    this.table = h("div", { class: "table" });
    this.panel = new PiecePanel((face) => this.turnTo(face));
    /** What is said of a piece or a wall beside the board. */
    this.about = h("div", { class: "about-piece" }, this.panel.element, this.mason.panel);
    this.whole = h("div", { class: "desk", onclick: (event) => this.onElsewhere(event) }, this.table);
    new Drag(this);
  }

  /** The state that is shown: nothing is asked of the board before. */
  get state() {
    return /** @type {Api.StateInfo} */ (this.now);
  }

  get look() {
    return GAMES[this.state.game];
  }

  /**
   * Shows a state; `move` is how it came about, if it is to be seen moving.
   * @param {Api.StateInfo} state
   * @param {{ active?: boolean, move?: Api.MoveInfo | null }} [how]
   */
  show(state, { active = false, move = null } = {}) {
    this.now = state;
    this.active = active;
    this.chosen = null;
    this.worth = new Map();
    this.hinted = null;
    this.fit();
    this.pointOut(null);
    this.panel.show(state.game, null);
    this.placePieces(move);
    this.showWalls(move);
    this.draw();
  }

  /** Builds the board if it is not yet the one of this game. */
  fit() {
    const { game, columns, board } = this.state;
    const size = `${game} ${columns} ${board.length} ${labels(game, lang()).notation} ${lang()}`;
    if (size === this.size) return;
    this.size = size;
    this.columns = columns;
    this.rows = board.length / columns;
    this.focus = board.length - Math.ceil(columns / 2);
    this.whole.className = `desk ${game}`;
    this.about.className = `about-piece ${game}`;
    this.table.style.setProperty("--columns", String(columns));
    this.table.style.setProperty("--rows", String(this.rows));
    this.arrows.setAttribute("viewBox", `0 0 ${SQUARE * columns} ${SQUARE * this.rows}`);
    this.forgetPieces();
    this.arrange();
  }

  /** The pieces are drawn anew when they are next shown, as for another language. */
  forgetPieces() {
    this.pieces.clear();
    this.layer.replaceChildren();
  }

  /**
   * Shows what the moves are worth: texts by move.
   * @param {Page.Worths} worth
   */
  showWorth(worth) {
    this.worth = worth;
    this.mason.showWorth(worth);
    this.draw();
  }

  /**
   * Whether each side's shortest ways are shown, in a game that has such ways.
   * @param {boolean} on
   */
  showWays(on) {
    this.ways = on;
    if (this.now) this.walls.showWays(on ? this.now.ways : null);
  }

  /**
   * Highlights a move that is looked at elsewhere, or none.
   * @param {Api.MoveInfo | null} move
   */
  hint(move) {
    this.hinted = move;
    this.drawPassing();
    const step = move && !move.wall ? move : null;
    for (const [index, button] of this.squares) button.classList.toggle("hint", index === step?.to || index === step?.from);
  }

  /**
   * Draws an arrow for a move that is best or would have been: from where to where, a ring for a piece that comes from the hand.
   * @param {Api.MoveInfo | null} move
   */
  pointOut(move) {
    this.pointed = move;
    if (!move || move.wall) {
      this.arrows.replaceChildren();
      this.walls.showBest(move?.wall ?? null);
      return;
    }
    this.walls.showBest(null);
    /** @param {number} index */
    const middle = (index) => this.seat(index).map((at) => SQUARE * (at + 0.5));
    const [x, y] = middle(move.to);
    const shapes = move.from === null
      ? [s("circle", { class: "arrow ring", cx: x, cy: y, r: 0.4 * SQUARE })]
      : this.arrow(middle(move.from), [x, y]);
    this.arrows.replaceChildren(s("g", { "data-best": move.text }, shapes));
  }

  /** @param {number[]} from @param {number[]} to */
  arrow([x, y], [toX, toY]) {
    const length = Math.hypot(toX - x, toY - y);
    const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
    const end = length - 16;
    return s("path", { class: "arrow", transform: `translate(${x} ${y}) rotate(${angle})`, d: `M14-7H${end - 26}V-19L${end} 0 ${end - 26} 19V7H14z` });
  }

  /** @param {Api.MoveInfo | null} move */
  showWalls(move) {
    const { state, flipped } = this;
    this.walls.fit(this.columns, this.rows, flipped);
    this.walls.showWalls(state.walls ?? [], state.history.at(-1)?.wall, Boolean(move?.wall));
    this.walls.showWays(this.ways ? state.ways : null);
    this.mason.show(state, { can: this.active && Boolean(this.look.walls), walls: Boolean(this.look.walls), flipped });
  }

  /** The walls that are only thought of: the one a person holds, and the one that is pointed out. */
  drawPassing(refused = false) {
    const { ghost, why } = this.mason;
    /** @type {[Api.WallView, string][]} */
    const passing = [];
    if (ghost) passing.push([ghost, `ghost ${why ? "illegal" : "legal"} ${refused ? "refused" : ""}`]);
    if (this.hinted?.wall) passing.push([this.hinted.wall, "hinted"]);
    this.walls.showPassing(passing);
    this.inner.classList.toggle("walling", ghost !== null && ghost.by !== "mouse");
  }

  /** @param {Api.MoveInfo} move */
  placeWall(move) {
    this.chosen = null;
    this.onMove(move);
  }

  /** From the pawn to walls and back, with keys. */
  switchWalls() {
    if (!this.now || !this.look.walls) return;
    if (!this.active) return announce(t("wall_not_now"));
    if (this.chosen !== null) this.letGo("let_go");
    const holds = this.mason.toggle(this.focus);
    focusOn(this.squares.get(this.focus));
    if (!holds) announce(t("let_go"));
  }

  flip() {
    this.flipped = !this.flipped;
    if (!this.now) return;
    this.arrange();
    this.placePieces(null);
    this.showWalls(null);
    this.pointOut(this.pointed);
    this.draw();
  }

  arrange() {
    const top = this.flipped ? "first" : "second";
    const bottom = otherSide(top);
    this.table.classList.toggle("flipped", this.flipped);
    this.table.replaceChildren(this.trays[top], this.element, this.trays[bottom]);
    this.trays[top].classList.add("far");
    this.trays[bottom].classList.remove("far");
    const order = [...Array(this.columns * this.rows).keys()];
    if (this.flipped) order.reverse();
    const named = labels(this.state.game, lang()).edges(lang());
    for (const edge of this.edges) {
      const names = named[edge.dataset.edge ?? ""] ?? [];
      edge.replaceChildren(...(this.flipped ? [...names].reverse() : names).map((name) => h("span", {}, String(name))));
    }
    this.squares = new Map();
    /** @param {number} index */
    const square = (index) => {
      const button = h("button", { class: "square", role: "gridcell", "data-square": index, tabindex: -1, onclick: () => this.onSquare(index) });
      this.squares.set(index, button);
      return button;
    };
    /** @param {unknown} _ @param {number} at */
    const row = (_, at) => h("div", { class: "row", role: "row" }, order.slice(at * this.columns, (at + 1) * this.columns).map(square));
    this.grid.replaceChildren(...Array.from({ length: this.rows }, row));
  }

  /**
   * Column and row on the screen.
   * @param {number} index
   */
  seat(index) {
    const at = this.flipped ? this.columns * this.rows - 1 - index : index;
    return [at % this.columns, Math.floor(at / this.columns)];
  }

  /** @param {HTMLElement} element @param {number} index */
  put(element, index) {
    const [x, y] = this.seat(index);
    element.style.transform = `translate(${100 * x}%, ${100 * y}%)`;
  }

  /** @param {string} kind @param {Api.Side} side @param {number} index */
  newPiece(kind, side, index) {
    const element = h("div", { class: `piece ${side}`, "data-kind": kind, "data-side": side, "data-at": index }, pieceArt(this.state.game, kind, side));
    this.put(element, index);
    this.layer.append(element);
    return element;
  }

  /**
   * A piece that was taken is seen leaving, if that is to be seen.
   * @param {HTMLElement} piece
   * @param {boolean} seen
   */
  remove(piece, seen) {
    if (!seen) return piece.remove();
    // It is no piece of the game any more.
    piece.className = piece.classList.contains("turned") ? "gone turned" : "gone";
    for (const name of Object.keys(piece.dataset)) delete piece.dataset[name];
    piece.addEventListener("animationend", () => piece.remove());
    // Where nothing is animated, nothing ends either.
    setTimeout(() => piece.remove(), 400);
  }

  /** @param {Api.MoveInfo | null} move */
  placePieces(move) {
    if (!this.now) return;
    const moving = move && move.from !== null ? this.pieces.get(move.from) : null;
    if (move && move.from !== null && moving) {
      const taken = this.pieces.get(move.to);
      if (taken) this.remove(taken, true);
      // What was dragged is there already.
      moving.classList.toggle("there", this.carried === move.text);
      this.pieces.delete(move.from);
      this.pieces.set(move.to, moving);
      moving.dataset.at = String(move.to);
      // The one that moves is above the others.
      this.layer.append(moving);
      void moving.offsetWidth;
    }
    this.now.board.forEach((piece, index) => {
      const there = this.pieces.get(index);
      const fits = piece && there?.dataset.side === piece.side;
      if (there && !fits) {
        this.remove(there, Boolean(move));
        this.pieces.delete(index);
      }
      if (!piece) return;
      if (!there || !fits) {
        const fresh = this.newPiece(piece.kind, piece.side, index);
        if (move?.from === null && move.to === index) fresh.classList.add("dropped");
        this.pieces.set(index, fresh);
      } else {
        if (there.dataset.kind !== piece.kind) {
          there.dataset.kind = piece.kind;
          there.replaceChildren(pieceArt(this.state.game, piece.kind, piece.side));
          if (move?.becomes) there.classList.add("promoted");
        }
        this.put(there, index);
      }
      this.pieces.get(index)?.classList.toggle("turned", (piece.side === "second") !== this.flipped);
    });
    this.carried = null;
  }

  /**
   * A square or a piece in hand is taken up to be dragged: chosen if it is not yet. Returns its drawing.
   * @param {HTMLElement} place
   */
  takeUp(place) {
    this.mason.letGo();
    if (place.matches(".held")) {
      const { kind = "", face = "" } = place.dataset;
      const hand = /** @type {Api.Side} */ (place.dataset.hand);
      if (this.chosen !== kind && this.chosen !== this.look.back[kind]) this.choose(face, hand, face);
      return this.trays[hand].querySelector(`.held[data-kind=${kind}] .art`);
    }
    const index = Number(place.dataset.square);
    const { side, kind } = /** @type {Api.PieceView} */ (this.state.board[index]);
    this.focus = index;
    if (this.chosen !== index) this.choose(index, side, kind);
    return this.pieces.get(index)?.querySelector(".art");
  }

  /**
   * What was dragged is put down: a move, or nothing has happened.
   * @param {number | null} index
   */
  putDown(index) {
    const move = this.targets().get(index);
    if (!move) return this.letGo(index === this.chosen ? "let_go" : "cannot_go");
    this.chosen = null;
    this.carried = move.text;
    this.onMove(move);
  }

  /**
   * The moves of what is chosen, by target.
   * @returns {Map<number | null, Api.MoveInfo>}
   */
  targets() {
    if (this.chosen === null) return new Map();
    /** @param {Api.MoveInfo} move */
    const fits = (move) => (typeof this.chosen === "number" ? move.from === this.chosen : move.from === null && move.piece === this.chosen);
    return new Map(this.state.moves.filter(fits).map((move) => [move.to, move]));
  }

  draw() {
    const state = this.now;
    if (!state) return;
    const targets = this.targets();
    const last = state.history.at(-1);
    const decisive = this.decisive();
    setLabel(this.grid, t("board_label"));
    for (const [index, button] of this.squares) {
      const piece = state.board[index];
      const name = squareName(index, state);
      let label = piece ? t("square_piece", name, sideName(piece.side), pieceName(piece.kind, state.game)) : t("square_empty", name);
      const walled = walledOff(index, state.walls ?? [], state.columns).map((beyond) => squareName(beyond, state));
      if (walled.length) label += t("walled_off", walled.join(t("comma")));
      const move = targets.get(index);
      if (move) label += t("can_go");
      if (move?.taken) label += t("comma") + captureWords(move, state.game);
      if (move?.repeats) label += t("comma") + t("repeats");
      const badge = move ? this.worth.get(move.text) ?? (move.repeats ? { kind: "repeats", text: t("short_repeats") } : null) : null;
      if (badge) label += t("comma") + badge.text;
      setLabel(button, label);
      const back = piece && this.look.back[piece.kind];
      button.title = back ? plain(`${pieceName(piece.kind, state.game)}${t("comma")}${t("on_back", pieceName(back, state.game))}`) : "";
      button.tabIndex = index === this.focus ? 0 : -1;
      button.setAttribute("aria-selected", String(this.chosen === index));
      const classes = ["square"];
      if (move) classes.push(move.captures ? "take" : "target");
      if (decisive.has(index)) classes.push("decisive");
      if (last?.taken?.includes(index)) classes.push("taken");
      if (last && !last.wall && (last.to === index || last.from === index)) classes.push("last");
      if (this.active && piece?.side === state.turn) classes.push("own");
      button.className = classes.join(" ");
      button.replaceChildren(badge ? h("span", { class: `badge ${badge.kind}` }, badge.text) : "");
    }
    for (const [index, element] of this.pieces) element.classList.toggle("chosen", this.chosen === index);
    const checked = state.check && !state.verdict;
    for (const element of this.pieces.values()) {
      element.classList.toggle("danger", checked && element.dataset.kind === this.look.king && element.dataset.side === state.turn);
    }
    for (const side of SIDES) this.drawTray(side);
  }

  /** The squares where the game was decided: of the last move, and of the king that is lost. */
  decisive() {
    const { verdict, history, board } = this.state;
    const last = history.at(-1);
    if (!verdict || verdict.winner === "draw" || !last || verdict.by === "time") return new Set();
    const lost = board.findIndex((piece) => piece?.kind === this.look.king && piece.side !== verdict.winner);
    const mate = verdict.by === "mate" || verdict.by === "no move";
    return new Set([last.wall ? null : last.to, mate ? lost : null, ...(last.taken ?? [])].filter((index) => index !== null && index >= 0));
  }

  /** @param {Api.Side} side */
  drawTray(side) {
    const { game } = this.state;
    const mine = this.active && this.state.turn === side;
    /** @param {Api.HeldView} held */
    const slot = ({ kind, count }) => {
      if (!count) return null;
      const back = this.look.back[kind];
      const up = typeof this.chosen === "string" && [kind, back].includes(this.chosen) ? this.chosen : null;
      const chosen = mine && up !== null;
      const face = chosen ? up : kind;
      const label = t("hand_piece", heldName(kind, back, game), count) + (chosen && back ? t("face_up", pieceName(face, game)) : "");
      return h(
        "button",
        {
          class: `held ${chosen ? "chosen" : ""} ${mine && kind !== this.look.king ? "mine" : ""}`, "data-hand": side, "data-kind": kind, "data-face": face,
          "aria-label": label, "aria-pressed": String(chosen), onclick: () => this.onHand(side, kind),
        },
        h("span", { class: `holder ${(side === "second") !== this.flipped ? "turned" : ""}` }, pieceArt(game, face, side)),
        count > 1 ? h("span", { class: "count", "aria-hidden": "true" }, `×${count}`) : null,
      );
    };
    const hand = this.state.hands[side];
    const { walls, enough } = this.look;
    const shown = (/** @type {Api.HeldView} */ held) => {
      if (walls) return wallsLeft(held.count, walls);
      return enough ? takenPieces(held.count, enough, otherSide(side)) : slot(held);
    };
    const slots = hand.map(shown).filter(Boolean);
    const tray = this.trays[side];
    tray.classList.toggle("turn", this.state.turn === side && !this.state.verdict);
    setLabel(tray, tg(game, "hand_of", sideName(side)));
    const { name, about, clock } = this.seatOf(side);
    const who = name && (about ? h("details", { class: "about-player" }, h("summary", {}, name), h("p", {}, about)) : h("small", { title: name }, name));
    // Redrawn while it is read, it stays open.
    if (who instanceof HTMLDetailsElement && tray.querySelector("details")?.open) who.open = true;
    tray.replaceChildren(
      h("span", { class: "owner" }, h("b", {}, sideName(side)), who || null),
      clock ? h("time", { class: "clock" }, clock) : "",
      h("span", { class: "hand" }, slots),
    );
  }

  /**
   * Shows the time that a side has left.
   * @param {Api.Side} side
   * @param {string} text
   * @param {boolean} low
   */
  showClock(side, text, low) {
    const clock = this.trays[side].querySelector(".clock");
    if (!clock) return;
    clock.textContent = text;
    clock.classList.toggle("low", low);
  }

  /** @param {number | string} what @param {Api.Side} side @param {string} kind */
  choose(what, side, kind) {
    this.chosen = what;
    this.draw();
    announce(t("selected", sideName(side), pieceName(kind, this.state.game), t("squares_count", this.targets().size)) + this.lookAt(side, kind, typeof what === "string"));
  }

  /**
   * Shows what a piece can do, where that is not to be seen on the piece itself; returns it as words.
   * @param {Api.Side} side
   * @param {string} kind
   * @param {boolean} [held]
   */
  lookAt(side, kind, held = false) {
    const turned = (side === "second") !== this.flipped;
    return this.panel.show(this.state.game, { side, kind, turned, held: held && this.active && this.state.turn === side });
  }

  /**
   * Another face of the chosen piece in hand comes up.
   * @param {string} face
   */
  turnTo(face) {
    if (typeof this.chosen !== "string") return;
    const { turn } = this.state;
    const focused = document.activeElement?.closest(".tray, .face")?.classList;
    this.choose(face, turn, face);
    // Drawn anew, the button that was pressed would have lost the focus.
    if (focused?.contains("tray")) focusOn(this.trays[turn].querySelector(".held.chosen"));
    if (focused?.contains("face")) focusOn(this.panel.element.querySelector("[aria-pressed=true]"));
  }

  /** Turns the chosen piece in hand over, if it has another face. */
  turnOver() {
    const back = typeof this.chosen === "string" ? this.look.back[this.chosen] : null;
    if (back) this.turnTo(back);
  }

  /** @param {string} why */
  letGo(why) {
    if (this.mason.letGo()) announce(t(why));
    if (this.chosen === null) {
      if (this.now) this.panel.show(this.now.game, null);
      return;
    }
    const from = typeof this.chosen === "number" ? this.pieces.get(this.chosen) : null;
    if (why === "cannot_go" && from) {
      from.classList.remove("refused");
      void from.offsetWidth;
      from.classList.add("refused");
    }
    this.chosen = null;
    this.panel.show(this.state.game, null);
    this.draw();
    announce(t(why));
  }

  /** @param {number} index */
  onSquare(index) {
    this.focus = index;
    const piece = this.now?.board[index];
    const move = this.targets().get(index);
    if (move) {
      this.chosen = null;
      this.onMove(move);
    } else if (this.active && piece?.side === this.state.turn && this.chosen !== index) {
      this.choose(index, piece.side, piece.kind);
    } else if (this.chosen !== null) {
      const elsewhere = this.chosen !== index;
      this.letGo(elsewhere ? "cannot_go" : "let_go");
      if (elsewhere && piece) this.lookAt(piece.side, piece.kind);
    } else if (piece) {
      announce(tg(this.state.game, "not_yours") + this.lookAt(piece.side, piece.kind));
    }
    focusOn(this.squares.get(index));
    for (const [at, button] of this.squares) button.tabIndex = at === index ? 0 : -1;
  }

  /** @param {Api.Side} side @param {string} kind */
  onHand(side, kind) {
    const back = this.look.back[kind];
    const mine = this.active && this.state.turn === side && kind !== this.look.king;
    if (!mine) announce(tg(this.state.game, "not_yours") + this.lookAt(side, kind));
    else if (back && (this.chosen === kind || this.chosen === back)) this.turnOver();
    else if (this.chosen === kind) this.letGo("let_go");
    else {
      this.choose(kind, side, kind);
      focusOn(this.trays[side].querySelector(`[data-kind=${kind}]`));
    }
  }

  /** @param {MouseEvent} event */
  onElsewhere(event) {
    if (!(/** @type {Element} */ (event.target).closest("button, summary"))) this.letGo("let_go");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && this.mason.onKey(event)) return event.preventDefault();
    /** @type {Record<string, number[]>} */
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const by = arrows[event.key];
    if (!by) return;
    event.preventDefault();
    const [x, y] = this.seat(this.focus);
    const column = Math.min(this.columns - 1, Math.max(0, x + by[0]));
    const row = Math.min(this.rows - 1, Math.max(0, y + by[1]));
    const at = this.columns * row + column;
    this.focus = this.flipped ? this.columns * this.rows - 1 - at : at;
    for (const [index, button] of this.squares) button.tabIndex = index === this.focus ? 0 : -1;
    this.squares.get(this.focus)?.focus();
  }

  /**
   * The space bar turns a wall: the square that has the focus must not take it for a click.
   * @param {KeyboardEvent} event
   */
  onKeyUp(event) {
    if (event.key === " " && this.inner.classList.contains("walling")) event.preventDefault();
  }
}
