// The picture of a pattern: a small board with clues and answers lit, which is looked at, not played.

import * as api from "../api-more.js";
import { Board } from "../board/board.js";
import { h } from "../dom.js";
import { choicesOf } from "./learn-puzzle.js";

/** What is lit of a puzzle, by layer. */
const LIT = { premise: "premises", safe: "safe", mine: "mines", best: "best" };

export class Picture {
  constructor() {
    this.stage = h("div", { class: "stage lesson-stage", inert: true });
    this.caption = h("figcaption", { class: "unseen" });
    this.root = h("figure", { class: "lesson-picture", hidden: true }, this.stage, this.caption);
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
    if (this._shown !== picture) return;
    this.root.hidden = false;
    this.caption.textContent = `Example of ${name}: ${answerOf(puzzle)}`;
    this.board.show(puzzle.board, puzzle.view.shown);
    this.board.overlay(puzzle.question === "guess" ? choicesOf(puzzle, "win") : null);
    for (const [layer, part] of Object.entries(LIT)) this.board.light(layer, puzzle[part]);
  }
}

/** The answer of a puzzle in words. */
function answerOf({ safe, mines, best, board: { names } }) {
  const said = Object.entries({ safe, mines, best }).filter(([, cells]) => cells.length);
  return said.map(([word, cells]) => `${word} ${cells.map((cell) => names[cell]).join(" ")}`).join("; ");
}
