// A choice of board for a form: shape, level or own size, or any board by its text.

import { h, stylesheet } from "../dom.js";
import { SizeFields, choice, shapeField, textField } from "./board-fields.js";
import { CUSTOM, EXPERT, LEVELS, SHAPES, TEXT, chosenText, readBoard } from "./boards.js";

await stylesheet("board-choice.css");

export class BoardChoice {
  /** `onChange()` is called after every choice. */
  constructor(onChange = () => {}) {
    this.shape = shapeField({ "aria-label": "Shape of the board" });
    this.level = choice(LEVELS.map((name, index) => [index, name]), { "aria-label": "Level" });
    this.size = new SizeFields("Size / mines");
    this.text = textField({ "aria-label": "Board, as text" });
    this.leveled = h("label", { class: "labelled" }, "Level", this.level);
    this.written = h("label", { class: "labelled" }, "Text of the board", this.text);
    this.root = h(
      "div",
      { class: "board-choice" },
      h("div", { class: "pair" }, h("label", { class: "labelled" }, "Board", this.shape), this.leveled, this.written),
      this.size.root,
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
    for (const input of this.size.inputs) {
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
    return chosenText(this.shape.value, Number(this.level.value), this.size.value, this.text.value);
  }

  set value(text) {
    const read = readBoard(text);
    if (read) {
      this.shape.value = read.shape;
      this.level.value = read.level;
      this.size.value = read.size;
    } else {
      this.shape.value = TEXT;
      this.text.value = text;
    }
    this._show();
  }

  _sized() {
    const shape = this.shape.value;
    const level = Number(this.level.value);
    if (shape in SHAPES) this.size.value = SHAPES[shape][1 + (level < CUSTOM ? level : EXPERT)];
  }

  _show() {
    const text = this.shape.value === TEXT;
    this.leveled.hidden = text;
    this.written.hidden = !text;
    this.size.root.hidden = text || Number(this.level.value) !== CUSTOM;
    this.size.fit(this.shape.value);
  }
}
