// Watch: agents play whole games; here they are stepped through, alone or two on the same deal.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { percent } from "../board/face.js";
import { h, sentence, sign, stylesheet, textWithCells } from "../dom.js";
import { calm } from "../settings.js";
import { BoardChoice } from "./board-forms.js";
import { FIRST, choice, seedField } from "./boards.js";
import { SIGNS, tool, wordButton } from "./field.js";
import { freshSeed } from "./match.js";
import { PositionText } from "./position-text.js";
import { StepList } from "./step-list.js";

await Promise.all([stylesheet("proof.css"), stylesheet("moves.css")]);

const SPEEDS = [1, 2, 4, 8, 16, 32]; // steps a second
const DEFAULT = { agents: ["champion"], board: "beginner", first_click: "safe", seed: null };

export const PARAMS = ["a", "b", "board", "first", "seed"];

export function mount(root, context) {
  return new Watch(root, context);
}

class Watch {
  constructor(root, context) {
    this.context = context;
    this.at = 0;
    this.playing = false;
    this.wish = null;
    this._build(root);
    this._agents = this._offer();
  }

  // -- the page --

  _build(root) {
    this.tools = {
      first: tool("first", "Begin", () => this._halt(0)),
      back: tool("back", "Back", () => this._halt(this.at - 1)),
      play: tool("play", "Play", () => this._toggle()),
      next: tool("next", "Next", () => this._halt(this.at + 1)),
      last: tool("last", "End", () => this._halt(this.length)),
    };
    this.scrub = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => this._halt(Number(this.scrub.value)) });
    this.speed = h("input", { type: "range", min: 0, max: SPEEDS.length - 1, value: 2, "aria-label": "Speed", oninput: () => this._quicken() });
    this.pace = h("span", { class: "pace" });
    this.seats = [0, 1].map(
      () =>
        new Seat({
          onChoose: (n) => this._halt(n),
          onKey: (key) => this._key(key),
          onFocus: (cell, words) => this._point(words),
          onAnalyse: (text) => this.context.navigate("analyse", { p: text }),
        }),
    );
    this.where = h("span", { class: "where" });
    this.deal = h("span", { class: "game-name" });
    this.duel = h("div", { class: "duel" }, ...this.seats.map((seat) => seat.root));
    const field = h(
      "div",
      { class: "field" },
      h(
        "div",
        { class: "bar" },
        h("div", { class: "toolbar", role: "group", "aria-label": "Playing" }, ...Object.values(this.tools)),
        this.scrub,
        h("label", { class: "speed" }, h("span", {}, "Speed"), this.speed, this.pace),
      ),
      this.duel,
      h("div", { class: "readout" }, this.where, this.deal),
    );
    this.setup = new Setup({
      onStart: (wish) => this._start(wish, !calm()),
      onBoard: (board) => !this.wish && this._preview(board),
    });
    this.side = h("div", { class: "side" }, this.setup.root, ...this.seats.map((seat) => seat.steps));
    root.append(h("div", { class: "workspace" }, field, this.side));
    // On the document: a focused button that becomes disabled passes the focus to the body.
    document.addEventListener("keydown", (event) => root.hidden || this._keys(event));
    new ResizeObserver(() => this._arrange()).observe(this.duel);
    this._seat(1);
    this._quicken();
    this._controls();
  }

  // -- coming and going --

  async _offer() {
    try {
      this.setup.offer(await api.agents());
    } catch (error) {
      this.setup.complain(error.message);
    }
  }

  async enter(params) {
    const asked = wishOf(params);
    if (asked?.seed != null && !this.wish) {
      this._seat(asked.agents.length); // at once: nothing is to move when the games arrive
      this.setup.root.open = false;
    }
    await this._agents;
    if (!asked && this.wish) return this._address();
    if (asked && this.wish && JSON.stringify(asked) === JSON.stringify(this.wish)) return undefined;
    this.setup.set(asked ?? DEFAULT);
    if (asked?.seed != null) return this._start(asked, false);
    return this._preview((asked ?? DEFAULT).board);
  }

  leave() {
    this._pause();
    for (const seat of this.seats) seat.leave();
  }

  _address() {
    const [a, b] = this.wish.agents;
    this.context.address("watch", { a, b, board: this.wish.board, first: this.wish.first_click, seed: this.wish.seed });
  }

  async _preview(board) {
    try {
      const told = await api.emptyPosition(board);
      if (this.wish) return;
      this._seat(1);
      this.seats[0].preview(told.board, told.view.shown, told.view.short);
      this.setup.complain(null);
    } catch (error) {
      this.setup.complain(error.message);
    }
  }

  async _start(wish, playing) {
    this._pause();
    this._asking?.abort();
    const asking = new AbortController();
    this._asking = asking;
    this.setup.complain(null);
    this.setup.busy(true);
    this.setup.root.open = false;
    this._seat(wish.agents.length);
    if (this.duel.getBoundingClientRect().top < 0) scrollTo(0, 0); // on a phone the form stands below the boards
    this._point("The agents are playing…");
    try {
      const { board, games, seed } = await api.watch(wish, asking.signal);
      if (this._asking !== asking) return;
      this._point("");
      this.wish = { ...wish, seed };
      games.forEach((game, index) => this.seats[index].show(board, game));
      this._arrange();
      this.deal.textContent = `seed ${seed}${this._note(games)}`;
      this.scrub.max = this.length;
      this._address();
      this._go(0);
      this.tools.play.focus({ preventScroll: true });
      if (playing) this._toggle();
    } catch (error) {
      if (api.isAbort(error)) return;
      this._point("");
      if (this.wish) this._seat(this.wish.agents.length);
      else await this._preview(wish.board);
      this.setup.complain(error.message);
    } finally {
      if (this._asking === asking) this.setup.busy(false);
    }
  }

  /** A safe first click may move a mine: then the two deals differ. */
  _note(games) {
    if (games.length < 2) return "";
    const [one, two] = games.map(({ layout }) => layout ?? []);
    const differ = one.filter((cell) => !two.includes(cell)).length;
    if (!differ) return " · the same mines";
    return ` · the same deal; the first clicks moved ${differ === 1 ? "one mine" : `${differ} mines`}`;
  }

  _seat(count) {
    this.duel.dataset.count = count;
    this.seats[1].root.hidden = this.seats[1].steps.hidden = count < 2;
    this._count = count;
    this._arrange();
  }

  /** Two boards are placed side by side or one above the other, whichever gives larger cells. */
  _arrange() {
    const size = this.seats[0].board.description?.size;
    if (!size) return;
    const { clientWidth: wide, clientHeight: high } = this.duel;
    const beside = Math.min(wide / 2 / size[0], (high - 90) / size[1]);
    const above = Math.min(wide / size[0], (high / 2 - 90) / size[1]);
    this.duel.classList.toggle("stacked", this._count > 1 && above > beside);
  }

  // -- steps --

  get length() {
    return Math.max(...this.seats.slice(0, this._count).map((seat) => seat.length));
  }

  _go(at) {
    this.at = Math.min(Math.max(at, 0), this.length);
    for (const seat of this.seats.slice(0, this._count)) seat.go(this.at, !this.playing);
    this._controls();
  }

  /** Go to a step and stay there. */
  _halt(at) {
    this._pause();
    this._go(at);
  }

  _toggle() {
    if (this.playing) {
      this._pause();
      this._go(this.at);
      return;
    }
    if (!this.length) {
      if (!this.setup.start.disabled) this._start(this.setup.wish(), true);
      return;
    }
    if (this.at === this.length) this._go(0);
    this.playing = true;
    this._controls();
    this._tick();
  }

  _tick() {
    this._timer = setTimeout(() => {
      if (this.at + 1 >= this.length) this.playing = false;
      this._go(this.at + 1);
      if (this.playing) this._tick();
    }, 1000 / SPEEDS[this.speed.value]);
  }

  _pause() {
    clearTimeout(this._timer);
    this.playing = false;
    this._controls();
  }

  _quicken() {
    const speed = SPEEDS[this.speed.value];
    this.pace.textContent = `${speed}/s`;
    this.speed.setAttribute("aria-valuetext", speed === 1 ? "one step a second" : `${speed} steps a second`);
    if (!this.playing) return;
    clearTimeout(this._timer);
    this._tick();
  }

  _controls() {
    const { first, back, play, next, last } = this.tools;
    first.disabled = back.disabled = this.at === 0;
    next.disabled = last.disabled = this.at >= this.length;
    this.scrub.disabled = !this.length;
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", `step ${this.at} of ${this.length}`);
    const label = this.playing ? "Pause" : "Play";
    if (play.title === label && play.childElementCount) return;
    play.title = label;
    play.replaceChildren(sign(SIGNS[this.playing ? "pause" : "play"]), h("span", {}, label));
  }

  _key({ key, event }) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const acts = {
      ",": () => this._halt(this.at - 1),
      ".": () => this._halt(this.at + 1),
      Enter: () => this._toggle(),
      " ": () => this._toggle(),
    };
    acts[key]?.();
    return key in acts;
  }

  /** Keys go through the steps unless something else uses them. */
  _keys(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("[role=grid], input, select, textarea, dialog")) return;
    const acts = { ArrowLeft: () => this._halt(this.at - 1), ArrowRight: () => this._halt(this.at + 1) };
    if (!event.target.closest("button, a, summary")) acts[" "] = () => this._toggle();
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  }

  _point(words) {
    this.where.textContent = words.charAt(0).toUpperCase() + words.slice(1);
  }
}

