// Figures of a running game, if they are wanted: clicks, the 3BV that is done, efficiency.

import { h, stylesheet } from "../dom.js";
import { settings } from "../settings.js";

await stylesheet("figures.css");

/**
 * The 3BV of what is open: areas, and numbers beside none. A number beside an area that is still
 * hidden counts until the area is opened: nobody can know before.
 */
export function threeBv(shown, neighbours) {
  const area = new Set();
  let count = 0;
  shown.forEach((mark, cell) => {
    if (mark !== 0 || area.has(cell)) return;
    count += 1;
    const rest = [cell];
    area.add(cell);
    while (rest.length) {
      for (const near of neighbours[rest.pop()]) {
        if (area.has(near)) continue;
        area.add(near);
        if (shown[near] === 0) rest.push(near);
      }
    }
  });
  return count + shown.filter((mark, cell) => typeof mark === "number" && mark > 0 && !area.has(cell)).length;
}

export class Figures {
  constructor(match) {
    this.match = match;
    this.root = h("p", { class: "live-figures", hidden: true });
  }

  show(board) {
    const wanted = settings.get("figures");
    this.root.hidden = !wanted;
    if (!wanted || !this.match.kept || !board.board) return;
    const { clicks, clues, three_bv } = this.match.kept;
    const parts = [`Clicks ${clicks}`];
    if (clues === "exact") {
      const done = threeBv(board.shown, board.board.neighbours);
      parts.push(`3BV ${done}${three_bv === null ? "" : ` of ${three_bv}`}`);
      if (clicks) parts.push(`efficiency ${((100 * done) / clicks).toFixed(0)} %`);
      if (this.match.seconds > 1) parts.push(`${(done / this.match.seconds).toFixed(2)} 3BV/s`);
    }
    this.root.textContent = parts.join(" · ");
  }
}
