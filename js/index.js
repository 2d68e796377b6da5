// mineproof for JavaScript: exact inference for Minesweeper, best moves, boards without guesses.

import { Board } from "./board.js";
import { Core } from "./core.js";
import { InputError, options, quoted } from "./errors.js";
import { marksOf } from "./marks.js";

export { BudgetExceeded, InconsistentPosition, InputError, MineproofError } from "./errors.js";

const FIELDS = "mines=N, mines=unknown, density=P, first-click=RULE, clues=NAME";

class Mineproof {
  #core;

  constructor(core) {
    this.#core = core;
  }

  board(description) {
    return new Board(this.#core, description);
  }

  // A text such as mineproof prints: `square 3x3 mines=2`, then rows.
  parse(text) {
    if (typeof text !== "string") throw new InputError(`a text is ${quoted(text)}; accepted: a string`);
    const [header, ...rows] = text.trim().split("\n");
    const sides = /^square (\d{1,7})x(\d{1,7})((?: \S+)*)\s*$/.exec(header);
    if (!sides) {
      throw new InputError(`line 1 is ${quoted(header)}; accepted: such as square 16x30 mines=99 (${FIELDS})`);
    }
    const description = { rows: Number(sides[1]), cols: Number(sides[2]), mines: undefined };
    for (const field of sides[3].split(" ").filter(Boolean)) read(field, description);
    const board = this.board(description);
    return { board, shown: Array.from(marksOf(rows.join("\n"), board)) };
  }
}

function read(field, description) {
  const [name, value] = [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)];
  if (name === "mines" && value === "unknown") description.mines ??= "unknown";
  else if (name === "mines" && /^\d{1,7}$/.test(value)) description.mines = Number(value);
  else if (name === "density" && /^[\d.]+$/.test(value)) description.mines = { density: Number(value) };
  else if (name === "first-click") description.firstClick = value;
  else if (name === "clues") description.clues = value;
  else throw new InputError(`line 1 has ${quoted(field)}; accepted: ${FIELDS}`);
}

// Load the core; `wasm` says where it is, if it is not beside this file.
export async function load(given) {
  const { wasm } = options(given, "load", ["wasm"]);
  return new Mineproof(await Core.load(wasm));
}
