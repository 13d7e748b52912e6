// The board with both hands: shows a state, lets a person choose a move among those the server has listed.

import { announce, h } from "./dom.js";
import { pieceArt } from "./pieces.js";
import { pieceName, sideName, squareName, t } from "./words.js";

const HAND = ["chick", "elephant", "giraffe", "lion"];
const other = (side) => (side === "first" ? "second" : "first");

export class Board {
  /** `onMove` is told of the move that a person has chosen; `nameOf` says who sits at a side. */
  constructor(onMove, nameOf) {
    this.onMove = onMove;
    this.nameOf = nameOf;
    this.flipped = false;
    this.active = false;
    this.state = null;
    this.chosen = null;
    this.worth = new Map();
    this.focus = 10;
    this.pieces = new Map();
    this.layer = h("div", { class: "pieces", "aria-hidden": "true" });
    this.grid = h("div", { class: "squares", role: "grid", onkeydown: (event) => this.onKey(event) });
    this.files = h("div", { class: "names files", "aria-hidden": "true" });
    this.ranks = h("div", { class: "names ranks", "aria-hidden": "true" });
    this.element = h("div", { class: "board" }, this.files, this.ranks, h("div", { class: "inner" }, this.grid, this.layer));
    this.trays = { first: h("div", { class: "tray first", role: "group" }), second: h("div", { class: "tray second", role: "group" }) };
    this.whole = h("div", { class: "table", onclick: (event) => this.onElsewhere(event) });
    this.arrange();
  }

  /** Shows a state; `move` is how it came about, if it is to be seen moving. */
  show(state, { active = false, move = null } = {}) {
    this.state = state;
    this.active = active;
    this.chosen = null;
    this.worth = new Map();
    this.placePieces(move);
    this.draw();
  }

  /** Shows what the moves are worth: texts by move. */
  showWorth(worth) {
    this.worth = worth;
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.arrange();
    this.placePieces(null);
    this.draw();
  }

  arrange() {
    const top = this.flipped ? "first" : "second";
    this.whole.replaceChildren(this.trays[top], this.element, this.trays[other(top)]);
    this.trays[top].classList.add("far");
    this.trays[other(top)].classList.remove("far");
    const order = [...Array(12).keys()];
    if (this.flipped) order.reverse();
    const names = (text) => (this.flipped ? [...text].reverse() : [...text]).map((name) => h("span", {}, name));
    this.files.replaceChildren(...names("ABC"));
    this.ranks.replaceChildren(...names("1234"));
    this.squares = new Map();
    const square = (index) => {
      const button = h("button", { class: "square", role: "gridcell", "data-square": index, tabindex: -1, onclick: () => this.onSquare(index) });
      this.squares.set(index, button);
      return button;
    };
    const rows = [0, 3, 6, 9].map((row) => h("div", { class: "row", role: "row" }, order.slice(row, row + 3).map(square)));
    this.grid.replaceChildren(...rows);
  }

  /** Column and row on the screen. */
  seat(index) {
    const at = this.flipped ? 11 - index : index;
    return [at % 3, Math.floor(at / 3)];
  }

  put(element, index) {
    const [x, y] = this.seat(index);
    element.style.transform = `translate(${100 * x}%, ${100 * y}%)`;
  }

  newPiece(kind, side, index) {
    const element = h("div", { class: `piece ${side}`, "data-kind": kind, "data-side": side, "data-at": index }, pieceArt(kind, side));
    this.put(element, index);
    this.layer.append(element);
    return element;
  }

  placePieces(move) {
    if (!this.state) return;
    if (move && !move.drop && this.pieces.has(move.from)) {
      const moving = this.pieces.get(move.from);
      this.pieces.get(move.to)?.remove();
      this.pieces.delete(move.from);
      this.pieces.set(move.to, moving);
      moving.dataset.at = move.to;
      // The one that moves is above the others.
      this.layer.append(moving);
      void moving.offsetWidth;
    }
    this.state.board.forEach((piece, index) => {
      const there = this.pieces.get(index);
      const fits = there && piece && there.dataset.side === piece.side;
      if (there && !fits) {
        there.remove();
        this.pieces.delete(index);
      }
      if (!piece) return;
      if (!fits) {
        const fresh = this.newPiece(piece.kind, piece.side, index);
        if (move?.drop && move.to === index) fresh.classList.add("dropped");
        this.pieces.set(index, fresh);
      } else {
        if (there.dataset.kind !== piece.kind) {
          there.dataset.kind = piece.kind;
          there.replaceChildren(pieceArt(piece.kind, piece.side));
          if (move?.promotes) there.classList.add("promoted");
        }
        this.put(there, index);
      }
      this.pieces.get(index).classList.toggle("turned", (piece.side === "second") !== this.flipped);
    });
  }

