// The form for a new game: level, shape, size, rules, seed; and the text of a board.

import { h } from "../dom.js";

/** Shapes with [rows, columns, mines] of three levels; a hexagon has a side and no columns. */
export const SHAPES = {
  square: ["Square", [9, 9, 10], [16, 16, 40], [16, 30, 99]],
  torus: ["Torus", [9, 9, 10], [16, 16, 40], [16, 30, 99]],
  hex: ["Hex rhombus", [9, 9, 12], [14, 14, 36], [18, 24, 92]],
  hexagon: ["Hex hexagon", [5, 0, 9], [9, 0, 40], [12, 0, 85]],
  triangle: ["Triangles", [6, 12, 7], [10, 22, 26], [14, 32, 62]],
  square4: ["Four neighbours", [9, 9, 14], [16, 16, 52], [16, 30, 110]],
};
export const LEVELS = ["Beginner", "Intermediate", "Expert", "Custom"];
export const PRESETS = { beginner: 0, intermediate: 1, expert: 2 };
export const FIRST = [
  ["safe", "is safe"],
  ["opening", "opens an area"],
  ["any", "may be a mine"],
];
const TEXT = "text";
const CLUES = [
  ["exact", "true"],
  ["withheld:0.2", "withheld, one in five"],
  ["optimistic", "optimistic"],
  ["cautious", "cautious"],
];

/** The text of a shape and its size. */
export function textOf(shape, [rows, columns, mines]) {
  const size = shape === "hexagon" ? rows : `${rows}x${columns}`;
  return `${shape}:${size}/${mines}`;
}

/** A board's text taken apart: {shape, level, size}; level 3 is custom. */
export function readBoard(text) {
  if (text in PRESETS) {
    return { shape: "square", level: PRESETS[text], size: SHAPES.square[1 + PRESETS[text]] };
  }
  const match = /^(?:([a-z0-9]+):)?(\d+)(?:x(\d+))?\/(\d+)$/.exec(text);
  if (!match || !((match[1] ?? "square") in SHAPES)) return null;
  const shape = match[1] ?? "square";
  const size = [Number(match[2]), Number(match[3] ?? 0), Number(match[4])];
  const level = SHAPES[shape].slice(1).findIndex((one) => String(one) === String(size));
  return { shape, level: level < 0 ? 3 : level, size };
}

/** A short name for people: "Expert", "Hex rhombus, 9 × 9, 12 mines". */
export function boardName(text) {
  const read = readBoard(text);
  if (!read) return text;
  const [name] = SHAPES[read.shape];
  const plain = read.shape === "square" && read.level < 3;
  if (plain) return LEVELS[read.level];
  const [rows, columns, mines] = read.size;
  const size = columns ? `${rows} × ${columns}` : `side ${rows}`;
  return `${name}, ${size}, ${mines} mines`;
}

function select(options) {
  return h("select", {}, ...options.map(([value, text]) => h("option", { value }, text)));
}

