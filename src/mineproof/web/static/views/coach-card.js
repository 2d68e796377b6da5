// The coach's card: a title, a text that is read aloud when it changes, steps, and what to do; and what
// it says of a running game. See says the best move, endings.js the end.

import { h, phrase, sign, textWithCells, withCellNames } from "../dom.js";

const BACK = "M14.5 5.5 8 12l6.5 6.5";
const FORTH = "M9.5 5.5 16 12l-6.5 6.5";
const WHOLE = "M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h6v6h-6Z";
const SHUT = "M6 6l12 12M18 6 6 18";

/** A number and its per cent sign stay on one line. */
const whole = (text) => text.replaceAll(" %", "\u00a0%");

export class CoachCard {
  /**
   * `onStep(-1 | 1)`, `onGo(n)` (a step by its number, 0 the whole proof) and `onClose()` are called;
   * `point(cells)` follows phrases in the text, `said()` all that is said.
   */
  constructor({ onStep, onGo = () => {}, onClose, point, said = () => {} }) {
    this.point = point;
    this.onGo = onGo;
    this.said = said;
    this.title = h("h2", {}, "Coach");
    this.text = h("p", { class: "voice-text", "aria-live": "polite", "aria-atomic": "true" });
    this.chips = h("div", { class: "voice-chips" });
    this.count = h("span", { class: "voice-count" });
    const button = (path, label, act) =>
      h("button", { type: "button", class: "round", "aria-label": label, title: label, onclick: act }, sign(path));
    this.list = h("ol", { class: "voice-list", "aria-label": "All steps", hidden: true });
    this.whole = button(WHOLE, "Whole proof on one picture", () => onGo(0));
    this.back = button(BACK, "Step before", () => onStep(-1));
    this.forth = button(FORTH, "Next step", () => onStep(1));
    this.close = button(SHUT, "Close", onClose);
    this.steps = h(
      "div",
      { class: "voice-steps", role: "group", "aria-label": "Steps of the proof", tabindex: "-1" },
      this.whole,
      this.back,
      this.count,
      this.forth,
    );
    this.actions = h("div", { class: "actions" });
    this.root = h(
      "section",
      { class: "card voice", "aria-label": "Coach" },
      h("div", { class: "card-head" }, this.title, this.steps, this.close),
      this.text,
      this.list,
      this.chips,
      this.actions,
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.close.hidden) onClose();
      else if (event.key === "ArrowLeft" && !this.steps.hidden) onStep(-1);
      else if (event.key === "ArrowRight" && !this.steps.hidden) onStep(1);
      else return;
      event.preventDefault();
    });
  }

  /**
   * Say something. `tone` is "plain", "proof", "good" or "bad". `parts` are the phrases of the text,
   * {text, cells} each; without them `numbers` names its cells. An `idle` card says nothing of the
   * game. `list` are all steps of a proof, {parts, depth} each; `steps` is {at, of} or null; `actions`
   * are [text, function, primary, name] buttons.
   */
  say({ title, text, parts = null, list = [], tone = "plain", chips = [], steps = null, actions = [], closing = false, numbers = null, idle = false }) {
    this.root.dataset.tone = tone;
    this.root.classList.toggle("asked", closing);
    this.root.classList.toggle("idle", idle);
    this.title.textContent = withCellNames(title, numbers);
    const plain = () => (numbers ? textWithCells(whole(text), numbers, this.point) : [whole(text)]);
    this.text.replaceChildren(...(parts ? this._phrases(parts, numbers) : plain()));
    this.list.replaceChildren(...list.map((one, index) => this._item(one, index + 1, numbers)));
    this.list.hidden = !list.length;
    this.chips.replaceChildren(...chips.map((chip) => h("span", { class: "chip" }, chip)));
    this.chips.hidden = !chips.length;
    this.steps.hidden = !steps;
    this.close.hidden = !closing;
    if (steps) {
      this.count.textContent = steps.at ? `${steps.at} of ${steps.of}` : `${steps.of} steps`;
      this.whole.hidden = !steps.whole;
      this.whole.setAttribute("aria-pressed", !steps.at);
      this.back.disabled = !steps.round && steps.at <= (steps.whole ? 0 : 1);
      this.forth.disabled = !steps.round && steps.at >= steps.of;
    }
    this.actions.replaceChildren(
      ...actions.map(([label, act, primary, name]) =>
        h("button", { type: "button", class: `button${primary ? " primary" : ""}`, "data-act": name, onclick: act }, label),
      ),
    );
    this.actions.hidden = !actions.length;
    this.said();
  }

  /** The pointer or the focus is on a cell of the board: the phrases that speak of it are lit. */
  pointed(cell) {
    for (const one of this.root.querySelectorAll(".phrase")) {
      one.classList.toggle("lit", cell !== null && one.dataset.cells.split(" ").includes(String(cell)));
    }
  }

  /** Phrases with their cells; where a part names none, `numbers` finds the cells in its text. */
  _phrases(parts, numbers) {
    return parts.flatMap(({ text, cells }) => {
      if (cells.length) return [phrase(withCellNames(whole(text), numbers), cells, this.point)];
      return numbers ? textWithCells(whole(text), numbers, this.point) : [whole(text)];
    });
  }

  /** A step in the list of all; its number goes to it. */
  _item({ parts, depth = 0 }, number, numbers) {
    const go = h(
      "button",
      { type: "button", class: "step-number", "aria-label": `Go to step ${number}`, onclick: () => this.onGo(number) },
      String(number),
    );
    return h("li", { class: `depth-${Math.min(depth, 3)}` }, go, h("span", {}, ...this._phrases(parts, numbers)));
  }
}

// -- what it says of a running game --

/** Something went wrong, or something must be known first. */
export const notice = (text, tone = "plain") => ({ title: "Coach", text, tone });

/** For a first visit. */
export const welcome = () => ({
  title: "Minesweeper, proved",
  text: `${matchMedia("(pointer: coarse)").matches ? "Tap" : "Click"} any cell to begin. When you are stuck, the coach knows every chance, the best move, and why.`,
  tone: "plain",
});

const FIRST = { opening: "the first one opens an area", safe: "the first one is safe", any: "already the first one may be a mine" };

/** For a visitor whose game waits. */
export const greeting = (board, time, go) => ({
  title: "Welcome back",
  text: `Your game on ${board} stands at ${time}. Go on with it, or begin a new one: open any cell.`,
  tone: "plain",
  actions: [["Continue", go, true]],
});

/** What can be asked while a game goes on. */
export const invitation = (asking, { state, spec }) =>
  asking
    ? notice("Choose a cell: is it safe, a mine, or can nobody know?")
    : state === "ready"
      ? { ...notice(`Open any cell: ${FIRST[spec.first_click]}.`), idle: true }
      : { ...notice("Stuck? A hint shows where to look first. Or turn on chances, or ask why about any cell."), idle: true };

/** A game without guesses whose address names its first cell. */
export const startNotice = (cell, { description, numbers }) => ({
  ...notice(`This board was made for a first click at ${description.names[cell]}. Begin there to play the same game.`),
  numbers,
});
