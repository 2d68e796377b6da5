// What gestures and keys on the board of Play do: moves of the game, and the tools by their keys.

import { settings } from "../settings.js";

/** The overlay of a kind, or none if it is on. */
const toggled = (kind) => (settings.get("overlay") === kind ? "none" : kind);

export class Moves {
  /**
   * `asking()` says whether a cell is chosen to be asked about, `ask(cell)` asks; `undo()`, `fresh()`,
   * `hint()` and `escape()` are what their keys do.
   */
  constructor(board, match, { asking, ask, undo, fresh, hint, escape }) {
    this.board = board;
    this.match = match;
    this.asking = asking;
    this.ask = ask;
    this.keys = {
      Enter: (cell, time) => this._openOrChord(cell, time),
      " ": (cell, time) => this._openOrChord(cell, time),
      f: (cell, time) => this._flag(cell, time),
      c: (cell, time) => this._chord(cell, time),
      w: (cell) => ask(cell),
      h: hint,
      m: () => settings.set("overlay", toggled("mine")),
      s: () => settings.set("overlay", toggled("sure")),
      v: () => settings.set("overlay", toggled("win")),
      o: () => settings.set("overlay", "none"),
      b: () => settings.set("best", !settings.get("best")),
      u: undo,
      n: fresh,
      F2: fresh,
      "+": () => board.zoom(1.25),
      "=": () => board.zoom(1.25),
      "-": () => board.zoom(0.8),
      0: () => board.zoom("fit"),
      Escape: escape,
    };
  }

  /** A gesture of the mouse or a finger (see board/input.js). */
  gesture({ cell, kind, alt, time }) {
    if (kind === "primary" && (alt || this.asking())) return this.ask(cell);
    if (kind === "tap" && this.asking()) return this.ask(cell);
    const flagging = settings.get("flagMode");
    if (kind === "primary" || kind === "tap") {
      if (typeof this.board.shown[cell] === "number") {
        return settings.get("chordClick") ? this._chord(cell, time) : undefined;
      }
      return flagging ? this._flag(cell, time) : this._open(cell, time);
    }
    if (kind === "secondary") return this._flag(cell, time);
    if (kind === "hold") return flagging ? this._open(cell, time) : this._flag(cell, time);
    if (kind === "middle" && settings.get("chordMiddle")) return this._chord(cell, time);
    if (kind === "both" && settings.get("chordBoth")) return this._chord(cell, time);
    return undefined;
  }

  /** A key on a cell; true if it did something. Where a hand is on the mouse, Space is its other button. */
  key({ cell, key, event, pointed }) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const marks = pointed && key === " " && [null, "F"].includes(this.board.shown[cell]) && !this.asking();
    const act = this.keys[marks ? "f" : key.length === 1 ? key.toLowerCase() : key];
    act?.(cell, event.timeStamp);
    return Boolean(act);
  }

  _openOrChord(cell, time) {
    if (this.asking()) this.ask(cell);
    else if (this.board.shown[cell] === null) this._open(cell, time);
    else if (settings.get("chordClick")) this._chord(cell, time);
  }

  _open(cell, time) {
    const hidden = () => this.board.shown[cell] === null;
    this.match.click();
    if (!hidden() || this._idle()) return;
    this.match.move("open", { cell }, time, hidden);
  }

  /** A flag is drawn at once; the server is told after. Question marks follow flags, if wanted. */
  _flag(cell, time) {
    const before = this.board.shown[cell];
    this.match.click();
    if ((before !== null && before !== "F") || this._idle()) return;
    if (this.match.queries.delete(cell)) {
      this.query();
      return;
    }
    const on = before === null;
    if (!on && settings.get("questionMarks")) this.match.queries.add(cell);
    this.board.update([[cell, on ? "F" : null]]);
    this.query();
    this.match.move("flag", { cell, on }, time);
  }

  /** Draw the question marks, on cells that are still hidden. */
  query() {
    const { board, match } = this;
    for (const cell of match.queries) {
      if (!(cell < board.shown.length) || board.shown[cell] !== null) match.queries.delete(cell);
    }
    board.light("query", match.over ? [] : [...match.queries]);
  }

  _chord(cell, time) {
    const ready = () => {
      const clue = this.board.shown[cell];
      if (typeof clue !== "number" || clue === 0) return false;
      const near = this.board.board.neighbours[cell].map((other) => this.board.shown[other]);
      const marked = near.filter((shown) => shown === "F" || shown === "*").length;
      return marked === clue && near.includes(null);
    };
    this.match.click();
    if (!this._idle()) this.match.move("chord", { cell }, time, ready);
  }

  /** Whether a move would come to nothing: the game is over, or the server is away. */
  _idle() {
    return this.match.over || this.match.waiting;
  }
}
