// The form for a new game: level, shape, size, rules and seed.

import { h } from "../dom.js";
import { calm } from "../settings.js";
import { FIRST, SizeFields, choice, seedField, shapeField, textField } from "./boards.js";
import { CUSTOM, EXPERT, LEVELS, SHAPES, TEXT, chosenText, readBoard } from "./boards.js";
import { withoutGuess } from "./match.js";

const loadBoardForms = () => import("./board-forms.js"); // loaded with the first form that is wrong

// Some clue channels, by their names in CHANNELS of view/channels.py; no answer of the server lists them.
const CLUES = [
  ["exact", "true"],
  ["withheld:0.2", "withheld, one in five"],
  ["optimistic", "may be too low"],
  ["cautious", "may be too high"],
];

const GUESSES = [
  ["dealt", "as dealt"],
  ["fair", "fair: a needed one is safe"],
  ["cruel", "cruel: a needless one fails"],
];

export class NewGame {
  /** `onStart({board, first_click, clues, no_guess, guess_rule, seed})` is called; the seed is null for a fresh one. */
  constructor({ onStart }) {
    this.level = LEVELS.map((name, index) =>
      h("input", { type: "radio", name: "level", value: index, onchange: () => this._onLevel(index) }),
    );
    this.shape = shapeField();
    this.shape.addEventListener("change", () => this._onShape());
    this.size = new SizeFields("Size / mines");
    this.text = textField();
    this.written = h("label", { class: "labelled", hidden: true }, "Text of the board", this.text);
    this.first = choice(FIRST);
    this.clues = choice(CLUES);
    this.guesses = choice(GUESSES, {
      title: "Fair: where nothing is certainly safe, a best guess opens no mine. Cruel: any other guess opens one. Chances shown are the true ones.",
    });
    this.seed = seedField();
    this.sure = h("input", { type: "checkbox", onchange: () => this._onNoGuess() });
    this.problem = h("p", { class: "problem", role: "alert", id: "board-problem", hidden: true });
    this.misseeded = h("p", { class: "problem", role: "alert", id: "seed-problem", hidden: true });
    this.more = h(
      "details",
      { class: "more" },
      h("summary", {}, "Shape, rules and seed"),
      h(
        "div",
        { class: "pair" },
        h("label", { class: "labelled" }, "Board", this.shape),
        h("label", { class: "labelled" }, "First click", this.first),
        h("label", { class: "labelled" }, "Clues", this.clues),
        h("label", { class: "labelled" }, "Guesses", this.guesses),
        h("label", { class: "labelled" }, "Seed", this.seed),
      ),
      this.misseeded,
      h("button", { type: "submit", class: "button primary wide" }, "Start"),
    );
    this.root = h(
      "form",
      { class: "card new-game", "aria-label": "New game", novalidate: true },
      h("h2", {}, "New game"),
      h(
        "fieldset",
        { class: "segments" },
        h("legend", { class: "unseen" }, "Level"),
        ...LEVELS.map((name, index) => h("label", {}, this.level[index], name)),
      ),
      h(
        "label",
        { class: "check", title: "The board is made at your first click, so that it can be solved from there" },
        this.sure,
        h("span", {}, "No guess: logic alone solves it"),
      ),
      this.size.root,
      this.written,
      this.problem,
      this.more,
    );
    // A size that is being changed needs the button that starts it.
    for (const input of this.size.inputs) input.addEventListener("input", () => (this.more.open = true));
    this.onStart = onStart;
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.root.checkValidity()) onStart(this.wish());
      else this._refuse();
    });
    this._reveal();
  }

  /** Show what is being played. */
  set({ board, first_click, clues, no_guess, guess_rule }) {
    this.sure.checked = no_guess;
    this.guesses.value = guess_rule;
    const read = readBoard(board) ?? { shape: TEXT, level: CUSTOM, size: null };
    this.shape.value = read.shape;
    this.level[read.level].checked = true;
    this.text.value = board;
    if (read.size) this.size.value = read.size;
    this._reveal();
    this.first.value = first_click;
    if (![...this.clues.options].some((option) => option.value === clues)) {
      this.clues.append(h("option", { value: clues }, clues));
    }
    this.clues.value = clues;
  }

  /** Bring the form into sight, with the focus on its level. */
  choose() {
    this.level.find((input) => input.checked)?.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
  }

  /** What the form asks for. */
  wish() {
    const level = this.level.findIndex((input) => input.checked);
    const seed = this.seed.value.trim();
    return withoutGuess({
      no_guess: this.sure.checked,
      board: chosenText(this.shape.value, level, this.size.value, this.text.value),
      first_click: this.first.value,
      clues: this.clues.value,
      guess_rule: this.guesses.value,
      seed: seed === "" ? null : Number(seed),
    });
  }

  /** Say what is wrong with the board, or with the seed; null is nothing. `fields` are the faulty ones. */
  complain(board, seed = null, fields = []) {
    const lines = [[this.misseeded, seed], [this.problem, board]];
    for (const [line, text] of lines) {
      line.textContent = text ?? "";
      line.hidden = !text;
    }
    for (const [line, text] of lines) if (text) line.scrollIntoView({ block: "nearest" });
    for (const field of [...this.size.inputs, this.text, this.seed]) {
      const faulty = fields.includes(field);
      field.setAttribute("aria-invalid", faulty);
      field.setAttribute("aria-describedby", faulty ? (field === this.seed ? this.misseeded : this.problem).id : "");
    }
  }

  /** The form cannot be played: every fault is told, each beside its field. */
  async _refuse() {
    const { faultsOf } = await loadBoardForms();
    const { board, seed, fields } = await faultsOf({ ...this, wish: this.wish() });
    this.complain(board, seed, fields);
  }

  /** A level is chosen: it starts at once; a size of one's own is to be filled in first. */
  _onLevel(level) {
    if (level < CUSTOM && this.shape.value === TEXT) this.shape.value = "square";
    if (level < CUSTOM) this.size.value = SHAPES[this.shape.value][1 + level];
    this._reveal();
    if (level < CUSTOM) this.onStart(this.wish());
    else this.more.open = true;
  }

  /** No guess, or as dealt: a level starts at once, as when it is chosen. */
  _onNoGuess() {
    this._reveal();
    if (!this.level[CUSTOM].checked) this.onStart(this.wish());
  }

  _onShape() {
    const level = this.level.findIndex((input) => input.checked);
    if (this.shape.value === TEXT) this.level[CUSTOM].checked = true;
    else this.size.value = SHAPES[this.shape.value][1 + (level < CUSTOM ? level : EXPERT)];
    this._reveal();
  }

  /** Show what the choice of level and shape needs. */
  _reveal() {
    const written = this.shape.value === TEXT;
    this.written.hidden = !written;
    this.first.disabled = this.clues.disabled = this.guesses.disabled = this.sure.checked;
    this.size.fit(this.shape.value);
    this.size.root.hidden = written || !this.level[CUSTOM].checked;
    for (const input of this.size.inputs) input.disabled = this.size.root.hidden;
  }
}
