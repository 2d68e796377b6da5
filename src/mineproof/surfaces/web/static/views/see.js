// See: the overlay of chances and the best move, asked for after every move.

import * as api from "../api.js";
import { percent } from "../board/heat.js";
import { sentence } from "../dom.js";
import { settings } from "../settings.js";
import { bestOf, farFrom, overlayOf } from "./overlays.js";
import { seeCard } from "./see-card.js";

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

  /** Ask for the chances of the game as it stands; an older question is dropped. */
  async refresh(id, state, start = performance.now()) {
    this.stop();
    if (!this.wanted || !id || state === "lost" || state === "won") {
      this.clear();
      return;
    }
    const asking = new AbortController();
    this._pending = asking;
    try {
      this._take(await api.analysis(id, false, asking.signal), asking);
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
    board.overlay(overlayOf(this.kind, analysis, board));
    const { best, tied } = bestOf(settings.get("best") ? analysis : null);
    board.light("tied", tied);
    board.light("best", best);
    this._caption();
  }

  _caption() {
    this.legend.dataset.kind = this.kind;
    this.note.textContent = this._noteText();
  }

  _noteText() {
    return seeNote(this.kind, this.analysis, this.board) || "The board as it is. Keys on the board: M, V, S, B.";
  }

  /** What is known of a cell beyond its label, for the line below the board. */
  more(cell) {
    return besideWin(this.kind, this.analysis, cell);
  }
}

/** With win chances, the mine chance of a cell beside them. */
export function besideWin(kind, analysis, cell) {
  if (kind !== "win" || !analysis?.win || analysis.promised) return "";
  const risk = analysis.p[cell];
  return risk === null || analysis.certain[cell] ? "" : `, mine chance ${percent(risk)} %`;
}

/** What an overlay means, and what holds for the position as a whole; "" where there is none. */
export function seeNote(kind, analysis, board) {
  if (kind === "none") return "";
  if (kind === "win") return winNote(analysis);
  const signs = "✓ certainly safe, ◆ certainly a mine";
  if (analysis?.promised) return "The first cell is safe by the rules, wherever it is: no chances yet.";
  if (kind === "sure") return `${signs}. ${analysis ? certainWords(analysis.certain) : ""}`;
  if (!analysis) return `${signs}, else per cent.`;
  const { chance, count } = farFrom(analysis, board);
  const far = count ? ` ${count} cells touch no number: ${percent(chance)} % each.` : "";
  return `${signs}.${far} ${analysis.solutions ? solutionsText(analysis.solutions) : ""}`;
}

function certainWords(certain) {
  const [safe, mines] = ["safe", "mine"].map((kind) => certain.filter((one) => one === kind).length);
  if (!safe && !mines) return "Here nothing is certain.";
  return `Here ${safe} ${safe === 1 ? "cell is" : "cells are"} safe and ${mines} ${mines === 1 ? "is a mine" : "are mines"}.`;
}

function winNote(analysis) {
  if (!analysis) return "Per cent of games won from here, after opening the cell.";
  if (analysis.note) return sentence(analysis.note);
  if (!analysis.win) return "Playing this position out many times…";
  return analysis.win.cells.every((cell) => cell.exact)
    ? "Per cent of games won from here by best play: exact. ◆ certainly a mine."
    : "Per cent of games won ± error, by playing on. Dashed: tied with the best. · not estimated, ◆ certainly a mine.";
}

/** A number of solutions in words. */
export function solutionsText(solutions) {
  if (solutions === "1") return "One layout is left.";
  if (!/^\d+$/.test(solutions)) return `${solutions} layouts are possible.`;
  if (solutions.length <= 15) return `${Number(solutions).toLocaleString("en")} layouts are possible.`;
  const power = [...String(solutions.length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `About ${solutions[0]}.${solutions.slice(1, 3)} × 10${power} layouts are possible.`;
}
