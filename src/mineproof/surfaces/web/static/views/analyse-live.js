// The living half of Analyse: after every change the position is counted again, and the board
// shows its chances, or why it has no solution.

import * as api from "../api-more.js";
import { seeCard } from "./see-card.js";
import { bestOf, overlayOf } from "./overlays.js";
import { besideWin, seeNote, solutionsText } from "./see-words.js";
import { lightPage, NOTHING, pagesOf } from "./proof-pages.js";

const PAUSE = 90; // ms without a change before the server is asked
const SLOW = 350; // ms after which old chances are taken off the board

export class Live {
  /**
   * `told()` is called when what is known has changed: `state` is "counting", "possible",
   * "impossible", "wide" or "refused"; `analysis`, `pages` (why it is impossible) and `message`
   * go with them.
   */
  constructor(board, told) {
    this.board = board;
    this.told = told;
    this.kind = "mine";
    this.best = true;
    this.state = "counting";
    this.analysis = null;
    this.pages = [];
    this.at = 0;
    this.message = null;
    this.held = false;
    this._pending = null;
    this._build();
  }

  _build() {
    const card = seeCard({
      name: "analyse-overlay",
      kind: this.kind,
      best: true,
      seen: (kind) => this.see(kind),
      lit: (best) => this.light(best),
    });
    this.bestBox = card.best;
    ({ root: this.root, inputs: this.inputs, legend: this.legend, note: this.note } = card);
    this._caption();
  }

  /** Choose the overlay. */
  see(kind) {
    this.kind = kind;
    for (const input of this.inputs) input.checked = input.value === kind;
    if (kind === "win" && this.analysis && !this.analysis.win && !this.analysis.note) this.ask(this._text, 0);
    this.draw();
    this.told();
  }

  /** Highlight the best move, or not. */
  light(best) {
    this.best = this.bestBox.checked = best;
    this.draw();
    this.told();
  }

  /** Count a position, when nothing has changed for a moment; an older question is dropped. */
  ask(text, pause = PAUSE) {
    this.stop();
    this._text = text;
    const asking = new AbortController();
    this._pending = asking;
    this._timer = setTimeout(() => this._count(text, asking), pause);
    this._late = setTimeout(() => this._set("counting"), pause + SLOW);
  }

  stop() {
    clearTimeout(this._timer);
    clearTimeout(this._late);
    this._pending?.abort();
    this._pending = null;
  }

  async _count(text, asking) {
    try {
      const analysis = await api.positionAnalysis(text, false, asking.signal);
      if (this._pending !== asking) return;
      this._set("possible", { analysis });
      if (this.kind !== "win") return;
      // Chances to win take a second or two: what is known at once is shown at once.
      const more = await api.positionAnalysis(text, true, asking.signal);
      if (this._pending === asking) this._set("possible", { analysis: more });
    } catch (error) {
      if (api.isAbort(error) || this._pending !== asking) return;
      if (error.code === "contradiction") await this._clash(text, asking, error);
      else this._set(error.code === "too-wide" ? "wide" : "refused", { message: error.message });
    }
  }

  /** The clash is highlighted at once; its proof follows. */
  async _clash(text, asking, error) {
    const plain = { ...NOTHING, text: error.message, chips: [], premises: error.clash };
    this._set("impossible", { pages: [plain], message: error.message });
    try {
      const told = await api.position(text, asking.signal);
      if (this._pending !== asking || !told.why) return;
      this._set("impossible", { pages: pagesOf(told.why), message: told.message });
    } catch {
      // The plain message stays.
    }
  }

  _set(state, { analysis = null, pages = [], message = null } = {}) {
    clearTimeout(this._late);
    Object.assign(this, { state, analysis, pages, message, at: 0 });
    this.draw();
    this.told();
  }

  /** Another page of why the position is impossible; true if there is one. */
  go(at) {
    if (!this.pages[at]) return false;
    this.at = at;
    this.draw();
    return true;
  }

  /** Chances are hidden while a proof is read. */
  hold(on) {
    this.held = on;
    this.draw();
  }

  draw() {
    const { board, analysis, kind } = this;
    const page = this.held ? NOTHING : (this.pages[this.at] ?? NOTHING);
    board.overlay(this.held ? null : overlayOf(kind, analysis, board));
    board.light("clash", page.premises);
    if (!this.held) lightPage(board, page);
    const { best, tied } = bestOf(!this.held && this.best ? analysis : null);
    board.light("tied", tied);
    board.light("best", best);
    this._caption();
  }

  _caption() {
    this.legend.dataset.kind = this.kind;
    this.note.textContent = this._noteText();
  }

  _noteText() {
    return seeNote(this.kind, this.analysis, this.board) || "The position as it is.";
  }

  /** What is known of a cell beyond its label. */
  more(cell) {
    return besideWin(this.kind, this.analysis, cell);
  }

  /** The number of solutions, in a sentence. */
  get count() {
    if (!this.analysis) return "";
    const { solutions } = this.analysis;
    return solutions === null ? "Too many layouts to write down the number." : solutionsText(solutions);
  }

  /** The same, in two words. */
  get layouts() {
    if (this.analysis?.solutions === "1") return "1 layout";
    return this.count.replace(/^About /, "≈ ").replace(/ are (possible|left)\.$/, "");
  }
}
