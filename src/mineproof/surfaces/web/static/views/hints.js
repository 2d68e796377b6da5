// Hints: each press tells a little more. First the region, then the clues, the cell, the proof.

import * as api from "../api.js";
import { stylesheet } from "../dom.js";

const LEVELS = 4;
/** What the next press tells, by what was told. */
const NEXT = { region: "Show the clues", clues: "Show the cell", cell: "Show the proof", nothing: "Show the best guess" };
const LAYERS = ["region", "premise", "safe", "best", "subject"];

export class Hints {
  /** `ask(level)` is the question; `onProof(hint)` is called where the proof itself is told. */
  constructor(board, voice, { ask, onBegin, onEnd, onProof }) {
    Object.assign(this, { board, voice, ask, onBegin, onEnd, onProof });
    this.level = 0;
    this.open = false;
    this._asking = null;
  }

  /** Tell one level more. */
  async more() {
    const asking = (this._asking = Symbol("hint"));
    this.onBegin();
    this.open = true;
    try {
      const [hint] = await Promise.all([this.ask(this.level + 1), stylesheet("proof.css")]);
      if (this._asking !== asking) return;
      this.level = hint.level;
      if (hint.kind === "proof") {
        this.close();
        this.onProof(hint);
      } else this._draw(hint);
    } catch (error) {
      if (this._asking !== asking || api.isAbort(error)) return;
      this.voice.say({ title: "Hint", text: error.message, tone: "bad", closing: true });
    }
  }

  /** Take the hint off the board; the next one begins with the region again. */
  close() {
    this._asking = null;
    this.level = 0;
    if (!this.open) return;
    this.open = false;
    for (const layer of LAYERS) this.board.light(layer, []);
    this.onEnd();
  }

  _draw(hint) {
    const { board } = this;
    board.light("region", hint.region);
    board.light("premise", hint.premises);
    board.light("safe", hint.kind === "cell" ? [hint.cell] : []);
    board.light("best", hint.kind === "guess" && hint.cell !== null ? [hint.cell] : []);
    board.light("subject", hint.cell === null ? [] : [hint.cell]);
    const certain = hint.kind !== "nothing" && hint.kind !== "guess";
    this.voice.say({
      title: certain ? `Hint ${hint.level} of ${LEVELS}` : "Hint",
      text: hint.text,
      tone: "proof",
      numbers: board.numbers,
      actions: hint.more ? [[NEXT[hint.kind], () => this.more(), true]] : [],
      closing: true,
    });
    // From its first cell to its last it is scrolled into sight, once the card has taken its room; the cell itself for certain.
    const told = [...hint.premises, ...hint.region, ...(hint.cell === null ? [] : [hint.cell])];
    if (told.length) for (const cell of [Math.min(...told), Math.max(...told), told.at(-1)]) board.seek(cell);
  }
}
