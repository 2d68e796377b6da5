// What See and Analyse draw over the cells: what is certain, mine chances, win chances.

import { percent } from "../board/heat.js";
import { stylesheet } from "../dom.js";

await stylesheet("chances.css");

const MOST_TIED = 12; // more cells that are as good are told, not lit

/** The overlay of a kind for an analysis (see board.js); null where there is nothing to draw. */
export function overlayOf(kind, analysis, board) {
  // Before the first cell, which the rules keep free, no chance would be that of the next move.
  if (!analysis || kind === "none" || analysis.promised) return kind === "win" ? winChances(analysis, board) : null;
  if (kind === "win") return winChances(analysis, board);
  const { p, certain } = analysis;
  if (kind === "sure") {
    return { name: "mine chance", values: p.map((chance, cell) => (certain[cell] ? chance : null)), certain };
  }
  return { name: "mine chance", values: p, certain, quiet: farFrom(analysis, board).quiet };
}

/** The cells to light as the best move and as tied with it. */
export function bestOf(analysis) {
  const { best } = analysis ?? {};
  if (!best) return { best: [], tied: [] };
  const told = best.basis === "certain" || best.basis === "first-click" || best.tied.length > MOST_TIED;
  return { best: [best.cell], tied: told ? [] : best.tied };
}

/**
 * The estimate that all certainly safe cells share, as text: the first of them stands for the others.
 * Null where there is none, or where every one has its own.
 */
export function safeChance({ win, certain }) {
  const told = win.cells.filter(({ cell }) => certain[cell] === "safe");
  return told.length && told.length < certain.filter((sure) => sure === "safe").length ? told[0].text : null;
}

/** Estimates with their errors; of other cells, whether they are certain, or that nothing is known. */
function winChances(analysis, board) {
  if (!analysis?.win) return null;
  const values = new Array(board.board.cells).fill(null);
  const texts = new Array(board.board.cells).fill(null);
  const shared = safeChance(analysis) !== null;
  for (const { cell, chance, text } of analysis.win.cells) {
    if (!shared || analysis.certain[cell] !== "safe") [values[cell], texts[cell]] = [chance, text];
  }
  const certain = analysis.certain.map((sure, cell) => (values[cell] === null ? sure : null));
  return { name: "win chance", values, texts, certain, good: true, absent: true };
}

/**
 * Cells that touch no number have one chance in common: {chance, count, quiet}. It is written in one
 * of them, amid the others; in the `quiet` ones it is only a colour.
 */
export function farFrom({ p, certain }, board) {
  const { shown } = board;
  const { neighbours } = board.board;
  const { centres } = board.geometry;
  const touches = (cell) => neighbours[cell].some((near) => typeof shown[near] === "number" || shown[near] === "?");
  const sea = p.flatMap((chance, cell) => (chance !== null && !certain[cell] && !touches(cell) ? [cell] : []));
  if (sea.length < 3 || sea.some((cell) => percent(p[cell]) !== percent(p[sea[0]]))) {
    return { chance: null, count: 0, quiet: new Set() };
  }
  const unflagged = sea.filter((cell) => shown[cell] === null);
  const places = unflagged.length ? unflagged : sea;
  const middle = [0, 1].map((axis) => sea.reduce((sum, cell) => sum + centres[cell][axis], 0) / sea.length);
  const inside = new Set(sea);
  // Amid the others: with the most of them around, and then nearest to their middle.
  const rank = (cell) => {
    const away = (centres[cell][0] - middle[0]) ** 2 + (centres[cell][1] - middle[1]) ** 2;
    return neighbours[cell].filter((near) => inside.has(near)).length - away / 1e6;
  };
  const speaker = places.reduce((found, cell) => (rank(cell) > rank(found) ? cell : found));
  return { chance: p[speaker], count: sea.length, quiet: new Set(sea.filter((cell) => cell !== speaker)) };
}
