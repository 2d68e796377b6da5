// The frontier of a board (hidden cells beside numbers) by key, what lies around a cell in words, and the check
// of a player's flags: what blind players, and those without a mouse, ask for. Loaded with the first such key.

import * as api from "../api.js";

const hidden = (shown) => shown === null || shown === "F";

/** The hidden cells that touch a number, in reading order. */
export function frontierOf({ shown, description: { neighbours } }) {
  const clue = (cell) => typeof shown[cell] === "number" || shown[cell] === "?";
  return shown.flatMap((mark, cell) => (hidden(mark) && neighbours[cell].some(clue) ? [cell] : []));
}

/** The cell of the frontier after one, or before it (`by` -1), around the end; null where there is none. */
export function alongFrontier(board, cell, by) {
  const cells = frontierOf(board);
  if (by < 0) return cells.findLast((one) => one < cell) ?? cells.at(-1) ?? null;
  return cells.find((one) => one > cell) ?? cells[0] ?? null;
}

/** What lies around a cell: "C4: around it 3 hidden, 1 flagged, numbers 1, 2". */
export function aroundWords({ shown, description }, cell) {
  const near = description.neighbours[cell].map((other) => shown[other]);
  const count = (test) => near.filter(test).length;
  const numbers = near.filter((mark) => typeof mark === "number" && mark > 0).sort((a, b) => a - b);
  const [covered, flags, clue] = [count((mark) => mark === null), count((mark) => mark === "F" || mark === "*"), shown[cell]];
  const parts = [`${covered} hidden`, `${flags} flagged`];
  if (numbers.length) parts.push(`${numbers.length === 1 ? "number" : "numbers"} ${numbers.join(", ")}`);
  const own = typeof clue === "number" ? ` shows ${clue}` : hidden(clue) ? ` is ${clue ? "flagged" : "hidden"}` : "";
  const needs = typeof clue === "number" && clue > flags ? `; ${clue - flags} more ${clue - flags === 1 ? "mine" : "mines"} to flag` : "";
  return `${description.names[cell]}${own}: around it ${parts.join(", ")}${needs}.`;
}

/** How the flags of a board stand by what is certain: {wrong, open, right}, lists of cells. */
export function flagsOf({ shown }, certain) {
  const flags = shown.flatMap((mark, cell) => (mark === "F" ? [cell] : []));
  const of = (what) => flags.filter((cell) => certain[cell] === what);
  return { wrong: of("safe"), open: of(null), right: of("mine") };
}

/**
 * Check the flags of a game: first how many are wrong, then, with `told`, which. Nothing is said that the
 * position does not prove. Returns a card for the coach; `again()` asks for the cells.
 */
export async function flagsCard(game, board, told, again) {
  const { certain } = await api.analysis(game, false);
  const { wrong, open, right } = flagsOf(board, certain);
  const all = wrong.length + open.length + right.length;
  const many = (list, is, are) => `${list.length} ${list.length === 1 ? is : are}`;
  const title = wrong.length ? `${wrong.length} of ${all} ${all === 1 ? "flag" : "flags"} wrong` : "No flag is wrong";
  if (!all) return { title: "No flags", text: "Flag a cell first: right click, a long press, or F.", tone: "plain" };
  const said = [right.length ? `${many(right, "is certainly a mine", "are certainly mines")}.` : "", open.length ? `${many(open, "is", "are")} not certain either way.` : ""];
  if (told) {
    board.light("clash", wrong);
    said.unshift(`Certainly safe, and flagged: ${wrong.map((cell) => board.description.names[cell]).join(" ")}.`);
  } else if (wrong.length) said.unshift(`${many(wrong, "flagged cell is", "flagged cells are")} certainly safe.`);
  return {
    title,
    text: said.filter(Boolean).join(" "),
    tone: wrong.length ? "bad" : "good",
    actions: wrong.length && !told ? [["Show which", again, true]] : [],
    closing: true,
  };
}
