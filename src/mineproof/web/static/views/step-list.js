// A list of steps, for Review and Watch: one tab stop, arrows go through it, one step is chosen.

import { h } from "../dom.js";

let lists = 0;

export class StepList {
  /** `onChoose(n)` is called, n from 1; it may lie outside. */
  constructor(label, onChoose) {
    this.onChoose = onChoose;
    this.options = [];
    this.chosen = 0;
    this._name = `steps-${(lists += 1)}`;
    this.list = h("div", { class: "moves", role: "listbox", tabindex: "0", "aria-label": label });
    this.list.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
      const end = { Home: 1, End: this.options.length }[event.key];
      if (by === undefined && end === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.onChoose(end ?? this.chosen + by);
    });
  }

  /**
   * Show steps: {kind, mark, what, word, aside, label} each, all texts. The same steps are not drawn
   * again: a click that is under way would miss them.
   */
  show(steps) {
    const written = JSON.stringify(steps);
    if (written === this._written) {
      this.choose(0);
      return;
    }
    this._written = written;
    this.chosen = 0;
    this.options = steps.map(({ kind, mark, what, word, aside, label }, index) =>
      h(
        "div",
        {
          class: `move move-${kind}`,
          role: "option",
          id: `${this._name}-${index + 1}`,
          "aria-selected": "false",
          "aria-label": label,
          onclick: () => this.onChoose(index + 1),
        },
        h("span", { class: "move-number" }, String(index + 1)),
        h("span", { class: "move-mark" }, mark),
        h("span", { class: "move-what" }, what, h("small", {}, word)),
        h("span", { class: "move-aside" }, aside),
      ),
    );
    this.list.replaceChildren(...this.options);
    this.list.scrollTop = 0;
  }

  /** Mark the step that is looked at; 0 is none. */
  choose(n) {
    this.options[this.chosen - 1]?.setAttribute("aria-selected", "false");
    this.chosen = n;
    const option = this.options[n - 1];
    this.list.removeAttribute("aria-activedescendant");
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", option.id);
    // Only the list scrolls: the page stays where it is.
    const { list } = this;
    const top = option.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + option.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + option.offsetHeight - list.clientHeight;
    }
  }
}
