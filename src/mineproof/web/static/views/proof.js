// Proofs on a board: why a cell is safe or a mine, whole and in steps; two layouts that differ, where
// nobody can know; and hints, which lead to a proof.

import * as api from "../api.js";
import { write } from "../board/geometry.js";
import { stylesheet, svg } from "../dom.js";
import { calm } from "../settings.js";
import { CoachCard } from "./coach-card.js";

const TURN = 1300; // ms between two layouts that take turns
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
      const [told] = await Promise.all([ask(cell, asking.signal), stylesheet("proof.css")]);
      if (this._asking !== asking) return;
      this._pages = pagesOf(told);
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
    lightPage(this.board, NOTHING);
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
    return `Why ${this.board.description.names[this.cell]}?`;
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
    lightPage(this.board, page);
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

/** The coach's card of a view that shows proofs: {voice, why}; `onBegin()` and `onEnd(cell)` are those of Why. */
export function proofCard(board, { onBegin = () => {}, onEnd }) {
  const voice = new CoachCard({
    onStep: (by) => why.step(by),
    onClose: () => why.close(),
    onGo: (at) => why.go(at),
    point: (cells) => board.light("point", cells),
  });
  const why = new Why(board, voice, { onBegin, onEnd });
  return { voice, why };
}

// -- the pages of an explanation: the whole proof on one picture, then its steps; or two layouts --
//
// What was concluded stays on the board: cells that are certain by then, and sets of cells of which
// the number of mines is known. What is only supposed goes with its case.

const MOST_LIT = 40; // of a step about more cells, only those that its text names are lit
const MOST_IN_SET = 12; // larger sets are named in the text, not drawn

/** A page that lights nothing. */
export const NOTHING = {
  premises: [],
  cells: [],
  fresh: [],
  concludes: [],
  supposes: [],
  sets: [],
  notes: [],
  ghosts: [],
  differ: [],
  swapped: [],
};

/** Light all that a page speaks of. */
export function lightPage(board, page) {
  const of = (pairs, kind) => pairs.filter(([, found]) => found === kind).map(([cell]) => cell);
  board.light("used", page.cells);
  board.light("fresh", page.fresh);
  for (const kind of ["safe", "mine"]) {
    board.light(kind, of(page.concludes, kind));
    board.light(`if-${kind}`, of(page.supposes, kind));
  }
  board.light("ghost", page.ghosts);
  board.light("differ", page.differ);
  board.light("swap", page.swapped);
  board.annotate([...bands(page.sets, board.geometry), ...notesOf(page.notes, board.geometry)]);
}

/** The pages of an explanation as the server gives it. */
export function pagesOf(told) {
  if (told.witnesses) return layoutPages(told);
  const technique = /^(\d+|two) clues$/.test(told.technique ?? "") ? null : told.technique;
  const chips = [technique, told.uses_total ? "uses the mine total" : null].filter(Boolean);
  const { steps } = told;
  if (steps.length < 2) {
    const parts = steps[0]?.parts ?? [{ text: told.text, cells: [] }];
    const lit = steps.length ? stepPage(told, 0, chips) : { ...NOTHING, premises: told.premises, chips };
    return [{ ...lit, text: told.text, parts, premises: told.premises }];
  }
  return [wholePage(told, chips), ...steps.map((_, at) => stepPage(told, at, chips))];
}

/** The whole proof on one picture: every clue, and what is concluded with the number of its step. */
function wholePage(told, chips) {
  const free = told.steps.filter((step) => above(told.steps, step).length === 0);
  const concludes = free.flatMap((step) => step.concludes);
  const numbers = new Map();
  for (const step of free) {
    for (const [cell] of step.concludes) if (!numbers.has(cell)) numbers.set(cell, told.steps.indexOf(step) + 1);
  }
  return {
    ...NOTHING,
    whole: true,
    text: told.summary,
    chips,
    premises: told.premises,
    concludes: concludes.length <= MOST_LIT ? concludes : concludes.filter(([cell]) => cell === told.cell),
    sets: setsOf(free, null, concludes),
    notes: numbers.size <= MOST_LIT ? [...numbers] : [],
    list: told.steps.map(({ parts, under, kind }) => ({ parts, depth: under.length, kind })),
  };
}

