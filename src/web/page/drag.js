// Pieces can be dragged, with a mouse or a finger, beside being clicked.

import { h } from "./dom.js";

/** So many pixels make a drag of a click. */
const FAR = 7;

export class Drag {
  /** Drags pieces of a board: what is chosen and where it may go, the board knows. */
  constructor(board) {
    this.board = board;
    this.start = null;
    this.ghost = null;
    const { whole } = board;
    whole.addEventListener("pointerdown", (event) => this.onDown(event));
    whole.addEventListener("pointermove", (event) => this.onMove(event));
    whole.addEventListener("pointerup", (event) => this.onUp(event));
    whole.addEventListener("pointercancel", () => this.end());
    // The click that a browser makes of the end of a drag means nothing.
    whole.addEventListener("click", (event) => this.ended && event.stopPropagation(), true);
  }

  onDown(event) {
    this.end();
    this.ended = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const place = event.target.closest(".square.own, .held.mine");
    if (place) this.start = { place, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  onMove(event) {
    const { start } = this;
    if (!start || event.pointerId !== start.pointer) return;
    if (!this.ghost && Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) return;
    if (!this.ghost) this.begin(event);
    this.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    this.point(this.under(event));
  }

  begin(event) {
    const { place } = this.start;
    const drawn = this.board.takeUp(place);
    const size = `${drawn.getBoundingClientRect().width}px`;
    this.ghost = h("div", { class: "dragged", "aria-hidden": "true" }, drawn.cloneNode(true));
    Object.assign(this.ghost.style, { width: size, height: size });
    this.board.whole.append(this.ghost);
    this.board.whole.classList.add("dragging");
    this.board.whole.setPointerCapture(event.pointerId);
  }

  /** The square below the pointer. */
  under({ clientX, clientY }) {
    const square = document.elementsFromPoint(clientX, clientY).find((element) => element.matches?.(".square"));
    return square ? Number(square.dataset.square) : null;
  }

  /** Shows where it would be put down. */
  point(index) {
    for (const [at, button] of this.board.squares) button.classList.toggle("over-it", at === index && button.matches(".target, .take"));
  }

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
