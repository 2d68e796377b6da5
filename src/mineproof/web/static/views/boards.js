// Boards by shape, level and size, their texts, and the fields that forms for a board share.

import { h } from "../dom.js";

/** Shapes with [rows, columns, mines] of four levels; a hexagon has a side and no columns. */
export const SHAPES = {
  square: ["Square", [9, 9, 10], [16, 16, 40], [16, 30, 99], [20, 30, 130]],
  torus: ["Torus", [9, 9, 10], [16, 16, 40], [16, 30, 99], [20, 30, 130]],
  hex: ["Hex rhombus", [9, 9, 12], [14, 14, 36], [18, 24, 92], [20, 27, 118]],
  hexagon: ["Hex hexagon", [5, 0, 9], [9, 0, 40], [12, 0, 85], [14, 0, 120]],
  triangle: ["Triangles", [6, 12, 7], [10, 22, 26], [14, 32, 62], [16, 36, 82]],
  square4: ["Four neighbours", [9, 9, 14], [16, 16, 52], [16, 30, 110], [20, 30, 140]],
};
export const LEVELS = ["Beginner", "Intermediate", "Expert", "Evil", "Custom"];
export const CUSTOM = 4;
export const EXPERT = 2;
const PRESETS = { beginner: 0, intermediate: 1, expert: 2 };
/** The shape of a board that is given by its text. */
export const TEXT = "text";

/** The text of a shape and its size. */
function textOf(shape, [rows, columns, mines]) {
  const size = shape === "hexagon" ? rows : `${rows}x${columns}`;
  return `${shape}:${size}/${mines}`;
}

/** The text of a choice: a level's board, a shape with its own size, or a text as it stands. */
export function chosenText(shape, level, size, text) {
  if (shape === TEXT) return text.trim();
  const preset = Object.keys(PRESETS)[level];
  if (shape === "square" && preset) return preset;
  return textOf(shape, level < CUSTOM ? SHAPES[shape][1 + level] : size);
}

/** A board's text taken apart: {shape, level, size}; level CUSTOM where the size is no level's. */
export function readBoard(text) {
  if (text in PRESETS) {
    return { shape: "square", level: PRESETS[text], size: SHAPES.square[1 + PRESETS[text]] };
  }
  const match = /^(?:([a-z0-9]+):)?(\d+)(?:x(\d+))?\/(\d+)$/.exec(text);
  if (!match || !((match[1] ?? "square") in SHAPES)) return null;
  const shape = match[1] ?? "square";
  const size = [Number(match[2]), Number(match[3] ?? 0), Number(match[4])];
  const level = SHAPES[shape].slice(1).findIndex((one) => String(one) === String(size));
  return { shape, level: level < 0 ? CUSTOM : level, size };
}

/** A short name for people: "Expert", "Hex rhombus, 9 × 9, 12 mines". */
export function boardName(text) {
  const read = readBoard(text);
  if (!read) return text;
  const [name] = SHAPES[read.shape];
  const plain = read.shape === "square" && read.level < CUSTOM;
  if (plain) return LEVELS[read.level];
  const [rows, columns, mines] = read.size;
  const size = columns ? `${rows} × ${columns}` : `side ${rows}`;
  return `${name}, ${size}, ${mines} mines`;
}

// -- fields of forms --

export const FIRST = [
  ["opening", "opens an area"],
  ["safe", "is safe"],
  ["any", "may be a mine"],
];

/** A choice among [value, text] pairs. */
export function choice(options, attributes = {}) {
  return h("select", attributes, ...options.map(([value, text]) => h("option", { value }, text)));
}

/** Every shape, and any board by its text. */
export function shapeField(attributes = {}) {
  const shapes = Object.entries(SHAPES).map(([key, [name]]) => [key, name]);
  return choice([...shapes, [TEXT, "Any board, by its text"]], attributes);
}

export function textField(attributes = {}) {
  return h("input", {
    type: "text",
    placeholder: "cube:4x4x4/8",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 4000,
    ...attributes,
  });
}

export function seedField() {
  return h("input", {
    type: "text",
    inputmode: "numeric",
    pattern: "[0-9]{1,15}",
    placeholder: "random",
    autocomplete: "off",
    title: "A whole number; the same seed deals the same mines",
  });
}

function number(label, least, most) {
  return h("input", { type: "number", min: least, max: most, inputmode: "numeric", "aria-label": label, required: true });
}

/** Rows, columns and mines; a hexagon has a side and no columns. */
export class SizeFields {
  constructor(title) {
    this.rows = number("Rows", 1, 100);
    this.columns = number("Columns", 1, 100);
    this.mines = number("Mines", 0, 9999);
    this.inputs = [this.rows, this.columns, this.mines];
    this.by = h("span", { "aria-hidden": "true" }, "×");
    const slash = h("span", { "aria-hidden": "true" }, "/");
    this.root = h(
      "div",
      { class: "field-row size" },
      h("span", {}, title),
      h("span", { class: "inputs" }, this.rows, this.by, this.columns, slash, this.mines),
    );
  }

  get value() {
    return this.inputs.map((input) => Number(input.value));
  }

  set value([rows, columns, mines]) {
    this.rows.value = rows;
    this.columns.value = columns || 1;
    this.mines.value = mines;
  }

  /** Show the fields that a shape has. */
  fit(shape) {
    const side = shape === "hexagon";
    this.rows.setAttribute("aria-label", side ? "Side" : "Rows");
    this.columns.hidden = this.by.hidden = side;
  }
}
