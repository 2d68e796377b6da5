// Why: the proof of a cell, whole and in steps, drawn on the board; or two layouts that differ.

import * as api from "../api.js";
import { calm } from "../settings.js";

const TURN = 1300; // ms between two layouts that take turns
const PAGES = () => import("./proof-pages.js"); // loaded with the first question
const TURNS = 3; // then they rest: nothing on the page moves for long by itself

export class Why {
  constructor(board, voice, { onBegin, onEnd }) {
    this.board = board;
    this.voice = voice;
    this.onBegin = onBegin;
    this.onEnd = onEnd;
    this.open = false;
    this.cell = null;
    this._timer = null;
    this._asking = null;
    // Arrows walk through a proof wherever the focus is but on the board and in fields.
    document.addEventListener("keydown", (event) => this._key(event));
  }

  /** Ask why of a cell, and show the answer; `ask(cell, signal)` is the question. */
  async show(cell, ask) {
    this._rest();
    this._asking?.abort();
    const asking = new AbortController();
    this._asking = asking;
    this.cell = cell;
    this.open = true;
    this._pages = [];
    this.board.light("subject", [cell]);
    this.onBegin();
    try {
      const [told, pages] = await Promise.all([ask(cell, asking.signal), PAGES()]);
      if (this._asking !== asking) return;
      this._pages = pages.pagesOf(told);
      this._lit = pages;
      this._told = told;
      this._at = 0;
      this._draw();
      (this._pages.length > 1 ? this.voice.steps : this.voice.close).focus({ preventScroll: true });
      if (told.witnesses && !calm()) this._alternate(TURNS);
    } catch (error) {
      if (api.isAbort(error) || this._asking !== asking) return;
      this._pages = [];
      this.board.light("premise", error.clash ?? []);
      this.voice.say({ title: this._title(), text: error.message, tone: "bad", closing: true });
      this.voice.close.focus({ preventScroll: true });
    }
  }

  /** Go on or back by a page. */
  step(by) {
    const count = this._pages?.length ?? 0;
    if (!count) return;
    const next = this._at + by;
    this.go(this._told.witnesses ? (next + count) % count : next);
  }

  /** Go to a page: 0 is the whole proof, n its step n. */
  go(at) {
    this._rest();
    if (!this._pages?.[at]) return;
    this._at = at;
    this._draw();
    if (document.activeElement?.disabled || document.activeElement === document.body) {
      this.voice.steps.focus({ preventScroll: true });
    }
  }

  /** End it; the focus goes back to the cell unless the player went on. */
  close({ refocus = true } = {}) {
    if (!this.open) return;
    this._rest();
    this._asking?.abort();
    this.open = false;
    this._lit?.lightPage(this.board, this._lit.NOTHING);
    for (const layer of ["premise", "subject", "point"]) this.board.light(layer, []);
    this.onEnd(refocus ? this.cell : null);
  }

  _key(event) {
    if (!this.open || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.voice.root.offsetParent || !this._pages?.length) return;
    if (event.target.closest?.("[role=grid], input, select, textarea, dialog, [role=listbox]")) return;
    const acts = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this._pages.length - 1),
      Escape: () => this.close(),
    };
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  }

  _title() {
    return `Why ${this.board.board.names[this.cell]}?`;
  }

  _draw() {
    const page = this._pages[this._at];
    this.voice.say({
      title: this._title(),
      text: page.text,
      parts: page.parts,
      list: page.list,
      tone: "proof",
      chips: page.chips,
      steps: stepsOf(this._pages, this._at),
      closing: true,
      numbers: this.board.numbers,
    });
    if (!this._at) this.board.seek(this.cell); // the card may have taken the room of the cell
    this._light(page);
  }

  _light(page) {
    this.board.light("premise", page.premises);
    this.board.light("subject", [this.cell]);
    this._lit.lightPage(this.board, page);
    this.board.light("point", []);
  }

  _alternate(left) {
    if (!left) return;
    this._timer = setTimeout(() => {
      this._at = (this._at + 1) % this._pages.length;
      this._draw();
      this._alternate(left - 1);
    }, TURN);
  }

  _rest() {
    clearTimeout(this._timer);
    this._timer = null;
  }
}

/** Where a walk stands, for the card: {at, of, whole, round}; null where there is nothing to walk. */
export function stepsOf(pages, at) {
  if (pages.length < 2) return null;
  if (!pages[0].whole) return { at: at + 1, of: pages.length, round: true };
  return { at, of: pages.length - 1, whole: true };
}
