// The rulers of a board: its rows and columns by number. They stay in sight while the board scrolls.

import { h, svg } from "../dom.js";
import { settings } from "../settings.js";

const BREADTH = [24, 18]; // px, of the ruler at the left and of the one above
const APART = 17; // px, the least from one number to the next
const STEPS = [1, 2, 5, 10, 20, 50];
const STRAIGHT = new Set(["square", "square4", "torus", "triangle", "cube"]); // columns go straight down
const ROWS_ONLY = new Set(["hexagon"]); // each row counts its own columns

export class Rulers {
  /** The rulers around a drawing; `root` holds them all. */
  constructor(drawing) {
    this.top = svg("svg", { class: "ruler ruler-top", height: BREADTH[1], "aria-hidden": "true" });
    this.left = svg("svg", { class: "ruler ruler-left", width: BREADTH[0], "aria-hidden": "true" });
    this.root = h("div", { class: "board-frame" }, h("div", { class: "ruler ruler-corner" }), this.top, this.left, drawing);
    this._columns = new Map(); // number of a column -> its marks
    this._rows = new Map();
  }

  /** The px that the rulers take at the left and above. */
  get breadth() {
    return this.root.classList.contains("bare") ? [0, 0] : BREADTH;
  }

  /** The numbers of a board. */
  show(board, geometry) {
    this.board = board;
    const { topology, coordinates } = board;
    const first = geometry.rows[0];
    const cells = [...coordinates.keys()];
    const columns = STRAIGHT.has(topology) ? cells : ROWS_ONLY.has(topology) ? [] : first;
    const none = coordinates[0].length < 2; // a graph has no rows
    this.root.classList.toggle("bare", none || !settings.get("rulers"));
    this._columns = this._marks(this.top, none ? [] : columns, geometry, 0);
    this._rows = this._marks(this.left, none ? [] : cells, geometry, 1);
    this._here = [];
  }

  /** Place the numbers beside a drawing of this scale; where they stand too close, some are left out. */
  fit(scale, frame) {
    this._place(this._columns, 0, scale, frame.x);
    this._place(this._rows, 1, scale, frame.y);
    this.top.setAttribute("width", +(frame.width * scale).toFixed(2));
    this.left.setAttribute("height", +(frame.height * scale).toFixed(2));
  }

  /** Mark the row and the column of a cell, or of none. */
  point(cell) {
    for (const text of this._here ?? []) text.classList.remove("here");
    const at = cell === null ? [] : this.board.coordinates[cell];
    this._here = [...(this._rows.get(at.at(-2)) ?? []), ...(this._columns.get(at.at(-1)) ?? [])].map(({ text }) => text);
    for (const text of this._here) text.classList.add("here");
  }

  /** Every number once at each place where cells have it. */
  _marks(ruler, cells, { outlines }, axis) {
    const known = new Set();
    const marks = new Map();
    for (const cell of cells) {
      const number = this.board.coordinates[cell].at(axis ? -2 : -1);
      const along = outlines[cell].map((point) => point[axis]);
      const at = (Math.min(...along) + Math.max(...along)) / 2;
      const place = `${number}@${at.toFixed(2)}`;
      if (known.has(place)) continue;
      known.add(place);
      if (!marks.has(number)) marks.set(number, []);
      marks.get(number).push({ at, text: svg("text", {}, String(number)) });
    }
    ruler.replaceChildren(...[...marks.values()].flat().map(({ text }) => text));
    return marks;
  }

  _place(marks, axis, scale, from) {
    const places = [...marks.entries()].map(([number, [{ at }]]) => [number, at]).sort(([a], [b]) => a - b);
    const gap = places.length > 1 ? Math.abs(places[1][1] - places[0][1]) * scale : APART;
    const every = STEPS.find((step) => step * gap >= APART) ?? STEPS.at(-1);
    for (const [number, list] of marks) {
      for (const { at, text } of list) {
        const along = +((at - from) * scale).toFixed(1);
        text.setAttribute("x", axis ? BREADTH[0] - 7 : along);
        text.setAttribute("y", axis ? along + 3.8 : BREADTH[1] - 5);
        text.classList.toggle("unshown", number % every !== 0);
      }
    }
  }
}