/** What an address asks for; null if it asks for nothing. */
function wishOf(params) {
  if (!PARAMS.some((name) => params.get(name))) return null;
  const seed = params.get("seed");
  return {
    agents: [params.get("a") ?? DEFAULT.agents[0], params.get("b")].filter(Boolean),
    board: params.get("board") ?? DEFAULT.board,
    first_click: params.get("first") ?? DEFAULT.first_click,
    seed: seed !== null && /^\d{1,15}$/.test(seed) ? Number(seed) : null,
  };
}

// -- a seat: one agent's game --

const MARKS = { proved: "✓", guessed: "?", unstated: "–" };
const ACTIONS = { open: "opened", flag: "flagged", unflag: "took the flag off", chord: "opened around" };
const ENDS = {
  cleared: "Won: every safe cell is open",
  marked: "Won: every cell is open or correctly flagged",
  finished: "Lost: a flag is wrong",
  exploded: "Lost: it opened a mine",
  stuck: "It stopped",
  failed: "It failed",
  unfinished: "Not finished",
};
const PAUSE = 160; // ms on a guess before its exact risk is asked for

class Seat {
  /** `onChoose(n)`, `onKey`, `onFocus(cell, words)` and `onAnalyse(text)` are called. */
  constructor({ onChoose, onKey, onFocus, onAnalyse }) {
    this.at = 0;
    this.game = null;
    this._found = new Map(); // what was asked about steps: {more, premises}
    this.name = h("h2", { class: "seat-name" }, " ");
    this.end = h("span", { class: "chip state" });
    this.count = h("span", { class: "move-count" });
    this.stage = h("div", { class: "stage" });
    this.reason = h("p", { class: "reason", "aria-live": "polite", "aria-atomic": "true" });
    this.analyse = wordButton("analyse", "Analyse", "Analyse this position", () => onAnalyse(this.text()));
    this.root = h(
      "section",
      { class: "seat" },
      h("div", { class: "seat-head" }, this.name, this.end, this.count, this.analyse),
      this.stage,
      h("div", { class: "seat-foot" }, this.reason),
    );
    this.board = new Board(this.stage, {
      label: "The agent's board",
      smallest: 12,
      onKey,
      onFocus: (cell) => onFocus(cell, cell === null ? "" : this.board.describe(cell)),
    });
    this.heading = h("h2", {}, "Reasons");
    this.list = new StepList("Steps", onChoose);
    this.steps = h("section", { class: "card move-card reasons" }, this.heading, this.list.list);
  }

