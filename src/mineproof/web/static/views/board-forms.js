// What forms for a board need later than the first game: a choice of any board (Watch, Analyse), what is
// wrong with a filled-in form, and what the server refuses, in words.

import * as api from "../api.js";
import { h, sentence } from "../dom.js";
import { CUSTOM, EXPERT, LEVELS, SHAPES, TEXT, SizeFields, choice, chosenText, readBoard, shapeField, textField } from "./boards.js";

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
      this._takeSize();
      this._show();
      onChange();
    });
    this.level.addEventListener("change", () => {
      this._takeSize();
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

  _takeSize() {
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

// -- what is wrong with a form --

/** What a number field accepts, if what it holds is not that. */
function badNumber(input) {
  if (input.disabled || input.hidden || input.validity.valid) return null;
  return `${input.ariaLabel}: a whole number from ${input.min} to ${input.max}.`;
}

/** Why the server refuses a board; null if it does not. */
async function badBoard(text) {
  try {
    await api.emptyPosition(text);
    return null;
  } catch (error) {
    return inWords(error.message);
  }
}

/** {board, seed, fields}: a line on the board and one on the seed, or null, and the fields they are about. */
export async function faultsOf({ shape, size, text, seed, wish }) {
  const numbers = size.inputs.filter((input) => badNumber(input));
  const found = numbers.map(badNumber).join(" ");
  const board = found || (await badBoard(wish.board));
  const wrong = seed.validity.valid ? null : "Seed: a whole number of up to 15 digits, or nothing.";
  const fields = [...numbers];
  if (board && !found) fields.push(shape.value === TEXT ? text : size.mines);
  if (wrong) fields.push(seed);
  return { board, seed: wrong, fields };
}

// -- what the server refuses --

const BOARD = "Write a name such as expert, or a shape, its size and its mines, such as hex:9x9/12.";

const KNOWN = [
  [/^(\d+) mines on (\d+) cells/, ([mines, cells]) => `${mines} mines on ${cells} cells are too many: at most one on each cell.`],
  [
    /^(\d+) mines do not fit on (\d+) cells .*; accepted: at most (\d+)$/,
    ([mines, cells, most]) => `${mines} mines on ${cells} cells leave no room for the first click: at most ${most}.`,
  ],
  [/^unknown board ''/, () => BOARD],
  [/^unknown board '(.*)'; known/s, ([name]) => `There is no board “${name}”. ${BOARD}`],
  [/^unknown board '(.*)'; did you mean (.*)\?$/s, ([name, near]) => `There is no board “${name}”: did you mean ${near}?`],
  [/^unknown topology '(.*)'; did you mean (.*)\?$/s, ([name, near]) => `There is no shape “${name}”: did you mean ${near}?`],
  [/^unknown topology '(.*)'; known/s, ([name]) => `There is no shape “${name}”. ${BOARD}`],
  [/^(\w+) size (\S+) has a side of 0/, ([shape, size]) => `${shape} ${size} has a side of 0: each has at least 1.`],
  [/^(\w+) size '(.*)' cannot be read; accepted: such as (.*)$/s, ([shape, size, such]) => `“${size}” is no size of ${shape}: write such as ${such}.`],
  [/^board '(.*)' names no mines/s, ([name]) => `“${name}” names no mines: add them, such as ${name}/10.`],
  [/^the board has (\d+) cells; the coach accepts at most (\d+)$/, ([cells, most]) => `The board has ${cells} cells: at most ${most}.`],
  [/^mines '(.*)' cannot be read/s, ([mines]) => `“${mines}” is no number of mines: write such as 99, or 20% for a share of the cells.`],
  [/^first-click '(.*)' is unknown|^field first_click is '(.*?)';/s, ([one, two]) => `There is no first click “${one ?? two}”: it is any, safe or opening.`],
  // The words name the clues that new-game.js offers.
  [/^unknown clue channel '(.*)'; (?:known|did you mean)/s, ([name]) => `There are no clues “${name}”: they are exact, withheld:0.2, optimistic or cautious.`],
  [/^the probability of withheld '(.*)' is/s, ([share]) => `“${share}” is no share of clues withheld: write such as withheld:0.2, from 0 to 1.`],
  [
    /^line 1: header '(.*)' names no topology/s,
    ([header]) => `“${header}” begins no position: the first line names the board, such as square 9x9 mines=10, and each line after it a row.`,
  ],
];

/** Characters that the server writes as \\U0001f600 and the like, as they are. */
const unescapeText = (text) =>
  text.replace(/\\U([0-9a-f]{8})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/g, (all, ...codes) => {
    const code = Number.parseInt(codes.find(Boolean), 16);
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** A refusal in one line for those who filled in the form. */
export function inWords(message) {
  for (const [pattern, words] of KNOWN) {
    const found = pattern.exec(message);
    if (found) return unescapeText(words(found.slice(1)));
  }
  return sentence(unescapeText(message));
}
