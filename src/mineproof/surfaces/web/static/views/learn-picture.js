// The picture of a pattern: a small board with its proof on it, which is looked at and not played.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { h } from "../dom.js";
import { lightPage, pagesOf } from "./proof-pages.js";
import { winChances } from "./see.js";

export class Picture {
  constructor() {
    this.stage = h("div", { class: "stage lesson-stage", inert: true });
    this.root = h("figure", { class: "lesson-picture", hidden: true }, this.stage);
    this.board = new Board(this.stage, { label: "Picture of the pattern", smallest: 12 });
    this._shown = null;
  }

  /** Show the picture of a chapter; one without has none. */
  async show({ name, picture }) {
    if (this._shown === picture) return;
    this._shown = picture;
    this.root.hidden = true;
    if (!picture) return;
    const puzzle = await api.puzzle(picture);
    const [cell] = [...puzzle.safe, ...puzzle.mines];
    const told = cell === undefined ? null : await api.puzzleExplain(picture, cell);
    if (this._shown !== picture) return;
    this.root.hidden = false;
    this.root.setAttribute("role", "img");
    this.root.setAttribute("aria-label", `Example of ${name}: ${told ? told.text : "the chance to win of every cell"}`);
    this.board.show(puzzle.board, puzzle.view.shown);
    if (told) {
      const [page] = pagesOf(told);
      this.board.light("premise", page.premises);
      lightPage(this.board, page);
    } else {
      this.board.overlay(winChances({ win: { cells: puzzle.choices.map(exactWin) } }, puzzle.board.cells));
      this.board.light("best", puzzle.best);
    }
  }
}

/** A choice of a guess as an analysis has it. */
export const exactWin = ({ cell, win }) => ({ cell, chance: win, low: win, high: win, exact: true });
