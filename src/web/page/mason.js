// Lets a person place walls: with a mouse by pointing, with a finger by tapping, with keys. The wall in question is the ghost.

import { announce, focusOn, h, setLabel } from "./dom.js";
import { wallMove, whyNot } from "./walls.js";
import { t, wallWords } from "./words.js";

/** How far from the middle of a gap a mouse means the gap, in squares. */
const GAP_REACH = 0.16;
/** How far from a crossing a finger means it; and how far, once a wall is held there. */
const TAP_REACH = 0.3;
const HELD_REACH = 0.45;

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Mason {
  /**
   * `onPlace` is told of the move that places the ghost, `onGhost` when the ghost has changed.
   * @param {HTMLElement} ground
   * @param {(move: Api.MoveInfo) => void} onPlace
   * @param {(refused?: boolean) => void} onGhost
   */
  constructor(ground, onPlace, onGhost) {
    this.ground = ground;
    this.onPlace = onPlace;
    this.onGhost = onGhost;
    /** @type {Page.Ghost | null} */
    this.ghost = null;
    this.can = false;
    this.walls = false;
    this.flipped = false;
    this.rows = 0;
    /** @type {Page.Worths} */
    this.worth = new Map();
    this.pointer = "mouse";
    this.panel = h("section", { class: "piece-panel wall-panel", id: "wall" });
    ground.addEventListener("pointerdown", (event) => { this.pointer = event.pointerType; });
    ground.addEventListener("pointermove", (event) => this.onPoint(event));
    ground.addEventListener("pointerleave", () => this.ghost?.by === "mouse" && this.hold(null));
    // Before the squares hear of it: near a gap, the gap is meant.
    ground.addEventListener("click", (event) => this.onClick(event), true);
  }

  /**
   * Takes a state; `can` says whether a person may place walls in it.
   * @param {Api.StateInfo} state
   * @param {{ can: boolean, walls: boolean, flipped: boolean }} how
   */
  show(state, { can, walls, flipped }) {
    this.now = state;
    this.can = can;
    this.walls = walls;
    this.flipped = flipped;
    this.rows = state.board.length / state.columns;
    this.panel.hidden = !walls;
    // Nothing jumps when it is a person's turn again.
    this.panel.classList.toggle("idle", !can);
    this.ground.classList.remove("pointing");
    this.hold(null);
  }

  /**
   * What the wall that is held would be worth, if that is known.
   * @param {Page.Worths} worth
   */
  showWorth(worth) {
    this.worth = worth;
    this.drawPanel();
  }

  /** The state that is shown: nothing is asked of walls before. */
  get state() {
    return /** @type {Api.StateInfo} */ (this.now);
  }

  get why() {
    return this.ghost && whyNot(this.ghost, this.state);
  }

  /** @param {Api.WallView | null} wall @param {string} [by] */
  hold(wall, by = "mouse") {
    this.ghost = wall && { ...wall, by };
    this.onGhost();
    this.drawPanel();
    if (this.ghost && by !== "mouse") announce(this.words(this.ghost));
  }

  /** @param {Page.Ghost} ghost */
  words(ghost) {
    return wallWords(ghost, this.state) + (this.why ? `${t("comma")}${t(this.why)}` : "");
  }

  letGo() {
    const held = Boolean(this.ghost);
    if (held) this.hold(null);
    return held;
  }

  turn() {
    if (this.ghost) this.hold({ corner: this.ghost.corner, upright: !this.ghost.upright }, this.ghost.by);
  }

  place() {
    const { ghost, why } = this;
    if (!ghost) return;
    const move = wallMove(ghost, this.state);
    if (!move) {
      announce(t(why ?? ""));
      this.onGhost(true);
      return;
    }
    this.hold(null);
    this.onPlace(move);
  }

  /**
   * The crossing nearest to an event, and how far off it is.
   * @param {MouseEvent} event
   */
  crossing({ clientX, clientY }) {
    const { columns } = this.state;
    const { left, top, width, height } = this.ground.getBoundingClientRect();
    const seen = [((clientX - left) / width) * columns, ((clientY - top) / height) * this.rows];
    const [x, y] = this.flipped ? [columns - seen[0], this.rows - seen[1]] : seen;
    /** @param {number} value @param {number} most */
    const inside = (value, most) => Math.min(most - 1, Math.max(1, Math.round(value)));
    const [column, row] = [inside(x, columns), inside(y, this.rows)];
    return { corner: columns * row + column - 1, aside: Math.abs(x - column), along: Math.abs(y - row) };
  }

  /**
   * The wall that a mouse points at.
   * @param {MouseEvent} event
   */
  pointed(event) {
    const { corner, aside, along } = this.crossing(event);
    return Math.min(aside, along) < GAP_REACH ? { corner, upright: aside < along } : null;
  }

  /**
   * The crossing that a finger means.
   * @param {MouseEvent} event
   */
  tapped(event) {
    const { corner, aside, along } = this.crossing(event);
    const held = this.ghost?.by === "touch" && this.ghost.corner === corner;
    const near = Math.max(aside, along) < (held ? HELD_REACH : TAP_REACH) || Math.min(aside, along) < GAP_REACH / 2;
    return near ? corner : null;
  }

  /** @param {PointerEvent} event */
  onPoint(event) {
    if (!this.can || event.pointerType === "touch") return;
    const wall = this.pointed(event);
    this.ground.classList.toggle("pointing", Boolean(wall));
    const { ghost } = this;
    if (wall ? ghost?.by === "mouse" && ghost.corner === wall.corner && ghost.upright === wall.upright : ghost?.by !== "mouse") return;
    this.hold(wall, "mouse");
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    // A square that was chosen with keys has no place of its own.
    if (!this.can || event.detail === 0) return;
    const meant = this.pointer === "touch" ? this.tap(this.tapped(event)) : this.click(this.pointed(event));
    if (meant) event.stopPropagation();
    else this.letGo();
  }

  /** @param {Api.WallView | null} wall */
  click(wall) {
    if (!wall) return false;
    this.hold(wall, "mouse");
    this.place();
    return true;
  }

  /**
   * The first tap shows a wall, the second turns it, the third places it.
   * @param {number | null} corner
   */
  tap(corner) {
    if (corner === null) return false;
    const { ghost } = this;
    if (ghost?.by !== "touch" || ghost.corner !== corner) this.hold({ corner, upright: false }, "touch");
    else if (!ghost.upright) this.turn();
    else this.place();
    return true;
  }

  /**
   * Begins with a wall beside a square, or ends with walls; returns whether one is held now.
   * @param {number} square
   */
  toggle(square) {
    if (this.ghost && this.ghost.by !== "mouse") this.letGo();
    else if (this.can) this.hold(this.within(square % this.state.columns, Math.floor(square / this.state.columns), false), "keys");
    return Boolean(this.ghost);
  }

  /**
   * A wall whose middle is right above this square and the next.
   * @param {number} column
   * @param {number} row
   * @param {boolean} upright
   */
  within(column, row, upright) {
    const { columns } = this.state;
    /** @param {number} value @param {number} least @param {number} most */
    const inside = (value, least, most) => Math.min(most, Math.max(least, value));
    return { corner: columns * inside(row, 1, this.rows - 1) + inside(column, 0, columns - 2), upright };
  }

  /**
   * Whether a key was for the wall that is held.
   * @param {KeyboardEvent} event
   */
  onKey(event) {
    const { ghost } = this;
    if (!ghost || ghost.by === "mouse") return false;
    const arrow = ARROWS[event.key];
    /** @type {Record<string, () => void>} */
    const acts = { Enter: () => this.place(), " ": () => this.turn(), r: () => this.turn() };
    const act = arrow ? () => this.shift(ghost, arrow) : acts[event.key];
    act?.();
    return Boolean(act);
  }

  /** @param {Page.Ghost} ghost @param {number[]} arrow */
  shift({ corner, upright }, [right, down]) {
    const { columns } = this.state;
    const by = this.flipped ? -1 : 1;
    this.hold(this.within((corner % columns) + by * right, Math.floor(corner / columns) + by * down, upright), "keys");
  }

  drawPanel() {
    if (!this.walls) return;
    const focused = this.panel.contains(document.activeElement) ? document.activeElement?.id : null;
    this.fillPanel();
    // Drawn anew, the button that was pressed would have lost the focus.
    if (focused) focusOn(this.panel.querySelector(`#${focused}`));
  }

  fillPanel() {
    const { ghost } = this;
    setLabel(this.panel, t("wall_panel"));
    if (!ghost) {
      this.panel.replaceChildren(h("p", { class: "quiet" }, t("wall_hint")));
      return;
    }
    const { why } = this;
    const worth = this.worth.get(wallMove(ghost, this.state)?.text ?? "");
    const about = h(
      "div",
      { class: `about ${why ? "wrong" : ""}` },
      h("strong", {}, wallWords(ghost, this.state)),
      h("small", { class: why ? "why" : "", id: why ? "why" : null }, why ? t(why) : t("wall_fits")),
      worth ? h("span", { class: `badge ${worth.kind}` }, worth.text) : null,
    );
    /** @param {string} id @param {string} word @param {() => void} action @param {Page.Props} [more] */
    const button = (id, word, action, more) => h("button", { id, type: "button", onclick: action, ...more }, t(word));
    // A mouse would lose the wall on its way to them.
    const buttons = ghost.by === "mouse" ? null : h(
      "div",
      { class: "buttons" },
      button("turn-wall", "turn_wall", () => this.turn()),
      button("place-wall", "place_wall", () => this.place(), { class: "main", disabled: Boolean(why) }),
    );
    this.panel.replaceChildren(about, ...(buttons ? [buttons] : []));
  }
}
