// What the player sees: read from an array or a text, and written as either.

import { InputError, quoted } from "./errors.js";

const LARGEST_CLUE = 250;
export const BLANK = 253;
export const MINE = 254;
export const HIDDEN = 255;
export const FLAG = 252;
const CODES = { ".": HIDDEN, "F": HIDDEN, "*": MINE, "?": BLANK };
const ACCEPTED = `a number from 0 to ${LARGEST_CLUE}, "." hidden, "F" flag, "?" opened without a clue, "*" opened mine`;

// The cells of a text: one character each, in rows if there are line ends, blanks left out.
function cellsOf(text, board) {
  const rows = text.split("\n").map((row) => row.replace(/[ \t\r]/g, "")).filter((row) => row !== "");
  if (board.rows && rows.length > 1) {
    const odd = rows.findIndex((row) => row.length !== board.cols);
    if (rows.length !== board.rows) throw new InputError(`the text has ${rows.length} rows; accepted: ${board.rows}`);
    if (odd >= 0) throw new InputError(`row ${odd} has ${rows[odd].length} cells; accepted: ${board.cols}`);
  }
  return [...rows.join("")].map((mark) => (mark >= "0" && mark <= "9" ? Number(mark) : mark));
}

// The marks of a position: an array with an entry for every cell.
export function marksOf(shown, board) {
  const marks = typeof shown === "string" ? cellsOf(shown, board) : shown;
  if (marks === null || typeof marks !== "object" || typeof marks.length !== "number") {
    throw new InputError(`the position is ${quoted(shown)}; accepted: an array or a text with a mark for every cell`);
  }
  if (marks.length !== board.cells) {
    throw new InputError(`the position has ${marks.length} cells; accepted: ${board.cells}`);
  }
  return marks;
}

// Codes as the core takes them, and which cells are flagged.
export function codesOf(shown, board) {
  const marks = marksOf(shown, board);
  const codes = new Uint8Array(board.cells);
  const flags = new Uint8Array(board.cells);
  let flagged = 0;
  for (let cell = 0; cell < codes.length; ++cell) {
    const mark = marks[cell];
    const clue = typeof mark === "number" && Number.isInteger(mark) && mark >= 0 && mark <= LARGEST_CLUE;
    const code = clue ? mark : typeof mark === "string" && Object.hasOwn(CODES, mark) ? CODES[mark] : undefined;
    if (code === undefined) throw new InputError(`cell ${board.name(cell)} shows ${quoted(mark)}; accepted: ${ACCEPTED}`);
    codes[cell] = code;
    if (mark === "F") {
      flags[cell] = 1;
      ++flagged;
    }
  }
  return { codes, flags, flagged };
}

// Codes as marks again.
export function markOf(code) {
  if (code === HIDDEN) return ".";
  if (code === FLAG) return "F";
  if (code === MINE) return "*";
  return code === BLANK ? "?" : code;
}
