// Why: the proof of a cell in steps, its premises lit; or two solutions that differ.

import * as api from "../api.js";
import { calm } from "../settings.js";

const TURN = 1300; // ms between two solutions that take turns
const TURNS = 3; // then they rest: nothing on the page moves for long by itself

const LAYERS = ["used", "premise", "subject", "safe", "mine", "if-safe", "if-mine", "ghost", "differ", "point"];
/** A page that lights nothing. */
export const NOTHING = { premises: [], cells: [], concludes: [], supposes: [], ghosts: [], differ: [] };

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
      this._light({ ...NOTHING, premises: error.clash ?? [] });
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
    for (const layer of LAYERS) {
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

  _light(page) {
    this.board.light("premise", page.premises);
    this.board.light("subject", [this.cell]);
    lightStep(this.board, page);
    this.board.light("ghost", page.ghosts);
    this.board.light("differ", page.differ);
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

/** Light what a page speaks of, and what is concluded or supposed by then. */
export function lightStep(board, { cells, concludes, supposes }) {
  const of = (pairs, kind) => pairs.filter(([, found]) => found === kind).map(([cell]) => cell);
  board.light("used", cells);
  for (const kind of ["safe", "mine"]) {
    board.light(kind, of(concludes, kind));
    board.light(`if-${kind}`, of(supposes, kind));
  }
}

/** The pages of an explanation: the whole proof, then its steps; or its two solutions. */
export function pagesOf(told) {
  if (told.witnesses) {
    const [one, two] = told.witnesses.map((cells) => new Set(cells));
    const differ = [...one].filter((cell) => !two.has(cell)).concat([...two].filter((cell) => !one.has(cell)));
    return [one, two].map((mines, index) => ({
      ...NOTHING,
      text: `${told.text} Solution ${index + 1} of two: here it is ${mines.has(told.cell) ? "a mine" : "safe"}.`,
      chips: ["not certain"],
      ghosts: [...mines],
      differ: differ.filter((cell) => cell !== told.cell),
    }));
  }
  const chips = [told.technique, told.uses_total ? "uses the mine total" : null].filter(Boolean);
  const clues = `${told.premises.length} clues`;
  if (told.smallest && told.premises.length > 1) {
    chips.push([clues, "two clues"].includes(told.technique) ? "no fewer do" : `${clues}, no fewer do`);
  }
  const whole = {
    ...NOTHING,
    text: told.text,
    chips,
    premises: told.premises,
    concludes: told.certain ? [[told.cell, told.certain]] : [],
  };
  return told.steps.length < 2 ? [whole] : [whole, ...told.steps.map((_, at) => stepPage(told.steps, at, chips))];
}

/**
 * The page of a step: what it uses is lit, and all that was concluded so far stays on the board.
 * What follows from a supposition is only supposed, and is gone where the supposition ends.
 */
function stepPage(steps, at, chips) {
  const here = new Set(above(steps, at));
  const held = steps.slice(0, at + 1).map((step, index) => [step, above(steps, index)]);
  const visible = held.filter(([, suppositions]) => suppositions.every((number) => here.has(number)));
  const decided = (pick) => visible.filter(([, found]) => pick(found.length)).flatMap(([step]) => step.concludes);
  const { text, premises, cells } = steps[at];
  return {
    ...NOTHING,
    text,
    chips,
    premises,
    cells,
    concludes: decided((suppositions) => !suppositions),
    supposes: decided((suppositions) => suppositions),
  };
}

/** The numbers of the suppositions that a step holds under, its own included where it is one. */
function above(steps, at) {
  const { kind, under } = steps[at];
  return kind === "step" ? under : [...under, at + 1];
}