/** A step: what it uses is lit, what it concludes appears, and all that was concluded before stays. */
function stepPage({ steps, premises }, at, chips) {
  const step = steps[at];
  const here = new Set(above(steps, step));
  const held = steps.slice(0, at + 1).map((one) => [one, above(steps, one)]);
  const visible = held.filter(([, under]) => under.every((number) => here.has(number)));
  const decided = (pick) => visible.filter(([, under]) => pick(under.length)).flatMap(([one]) => one.concludes);
  const concludes = decided((depth) => !depth);
  const supposes = decided((depth) => depth);
  const fresh = step.concludes.map(([cell]) => cell);
  const named = new Set(step.parts.flatMap(({ cells }) => cells));
  const spoken = step.cells.length <= MOST_LIT ? step.cells : step.cells.filter((cell) => named.has(cell));
  return {
    ...NOTHING,
    text: step.text,
    parts: step.parts,
    chips,
    // A clue that an earlier step has told of may be named again.
    premises: premises.filter((clue) => step.premises.includes(clue) || named.has(clue)),
    cells: spoken.filter((cell) => !fresh.includes(cell)),
    fresh: fresh.length <= MOST_LIT ? fresh : fresh.filter((cell) => named.has(cell)),
    concludes,
    supposes,
    sets: setsOf(visible.map(([one]) => one), step, [...concludes, ...supposes]),
  };
}

/** Sets whose number of mines is known by then, each with its label; those of `now` are fresh. */
function setsOf(steps, now, decided) {
  const known = new Set(decided.map(([cell]) => cell));
  const found = new Map();
  for (const step of steps) {
    for (const { cells, mines } of step.counts) {
      if (cells.length < 2 || cells.length > MOST_IN_SET || !mines.length) continue;
      if (cells.every((cell) => known.has(cell))) continue;
      found.set(cells.join(), { cells, label: amount(mines, cells.length), fresh: step === now });
    }
  }
  return [...found.values()];
}

/** The numbers of mines that a set may hold, as a badge: "1", "≤1", "≥2", "1–2". */
function amount(mines, size) {
  const [least, most] = [mines[0], mines.at(-1)];
  if (least === most) return String(least);
  if (mines.length < most - least + 1) return mines.join("/");
  if (least === 0) return `≤${most}`;
  return most === size ? `≥${least}` : `${least}–${most}`;
}

/** The numbers of the suppositions that a step holds under, its own included where it is one. */
function above(steps, step) {
  return step.kind === "step" ? step.under : [...step.under, steps.indexOf(step) + 1];
}

/** Two layouts that differ in few cells: those are lit, the other mines stay in the background. */
function layoutPages(told) {
  const layouts = told.witnesses.map((cells) => new Set(cells));
  const [one, two] = layouts;
  const differ = [...one].filter((cell) => !two.has(cell)).concat([...two].filter((cell) => !one.has(cell)));
  return layouts.map((mines, index) => ({
    ...NOTHING,
    text: `${told.text} Layout ${index + 1} of 2: here it is ${mines.has(told.cell) ? "a mine" : "safe"}.`,
    chips: ["not certain"],
    ghosts: [...mines],
    differ,
    swapped: differ.filter((cell) => mines.has(cell)),
    supposes: differ.filter((cell) => !mines.has(cell)).map((cell) => [cell, "safe"]),
  }));
}

// -- what stands on a board beside single cells --

/** Sets of cells, tied together by a band: {cells, label, fresh} each. */
function bands(sets, { centres, radius }) {
  return sets.map(({ cells, label, fresh }) => {
    const path = chain(cells.map((cell) => centres[cell]));
    const [x, y] = middle(path);
    const wide = (0.42 + 0.3 * label.length) * radius;
    return svg(
      "g",
      { class: fresh ? "band fresh" : "band" },
      svg("path", { class: "band-line", d: `M${path.map(write).join("L")}`, "stroke-width": radius * 1.36 }),
      svg("rect", { class: "badge", x: x - wide, y: y - 0.44 * radius, width: 2 * wide, height: 0.88 * radius, rx: 0.44 * radius }),
      svg("text", { class: "badge-text", x, y, dy: "0.355em", "font-size": +(0.74 * radius).toFixed(3) }, label),
    );
  });
}

