// Walls between the squares: which move places one, why another cannot be placed, and how they are drawn.

import { s } from "./dom.js";

/** In the drawing a square with its share of the gaps around it is so wide, and a gap and a wall are so thick. */
const PITCH = 100;
const GAP = 20;
const THICK = 17;

/** @param {Api.WallView | null | undefined} one @param {Api.WallView | null | undefined} other */
export const sameWall = (one, other) => one?.corner === other?.corner && one?.upright === other?.upright;

/**
 * The move that places this wall, if there is one.
 * @param {Api.WallView} wall
 * @param {Api.StateInfo} state
 */
export const wallMove = (wall, state) => state.moves.find((move) => move.wall && sameWall(move.wall, wall));

/**
 * Whether two walls cross or lie on each other.
 * @param {Api.WallView} one
 * @param {Api.WallView} other
 * @param {number} columns
 */
function meet(one, other, columns) {
  const apart = Math.abs(one.corner - other.corner);
  return apart === 0 || (one.upright === other.upright && apart === (one.upright ? columns : 1));
}

/**
 * The squares beside a square that a wall keeps apart from it.
 * @param {number} square
 * @param {Api.WallView[]} walls
 * @param {number} columns
 */
export function walledOff(square, walls, columns) {
  /** @param {Api.WallView} wall */
  const pairs = ({ corner, upright }) => (upright ? [[corner, corner + 1], [corner - columns, corner - columns + 1]] : [[corner, corner - columns], [corner + 1, corner + 1 - columns]]);
  return walls.flatMap(pairs).filter((pair) => pair.includes(square)).map(([one, other]) => (one === square ? other : one));
}

/**
 * Why this wall cannot be placed, as a key of the words; null if it can. What can be placed, the server has said.
 * @param {Api.WallView} wall
 * @param {Api.StateInfo} state
 */
export function whyNot(wall, state) {
  if (wallMove(wall, state)) return null;
  if (!state.hands[state.turn].some(({ count }) => count)) return "wall_none_left";
  if (state.walls?.some((other) => meet(wall, other, state.columns))) return "wall_meets";
  return "wall_shuts";
}

/** The drawing that lies between the squares and the pieces. */
export class WallLayer {
  constructor() {
    this.columns = 0;
    this.rows = 0;
    this.flipped = false;
    this.ways = s("g", { class: "ways" });
    this.standing = s("g", {});
    this.best = s("g", {});
    this.passing = s("g", {});
    this.element = s("svg", { class: "walls", "aria-hidden": "true" }, this.ways, this.standing, this.best, this.passing);
  }

  /**
   * Takes the size of a board and whether it is seen from the other side.
   * @param {number} columns
   * @param {number} rows
   * @param {boolean} flipped
   */
  fit(columns, rows, flipped) {
    this.columns = columns;
    this.rows = rows;
    this.flipped = flipped;
    this.element.setAttribute("viewBox", `0 0 ${PITCH * columns} ${PITCH * rows}`);
  }

  /**
   * A point of the board on the drawing, in squares from the top left.
   * @param {number} x
   * @param {number} y
   */
  point(x, y) {
    return this.flipped ? [PITCH * (this.columns - x), PITCH * (this.rows - y)] : [PITCH * x, PITCH * y];
  }

  /** @param {Api.WallView} wall @param {string} classes */
  wall(wall, classes) {
    const [x, y] = this.point((wall.corner % this.columns) + 1, Math.floor(wall.corner / this.columns));
    const long = 2 * PITCH - GAP;
    const [width, height] = wall.upright ? [THICK, long] : [long, THICK];
    const name = `${wall.corner}${wall.upright ? "v" : "h"}`;
    return s("rect", { class: `wall ${classes}`, "data-wall": name, x: x - width / 2, y: y - height / 2, width, height, rx: 5 });
  }

  /**
   * The walls that stand; `last` is the one placed last, `placed` whether that is to be seen happening.
   * @param {Api.WallView[]} walls
   * @param {Api.WallView | null | undefined} last
   * @param {boolean} placed
   */
  showWalls(walls, last, placed) {
    /** @param {Api.WallView} wall */
    const classes = (wall) => (sameWall(wall, last) ? `last ${placed ? "placed" : ""}` : "");
    this.standing.replaceChildren(...walls.map((wall) => this.wall(wall, classes(wall))));
  }

  /**
   * The wall that would be best, or none.
   * @param {Api.WallView | null} wall
   */
  showBest(wall) {
    this.best.replaceChildren(...(wall ? [this.wall(wall, "hinted best")] : []));
  }

  /**
   * Walls that are only thought of: pairs of a wall and its classes.
   * @param {[Api.WallView, string][]} pairs
   */
  showPassing(pairs) {
    this.passing.replaceChildren(...pairs.map(([wall, classes]) => this.wall(wall, classes)));
  }

  /**
   * Dots on the squares of each side's shortest ways, beside each other where both pass.
   * @param {Api.BySide<number[]> | null | undefined} ways
   */
  showWays(ways) {
    /** @type {(side: Api.Side, aside: number) => (square: number) => SVGElement} */
    const dot = (side, aside) => (square) => {
      const [x, y] = this.point((square % this.columns) + 0.5, Math.floor(square / this.columns) + 0.5);
      return s("circle", { class: `way ${side}`, "data-way": `${side}-${square}`, cx: x + aside, cy: y, r: 10 });
    };
    this.ways.replaceChildren(...(ways ? [...ways.first.map(dot("first", -15)), ...ways.second.map(dot("second", 15))] : []));
  }
}