  /** The moves of what is chosen, by target. */
  targets() {
    if (this.chosen === null) return new Map();
    const fits = (move) => (typeof this.chosen === "number" ? move.from === this.chosen : move.drop && move.piece === this.chosen);
    return new Map(this.state.moves.filter(fits).map((move) => [move.to, move]));
  }

  draw() {
    if (!this.state) return;
    const { state } = this;
    const targets = this.targets();
    const last = state.history.at(-1);
    this.grid.setAttribute("aria-label", t("board_label"));
    for (const [index, button] of this.squares) {
      const piece = state.board[index];
      const name = squareName(index);
      let label = piece ? t("square_piece", name, sideName(piece.side), pieceName(piece.kind)) : t("square_empty", name);
      if (targets.has(index)) label += t("can_go");
      button.setAttribute("aria-label", label);
      button.tabIndex = index === this.focus ? 0 : -1;
      button.setAttribute("aria-selected", String(this.chosen === index));
      const classes = ["square"];
      if (targets.has(index)) classes.push(piece ? "take" : "target");
      if (last && (last.to === index || last.from === index)) classes.push("last");
      if (this.active && piece?.side === state.turn) classes.push("own");
      button.className = classes.join(" ");
      const badge = targets.has(index) ? this.worth.get(targets.get(index).text) : null;
      button.replaceChildren(badge ? h("span", { class: `badge ${badge.kind}` }, badge.text) : "");
    }
    for (const [index, element] of this.pieces) element.classList.toggle("chosen", this.chosen === index);
    const checked = state.check && !state.verdict;
    for (const element of this.pieces.values()) {
      element.classList.toggle("danger", checked && element.dataset.kind === "lion" && element.dataset.side === state.turn);
    }
    for (const side of ["first", "second"]) this.drawTray(side);
  }

  drawTray(side) {
    const held = this.state.hands[side];
    const mine = this.active && this.state.turn === side;
    const slot = (kind) => {
      const count = held[kind];
      if (!count) return null;
      const chosen = mine && this.chosen === kind;
      return h(
        "button",
        {
          class: `held ${chosen ? "chosen" : ""}`, "data-hand": side, "data-kind": kind,
          "aria-label": `${t("hand_piece", pieceName(kind), count)}`, "aria-pressed": String(chosen),
          onclick: () => this.onHand(side, kind),
        },
        h("span", { class: `holder ${(side === "second") !== this.flipped ? "turned" : ""}` }, pieceArt(kind, side)),
        count > 1 ? h("span", { class: "count", "aria-hidden": "true" }, `×${count}`) : null,
      );
    };
    const slots = HAND.map(slot).filter(Boolean);
    const tray = this.trays[side];
    tray.classList.toggle("turn", this.state.turn === side && !this.state.verdict);
    tray.setAttribute("aria-label", t("hand_of", sideName(side)));
    const name = this.nameOf(side);
    tray.replaceChildren(h("span", { class: "owner" }, sideName(side), name ? h("small", { title: name }, name) : null), ...slots);
  }

  choose(what, side, kind) {
    this.chosen = what;
    this.draw();
    announce(t("selected", sideName(side), pieceName(kind), this.targets().size));
  }

  letGo(why) {
    if (this.chosen === null) return;
    const from = this.pieces.get(this.chosen);
    if (why === "cannot_go" && from) {
      from.classList.remove("refused");
      void from.offsetWidth;
      from.classList.add("refused");
    }
    this.chosen = null;
    this.draw();
    announce(t(why));
  }

  onSquare(index) {
    this.focus = index;
    const piece = this.state?.board[index];
    const move = this.targets().get(index);
    if (move) {
      this.chosen = null;
      this.onMove(move);
    } else if (this.active && piece?.side === this.state.turn && this.chosen !== index) {
      this.choose(index, piece.side, piece.kind);
    } else if (this.chosen !== null) {
      this.letGo(this.chosen === index ? "let_go" : "cannot_go");
    } else if (piece && this.state) {
      announce(t("not_yours"));
    }
    this.squares.get(index).focus({ preventScroll: true });
    for (const [at, button] of this.squares) button.tabIndex = at === index ? 0 : -1;
  }

  onHand(side, kind) {
    const mine = this.active && this.state.turn === side && kind !== "lion";
    if (!mine) announce(t("not_yours"));
    else if (this.chosen === kind) this.letGo("let_go");
    else {
      this.choose(kind, side, kind);
      this.trays[side].querySelector(`[data-kind=${kind}]`)?.focus({ preventScroll: true });
    }
  }

  onElsewhere(event) {
    if (!event.target.closest("button")) this.letGo("let_go");
  }

  onKey(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const [x, y] = this.seat(this.focus);
    const column = Math.min(2, Math.max(0, x + by[0]));
    const row = Math.min(3, Math.max(0, y + by[1]));
    const at = 3 * row + column;
    this.focus = this.flipped ? 11 - at : at;
    for (const [index, button] of this.squares) button.tabIndex = index === this.focus ? 0 : -1;
    this.squares.get(this.focus).focus();
  }
}