  /** An empty board, before any game. */
  preview(description, shown, text) {
    this.game = null;
    this._asking?.abort();
    this.board.show(description, shown);
    this._layout = new PositionText(text);
    this.list.show([]);
    this.name.textContent = "No game yet";
    this.end.hidden = true;
    this.count.textContent = "";
    this.reason.textContent = "Press Play to watch, or choose another agent and board.";
    this.analyse.disabled = true;
  }

  show(description, game) {
    this.game = game;
    this._found.clear();
    this.board.show(description, game.view.shown);
    this._layout = new PositionText(game.view.short);
    this.name.textContent = game.agent;
    this.root.setAttribute("aria-label", `${game.agent}'s game`);
    this.board.root.setAttribute("aria-label", `${game.agent}'s board`);
    this.heading.textContent = `Reasons of ${game.agent}`;
    this.list.list.setAttribute("aria-label", `Steps of ${game.agent}`);
    this.analyse.disabled = false;
    this.list.show(
      game.steps.map((step) => {
        const what = this._what(step);
        const risk = step.reason.kind === "guessed" && step.risk !== null ? `${percent(step.risk, step.risk === 0)} %` : "";
        return {
          kind: step.reason.kind,
          mark: MARKS[step.reason.kind],
          what,
          word: step.reason.text,
          aside: risk,
          label: `Step ${step.n} ${what}: ${step.reason.text}`,
        };
      }),
    );
    this.go(0, true);
  }

