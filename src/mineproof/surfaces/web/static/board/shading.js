// The bed under a board's tiles, and the shadings of a covered one.

import { svg } from "../dom.js";
import { write } from "./geometry.js";

/** The shadings of board `number`; boards of hidden views must not share them. */
export function shadings(number, root) {
  const shade = `tile-shade-${number}`;
  const bevel = `tile-bevel-${number}`;
  root.style.setProperty("--shade", `url("#${shade}")`);
  root.style.setProperty("--bevel", `url("#${bevel}")`);
  return svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: bevel, width: 1, height: 1, patternContentUnits: "objectBoundingBox" },
      svg("path", { class: "bevel-light", d: "M0 0H1V1H0Z" }),
      svg("path", { class: "bevel-dark", d: "M1 0V1H0L.13 .87H.87V.13Z" }),
      svg("path", { class: "bevel-face", d: "M.13 .13H.87V.87H.13Z" }),
    ),
    svg(
      "linearGradient",
      { id: shade, x1: 0, y1: 0, x2: 0, y2: 1 },
      svg("stop", { class: "shade-top", offset: 0 }),
      svg("stop", { class: "shade-foot", offset: 1 }),
    ),
  );
}

/** What lies under the tiles: the board's bed, or the lines of a graph. */
export function bedOf(board, { outlines, centres, radius }, rim) {
  const graph = board.topology === "graph";
  return svg("path", {
    class: graph ? "edges" : "bed",
    d: graph ? edgesPath(board, centres) : outlines.map(outlinePath).join(""),
    "stroke-width": graph ? radius * 0.14 : 1.9 * rim,
  });
}

const outlinePath = (outline) => `M${outline.map(write).join("L")}Z`;

/** The lines of a graph, each once. */
function edgesPath(board, centres) {
  const lines = board.neighbours.flatMap((near, cell) =>
    near.filter((other) => other > cell).map((other) => `M${write(centres[cell])}L${write(centres[other])}`),
  );
  return lines.join("");
}
