// Why: the proof of a cell in steps, its premises lit; or two solutions that differ.

import * as api from "../api.js";
import { calm } from "../settings.js";

const TURN = 1300; // ms between two solutions that take turns
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
  }

  /** Ask why of a cell, and show the answer; `ask(cell, signal)` is the question. */
  async show(cell, ask) {
    this._rest();
    this._asking?.abort();
    const asking = new AbortController();
    this._asking = asking;
    this.cell = cell;
    this.open = true;
    this.board.light("subject", [cell]);
    this.onBegin();
    try {
      const told = await ask(cell, asking.signal);
      if (this._asking !== asking) return;
      this._pages = pagesOf(told);
      this._told = told;
      this._at = 0;
      this._draw();
      this.voice.steps.focus({ preventScroll: true });
      if (told.witnesses && !calm()) this._alternate(TURNS);
    } catch (error) {
      if (api.isAbort(error) || this._asking !== asking) return;
      this._pages = [];
      this._light({ premises: error.clash ?? [], concludes: [], ghosts: [], differ: [] });
      this.voice.say({ title: this._title(), text: error.message, tone: "bad", closing: true });
      this.voice.close.focus({ preventScroll: true });
    }
  }

  step(by) {
    this._rest();
    if (!this._pages?.length) return;
    const count = this._pages.length;
    const next = this._told.witnesses ? (this._at + by + count) % count : this._at + by;
    if (next < 0 || next >= count) return;
    this._at = next;
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
    for (const layer of ["premise", "subject", "safe", "mine", "ghost", "differ", "point"]) {
      this.board.light(layer, []);
    }
    this.onEnd(refocus ? this.cell : null);
  }

  _title() {
    return `Why ${this.board.board.names[this.cell]}?`;
  }

  _draw() {
    const page = this._pages[this._at];
    this._light(page);
    const count = this._pages.length;
    const { witnesses } = this._told;
    this.voice.say({
      title: this._title(),
      text: page.text,
      tone: "proof",
      chips: page.chips,
      steps: count > 1 ? { at: this._at + 1, of: count, round: Boolean(witnesses) } : null,
      closing: true,
      numbers: this.board.numbers,
    });
  }

  _light({ premises, concludes, ghosts, differ }) {
    const of = (kind) => concludes.filter(([, found]) => found === kind).map(([cell]) => cell);
    this.board.light("premise", premises);
    this.board.light("subject", [this.cell]);
    this.board.light("safe", of("safe"));
    this.board.light("mine", of("mine"));
    this.board.light("ghost", ghosts);
    this.board.light("differ", differ);
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

/** The pages of an explanation: the whole proof, then its steps; or its two solutions. */
export function pagesOf(told) {
  if (told.witnesses) {
    const [one, two] = told.witnesses.map((cells) => new Set(cells));
    const differ = [...one].filter((cell) => !two.has(cell)).concat([...two].filter((cell) => !one.has(cell)));
    return [one, two].map((mines, index) => ({
      text: `${told.text} Solution ${index + 1} of two: here it is ${mines.has(told.cell) ? "a mine" : "safe"}.`,
      chips: ["not certain"],
      premises: [],
      concludes: [],
      ghosts: [...mines],
      differ: differ.filter((cell) => cell !== told.cell),
    }));
  }
  const chips = [told.technique, told.uses_total ? "uses the mine total" : null].filter(Boolean);
  if (told.smallest && told.premises.length > 1) chips.push(`${told.premises.length} clues, no fewer do`);
  const whole = {
    text: told.text,
    chips,
    premises: told.premises,
    concludes: told.certain ? [[told.cell, told.certain]] : [],
    ghosts: [],
    differ: [],
  };
  const steps = told.steps ?? [];
  if (steps.length < 2) return [whole];
  return [
    whole,
    ...steps.map((step) => ({
      text: step.text,
      chips,
      premises: step.premises,
      concludes: step.concludes ?? [],
      ghosts: [],
      differ: [],
    })),
  ];
}
