// A board: its cells and who touches whom, how its mines are dealt, its rules. Everything is asked of one.

import { advise, firstCells, guess } from "./advice.js";
import { channel } from "./clues.js";
import { Contradiction } from "./core.js";
import { BudgetExceeded, InconsistentPosition, InputError, named, options, quoted, seed64, time, whole } from "./errors.js";
import { generate } from "./generation.js";
import { BLANK, codesOf, FLAG, HIDDEN, markOf, marksOf, MINE } from "./marks.js";

const MOST_CELLS = 1_000_000;
const MOST_NEIGHBOURS = 255;
const MOST_NAMED = 8;
const STATES = 400_000_000;
const MEMORY = 2 ** 30;
const MOST = Number.MAX_SAFE_INTEGER;
const RULES = ["any", "safe", "opening"];

const freed = new FinalizationRegistry(({ core, handle }) => core.freeBoard(handle));

// Neighbour lists as compressed rows.
function rowsOf(lists) {
  if (!Array.isArray(lists)) throw new InputError(`neighbours are ${quoted(lists)}; accepted: a list for every cell`);
  whole(lists.length, "the number of cells", 1, MOST_CELLS);
  const offsets = new Int32Array(lists.length + 1);
  lists.forEach((list, cell) => {
    if (!Array.isArray(list) || list.length > MOST_NEIGHBOURS) {
      const accepted = `a list of at most ${MOST_NEIGHBOURS} cells`;
      throw new InputError(`the neighbours of cell ${cell} are ${quoted(list)}; accepted: ${accepted}`);
    }
    offsets[cell + 1] = offsets[cell] + list.length;
  });
  const targets = new Int32Array(offsets[lists.length]);
  for (let cell = 0, at = 0; cell < lists.length; ++cell) {
    for (const other of lists[cell]) {
      targets[at++] = whole(other, `a neighbour of cell ${cell}`, 0, lists.length - 1);
    }
  }
  return { offsets, targets };
}

// The plain square board with eight neighbours.
function squareRows(rows, cols) {
  const offsets = new Int32Array(rows * cols + 1);
  const targets = new Int32Array(8 * rows * cols);
  let at = 0;
  for (let row = 0; row < rows; ++row) {
    for (let col = 0; col < cols; ++col) {
      for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); ++r) {
        for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, cols - 1); ++c) {
          if (r !== row || c !== col) targets[at++] = r * cols + c;
        }
      }
      offsets[row * cols + col + 1] = at;
    }
  }
  return { offsets, targets: targets.slice(0, at) };
}

function minesOf(given, cells) {
  if (given === "unknown") return given;
  if (typeof given === "object" && given !== null) {
    const { density } = options(given, "mines", ["density"]);
    if (typeof density === "number" && density >= 0 && density <= 1) return Object.freeze({ density });
    throw new InputError(`density is ${quoted(density)}; accepted: a number from 0 to 1`);
  }
  if (typeof given !== "number") {
    const accepted = `a whole number from 0 to ${cells}, { density }, or "unknown"`;
    throw new InputError(`mines is ${quoted(given)}; accepted: ${accepted}`);
  }
  return whole(given, "mines", 0, cells);
}

export class Board {
  #handle;
  #offsets;
  #targets;
  #missing;

