// What See and Analyse say of an analysis: the best move, what its overlay means, what holds for the
// whole position.

import { percent } from "../board/heat.js";
import { sentence } from "../dom.js";
import { farFrom, safeChance } from "./overlays.js";

/** The best move of an analysis, what it risks and why it is best. */
export function bestMove({ best }, board) {
  const chips = [riskWords(best)];
  if (best.win) chips.push(`win chance ${best.win}`);
  if (best.win && best.ties) chips.push(best.ties === 1 ? "one other ties" : `${best.ties} others tie`);
  return {
    title: `Best move: ${board.board.names[best.cell]}`,
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
