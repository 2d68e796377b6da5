// The editor's half of Analyse: the position being painted, what was done to it, and the palette.

import { h, svg } from "../dom.js";
import { FLAG, MINE } from "../board/signs.js";

const JOIN = 400; // ms within which turns of the wheel and the like are undone together
const MOST_UNDONE = 500;
const MOST_PAINTS = 12; // clues of the palette; larger ones are typed or turned by the wheel

/** What a cell may be turned into by the wheel, in order. */
const turns = (degree) => [null, ...Array.from({ length: degree + 1 }, (_, clue) => clue), "?", "F"];

export class Editor {
  /** `onChange()` is called after every change; `onRefuse(text)` says why one was not made. */
  constructor(board, { onChange, onRefuse }) {
    this.board = board;
    this.onChange = onChange;
    this.onRefuse = onRefuse;
    this.text = null; // a PositionText
    this._done = [];
    this._undone = [];
  }

  get shown() {
    return this.board.shown;
  }

  /** The position in the short notation. */
  write() {
    return this.text.write(this.shown);
  }

  /** Take another position; the one before can be brought back by undo. */
  adopt(description, shown, text) {
    if (this.text) this._keep(null);
    this.board.show(description, shown);
    this.text = text;
  }

  /** The position as undo and redo keep it. */
  _now() {
    return { board: this.board.board, shown: [...this.shown], text: this.text };
  }

  degree(cell) {
    return this.board.board.neighbours[cell].length;
  }

  /** Paint one cell. Changes with the same `stroke` are undone together: a number stands for one
   * drag, a word for changes that follow at once. */
  paint(cell, mark, stroke = null) {
    if (this.shown[cell] === mark) return;
    if (typeof mark === "number" && mark > this.degree(cell)) {
      const name = this.board.board.names[cell];
      this.onRefuse(`${name} has ${this.degree(cell)} neighbours: no clue above ${this.degree(cell)}.`);
      return;
    }
    this._keep(stroke);
    this.board.update([[cell, mark]]);
    this.onChange();
  }

  turn(cell, by) {
    const marks = turns(this.degree(cell));
    const at = Math.max(0, marks.indexOf(this.shown[cell]));
    this.paint(cell, marks[(at + by + marks.length) % marks.length], `turn ${cell}`);
  }

  /** A digit was typed; a second one soon after makes a clue of two digits. */
  type(cell, digit, time) {
    const before = this._typed;
    this._typed = { cell, digit, time };
    if (before?.cell === cell && before.digit > 0 && time - before.time < 2 * JOIN) {
      const both = before.digit * 10 + digit;
      if (both <= this.degree(cell)) return this.paint(cell, both);
    }
    return this.paint(cell, digit);
  }

  clear() {
    if (this.shown.every((mark) => mark === null)) return;
    this._keep(null);
    this.board.update(this.shown.map((_, cell) => [cell, null]));
    this.onChange();
  }

  setTotal(mines, density) {
    this._keep("total");
    this.text = this.text.copy();
    this.text.mines = mines;
    this.text.density = density;
    this.onChange();
  }

  get canUndo() {
    return this._done.length > 0;
  }

  get canRedo() {
    return this._undone.length > 0;
  }

  undo() {
    this._swap(this._done, this._undone);
  }

  redo() {
    this._swap(this._undone, this._done);
  }

  _swap(from, to) {
    if (!from.length) return;
    to.push(this._now());
    const kept = from.pop();
    this.text = kept.text;
    if (kept.board !== this.board.board) this.board.show(kept.board, kept.shown);
    else this.board.update(kept.shown.map((mark, cell) => [cell, mark]));
    this.onChange();
  }

  _keep(stroke) {
    const last = this._done.at(-1);
    const now = performance.now();
    this._undone = [];
    const same = stroke !== null && last?.stroke === stroke;
    if (same && (typeof stroke === "number" || now - last.time < JOIN)) {
      last.time = now;
      return;
    }
    this._done = [...this._done.slice(-MOST_UNDONE), { ...this._now(), stroke, time: now }];
  }
}

const drawn = (path, name) =>
  svg("svg", { class: `paint-sign ${name}`, viewBox: "-0.8 -0.8 1.6 1.6", "aria-hidden": "true" }, svg("path", { d: path }));

/** What a click paints: radio buttons that look like cells. */
export class Palette {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.mark = null;
    this.root = h("fieldset", { class: "paints" });
  }

  /** Offer the clues of a board. */
  offer(board) {
    const most = Math.min(Math.max(...board.neighbours.map((near) => near.length)), MOST_PAINTS);
    const clues = Array.from({ length: most + 1 }, (_, clue) => clue);
    const marks = [null, "F", ...clues, "?", "*"];
    if (!marks.includes(this.mark)) this.mark = null;
    this.root.replaceChildren(h("legend", { class: "unseen" }, "Paint"), ...marks.map((mark) => this._paint(mark)));
  }

  choose(mark) {
    this.mark = mark;
    for (const input of this.root.querySelectorAll("input")) input.checked = input.value === String(mark);
  }

  _paint(mark) {
    const [name, key] = NAMES.get(mark) ?? [`Clue ${mark}`, mark];
    const input = h("input", {
      type: "radio",
      name: "paint",
      value: String(mark),
      checked: this.mark === mark,
      "aria-label": name,
      onchange: () => {
        this.mark = mark;
        this.onChoose(mark);
      },
    });
    const face = { F: () => drawn(FLAG, "flag"), "*": () => drawn(MINE, "mine") }[mark]?.();
    const text = mark === null ? "" : mark;
    const kind = mark === null || mark === "F" ? "covered-face" : "";
    const colour = typeof mark === "number" ? `n${Math.min(mark, 9)}-ink` : "";
    return h(
      "label",
      { class: "paint", title: `${name} (${key})` },
      input,
      h("span", { class: `face ${kind} ${colour}`, "aria-hidden": "true" }, face ?? String(text)),
    );
  }
}

const NAMES = new Map([
  [null, ["Hidden", "H"]],
  ["F", ["Flag", "F"]],
  ["?", ["Open without a clue", "?"]],
  ["*", ["Opened mine", "*"]],
]);
