// What stands on a board beside single cells: sets of cells with a badge, and small notes in cells.

import { svg } from "../dom.js";
import { write } from "./geometry.js";

/** Sets of cells, tied together by a band: {cells, label, fresh} each. */
export function bands(sets, { centres, radius }) {
  return sets.map(({ cells, label, fresh }) => {
    const path = chain(cells.map((cell) => centres[cell]));
    const [x, y] = middle(path);
    const wide = (0.42 + 0.3 * label.length) * radius;
    return svg(
      "g",
      { class: fresh ? "band fresh" : "band" },
      svg("path", { class: "band-line", d: `M${path.map(write).join("L")}`, "stroke-width": radius * 1.36 }),
      svg("rect", { class: "badge", x: x - wide, y: y - 0.44 * radius, width: 2 * wide, height: 0.88 * radius, rx: 0.44 * radius }),
      svg("text", { class: "badge-text", x, y, dy: "0.355em", "font-size": +(0.74 * radius).toFixed(3) }, label),
    );
  });
}

/** Small notes in the corners of cells: [cell, text] each. */
export function notesOf(notes, { centres, radius }) {
  return notes.map(([cell, text]) => {
    const [x, y] = centres[cell];
    return svg(
      "text",
      { class: "corner-note", x: x + 0.56 * radius, y: y + 0.56 * radius, dy: "0.2em", "font-size": +(0.52 * radius).toFixed(3) },
      String(text),
    );
  });
}

/** Points in an order in which each is near the last. */
function chain(points) {
  const left = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const path = [left.shift()];
  while (left.length) {
    const [x, y] = path.at(-1);
    const far = left.map(([a, b]) => (a - x) ** 2 + (b - y) ** 2);
    path.push(...left.splice(far.indexOf(Math.min(...far)), 1));
  }
  return path;
}

/** The middle of the middle piece of a path. */
function middle(path) {
  const at = (path.length - 1) / 2;
  const [[a, b], [c, d]] = [path[Math.floor(at)], path[Math.ceil(at)]];
  return [(a + c) / 2, (b + d) / 2];
}