export class NewGame {
  /** `onStart({board, first_click, clues, seed})` is called; the seed is null for a fresh one. */
  constructor({ onStart }) {
    this.level = LEVELS.map((name, index) =>
      h("input", { type: "radio", name: "level", value: index, onchange: () => this._levelled(index) }),
    );
    const shapes = Object.entries(SHAPES).map(([key, [name]]) => [key, name]);
    this.shape = select([...shapes, [TEXT, "Any board, by its text"]]);
    this.shape.addEventListener("change", () => this._shaped());
    const number = (label, least, most) =>
      h("input", { type: "number", min: least, max: most, inputmode: "numeric", "aria-label": label, required: true });
    this.rows = number("Rows", 1, 100);
    this.columns = number("Columns", 1, 100);
    this.mines = number("Mines", 0, 9999);
    this.by = h("span", { "aria-hidden": "true" }, "×");
    this.size = h(
      "div",
      { class: "field-row size", hidden: true },
      h("span", {}, "Size and mines"),
      h("span", { class: "inputs" }, this.rows, this.by, this.columns, h("span", { "aria-hidden": "true" }, "/"), this.mines),
    );
    this.text = h("input", {
      type: "text",
      placeholder: "cube:4x4x4/8",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 4000,
    });
    this.written = h("label", { class: "labelled", hidden: true }, "Text of the board", this.text);
    this.first = select(FIRST);
    this.clues = select(CLUES);
    this.seed = h("input", {
      type: "text",
      inputmode: "numeric",
      pattern: "[0-9]{1,15}",
      placeholder: "random",
      autocomplete: "off",
      title: "A whole number; the same seed deals the same mines",
    });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.root = h(
      "form",
      { class: "card new-game", "aria-label": "New game" },
      h("h2", {}, "New game"),
      h(
        "fieldset",
        { class: "segments" },
        h("legend", { class: "unseen" }, "Level"),
        ...LEVELS.map((name, index) => h("label", {}, this.level[index], name)),
      ),
      this.size,
      this.written,
      h(
        "div",
        { class: "pair" },
        h("label", { class: "labelled" }, "Board", this.shape),
        h("label", { class: "labelled" }, "First click", this.first),
        h("label", { class: "labelled" }, "Clues", this.clues),
        h("label", { class: "labelled" }, "Seed", this.seed),
      ),
      this.problem,
      h("button", { type: "submit", class: "button primary wide" }, "Start"),
    );
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      onStart(this.wish());
    });
  }

  /** Show what is being played. */
  set({ board, first_click, clues }) {
    const read = readBoard(board) ?? { shape: TEXT, level: 3, size: null };
    this.shape.value = read.shape;
    this.level[read.level].checked = true;
    this.text.value = board;
    if (read.size) this._sized(read.size);
    this._reveal();
    this.first.value = first_click;
    if (![...this.clues.options].some((option) => option.value === clues)) {
      this.clues.append(h("option", { value: clues }, clues));
    }
    this.clues.value = clues;
  }

  /** What the form asks for. */
  wish() {
    const level = this.level.findIndex((input) => input.checked);
    const shape = this.shape.value;
    const names = Object.keys(PRESETS);
    const size = [this.rows, this.columns, this.mines].map((input) => Number(input.value));
    let board = this.text.value.trim();
    if (shape !== TEXT) board = textOf(shape, level < 3 ? SHAPES[shape][1 + level] : size);
    if (shape === "square" && level < 3) board = names[level];
    const seed = this.seed.value.trim();
    return {
      board,
      first_click: this.first.value,
      clues: this.clues.value,
      seed: seed === "" ? null : Number(seed),
    };
  }

  complain(text) {
    this.problem.textContent = text ?? "";
    this.problem.hidden = !text;
  }

  _levelled(level) {
    if (level < 3 && this.shape.value === TEXT) this.shape.value = "square";
    if (level < 3) this._sized(SHAPES[this.shape.value][1 + level]);
    this._reveal();
  }

  _shaped() {
    const level = this.level.findIndex((input) => input.checked);
    if (this.shape.value === TEXT) this.level[3].checked = true;
    else this._sized(SHAPES[this.shape.value][1 + Math.min(level, 2)]);
    this._reveal();
  }

  /** Show what the choice of level and shape needs. */
  _reveal() {
    const written = this.shape.value === TEXT;
    this.written.hidden = !written;
    this.size.hidden = written || !this.level[3].checked;
    for (const input of [this.rows, this.columns, this.mines]) input.disabled = this.size.hidden;
  }

  _sized([rows, columns, mines]) {
    const side = this.shape.value === "hexagon";
    this.rows.value = rows;
    this.rows.setAttribute("aria-label", side ? "Side" : "Rows");
    this.columns.value = side ? 1 : columns;
    this.columns.hidden = this.by.hidden = side;
    this.mines.value = mines;
  }
}