  constructor(core, description) {
    const names = ["rows", "cols", "neighbours", "mines", "firstClick", "clues"];
    const given = options(description ?? null, "a board", names);
    const square = given.neighbours === undefined;
    if (!square && (given.rows !== undefined || given.cols !== undefined)) {
      throw new InputError("a board has rows and cols, or neighbours, not both");
    }
    this.core = core;
    this.rows = square ? whole(given.rows, "rows", 1, MOST_CELLS) : null;
    this.cols = square ? whole(given.cols, "cols", 1, MOST_CELLS) : null;
    if (square) whole(this.rows * this.cols, "rows times cols", 1, MOST_CELLS);
    const { offsets, targets } = square ? squareRows(this.rows, this.cols) : rowsOf(given.neighbours);
    [this.#offsets, this.#targets] = [offsets, targets];
    this.cells = offsets.length - 1;
    this.mines = minesOf(given.mines, this.cells);
    this.firstClick = given.firstClick === undefined ? null : named(given.firstClick, "firstClick", RULES);
    this.clues = given.clues ?? "exact";
    const degrees = offsets.subarray(1).map((end, cell) => end - offsets[cell]);
    const lies = channel(this.clues, degrees);
    this.#missing = lies?.missing ?? null;
    core.call("board", offsets, this.cells, targets, targets.length, this.rows ?? 0, this.cols ?? 0);
    this.#handle = core.numbers()[0] >>> 0;
    freed.register(this, { core, handle: this.#handle }, this);
    const number = typeof this.mines === "number" ? this.mines : -1;
    this.ask("deal_mines", number, this.mines.density ?? -1);
    if (lies !== null) this.ask("lie", lies.degree, lies.codes, lies.weights);
    Object.freeze(this);
  }

  // Ask the core about this board.
  ask(name, ...given) {
    this.core.call(name, this.#handle, ...given);
  }

  neighbours(cell) {
    whole(cell, "cell", 0, this.cells - 1);
    return Array.from(this.#targets.subarray(this.#offsets[cell], this.#offsets[cell + 1]));
  }
  degree(cell) {
    return this.#offsets[cell + 1] - this.#offsets[cell];
  }
  // A cell for people: `row,column` on a square board.
  name(cell) {
    return this.rows === null ? String(cell) : `${Math.floor(cell / this.cols)},${cell % this.cols}`;
  }

  // -- positions

  hidden() {
    return new Array(this.cells).fill(".");
  }

  analyze(shown, given) {
    const known = options(given, "analyze", ["trustFlags", "states", "memory", "seconds"]);
    const { codes, vouched } = this.#asked(shown, known);
    return this.solve(codes, vouched, known);
  }

  // The same with codes that were read already.
  solve(codes, vouched, { states = STATES, memory = MEMORY, seconds }) {
    const limits = [
      BigInt(whole(states, "states", 1, MOST)),
      BigInt(whole(memory, "memory", 1, MOST)),
      time(seconds),
    ];
    try {
      this.ask("solve", codes, vouched, ...limits);
    } catch (error) {
      throw error instanceof Contradiction ? this.#inconsistent(codes, vouched, limits) : error;
    }
    return new Analysis(this, codes, vouched, limits);
  }

  bestMove(shown, given) {
    return advise(this.#asked(shown, options(given, "bestMove", ["trustFlags"])));
  }

  guess(shown, given) {
    const { player = "swift", seed = 0 } = options(given, "guess", ["player", "seed"]);
    named(player, "player", ["swift", "champion"]);
    const key = seed64(seed, "seed");
    this.#needNumber("a guess that looks ahead");
    const asked = this.#asked(shown, {});
    if (asked.codes.includes(MINE)) throw new InputError("a mine has been opened; accepted: a game that is not lost");
    return guess(asked, player, key);
  }

  firstCells(rule = this.firstClick ?? "safe") {
    return firstCells(this, named(rule, "the first click", RULES), typeof this.mines === "number" ? this.mines : 0);
  }

  // -- layouts: a byte a cell, 1 for a mine

  deal(given) {
    const { seed = 0, index = 0, first } = options(given, "deal", ["seed", "index", "first"]);
    this.#needNumber("a deal", false);
    const free = first === undefined ? [] : this.keptFree(first, this.firstClick ?? "safe");
    const excluded = this.excluded(free);
    this.ask("deal", excluded, this.mines, seed64(seed, "seed"), seed64(index, "index"));
    return this.core.bytes();
  }

  counts(layout) {
    this.ask("count_around", this.#layout(layout));
    return this.core.bytes();
  }

  open(layout, shown, cell) {
    whole(cell, "cell", 0, this.cells - 1);
    const { codes, flags } = codesOf(shown, this);
    flags.forEach((flag, at) => {
      if (flag) codes[at] = FLAG;
    });
    if (codes[cell] !== HIDDEN) {
      const what = codes[cell] === FLAG ? "flagged" : "open";
      throw new InputError(`cell ${this.name(cell)} is ${what}; accepted: a hidden cell without a flag`);
    }
    this.ask("open", this.#layout(layout), codes, cell);
    return Array.from(this.core.bytes(), markOf);
  }

  generate(given) {
    const names = ["first", "seed", "count", "method", "mostDeals", "seconds"];
    this.#needNumber("a board without guesses");
    return generate(this, options(given, "generate", names));
  }

  clears(layout, first) {
    this.#needNumber("a board without guesses");
    whole(first, "first", 0, this.cells - 1);
    this.ask("clear", this.#layout(layout), 1, first, 2);
    return this.core.bytes()[0] === 1;
  }

  // The cells that a first click keeps free of mines. InputError where the mines do not fit beside them.
  keptFree(first, rule) {
    whole(first, "first", 0, this.cells - 1);
    const free = rule === "any" ? [] : rule === "safe" ? [first] : [first, ...this.neighbours(first)];
    const room = this.cells - free.length;
    if (this.mines > room) {
      const where = `beside ${free.length} kept free by first click ${rule}`;
      throw new InputError(`${this.mines} mines do not fit on ${this.cells} cells ${where}; accepted: at most ${room}`);
    }
    return free;
  }

  excluded(free) {
    const marks = new Uint8Array(this.cells);
    for (const cell of free) marks[cell] = 1;
    return marks;
  }

  // -- texts

  // A position as text: rows of a square board, else one line.
  text(shown) {
    const marks = Array.from(marksOf(shown, this));
    const odd = marks.findIndex((mark) => mark > 9);
    if (odd >= 0) throw new InputError(`cell ${this.name(odd)} shows ${marks[odd]}; accepted in a text: clues up to 9`);
    const width = this.cols ?? this.cells;
    const rows = [];
    for (let at = 0; at < marks.length; at += width) rows.push(marks.slice(at, at + width).join(""));
    return rows.join("\n");
  }

  // -- inside

  #asked(shown, { trustFlags = false }) {
    named(trustFlags, "trustFlags", [true, false]);
    const { codes, flags, flagged } = codesOf(shown, this);
    if (this.#missing !== null) {
      codes.forEach((code, cell) => {
        if (code === BLANK) codes[cell] = this.#missing;
      });
    }
    return { board: this, codes, vouched: trustFlags && flagged ? flags : null };
  }

  #layout(layout) {
    const good = layout !== null && typeof layout === "object" && layout.length === this.cells;
    if (!good) throw new InputError(`the layout is ${quoted(layout)}; accepted: ${this.cells} entries, 1 for a mine`);
    return Uint8Array.from(layout, (mine) => (mine ? 1 : 0));
  }

  #needNumber(what, clues = true) {
    if (typeof this.mines !== "number") {
      throw new InputError(`${what} needs a known number of mines; accepted: mines: a whole number`);
    }
    if (clues && this.clues !== "exact") {
      throw new InputError(`${what} needs exact clues, not ${quoted(this.clues)}; accepted: clues: "exact"`);
    }
  }

  // Why a position has no layout.
  #inconsistent(codes, vouched, limits) {
    let clues = [...this.core.numbers()];
    let total = this.core.bytes()[0] === 1;
    try {
      this.ask("clash", codes, vouched, ...limits);
      [clues, total] = [[...this.core.numbers()], this.core.bytes()[0] === 1];
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
    }
    clues.sort((a, b) => a - b);
    const names = clues.map((cell) => this.name(cell));
    if (names.length > MOST_NAMED) {
      names.splice(MOST_NAMED - 1, Infinity, `${names.length - MOST_NAMED + 1} more`);
    }
    const number = typeof this.mines === "number" ? `${this.mines} mine${this.mines === 1 ? "" : "s"}` : "rule of mines";
    let said = `the ${number} cannot be laid in the cells that are left`;
    if (names.length === 1 && !total) {
      said = `the clue at ${names[0]} cannot be met by the cells around it`;
    } else if (names.length) {
      const last = names.length > 1 ? ` and ${names.pop()}` : "";
      said = `the clue${last ? "s" : ""} at ${names.join(" ")}${last}${total ? ` and the ${number}` : ""} clash`;
    }
    return new InconsistentPosition(`no layout explains the position: ${said}`, clues, total);
  }
}

// The exact posterior of a position.
export class Analysis {
  #board;
  #asked;
  #solutions = null;

  constructor(board, codes, vouched, limits) {
    const all = board.core.chances();
    this.#board = board;
    this.#asked = [codes, vouched, ...limits];
    this.chances = all.subarray(0, board.cells);
    this.logSolutions = all[board.cells];
    this.hidden = [];
    this.safe = [];
    this.mines = [];
    this.exploded = false;
    let least = null;
    codes.forEach((code, cell) => {
      if (code === MINE) this.exploded = true;
      if (code !== HIDDEN) return;
      const chance = this.chances[cell];
      this.hidden.push(cell);
      if (chance === 0) this.safe.push(cell);
      if (chance === 1) this.mines.push(cell);
      if (least === null || chance < least.chance) least = { cell, chance, alike: 0 };
      if (chance === least.chance) ++least.alike;
    });
    this.opened = board.cells - this.hidden.length;
    this.leastRisk = least !== null && least.chance < 1 ? least : null;
    Object.freeze(this);
  }

  // The number of layouts that explain the position; counted when it is first asked for.
  get solutions() {
    if (this.#solutions === null) {
      this.#board.ask("count", ...this.#asked);
      this.#solutions = this.#board.core.words().reduceRight((sum, word) => (sum << 64n) + word, 0n);
    }
    return this.#solutions;
  }
}
