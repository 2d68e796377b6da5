// See: the overlay of chances and the best move, asked for after every move. What draws and words
// them is loaded with the first answer.

import * as api from "../api.js";
import { settings } from "../settings.js";
import { seeCard } from "./see-card.js";

const DRAWING = () => Promise.all([import("./overlays.js"), import("./see-words.js")]);

export class See {
  /** `told(analysis | null, problem | null)` is called with every answer in force. */
  constructor(board, told) {
    this.board = board;
    this.told = told;
    this.analysis = null;
    this._pending = null;
    Object.assign(
      this,
      seeCard({
        name: "overlay",
        kind: settings.get("overlay"),
        best: settings.get("best"),
        seen: (kind) => settings.set("overlay", kind),
        lit: (best) => settings.set("best", best),
      }),
    );
    this._caption();
  }

  get kind() {
    return settings.get("overlay");
  }

  get wanted() {
    return this.kind !== "none" || settings.get("best");
  }

  /** Take the current settings; true if a new analysis must be asked for. */
  sync() {
    this.inputs.forEach((input) => (input.checked = input.value === this.kind));
    this.best.checked = settings.get("best");
    this._caption();
  }

  /** Show the chances of the game as it stands, as `known` (at once), or as asked for. */
  async refresh(id, state, start = performance.now(), known = null) {
    this.stop();
    if (!this.wanted || !id || state === "lost" || state === "won") {
      this.clear();
      return;
    }
    const asking = new AbortController();
    this._pending = asking;
    try {
      let answer = known;
      if (!known || !this._words) {
        const asked = known ?? api.analysis(id, false, asking.signal);
        let drawing;
        [answer, drawing] = await Promise.all([asked, DRAWING()]);
        [this._overlays, this._words] = drawing;
      }
      this._take(answer, asking);
      const took = await this.board.painted(start);
      performance.measure("overlay", { start, duration: took });
      // Win chances take a second: what is known at once is shown before them.
      if (this.kind === "win") this._take(await api.analysis(id, true, asking.signal), asking);
    } catch (error) {
      if (api.isAbort(error) || this._pending !== asking) return;
      this.clear();
      this.told(null, error.message);
    }
  }

  /** An answer, unless a newer question was asked since. */
  _take(answer, asking) {
    if (this._pending !== asking) throw new DOMException("a newer question was asked", "AbortError");
    this.analysis = answer;
    this.draw();
    this.told(answer, null);
  }

  stop() {
    this._pending?.abort();
    this._pending = null;
  }

  clear() {
    this.analysis = null;
    this._held = false;
    this.board.overlay(null);
    if (this.board.board) for (const layer of ["best", "tied"]) this.board.light(layer, []);
    this._caption();
  }

  /** Hide the overlay while a proof is on the board, or show it again. */
  hold(on) {
    this._held = on;
    if (on) this.board.overlay(null);
    else this.draw();
  }

  draw() {
    const { analysis, board } = this;
    if (!analysis || this._held) return;
    board.overlay(this._overlays.overlayOf(this.kind, analysis, board));
    const { best, tied } = this._overlays.bestOf(settings.get("best") ? analysis : null);
    board.light("tied", tied);
    board.light("best", best);
    this._caption();
  }

  _caption() {
    this.legend.dataset.kind = this.kind;
    this.note.textContent = this._noteText();
  }

  _noteText() {
    return this._words?.seeNote(this.kind, this.analysis, this.board) || "The board as it is. Keys: S, M, V, B.";
  }

  /** The coach's card of the best move; null where none is known. */
  card() {
    return this.analysis?.best ? this._words.bestMove(this.analysis, this.board) : null;
  }

  /** What is known of a cell beyond its label, for the line below the board. */
  more(cell) {
    return this._words?.besideWin(this.kind, this.analysis, cell) ?? "";
  }
}
