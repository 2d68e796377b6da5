// The ghost edges of a torus: beyond each edge, pale, the cells of the opposite one that touch it. A file
// of its own, since other boards never load it.

import { svg } from "../dom.js";

export class Ghosts {
  constructor({ coordinates }) {
    this.root = svg("g", { class: "ghosts", "aria-hidden": "true" });
    this._of = new Map(); // cell -> its ghosts
    const rows = 1 + Math.max(...coordinates.map(([row]) => row));
    const columns = 1 + Math.max(...coordinates.map(([, column]) => column));
    coordinates.forEach(([row, column], cell) => {
      const down = wraps(row, rows);
      const right = wraps(column, columns);
      for (const [y, x] of down.flatMap((y) => right.map((x) => [y, x])).filter(([y, x]) => y || x)) {
        const ghost = svg("g", { transform: `translate(${x},${y})` });
        this._of.set(cell, [...(this._of.get(cell) ?? []), ghost]);
        this.root.append(ghost);
      }
    });
  }

  /** Draw a cell's ghosts as the cell is drawn now. */
  follow(cell, group) {
    for (const ghost of this._of.get(cell) ?? []) {
      ghost.setAttribute("class", group.getAttribute("class"));
      ghost.replaceChildren(...[...group.children].map((part) => part.cloneNode(true)));
    }
  }
}

/** Where a row or column is drawn, as distances from its own place; one cell goes over each edge. */
function wraps(at, count) {
  return [0, ...(at === 0 ? [count] : []), ...(at === count - 1 ? [-count] : [])];
}
