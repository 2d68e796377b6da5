// One puzzle on the board: cells are claimed to be safe or mines, and each claim is judged at once.

const percent = (share) => `${(100 * share).toFixed(1)} %`;

export class Puzzle {
  /** `puzzle` is the server's; it is drawn on `board`. */
  constructor(puzzle, board) {
    this.puzzle = puzzle;
    this.board = board;
    this.found = new Set();
    this.mistakes = 0;
    this.helped = false;
    this.solved = false;
    board.show(puzzle.board, puzzle.view.shown);
    board.overlay(null);
  }

  get guess() {
    return this.puzzle.question === "guess";
  }

  /** The certain cells, all of them. */
  get certain() {
    return [...this.puzzle.safe, ...this.puzzle.mines];
  }

  /** Mines left, as the player counts them; null if the position does not tell. */
  get minesLeft() {
    const { mines, view } = this.puzzle;
    return view.mines_left === null ? null : view.mines_left - mines.filter((cell) => this.found.has(cell)).length;
  }

  name(cell) {
    return this.board.board.names[cell];
  }

  /** A certain cell that is not found yet, or null. */
  get next() {
    return this.certain.find((cell) => !this.found.has(cell)) ?? null;
  }

  /** Claim a cell: {right, text}, or null if there is nothing to claim. */
  claim(cell, mine) {
    if (this.solved || this.board.shown[cell] !== null) return null;
    return this.guess ? this._guess(cell, mine) : this._certain(cell, mine);
  }

  _certain(cell, mine) {
    const { mines, safe } = this.puzzle;
    const name = this.name(cell);
    if ((mine ? mines : safe).includes(cell)) {
      this.found.add(cell);
      this.board.update([[cell, mine ? "F" : "?"]]);
      this.solved = this.found.size === this.certain.length;
      const left = this.solved ? "" : ` ${this.found.size} of ${this.certain.length} found.`;
      return { right: true, text: `${name} is ${mine ? "a mine" : "safe"}.${left}` };
    }
    this.mistakes += 1;
    if (this.certain.includes(cell)) return { right: false, text: `${name} is certain, but it is not ${mine ? "a mine" : "safe"}.` };
    return { right: false, text: `${name} is not certain: it may be safe, and it may be a mine.` };
  }

  _guess(cell, mine) {
    if (mine) return { right: false, text: "Nothing is certain here. Choose the cell to open." };
    const { best, choices } = this.puzzle;
    const found = choices.find((one) => one.cell === cell);
    const said = `${this.name(cell)} is a mine with ${percent(found.risk)}, and the game is won with ${percent(found.win)} after it.`;
    if (!best.includes(cell)) {
      this.mistakes += 1;
      return { right: false, text: `${said} Another cell is better.` };
    }
    this.solved = true;
    this.chances("win");
    return { right: true, text: `${said} No other cell does better.` };
  }

  /** Draw what every choice of a guess is worth: its chance of a mine, or to win. */
  chances(kind) {
    this.board.overlay(choicesOf(this.puzzle, kind));
    if (kind === "win") this.board.light("best", this.puzzle.best);
  }
}

/** The overlay of a guess: the exact chance of a mine, or to win, of every choice. */
export function choicesOf({ choices, board }, kind) {
  const values = new Array(board.cells).fill(null);
  for (const choice of choices) values[choice.cell] = kind === "win" ? choice.win : choice.risk;
  return { name: `${kind} chance`, values, certain: null, good: kind === "win" };
}
