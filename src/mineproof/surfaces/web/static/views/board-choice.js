// A choice of board for a form: shape, level or own size, or any board by its text.

import { h } from "../dom.js";
import { LEVELS, PRESETS, SHAPES, readBoard, textOf } from "./new-game.js";

const TEXT = "text";
const CUSTOM = 3;

export class BoardChoice {
  /** `onChange()` is called after every choice. */
  constructor(onChange = () => {}) {
    const select = (label, options) =>
      h("select", { "aria-label": label }, ...options.map(([value, text]) => h("option", { value }, text)));
    this.shape = select("Shape of the board", [
      ...Object.entries(SHAPES).map(([key, [name]]) => [key, name]),
      [TEXT, "Any board, by its text"],
    ]);
    this.level = select("Level", LEVELS.map((name, index) => [index, name]));
    const number = (label, least, most) =>
      h("input", { type: "number", min: least, max: most, inputmode: "numeric", "aria-label": label, required: true });
    this.rows = number("Rows", 1, 100);
    this.columns = number("Columns", 1, 100);
    this.mines = number("Mines", 0, 9999);
    this.by = h("span", { "aria-hidden": "true" }, "×");
    this.text = h("input", {
      type: "text",
      "aria-label": "Board, as text",
      placeholder: "cube:4x4x4/8",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 4000,
    });
    this.leveled = h("label", { class: "labelled" }, "Level", this.level);
    this.sized = h(
      "div",
      { class: "field-row size" },
      h("span", {}, "Size / mines"),
      h("span", { class: "inputs" }, this.rows, this.by, this.columns, h("span", { "aria-hidden": "true" }, "/"), this.mines),
    );
    this.written = h("label", { class: "labelled" }, "Text of the board", this.text);
    this.root = h(
      "div",
      { class: "board-choice" },
      h("div", { class: "pair" }, h("label", { class: "labelled" }, "Board", this.shape), this.leveled, this.written),
      this.sized,
    );
    this.shape.addEventListener("change", () => {
      this._sized();
      this._show();
      onChange();
    });
    this.level.addEventListener("change", () => {
      this._sized();
      this._show();
      onChange();
    });
    for (const input of [this.rows, this.columns, this.mines]) {
      input.addEventListener("change", () => {
        this.level.value = CUSTOM;
        this._show();
        onChange();
      });
    }
    this.text.addEventListener("change", onChange);
    this.value = "beginner";
  }

  /** The board's text: "expert", "hex:9x9/12". */
  get value() {
    const shape = this.shape.value;
    if (shape === TEXT) return this.text.value.trim();
    const level = Number(this.level.value);
    if (shape === "square" && level < CUSTOM) return Object.keys(PRESETS)[level];
    if (level < CUSTOM) return textOf(shape, SHAPES[shape][1 + level]);
    return textOf(shape, [this.rows, this.columns, this.mines].map((input) => Number(input.value)));
  }

  set value(text) {
    const read = readBoard(text);
    if (read) {
      this.shape.value = read.shape;
      this.level.value = read.level;
      this._sizes(read.size);
    } else {
      this.shape.value = TEXT;
      this.text.value = text;
    }
    this._show();
  }

  _sized() {
    const shape = this.shape.value;
    const level = Number(this.level.value);
    if (shape in SHAPES) this._sizes(SHAPES[shape][1 + Math.min(level, 2)]);
  }

  _sizes([rows, columns, mines]) {
    this.rows.value = rows;
    this.columns.value = columns || 1;
    this.mines.value = mines;
  }

  _show() {
    const text = this.shape.value === TEXT;
    const side = this.shape.value === "hexagon";
    this.leveled.hidden = text;
    this.written.hidden = !text;
    this.sized.hidden = text || Number(this.level.value) !== CUSTOM;
    this.columns.hidden = this.by.hidden = side;
    this.rows.setAttribute("aria-label", side ? "Side" : "Rows");
  }
}
