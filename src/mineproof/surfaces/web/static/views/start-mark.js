// The first cell of a game without guesses: its board is made for it, so its address names it.

import { firstOpened } from "../kept-game.js";

export class StartMark {
  constructor(board, match) {
    this.board = board;
    this.match = match;
    this.cell = null; // where the game is to be begun, if its address or an earlier try says so
  }

  /** The cell that was opened first, or else the one to begin in; null for other games. */
  get begun() {
    if (!this.match.spec?.no_guess) return null;
    return firstOpened(this.match.kept?.moves ?? "") ?? this.cell;
  }

  /** Whether a cell is marked: the game is not begun yet. */
  get shown() {
    const { spec, state } = this.match;
    return Boolean(spec?.no_guess) && state === "ready" && this.cell !== null && this.cell < this.board.board.cells;
  }

  draw() {
    if (!this.shown) this.cell = null;
    this.board.light("step", this.shown ? [this.cell] : []);
  }
}
