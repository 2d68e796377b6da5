// The coach's card: a title, a text that is read aloud when it changes, steps, and what to do.

import { h, sign, textWithCells } from "../dom.js";

const BACK = "M14.5 5.5 8 12l6.5 6.5";
const FORTH = "M9.5 5.5 16 12l-6.5 6.5";
const SHUT = "M6 6l12 12M18 6 6 18";

export class Voice {
  /** `onStep(-1 | 1)` and `onClose()` are called; `point(cell | null)` follows names in the text. */
  constructor({ onStep, onClose, point }) {
    this.point = point;
    this.title = h("h2", {}, "Coach");
    this.text = h("p", { class: "voice-text", "aria-live": "polite", "aria-atomic": "true" });
    this.chips = h("div", { class: "voice-chips" });
    this.count = h("span", { class: "voice-count" });
    const button = (path, label, act) =>
      h("button", { type: "button", class: "round", "aria-label": label, title: label, onclick: act }, sign(path));
    this.back = button(BACK, "Step before", () => onStep(-1));
    this.forth = button(FORTH, "Next step", () => onStep(1));
    this.close = button(SHUT, "Close", onClose);
    this.steps = h(
      "div",
      { class: "voice-steps", role: "group", "aria-label": "Steps of the proof", tabindex: "-1" },
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
   * Say something. `tone` is "plain", "proof", "good" or "bad"; `steps` is {at, of} or null;
   * `actions` are [text, function, primary] buttons; `numbers` names cells in the text.
   */
  say({ title, text, tone = "plain", chips = [], steps = null, actions = [], closing = false, numbers = null }) {
    this.root.dataset.tone = tone;
    this.title.textContent = title;
    this.text.replaceChildren(
      ...(numbers ? textWithCells(text, numbers, this.point) : [text]),
    );
    this.chips.replaceChildren(...chips.map((chip) => h("span", { class: "chip" }, chip)));
    this.chips.hidden = !chips.length;
    this.steps.hidden = !steps;
    this.close.hidden = !closing;
    if (steps) {
      this.count.textContent = steps.label ?? `${steps.at} of ${steps.of}`;
      this.back.disabled = !steps.round && steps.at <= 1;
      this.forth.disabled = !steps.round && steps.at >= steps.of;
    }
    this.actions.replaceChildren(
      ...actions.map(([label, act, primary]) =>
        h("button", { type: "button", class: `button${primary ? " primary" : ""}`, onclick: act }, label),
      ),
    );
    this.actions.hidden = !actions.length;
  }
}
