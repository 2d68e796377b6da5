// See: the overlay of chances and the best move, asked for after every move.

import * as api from "../api.js";
import { percent } from "../board/heat.js";
import { sentence } from "../dom.js";
import { settings } from "../settings.js";
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
    if (this.board.board) this.board.light("best", []);
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
    if (this.kind === "mine") {
      board.overlay({ name: "mine chance", values: analysis.p, certain: analysis.certain });
    } else if (this.kind === "win" && analysis.win) {
      board.overlay(winChances(analysis, board.board.cells));
    } else {
      board.overlay(null);
    }
    board.light("best", settings.get("best") && analysis.best ? [analysis.best.cell] : []);
    this._caption();
  }

  _caption() {
    this.legend.dataset.kind = this.kind;
    this.note.textContent = this._noteText();
  }

  _noteText() {
    if (this.kind === "none") return "The board as it is. Keys on the board: M, V, B.";
    if (this.kind === "mine") {
      const { solutions } = this.analysis ?? {};
      if (!solutions) return "✓ certainly safe, ◆ certainly a mine, else per cent.";
      return `✓ certainly safe, ◆ certainly a mine, else per cent. ${solutionsText(solutions)}`;
    }
    if (!this.analysis) return "Per cent of games won from here, after opening the cell.";
    if (this.analysis.note) return sentence(this.analysis.note);
    if (!this.analysis.win) return "Playing this position out many times…";
    const exact = this.analysis.win.cells.every((cell) => cell.exact);
    return exact
      ? "Per cent of games won from here by best play: exact."
      : "Per cent of games won from here, estimated by playing on; point at a cell for its interval.";
  }

  /** What is known of a cell beyond its label, for the line below the board. */
  more(cell) {
    const win = this.kind === "win" ? this.analysis?.win?.cells.find((one) => one.cell === cell) : null;
    if (!win || win.exact || win.low === undefined) return "";
    return ` (between ${percent(win.low)} and ${percent(win.high)} %)`;
  }
}

/** The overlay of win chances of an analysis. */
export function winChances(analysis, cells) {
  const values = new Array(cells).fill(null);
  const exact = new Array(cells).fill(false);
  for (const one of analysis.win.cells) {
    values[one.cell] = one.chance;
    exact[one.cell] = one.exact;
  }
  return { name: "win chance", values, exact, certain: null, good: true };
}

/** A number of solutions in words. */
export function solutionsText(solutions) {
  if (solutions === "1") return "One layout is left.";
  if (!/^\d+$/.test(solutions)) return `${solutions} layouts are possible.`;
  if (solutions.length <= 15) return `${Number(solutions).toLocaleString("en")} layouts are possible.`;
  const power = [...String(solutions.length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `About ${solutions[0]}.${solutions.slice(1, 3)} × 10${power} layouts are possible.`;
}
