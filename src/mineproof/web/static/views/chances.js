// What See and Analyse draw over the cells and say of an analysis: what is certain, mine chances, win
// chances, the best move, what holds for the whole position.

import { percent } from "../board/face.js";
import { sentence } from "../dom.js";

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

/**
 * Whether the best move is known only in passing: games are to be played out before it is told, so that
 * it is the same whatever is shown, and the one that a review knows.
 */
export const isOpen = (analysis) => Boolean(analysis?.best?.basis === "look-ahead" && !analysis.win && !analysis.note);

/** The cells to light as the best move and as tied with it. */
export function bestOf(analysis) {
  const { best } = analysis ?? {};
  if (!best || isOpen(analysis)) return { best: [], tied: [] };
  const told = best.basis === "certain" || best.basis === "first-click" || best.tied.length > MOST_TIED;
  return { best: [best.cell], tied: told ? [] : best.tied };
}

/**
 * The estimate that all certainly safe cells share, as text: the first of them stands for the others.
 * Null where there is none, or where every one has its own.
 */
function safeChance({ win, certain }) {
  const told = win.cells.filter(({ cell }) => certain[cell] === "safe");
  return told.length && told.length < certain.filter((sure) => sure === "safe").length ? told[0].text : null;
}

/** Estimates with their errors; of other cells, whether they are certain, or that nothing is known. */
function winChances(analysis, board) {
  if (!analysis?.win) return null;
  const values = new Array(board.description.cells).fill(null);
  const texts = new Array(board.description.cells).fill(null);
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
function farFrom({ p, certain }, board) {
  const { shown } = board;
  const { neighbours } = board.description;
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

// -- in words --

/** The best move of an analysis, what it risks and why it is best. */
export function bestMove(analysis, board) {
  const { best } = analysis;
  if (isOpen(analysis)) return { title: "Best move", text: "Playing this position out many times…", tone: "plain" };
  const chips = [riskWords(best)];
  if (best.win) chips.push(`win chance ${best.win}`);
  if (best.win && best.ties) chips.push(best.ties === 1 ? "one other ties" : `${best.ties} others tie`);
  return {
    title: `Best move: ${board.description.names[best.cell]}`,
    text: sentence(best.reason),
    tone: "good",
    chips,
    numbers: board.numbers,
  };
}

/** What the best move risks, in the words of every card. */
export function riskWords(best) {
  if (best.basis === "first-click") return "safe by the rules";
  return best.basis === "certain" ? "certainly safe" : `mine chance ${percent(best.p)} %`;
}

/** With win chances, the mine chance of a cell beside them. */
export function besideWin(kind, analysis, cell) {
  if (kind !== "win" || !analysis?.win || analysis.promised) return "";
  const risk = analysis.p[cell];
  return risk === null || analysis.certain[cell] ? "" : `, mine chance ${percent(risk)} %`;
}

/** What an overlay means, and what holds for the position as a whole; "" where there is none. */
export function seeNote(kind, analysis, board) {
  if (kind === "none") return "";
  if (kind === "win") return winNote(analysis);
  const signs = "✓ certainly safe, ◆ certainly a mine";
  if (analysis?.promised) return "The first cell is safe by the rules, wherever it is: no chances yet.";
  if (kind === "sure") return `${signs}. ${analysis ? certainWords(analysis.certain) : ""}`;
  if (!analysis) return `${signs}, else per cent.`;
  const { chance, count } = farFrom(analysis, board);
  const far = count ? ` ${count} cells touch no number: ${percent(chance)} % each.` : "";
  return `${signs}.${far} ${analysis.solutions ? solutionsText(analysis.solutions) : ""}`;
}

function certainWords(certain) {
  const [safe, mines] = ["safe", "mine"].map((kind) => certain.filter((one) => one === kind).length);
  if (!safe && !mines) return "Here nothing is certain.";
  return `Here ${safe} ${safe === 1 ? "cell is" : "cells are"} safe and ${mines} ${mines === 1 ? "is a mine" : "are mines"}.`;
}

function winNote(analysis) {
  if (!analysis) return "Per cent of games won from here, after opening the cell.";
  if (analysis.note) return sentence(analysis.note);
  if (!analysis.win) return "Playing this position out many times…";
  if (analysis.win.method === "no-guess") return "This board needs no guess: what is certainly safe wins. Of other cells no chance is known.";
  if (analysis.win.cells.every((cell) => cell.exact)) {
    return "Per cent of games won from here by best play: exact. ◆ certainly a mine.";
  }
  const safe = safeChance(analysis);
  const told = safe ? `✓ certainly safe: ${safe} each.` : "Dashed: tied with the best.";
  return `Per cent of games won ± error, by playing on. ${told} · not estimated, ◆ certainly a mine.`;
}

/** A number of solutions in words. */
export function solutionsText(solutions) {
  if (solutions === "1") return "One layout is left.";
  if (!/^\d+$/.test(solutions)) return `${solutions} layouts are possible.`;
  if (solutions.length <= 15) return `${Number(solutions).toLocaleString("en")} layouts are possible.`;
  const power = [...String(solutions.length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `About ${solutions[0]}.${solutions.slice(1, 3)} × 10${power} layouts are possible.`;
}
