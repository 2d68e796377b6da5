// Watch: agents play whole games; here they are stepped through, alone or two on the same deal.

import * as api from "../api-more.js";
import { h, sign, stylesheet } from "../dom.js";
import { calm } from "../settings.js";
import "./more-signs.js";
import { SIGNS, tool } from "./tools.js";
import { Seat } from "./watch-seat.js";
import { Setup } from "./watch-setup.js";

await Promise.all([stylesheet("proof.css"), stylesheet("steps.css"), stylesheet("watch.css")]);

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
    const size = this.seats[0].board.board?.size;
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
