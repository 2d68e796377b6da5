// The editor's half of Analyse: the position being painted, what was done to it, the palette, and the
// number of mines.

import { FLAG, MINE } from "../board/face.js";
import { h, svg } from "../dom.js";

const JOIN = 400; // ms within which turns of the wheel and the like are undone together
const MOST_UNDONE = 500;
const MOST_PAINTS = 12; // clues of the palette; larger ones are typed or turned by the wheel

/** What a cell may be turned into by the wheel, in order. */
const turns = (degree) => [null, ...Array.from({ length: degree + 1 }, (_, clue) => clue), "?", "F"];

export class PositionEditor {
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
    return { board: this.board.description, shown: [...this.shown], text: this.text };
  }

  degree(cell) {
    return this.board.description.neighbours[cell].length;
  }

  /** Paint one cell. Changes with the same `stroke` are undone together: a number stands for one
   * drag, a word for changes that follow at once. */
  paint(cell, mark, stroke = null) {
    if (this.shown[cell] === mark) return;
    if (typeof mark === "number" && mark > this.degree(cell)) {
      const name = this.board.description.names[cell];
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
    if (kept.board !== this.board.description) this.board.show(kept.board, kept.shown);
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

const paintSign = (path, name) =>
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
    const face = { F: () => paintSign(FLAG, "flag"), "*": () => paintSign(MINE, "mine") }[mark]?.();
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

/** The mines of a position: a number, or the chance of a mine in each cell. */
export class MineTotal {
  /** `onSet(mines | null, density | null)` is called. */
  constructor(onSet) {
    this.onSet = onSet;
    this.mines = h("input", { type: "number", min: 0, max: 9999, inputmode: "numeric", "aria-label": "Mines on the board" });
    this.known = h("input", { type: "checkbox", checked: true });
    this.density = h("input", { type: "number", min: 0.1, max: 99.9, step: "any", inputmode: "decimal", "aria-label": "Mine chance of a cell, per cent" });
    this.left = h("span", { class: "chip" });
    this.knownRow = h("label", { class: "field-row" }, "Mines", h("span", { class: "inputs" }, this.left, this.mines));
    this.densityRow = h("label", { class: "field-row" }, "Mine chance of a cell", h("span", { class: "inputs" }, this.density, "%"));
    this.root = h(
      "section",
      { class: "card total", "aria-label": "Mines" },
      this.knownRow,
      this.densityRow,
      h("label", { class: "check" }, this.known, h("span", {}, "Known")),
    );
    this._show();
    this.mines.addEventListener("input", () => this._tell());
    this.density.addEventListener("input", () => this._tell());
    this.known.addEventListener("change", () => {
      this._show();
      this._tell();
    });
  }

  _tell() {
    if (!this.known.checked) {
      const share = Number(this.density.value) / 100;
      if (share > 0 && share < 1) this.onSet(null, String(+share.toFixed(6)));
    } else if (/^\d{1,5}$/.test(this.mines.value)) {
      this.onSet(Number(this.mines.value), null);
    }
  }

  /** Show the mines of a position, and how many are not flagged yet. */
  set(text, shown) {
    const flagged = shown.filter((mark) => mark === "F" || mark === "*").length;
    if (text.mines !== null) {
      if (document.activeElement !== this.mines) this.mines.value = text.mines;
      this.left.textContent = `${text.mines - flagged} left`;
      this.known.checked = true;
    } else {
      this.known.checked = false;
      const share = shareOf(text.density);
      if (document.activeElement !== this.density) this.density.value = share === null ? "" : +(100 * share).toFixed(4);
    }
    if (!this.mines.value) this.mines.value = Math.round(shown.length / 5);
    if (!this.density.value && text.mines !== null) this.density.value = 20;
    this._show();
  }

  _show() {
    this.knownRow.hidden = !this.known.checked;
    this.densityRow.hidden = this.known.checked;
  }
}

/** The share that a density's text gives: 0.2, 1/5 or 20%; null for the uniform one. */
function shareOf(text) {
  const [top, bottom] = text.replace("%", "").split("/").map(Number);
  const share = bottom ? top / bottom : top;
  if (!Number.isFinite(share)) return null;
  return text.endsWith("%") ? share / 100 : share;
}