/** Small notes in the corners of cells: [cell, text] each. */
function notesOf(notes, { centres, radius }) {
  return notes.map(([cell, text]) => {
    const [x, y] = centres[cell];
    return svg(
      "text",
      { class: "corner-note", x: x + 0.56 * radius, y: y + 0.56 * radius, dy: "0.2em", "font-size": +(0.52 * radius).toFixed(3) },
      String(text),
    );
  });
}

/** Points in an order in which each is near the last. */
function chain(points) {
  const left = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const path = [left.shift()];
  while (left.length) {
    const [x, y] = path.at(-1);
    const far = left.map(([a, b]) => (a - x) ** 2 + (b - y) ** 2);
    path.push(...left.splice(far.indexOf(Math.min(...far)), 1));
  }
  return path;
}

/** The middle of the middle piece of a path. */
function middle(path) {
  const at = (path.length - 1) / 2;
  const [[a, b], [c, d]] = [path[Math.floor(at)], path[Math.ceil(at)]];
  return [(a + c) / 2, (b + d) / 2];
}

// -- hints: each press tells a little more; first the region, then the clues, the cell, the proof --

const LEVELS = 4;
/** What the next press tells, by what was told. */
const NEXT = { region: "Show the clues", clues: "Show the cell", cell: "Show the proof", nothing: "Show the best guess" };
const LAYERS = ["region", "premise", "safe", "best", "subject"];

export class Hints {
  /** `ask(level)` is the question; `onProof(hint)` is called where the proof itself is told. */
  constructor(board, voice, { ask, onBegin, onEnd, onProof }) {
    Object.assign(this, { board, voice, ask, onBegin, onEnd, onProof });
    this.level = 0;
    this.open = false;
    this._asking = null;
  }

  /** Tell one level more. */
  async more() {
    const asking = (this._asking = Symbol("hint"));
    this.onBegin();
    this.open = true;
    try {
      const [hint] = await Promise.all([this.ask(this.level + 1), stylesheet("proof.css")]);
      if (this._asking !== asking) return;
      this.level = hint.level;
      if (hint.kind === "proof") {
        this.close();
        this.onProof(hint);
      } else this._draw(hint);
    } catch (error) {
      if (this._asking !== asking || api.isAbort(error)) return;
      this.voice.say({ title: "Hint", text: error.message, tone: "bad", closing: true });
    }
  }

  /** Take the hint off the board; the next one begins with the region again. */
  close() {
    this._asking = null;
    this.level = 0;
    if (!this.open) return;
    this.open = false;
    for (const layer of LAYERS) this.board.light(layer, []);
    this.onEnd();
  }

  _draw(hint) {
    const { board } = this;
    board.light("region", hint.region);
    board.light("premise", hint.premises);
    board.light("safe", hint.kind === "cell" ? [hint.cell] : []);
    board.light("best", hint.kind === "guess" && hint.cell !== null ? [hint.cell] : []);
    board.light("subject", hint.cell === null ? [] : [hint.cell]);
    const certain = hint.kind !== "nothing" && hint.kind !== "guess";
    this.voice.say({
      title: certain ? `Hint ${hint.level} of ${LEVELS}` : "Hint",
      text: hint.text,
      tone: "proof",
      numbers: board.numbers,
      actions: hint.more ? [[NEXT[hint.kind], () => this.more(), true]] : [],
      closing: true,
    });
    // From its first cell to its last it is scrolled into sight, once the card has taken its room; the cell itself for certain.
    const told = [...hint.premises, ...hint.region, ...(hint.cell === null ? [] : [hint.cell])];
    if (told.length) for (const cell of [Math.min(...told), Math.max(...told), told.at(-1)]) board.seek(cell);
  }
}
