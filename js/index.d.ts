/** Minesweeper, proved: exact inference, best moves and boards without guesses, on any board. */

/** What a cell shows: a clue, `"."` hidden, `"F"` flag, `"?"` opened without a clue, `"*"` opened mine. */
export type Shown = number | "." | "F" | "?" | "*";

/** A position: an entry for every cell, or a text with a character for every cell and blanks and line ends ignored. */
export type Position = ArrayLike<Shown> | string;

/** Where the mines are: an entry for every cell, 1 for a mine. */
export type Layout = ArrayLike<number>;

/** What the deal promises of the first opened cell: nothing, that it is safe, or that it shows a 0. */
export type FirstClick = "any" | "safe" | "opening";

/** How likely a shown number is for a cell with so many mines among so many neighbours. */
export type Likelihood = (shown: number, mines: number, neighbours: number) => number;

/** How likely a clue is missing for a cell with so many mines among so many neighbours. */
export type Missing = (mines: number, neighbours: number) => number;

/**
 * `exact`, `optimistic`, `cautious`, `withheld:P`, `noisy:P`, or a function. With `missing`, a cell opened without a clue
 * is evidence; else it says nothing.
 */
export type Clues =
  | "exact"
  | "optimistic"
  | "cautious"
  | `withheld:${number}`
  | `noisy:${number}`
  | Likelihood
  | { shown: Likelihood; missing: Missing };

export interface Rules {
  /** A number, a chance for every cell, or any number from 1 on alike. */
  mines: number | { density: number } | "unknown";
  /** `safe` if it is left out; boards without guesses begin with an `opening` then. */
  firstClick?: FirstClick;
  /** `exact` if it is left out. */
  clues?: Clues;
}

/** The square board with eight neighbours, or any graph: the neighbours of every cell. */
export type Description = Rules &
  ({ rows: number; cols: number; neighbours?: undefined } | { neighbours: number[][]; rows?: undefined; cols?: undefined });

export interface Budget {
  /** Flagged cells count as mines; else flags say nothing. */
  trustFlags?: boolean;
  /** States of the counting program; 400 million if it is left out. */
  states?: number;
  /** Bytes; 1 GiB if it is left out. */
  memory?: number;
  /** No limit if it is left out. */
  seconds?: number;
}

/** The exact posterior of a position. */
export interface Analysis {
  /** The chance of a mine for every cell; exactly 0 or 1 if and only if that is certain. */
  readonly chances: Float64Array;
  /** Hidden cells, those that are certainly safe, and those that are certainly mines. */
  readonly hidden: number[];
  readonly safe: number[];
  readonly mines: number[];
  /** How many layouts explain the position; counted when it is first read. Throws BudgetExceeded. */
  readonly solutions: bigint;
  /** The natural logarithm of the weight of all layouts. */
  readonly logSolutions: number;
  /** The first hidden cell of least risk, and how many have that risk; null where all are mines. */
  readonly leastRisk: { cell: number; chance: number; alike: number } | null;
  /** How many cells are open, and whether a mine is among them. */
  readonly opened: number;
  readonly exploded: boolean;
}

export interface Move {
  readonly cell: number;
  /** What it rests on, the firmest first. */
  readonly basis: "certain" | "first-click" | "best-play" | "look-ahead" | "least-risk";
  /** The chance of a mine. */
  readonly risk: number;
  /** The chance to win by best play, where the end is near enough to know it. */
  readonly win: number | null;
  /** Other cells that are as good; not worked out for `look-ahead`. */
  readonly alike: number[];
}

export interface Generated {
  /** `uniform`: every such board is equally likely; `repaired`: deals were changed. */
  readonly method: "uniform" | "repaired";
  /** How many deals were tried. */
  readonly tried: number;
  readonly boards: { layout: Uint8Array; first: number; index: number; changes: number }[];
}

/** Cells are numbers from 0: `row * cols + col` on a square board. */
export interface Board {
  readonly cells: number;
  readonly rows: number | null;
  readonly cols: number | null;
  readonly mines: Rules["mines"];
  readonly firstClick: FirstClick | null;
  readonly clues: Clues;
  neighbours(cell: number): number[];
  /** A cell for people: `row,column` on a square board. */
  name(cell: number): string;

  /** The position before the first move. */
  hidden(): Shown[];
  /** The exact chance of every cell. Throws InconsistentPosition and BudgetExceeded. */
  analyze(shown: Position, budget?: Budget): Analysis;
  /** The best move: what is certain, then best play near the end, then look-ahead. Null where no cell can be safe. */
  bestMove(shown: Position, options?: { trustFlags?: boolean }): Move | null;
  /** Where nothing is certain: the guess of a player, `swift` or the slower `champion`. Null where something is. */
  guess(
    shown: Position,
    options?: { player?: "swift" | "champion"; seed?: number | bigint },
  ): { cell: number; risk: number; among: number } | null;
  /** Good cells to begin with. */
  firstCells(rule?: FirstClick): number[];

  /** A deal: the same seed and index give the same layout, in Python too. */
  deal(options?: { seed?: number | bigint; index?: number | bigint; first?: number }): Uint8Array;
  /** The mines around every cell. */
  counts(layout: Layout): Uint8Array;
  /** What is shown after a hidden cell is opened, with what a 0 opens around it. */
  open(layout: Layout, shown: Position, cell: number): Shown[];
  /** Layouts that can be cleared from the first cell, the centre if it is left out, without a guess. */
  generate(options?: {
    first?: number;
    seed?: number | bigint;
    count?: number;
    method?: "auto" | "uniform" | "repair";
    mostDeals?: number;
    /** 60 if it is left out. */
    seconds?: number;
  }): Generated;
  /** Whether a layout can be cleared from a first cell without a guess. */
  clears(layout: Layout, first: number): boolean;
  /** The rows of a position as text. */
  text(shown: Position): string;
}

export interface Mineproof {
  board(description: Description): Board;
  /** A text as mineproof writes it: `square 3x3 mines=2`, then rows. */
  parse(text: string): { board: Board; shown: Shown[] };
}

/** Load the core. `wasm` says where it is, if `mineproof.wasm` does not lie beside the package's index.js. */
export function load(options?: {
  wasm?: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;
}): Promise<Mineproof>;

export class MineproofError extends Error {}
/** Malformed input; the message says what would be accepted. */
export class InputError extends MineproofError {}
/** No layout explains the position. */
export class InconsistentPosition extends MineproofError {
  /** Cells of clues that clash, as few as it takes. */
  readonly clues: number[];
  /** Whether the number of mines is needed for it. */
  readonly usesTotal: boolean;
}
/** More work than was allowed; nothing is approximated. */
export class BudgetExceeded extends MineproofError {}
