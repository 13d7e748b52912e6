// Pieces can be dragged, with a mouse or a finger, beside being clicked.

import { h } from "./dom.js";

/** So many pixels make a drag of a click. */
const FAR = 7;

export class Drag {
  /**
   * Drags pieces of a board: what is chosen and where it may go, the board knows.
   * @param {import("./board.js").Board} board
   */
  constructor(board) {
    this.board = board;
    /** @type {{ place: HTMLElement, x: number, y: number, pointer: number } | null} */
    this.start = null;
    /** @type {HTMLElement | null} */
    this.ghost = null;
    this.ended = false;
    const { whole } = board;
    whole.addEventListener("pointerdown", (event) => this.onDown(event));
    whole.addEventListener("pointermove", (event) => this.onMove(event));
    whole.addEventListener("pointerup", (event) => this.onUp(event));
    whole.addEventListener("pointercancel", () => this.end());
    // The click that a browser makes of the end of a drag means nothing.
    whole.addEventListener("click", (event) => this.ended && event.stopPropagation(), true);
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    this.end();
    this.ended = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const place = /** @type {Element} */ (event.target).closest(".square.own, .held.mine");
    if (!(place instanceof HTMLElement)) return;
    this.start = { place, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { start } = this;
    if (!start || event.pointerId !== start.pointer) return;
    if (!this.ghost && Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) return;
    this.ghost ??= this.begin(event, start.place);
    this.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    this.point(this.under(event));
  }

  /** @param {PointerEvent} event @param {HTMLElement} place */
  begin(event, place) {
    const drawn = /** @type {Element} */ (this.board.takeUp(place));
    const size = `${drawn.getBoundingClientRect().width}px`;
    const ghost = h("div", { class: "dragged", "aria-hidden": "true" }, drawn.cloneNode(true));
    Object.assign(ghost.style, { width: size, height: size });
    this.board.whole.append(ghost);
    this.board.whole.classList.add("dragging");
    this.board.whole.setPointerCapture(event.pointerId);
    return ghost;
  }

  /**
   * The square below the pointer.
   * @param {PointerEvent} event
   */
  under({ clientX, clientY }) {
    const square = document.elementsFromPoint(clientX, clientY).find((element) => element.matches(".square"));
    return square instanceof HTMLElement ? Number(square.dataset.square) : null;
  }

  /**
   * Shows where it would be put down.
   * @param {number | null} index
   */
  point(index) {
    for (const [at, button] of this.board.squares) button.classList.toggle("over-it", at === index && button.matches(".target, .take"));
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    if (!this.ghost) return this.end();
    const index = this.under(event);
    this.end();
    this.ended = true;
    this.board.putDown(index);
  }

  end() {
    this.start = null;
    this.ghost?.remove();
    this.ghost = null;
    this.point(null);
    this.board.whole.classList.remove("dragging");
  }
}
