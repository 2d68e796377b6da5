// What is asked in Play: why of a cell, hints, and whether a mine that was opened could be known.

import * as api from "../api.js";
import { notice } from "./play-cards.js";
import { LazyWhy } from "./why-later.js";

// Loaded with the first question of their kind.
const HINTS = () => import("./hints.js");
const POSITIONS = () => import("../api-more.js");

export class Asking {
  /**
   * `see` rests while a proof is on the board. `speak()` says what holds when nothing is asked, `ended()`
   * draws the end of a game again, `chosen(on)` shows whether a cell is chosen to be asked about.
   */
  constructor({ board, match, voice, see, speak, ended, chosen }) {
    Object.assign(this, { board, match, voice, see, speak, ended, chosen });
    this.choosing = false; // whether the next cell is asked about
    this.hints = null;
    this.why = new LazyWhy(board, voice, {
      onBegin: () => see.hold(true),
      onEnd: (cell) => this._ended(cell),
    });
  }

  /** Whether the card belongs to an answer. */
  get open() {
    return this.why.open || Boolean(this.hints?.open);
  }

  /** Let the next cell be asked about, or not. */
  choose(on) {
    this.choosing = on;
    if (!on && this.why.open) this.why.close();
    this.chosen(on);
    this.speak();
  }

  ask(cell) {
    const shown = this.board.shown[cell];
    if (shown !== null && shown !== "F") {
      this.why.close({ refocus: false });
      this.voice.say(notice("This cell is open: ask about one that is hidden or flagged."));
      return;
    }
    this.match.note({ helped: true });
    this.hints?.close();
    this.why.show(cell, (asked, signal) => api.explain(this.match.id, asked, signal));
  }

  /** Could the mine that was opened be known? The proof stands on the position before it. */
  askLost({ mine, before }) {
    this.board.reveal(null);
    this.why.show(mine, async (asked, signal) => (await POSITIONS()).positionExplain(before, asked, signal));
  }

  /** One level more of a hint. */
  async hint() {
    if (this.match.over) return;
    this.match.note({ helped: true });
    const { Hints } = await HINTS();
    this.hints ??= new Hints(this.board, this.voice, {
      ask: (level) => api.hint(this.match.id, level),
      onBegin: () => this.why.close({ refocus: false }),
      onEnd: () => {
        this.see.draw();
        this.speak();
      },
      onProof: (hint) => this.why.show(hint.cell, async () => hint.why),
    });
    this.hints.more();
  }

  escape() {
    if (this.why.open) this.why.close();
    else if (this.hints?.open) this.hints.close();
    else this.choose(false);
  }

  /** A move was made: what was asked is over; a flag leaves a hint where it is. */
  moved(action) {
    this.why.close({ refocus: false });
    if (action !== "flag") this.hints?.close();
  }

  _ended(cell) {
    this.see.hold(false);
    this.ended();
    if (cell !== null) this.choose(false);
    this.speak();
    if (cell !== null) this.board.focus(cell, { scroll: false });
  }
}
