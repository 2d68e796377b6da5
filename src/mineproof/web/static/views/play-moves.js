// What gestures and keys on the board of Play do: moves of the game, the tools by their keys, and
// questions: why of a cell, hints, whether a mine that was opened could be known.

import * as api from "../api.js";
import { retried } from "../dom.js";
import { settings } from "../settings.js";
import { notice } from "./coach-card.js";

const loadProof = () => retried("proof", (again) => import(`./proof.js${again}`)); // loaded with the first question
const loadFrontier = () => retried("frontier", (again) => import(`./frontier.js${again}`)); // loaded with the first key that needs it

/** The overlay of a kind, or none if it is on. */
const overlayOrNone = (kind) => (settings.get("overlay") === kind ? "none" : kind);

/** Keys that need a cell. */
const ON_CELL = new Set(["Enter", " ", "f", "c", "r"]);

export class Moves {
  /**
   * `asking()` says whether a cell is chosen to be asked about, `ask(cell)` asks; `undo()`, `fresh()`,
   * `hint()`, `escape()`, `choose()` (a cell to ask about) and `checkFlags()` are what their keys do; `say(text)`
   * is for those who do not see.
   */
  constructor(board, match, { asking, ask, undo, fresh, hint, escape, choose, say, checkFlags }) {
    this.board = board;
    this.match = match;
    this.asking = asking;
    this.ask = ask;
    this.keys = {
      Enter: (cell, time) => this._openOrChord(cell, time),
      " ": (cell, time) => this._openOrChord(cell, time),
      f: (cell, time) => this._flag(cell, time),
      c: (cell, time) => this._chord(cell, time),
      w: (cell) => (cell === null ? choose() : ask(cell)),
      x: (cell, _, { shiftKey }) => this._walk(cell, shiftKey ? -1 : 1),
      r: async (cell) => say((await loadFrontier()).aroundWords(board, cell)),
      k: checkFlags,
      h: hint,
      m: () => settings.set("overlay", overlayOrNone("mine")),
      s: () => settings.set("overlay", overlayOrNone("sure")),
      v: () => settings.set("overlay", overlayOrNone("win")),
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
    const name = marks ? "f" : key.length === 1 ? key.toLowerCase() : key;
    const act = cell === null && ON_CELL.has(name) ? null : this.keys[name];
    act?.(cell, event.timeStamp, event);
    return Boolean(act);
  }

  /** To the next cell of the frontier, or the one before. */
  async _walk(cell, by) {
    const { alongFrontier } = await loadFrontier();
    const to = alongFrontier(this.board, cell ?? this.board.cell, by);
    if (to !== null) this.board.focus(to);
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

  /** A flag is drawn at once, before the server answers. Question marks follow flags, if wanted. */
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
      const near = this.board.description.neighbours[cell].map((other) => this.board.shown[other]);
      const marked = near.filter((shown) => shown === "F" || shown === "*").length;
      return marked === clue && near.includes(null);
    };
    this.match.click();
    if (!this._idle()) this.match.move("chord", { cell }, time, ready);
  }

  /** Whether moves are ignored: the game is over, or the server is away. */
  _idle() {
    return this.match.over || this.match.waiting;
  }
}

/** What is asked in Play: why of a cell, hints, and whether a mine that was opened could be known. */
export class Questions {
  /**
   * `see` rests while a proof is on the board. `speak()` says what holds when nothing is asked, `ended()`
   * draws the end of a game again, `chosen(on)` shows whether a cell is chosen to be asked about.
   */
  constructor({ board, match, voice, see, speak, ended, chosen }) {
    Object.assign(this, { board, match, voice, see, speak, ended, chosen });
    this.choosing = false; // whether the next cell is asked about
    this.hints = null;
    this.why = null; // a Why, once something was asked
  }

  /** Whether the card belongs to an answer. */
  get open() {
    return Boolean(this.why?.open || this.hints?.open || this.flagging);
  }

  /** Let the next cell be asked about, or not. */
  choose(on) {
    this.choosing = on;
    if (on) settings.set("flagMode", false); // one of both
    else this.why?.close();
    this.chosen(on);
    this.speak();
  }

  ask(cell) {
    const shown = this.board.shown[cell];
    if (shown !== null && shown !== "F") {
      this.why?.close({ refocus: false });
      this.voice.say(notice("This cell is open: ask about one that is hidden or flagged."));
      return;
    }
    this.match.note({ helped: true });
    this.hints?.close();
    this._explain(cell, (asked, signal) => api.explain(this.match.id, asked, signal));
  }

  /** Show the answer to a question about a cell: `ask(cell, signal)`. */
  async _explain(cell, ask) {
    if (!(await this._proofsLoaded())) return;
    const { Why } = await loadProof();
    this.why ??= new Why(this.board, this.voice, {
      onBegin: () => this.see.hold(true),
      onEnd: (ended) => this._onEnd(ended),
    });
    await this.why.show(cell, ask);
  }

  /** Whether the module of proofs is there; if not, that is said. */
  async _proofsLoaded() {
    try {
      await loadProof();
      return true;
    } catch {
      this.voice.say(notice("The proofs could not be loaded. Ask again in a moment.", "bad"));
      return false;
    }
  }

  /** Could the mine that was opened be known? The proof stands on the position before it. */
  askLost({ mine, before }) {
    this.board.reveal(null);
    this._explain(mine, (asked, signal) => api.positionExplain(before, asked, signal));
  }

  /** One level more of a hint. */
  async hint() {
    if (this.match.over) return;
    this.match.note({ helped: true });
    if (!(await this._proofsLoaded())) return;
    const { Hints } = await loadProof();
    this.hints ??= new Hints(this.board, this.voice, {
      ask: (level) => api.hint(this.match.id, level),
      onBegin: () => this.why?.close({ refocus: false }),
      onEnd: () => {
        this.see.draw();
        this.speak();
      },
      onProof: (hint) => this._explain(hint.cell, async () => hint.why),
    });
    this.hints.more();
  }

  /** Check the flags: how many are wrong, then which. */
  async flags(told = false) {
    if (this.match.over) return;
    this.match.note({ helped: true });
    await this.match.settled(); // flags are drawn before they are answered
    const { moves } = this.match;
    try {
      const { flagsCard } = await loadFrontier();
      const card = await flagsCard(this.match.id, this.board, told, () => this.flags(true));
      if (moves !== this.match.moves) return;
      this.why?.close({ refocus: false });
      this.hints?.close();
      this.flagging = true;
      this.voice.say(card);
    } catch (error) {
      this.voice.say(notice(error.message, "bad"));
    }
  }

  _endFlags() {
    if (!this.flagging) return;
    this.flagging = false;
    this.board.light("clash", []);
    this.speak();
  }

  escape() {
    if (this.flagging) this._endFlags();
    else if (this.why?.open) this.why.close();
    else if (this.hints?.open) this.hints.close();
    else this.choose(false);
  }

  /** A move was made: what was asked is over; a flag leaves a hint where it is. */
  moved(action) {
    this._endFlags();
    this.why?.close({ refocus: false });
    if (action !== "flag") this.hints?.close();
  }

  _onEnd(cell) {
    this.see.hold(false);
    this.ended();
    if (cell !== null) this.choose(false);
    this.speak();
    if (cell !== null) this.board.focus(cell, { scroll: false });
  }
}
