// Fields that the forms for a board share.

import { h } from "../dom.js";
import { SHAPES, TEXT } from "./boards.js";

export const FIRST = [
  ["safe", "is safe"],
  ["opening", "opens an area"],
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
