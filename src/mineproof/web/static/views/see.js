// See: the overlay of chances and the best move, asked for after every move, and the card that chooses
// them, in Play and in Analyse. What draws and words chances is loaded with the first answer.

import * as api from "../api.js";
import { h, retried } from "../dom.js";
import { settings } from "../settings.js";

const loadChances = () => retried("chances", (again) => import(`./chances.js${again}`));

export class See {
  /** `onAnswer(problem | null)` is called with every answer that still counts. */
  constructor(board, onAnswer) {
    this.board = board;
    this.onAnswer = onAnswer;
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

  /** Whether what is to be shown is not known yet. */
  get lacks() {
    const { analysis } = this;
    if (!analysis || (this.kind === "win" && !analysis.win)) return true;
    return settings.get("best") && this._chances.isOpen(analysis);
  }

  /** Take the current settings. */
  sync() {
    this.inputs.forEach((input) => (input.checked = input.value === this.kind));
    this.best.checked = settings.get("best");
    this._caption();
  }

  /** Show the chances of the game as it stands, as `known` (at once), or as asked for. */
  async refresh(id, state, startedAt = performance.now(), known = null) {
    this.stop();
    if (!this.wanted || !id || state === "lost" || state === "won") {
      this.clear();
      return;
    }
    const asking = new AbortController();
    this._pending = asking;
    try {
      let answer = known;
      if (!known || !this._chances) {
        const asked = known ?? api.analysis(id, false, asking.signal);
        [answer, this._chances] = await Promise.all([asked, loadChances()]);
      }
      this._take(answer, asking);
      const took = await this.board.painted(startedAt);
      performance.measure("overlay", { start: startedAt, duration: took });
      // Win chances take a second: what is known at once is shown before them.
      if (this.kind === "win" || (settings.get("best") && this._chances.isOpen(answer))) this._take(await api.analysis(id, true, asking.signal), asking);
    } catch (error) {
      if (api.isAbort(error) || this._pending !== asking) return;
      this.clear();
      this.onAnswer(error.message);
    }
  }

  /** An answer, unless a newer question was asked since. */
  _take(answer, asking) {
    if (this._pending !== asking) throw new DOMException("a newer question was asked", "AbortError");
    this.analysis = answer;
    this.draw();
    this.onAnswer(null);
  }

  stop() {
    this._pending?.abort();
    this._pending = null;
  }

  clear() {
    this.analysis = null;
    this._held = false;
    this.board.overlay(null);
    if (this.board.description) for (const layer of ["best", "tied"]) this.board.light(layer, []);
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
    board.overlay(this._chances.overlayOf(this.kind, analysis, board));
    const { best, tied } = this._chances.bestOf(settings.get("best") ? analysis : null);
    board.light("tied", tied);
    board.light("best", best);
    this._caption();
  }

  _caption() {
    this.legend.dataset.kind = this.kind;
    this.note.textContent = this._noteText();
  }

  _noteText() {
    return this._chances?.seeNote(this.kind, this.analysis, this.board) || "The board as it is. Keys: S, M, V, B.";
  }

  /** The coach's card of the best move; null where none is known. */
  card() {
    return this.analysis?.best ? this._chances.bestMove(this.analysis, this.board) : null;
  }

  /** What is known of a cell beyond its label, for the line below the board. */
  more(cell) {
    return this._chances?.besideWin(this.kind, this.analysis, cell) ?? "";
  }
}

// -- the card --

const KINDS = [
  ["none", "Off"],
  ["sure", "Certain"],
  ["mine", "Mine chance"],
  ["win", "Win chance"],
];

/**
 * `name` is that of the radio buttons, `kind` and `best` are the first choices; `seen(kind)` and
 * `lit(best)` are called when the player chooses. Returns the elements: root, inputs, best, legend, note.
 */
export function seeCard({ name, kind, best, seen, lit }) {
  const inputs = KINDS.map(([value]) =>
    h("input", { type: "radio", name, value, checked: kind === value, onchange: () => seen(value) }),
  );
  const box = h("input", { type: "checkbox", checked: best, onchange: () => lit(box.checked) });
  const legend = h(
    "div",
    { class: "legend", "aria-hidden": "true" },
    h("span", {}, "0"),
    h("span", { class: "scale" }),
    h("span", {}, "100 %"),
  );
  const note = h("p", { class: "hint see-note" });
  const root = h(
    "section",
    { class: "card see", "aria-label": "See" },
    h(
      "div",
      { class: "card-head" },
      h("h2", {}, "See"),
      h("label", { class: "check" }, box, h("span", {}, "Best move")),
    ),
    h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "unseen" }, "Overlay"),
      ...KINDS.map(([, words], index) => h("label", {}, inputs[index], words)),
    ),
    legend,
    note,
  );
  return { root, inputs, best: box, legend, note };
}