  get length() {
    return this.game?.steps.length ?? 0;
  }

  /** Show the game after `at` steps; `rest` if it stays there, so that the words are read aloud. */
  go(at, rest) {
    if (!this.game) return;
    const { board, game } = this;
    const before = this.at;
    this.at = Math.min(at, this.length);
    const ended = this.at === this.length;
    this.reason.setAttribute("aria-live", rest ? "polite" : "off");
    board.reveal(null);
    if (this.at === before + 1) board.update(game.steps[before].changed);
    else board.update(this._shown(this.at).map((mark, cell) => [cell, mark]));
    // After a win the mines are flagged, for nothing went wrong.
    if (ended && game.layout && game.won) board.update(game.layout.map((cell) => [cell, "F"]));
    else if (ended && game.layout) board.reveal(game.layout);
    const step = game.steps[this.at - 1] ?? null;
    board.light("step", step?.cell != null ? [step.cell] : []);
    if (step?.cell != null) board.seek(step.cell);
    this.list.choose(this.at);
    this.count.textContent = `Step ${this.at} of ${this.length}`;
    this.end.hidden = !ended;
    if (ended) {
      const [word, more] = endWords(game).split(/(?=: )/);
      this.end.replaceChildren(word, h("span", { class: "end-more" }, more ?? ""));
      this.end.dataset.state = game.won ? "won" : game.outcome === "exploded" || game.outcome === "finished" ? "lost" : "ended";
    }
    this._speak(step);
    this._weigh(step, rest);
  }

  /** The position on the board now, as text. */
  text() {
    return this._layout.write(this.board.shown);
  }

  leave() {
    clearTimeout(this._timer);
    this._asking?.abort();
  }

  _shown(count) {
    const shown = [...this.game.view.shown];
    for (const step of this.game.steps.slice(0, count)) {
      for (const [cell, mark] of step.changed) shown[cell] = mark;
    }
    return shown;
  }

  _what(step) {
    if (step.cell === null) return step.action === "stop" ? "stopped" : step.action;
    return `${ACTIONS[step.action] ?? step.action} ${this.board.description.names[step.cell]}`;
  }

  _speak(step) {
    this.board.light("premise", step ? (this._found.get(step.n)?.premises ?? step.reason.premises) : []);
    if (!step) {
      this.reason.textContent = "Nothing is open yet.";
      return;
    }
    const found = this._found.get(step.n);
    const text = `${capital(this._what(step))}: ${step.reason.text}.${found ? ` ${found.more}` : ""}`;
    this.reason.replaceChildren(
      h("span", { class: `reason-mark ${step.reason.kind}`, "aria-hidden": "true" }, MARKS[step.reason.kind]),
      h("span", {}, ...textWithCells(text, this.board.numbers, (cells) => this.board.light("point", cells))),
    );
  }

  /** For the step shown: the exact risk of a guess, the proof of what was only called proved. */
  _weigh(step, rest) {
    this.leave();
    if (!step || !rest || this._found.has(step.n) || step.cell === null) return;
    const guess = step.reason.kind === "guessed" && step.risk === null && step.action === "open";
    const bare = step.reason.kind === "proved" && !step.reason.premises.length;
    if (!guess && !bare) return;
    const before = this._shown(step.n - 1);
    if (before.every((mark) => mark === null)) return; // the first click follows its own rule
    const text = this._layout.write(before);
    this._timer = setTimeout(async () => {
      this._asking = new AbortController();
      const { signal } = this._asking;
      try {
        this._found.set(step.n, guess ? await riskOf(text, step.cell, signal) : await proofOf(text, step.cell, signal));
        if (this.game?.steps[this.at - 1] === step) this._speak(step);
      } catch {
        // The agent's own words stay.
      }
    }, PAUSE);
  }
}

async function riskOf(text, cell, signal) {
  const { p, certain } = await api.positionAnalysis(text, false, signal);
  return { more: `The exact risk: ${percent(p[cell], certain[cell] !== null)} %.`, premises: [] };
}

async function proofOf(text, cell, signal) {
  const told = await api.positionExplain(text, cell, signal);
  const short = told.steps.length > 1 ? told.summary : told.text;
  return { more: told.certain ? short : "", premises: told.premises };
}

function endWords(game) {
  const words = ENDS[game.outcome] ?? game.outcome;
  return game.note ? `${words}: ${game.note}` : words;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// -- the form --

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

class Setup {
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
