// What to watch: one agent or two, the board, the first click and the seed.

import { h, sentence } from "../dom.js";
import { BoardChoice } from "./board-choice.js";
import { FIRST, choice, seedField } from "./board-fields.js";
import { freshSeed } from "./match.js";

const OTHER = "\u0000other";

class AgentChoice {
  constructor(label, first) {
    this.first = first; // the option before all agents: [value, text], or null
    this.select = h("select", { "aria-label": label });
    this.name = h("input", {
      type: "text",
      "aria-label": `${label}, by its name`,
      placeholder: "sat[safe-only]",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 200,
      hidden: true,
    });
    this.hint = h("p", { class: "hint agent-hint" });
    this.select.addEventListener("change", () => this._show());
    this.root = h("div", { class: "agent-choice" }, h("label", { class: "labelled" }, label, this.select), this.name, this.hint);
    this.offer([]);
  }

  offer(agents) {
    const { value } = this;
    this.agents = agents;
    const options = agents.map(({ name }) => [name, name]);
    const all = [...(this.first ? [this.first] : []), ...options, [OTHER, "By its name…"]];
    this.select.replaceChildren(...all.map(([key, text]) => h("option", { value: key }, text)));
    this.value = value;
  }

  get value() {
    return this.select.value === OTHER ? this.name.value.trim() : this.select.value;
  }

  set value(name) {
    const known = [...this.select.options].some((option) => option.value === name);
    this.select.value = known ? name : OTHER;
    if (!known) this.name.value = name;
    this._show();
  }

  _show() {
    this.name.hidden = this.select.value !== OTHER;
    const found = this.agents.find(({ name }) => name === this.select.value);
    this.hint.textContent = found ? sentence(found.text) : "";
  }
}

export class Setup {
  /** `onStart({agents, board, first_click, seed})` is called; the seed is fresh if none is given. */
  constructor({ onStart, onBoard }) {
    this.one = new AgentChoice("Agent", null);
    this.two = new AgentChoice("Against", ["", "nobody"]);
    this.choice = new BoardChoice(() => onBoard(this.choice.value));
    this.first = choice(FIRST, { "aria-label": "The first click" });
    this.seed = seedField();
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.start = h("button", { type: "submit", class: "button primary wide" }, "Watch");
    this.form = h(
      "form",
      { "aria-label": "What to watch" },
      h("div", { class: "pair" }, this.one.root, this.two.root),
      this.choice.root,
      h(
        "div",
        { class: "pair" },
        h("label", { class: "labelled" }, "First click", this.first),
        h("label", { class: "labelled" }, "Seed", this.seed),
      ),
      this.problem,
      this.start,
    );
    this.root = h("details", { class: "card setup", open: true }, h("summary", {}, "Agents and board"), this.form);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      onStart(this.wish());
    });
  }

  offer(agents) {
    this.one.offer(agents);
    this.two.offer(agents);
  }

  /** Take what an address asks for. */
  set({ agents, board, first_click: first, seed }) {
    [this.one.value, this.two.value] = [agents[0], agents[1] ?? ""];
    this.choice.value = board;
    this.first.value = first;
    this.seed.value = seed ?? "";
  }

  wish() {
    const seed = this.seed.value.trim();
    return {
      agents: [this.one.value, this.two.value].filter(Boolean),
      board: this.choice.value,
      first_click: this.first.value,
      seed: seed === "" ? freshSeed() : Number(seed),
    };
  }

  /** While the agents play, nothing else can be asked for. */
  busy(on) {
    this.start.disabled = on;
    this.start.textContent = on ? "They are playing…" : "Watch";
  }

  complain(text) {
    this.problem.textContent = text ?? "";
    this.problem.hidden = !text;
    if (!text) return;
    this.root.open = true;
    this.problem.scrollIntoView({ block: "nearest" });
  }
}
