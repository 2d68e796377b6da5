// Analyse: any position, painted or pasted, with its chances, its proofs, and what makes it
// impossible.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { doubtBadge, h, sentence, stylesheet } from "../dom.js";
import { PositionEditor, Palette, MineTotal } from "./analyse-editor.js";
import { EXAMPLES, PositionExchange } from "./analyse-exchange.js";
import { inWords } from "./board-forms.js";
import { SHAPES } from "./boards.js";
import { besideWin, bestMove, bestOf, isOpen, overlayOf, riskWords, seeNote, solutionsText } from "./chances.js";
import { CoachCard } from "./coach-card.js";
import { signButton, tool, zoomButtons } from "./field.js";
import { PositionText } from "./position-text.js";
import { NOTHING, Why, lightPage, pagesOf, stepsOf } from "./proof.js";
import { seeCard } from "./see.js";

await Promise.all([stylesheet("proof.css"), stylesheet("analyse.css")]);

const STATES = {
  counting: "Counting…",
  possible: "Possible",
  impossible: "Impossible",
  wide: "Too wide",
  refused: "Refused",
};
const HINT = "Paint cells with the palette, or type on the board: digits, F, H, ?.";

/** Keys that need no cell. */
const ANYWHERE = new Set(["u", "m", "s", "v", "o", "b", "+", "=", "-", "Escape"]);

export const PARAMS = ["p"];

export function mount(root, context) {
  return new Analyse(root, context);
}

class Analyse {
  constructor(root, context) {
    this.context = context;
    this.root = root;
    this.whyMode = false;
    this._build(root);
    this._listen(root);
  }

  // -- the page --

  _build(root) {
    this.tools = {
      why: tool("why", "Why", () => this._setWhy(!this.whyMode), true),
      undo: tool("undo", "Undo", () => this._edit(() => this.editor.undo())),
      redo: tool("redo", "Redo", () => this._edit(() => this.editor.redo())),
      clear: tool("clear", "Clear", () => this._edit(() => this.editor.clear())),
    };
    this.state = h("span", { class: "chip state" }, STATES.counting);
    this.doubt = doubtBadge();
    this.layouts = h("span", { class: "layouts" });
    this.stage = h("div", { class: "stage" });
    this.where = h("span", { class: "where" });
    this.name = h("span", { class: "game-name" });
    this.palette = new Palette(() => this._setWhy(false));
    const field = h(
      "div",
      { class: "field" },
      h("div", { class: "bar" }, this.state, this.doubt, this.layouts, h("div", { class: "toolbar", role: "group", "aria-label": "Position" }, ...Object.values(this.tools))),
      this.palette.root,
      this.stage,
      h(
        "div",
        { class: "readout" },
        this.where,
        this.name,
        signButton("share", "Copy this position's address", () => this._share()),
        ...zoomButtons((by) => this.board.zoom(by)),
      ),
    );
    this.board = new Board(this.stage, {
      label: "Position",
      wheel: true,
      paint: true,
      onGesture: (gesture) => this._gesture(gesture),
      onKey: (key) => this._key(key),
      anywhere: true,
      onFocus: (cell) => this._point(cell),
    });
    this.editor = new PositionEditor(this.board, {
      onChange: () => this._onChange(),
      onRefuse: (text) => this._say(text),
    });
    this.voice = new CoachCard({
      onStep: (by) => this._step(by),
      onClose: () => this.why.close(),
      onGo: (at) => this._go(at),
      point: (cells) => this.board.light("point", cells),
    });
    this.why = new Why(this.board, this.voice, {
      onBegin: () => this.live.hold(true),
      onEnd: (cell) => {
        this.live.hold(false);
        if (cell !== null) this._setWhy(false);
        this._speak();
        if (cell !== null) this.board.focus(cell, { scroll: false });
      },
    });
    this.live = new LiveAnalysis(this.board, () => this._speak());
    this.total = new MineTotal((mines, density) => this._edit(() => this.editor.setTotal(mines, density)));
    this.exchange = new PositionExchange({
      read: (ask, push) => this._read(ask, push),
      say: (text) => this._say(text),
      warn: (text) => this.context.tell(text, { tone: "bad" }),
      // The forms are far below: bring the new position and its card into sight.
      look: () => [this.voice.root, field].forEach((part) => part.scrollIntoView({ block: "nearest" })),
    });
    root.append(
      h(
        "div",
        { class: "workspace" },
        field,
        h("div", { class: "side" }, this.voice.root, this.total.root, this.live.root, this.exchange.fresh, this.exchange.root),
      ),
    );
  }

  _listen(root) {
    const typing = (target) => target instanceof Element && target.matches("input, textarea, select");
    root.addEventListener("dragover", (event) => {
      event.preventDefault();
      root.classList.add("dropping");
    });
    root.addEventListener("dragleave", (event) => {
      if (!root.contains(event.relatedTarget)) root.classList.remove("dropping");
    });
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      root.classList.remove("dropping");
      const [file] = event.dataTransfer.files;
      if (file) this.exchange.open(file);
      else this.exchange.paste(event.dataTransfer.getData("text/plain"));
    });
    document.addEventListener("paste", (event) => {
      if (root.hidden || typing(event.target)) return;
      const text = event.clipboardData?.getData("text/plain");
      if (!text) return;
      event.preventDefault();
      this.exchange.paste(text);
    });
  }

  // -- coming and going --

  async enter(params) {
    const wanted = params.get("p");
    if (wanted !== null && wanted !== this._short) {
      const refused = await this._read((signal) => api.position(wanted, signal));
      if (!refused) return;
      await this._first();
      this._address();
      this.context.tell(`This address holds no position: ${refused}`, { tone: "bad" });
      return;
    }
    if (!this.editor.text) await this._first();
    else this._address();
  }

  async _first() {
    if (this.editor.text) return;
    await this._read((signal) => api.position(EXAMPLES[0][1], signal));
  }

  leave() {
    this.live.stop();
    this.root.classList.remove("dropping");
  }

  /** Take in a position that `ask(signal)` fetches; why it was refused, or null. With `push` the
   * browser's Back comes back to the one before. */
  async _read(ask, push = false) {
    this._reading?.abort();
    const reading = new AbortController();
    this._reading = reading;
    try {
      const told = await ask(reading.signal);
      if (this._reading !== reading) return null;
      if (this.why.open) this.why.close();
      if (this.editor.text) this._address();
      this.editor.adopt(told.board, told.view.shown, new PositionText(told.view.short));
      this._onChange(0);
      if (push) this._address(true);
      return null;
    } catch (error) {
      return api.isAbort(error) ? null : inWords(error.message);
    }
  }

  _address(push = false) {
    clearTimeout(this._addressing);
    this.context.address("analyse", { p: this._short }, { push });
  }

  async _share() {
    this._address();
    try {
      await navigator.clipboard.writeText(location.href);
      this._say("The address is copied.");
    } catch {
      this._say("The address bar holds this position.");
    }
  }

  // -- editing --

  _edit(act) {
    if (this.why.open) this.why.close();
    act();
  }

  _onChange(pause) {
    this._short = this.editor.write();
    const rules = this.editor.text.words.join(" ");
    if (this._rules !== rules) this.doubt.show(this.board.trust(rules));
    this._rules = rules;
    const board = this.board.description;
    if (this._offered !== board.name) {
      this._offered = board.name;
      this.palette.offer(board);
      this.name.textContent = `${SHAPES[board.topology]?.[0] ?? board.topology} · ${board.shape}`;
    }
    this.tools.undo.disabled = !this.editor.canUndo;
    this.tools.redo.disabled = !this.editor.canRedo;
    this.total.set(this.editor.text, this.board.shown);
    this.exchange.show(this._short);
    this.live.ask(this._short, pause);
    this._point(this._pointed ?? null);
    clearTimeout(this._addressing);
    this._addressing = setTimeout(() => this._address(), 200);
  }

  _gesture({ cell, kind, alt, delta, stroke }) {
    const asks = alt || this.whyMode;
    if ((kind === "primary" || kind === "tap") && asks) return this._ask(cell);
    if (kind === "primary" || kind === "tap") return this._edit(() => this.editor.paint(cell, this.palette.mark, stroke));
    if (kind === "secondary" || kind === "hold") return this._flag(cell);
    if (kind === "middle") return this._edit(() => this.editor.paint(cell, null));
    if (kind === "wheel") return this._edit(() => this.editor.turn(cell, -delta));
    return undefined;
  }

  _flag(cell) {
    this._edit(() => this.editor.paint(cell, this.board.shown[cell] === "F" ? null : "F"));
  }

  _key({ cell, key, event }) {
    if (event.altKey) return false;
    const letter = key.length === 1 ? key.toLowerCase() : key;
    if (event.ctrlKey || event.metaKey) {
      if (letter !== "z" && letter !== "y") return false;
      this._edit(() => (letter === "y" || event.shiftKey ? this.editor.redo() : this.editor.undo()));
      return true;
    }
    if (cell !== null && /^\d$/.test(letter)) {
      this._edit(() => this.editor.type(cell, Number(letter), event.timeStamp));
      return true;
    }
    if (cell === null && !ANYWHERE.has(letter)) return false;
    const paint = (mark) => () => this._edit(() => this.editor.paint(cell, mark));
    const chosen = () =>
      this.whyMode ? this._ask(cell) : this._edit(() => this.editor.paint(cell, this.palette.mark));
    const acts = {
      Enter: chosen,
      " ": chosen,
      f: () => this._flag(cell),
      h: paint(null),
      ".": paint(null),
      Delete: paint(null),
      Backspace: paint(null),
      "?": paint("?"),
      "*": paint("*"),
      w: () => this._ask(cell),
      u: () => this._edit(() => this.editor.undo()),
      m: () => this.live.see(this.live.kind === "mine" ? "none" : "mine"),
      s: () => this.live.see(this.live.kind === "sure" ? "none" : "sure"),
      v: () => this.live.see(this.live.kind === "win" ? "none" : "win"),
      o: () => this.live.see("none"),
      b: () => this.live.light(!this.live.best),
      "+": () => this.board.zoom(1.25),
      "=": () => this.board.zoom(1.25),
      "-": () => this.board.zoom(0.8),
      Escape: () => (this.why.open ? this.why.close() : this._setWhy(false)),
    };
    acts[letter]?.();
    return letter in acts;
  }

  // -- what is said --

  _setWhy(on) {
    this.whyMode = on;
    this.stage.classList.toggle("asking", on);
    if (!on && this.why.open) this.why.close();
    this._speak();
  }

  _ask(cell) {
    const shown = this.board.shown[cell];
    if (shown !== null && shown !== "F") {
      this.why.close({ refocus: false });
      this._say("This cell is open: ask about one that is hidden or flagged.");
      return;
    }
    this.why.show(cell, (asked, signal) => api.positionExplain(this._short, asked, signal));
  }

  _step(by) {
    if (this.why.open) this.why.step(by);
    else if (this.live.go(this.live.at + by)) this._speak();
  }

  _go(at) {
    if (this.why.open) this.why.go(at);
    else if (this.live.go(at)) this._speak();
  }

  _speak() {
    const { live, tools } = this;
    this.state.textContent = STATES[live.state];
    this.state.dataset.state = live.state;
    this.layouts.textContent = live.layouts;
    tools.why.setAttribute("aria-pressed", this.whyMode);
    this._point(this._pointed ?? null);
    if (this.why.open) return;
    this.voice.say({ numbers: this.board.numbers, ...this._words() });
  }

  _words() {
    const { live } = this;
    if (live.state === "impossible") {
      const { text, parts, list, chips } = live.pages[live.at];
      const steps = stepsOf(live.pages, live.at);
      return { title: "Impossible", text: sentence(text), parts, list, tone: "bad", chips, steps };
    }
    if (live.state === "wide") {
      return {
        title: "Too wide to count",
        text: "This position takes more work than the budget allows, and nothing is estimated instead. You can go on editing it.",
        chips: [live.message.replace(/^too wide to count in the budget: /, "")],
      };
    }
    if (live.state === "refused") return { title: "Not a position yet", text: sentence(live.message), tone: "bad" };
    if (live.state === "counting") return { title: "Counting…", text: "" };
    return this._known();
  }

  _known() {
    const { analysis, best: lit, count } = this.live;
    const sure = (what) => analysis.certain.filter((one) => one === what).length;
    const [safe, mines] = [sure("safe"), sure("mine")];
    const chips = [safe && `${safe} certainly safe`, mines && (mines === 1 ? "1 certainly a mine" : `${mines} certainly mines`)].filter(Boolean);
    if (this.whyMode) return { title: "Why?", text: "Choose a hidden cell: is it safe, a mine, or can nobody know?" };
    const { best } = analysis;
    if (!lit || !best) return { title: "Coach", text: `${count} ${HINT}`, tone: "plain", chips };
    if (isOpen(analysis)) return { ...bestMove(analysis, this.board), chips };
    if (best.win) chips.unshift(`win chance ${best.win}`);
    return {
      title: `Best move: ${this.board.description.names[best.cell]}, ${riskWords(best)}`,
      text: `${sentence(best.reason)} ${count}`,
      tone: "good",
      chips,
    };
  }

  /** One line for eyes and ears. */
  _say(text) {
    this.where.textContent = text;
    this.context.announce(text);
  }

  _point(pointed) {
    const cell = pointed !== null && pointed < this.board.shown.length ? pointed : null; // of this board
    this._pointed = cell;
    this.voice.pointed(cell);
    const word = cell === null ? "" : this.board.describe(cell) + this.live.more(cell);
    this.where.textContent = word.charAt(0).toUpperCase() + word.slice(1);
  }
}

const PAUSE = 90; // ms without a change before the server is asked
const SLOW = 350; // ms after which old chances are taken off the board

/** Counts the position again after every change; the board shows its chances, or why it has no solution. */
class LiveAnalysis {
  /**
   * `onChange()` is called when what is known has changed: `state` is "counting", "possible",
   * "impossible", "wide" or "refused"; `analysis`, `pages` (why it is impossible) and `message`
   * go with them.
   */
  constructor(board, onChange) {
    this.board = board;
    this.onChange = onChange;
    this.kind = "mine";
    this.best = true;
    this.state = "counting";
    this.analysis = null;
    this.pages = [];
    this.at = 0;
    this.message = null;
    this.held = false;
    this._pending = null;
    this._build();
  }

  _build() {
    const card = seeCard({
      name: "analyse-overlay",
      kind: this.kind,
      best: true,
      seen: (kind) => this.see(kind),
      lit: (best) => this.light(best),
    });
    this.bestBox = card.best;
    ({ root: this.root, inputs: this.inputs, legend: this.legend, note: this.note } = card);
    this._caption();
  }

  /** Choose the overlay. */
  see(kind) {
    this.kind = kind;
    for (const input of this.inputs) input.checked = input.value === kind;
    if (kind === "win" && this.analysis && !this.analysis.win && !this.analysis.note) this.ask(this._text, 0);
    this.draw();
    this.onChange();
  }

  /** Highlight the best move, or not. */
  light(best) {
    this.best = this.bestBox.checked = best;
    if (best && isOpen(this.analysis)) this.ask(this._text, 0);
    this.draw();
    this.onChange();
  }

  /** Count a position, when nothing has changed for a moment; an older question is dropped. */
  ask(text, pause = PAUSE) {
    this.stop();
    this._text = text;
    const asking = new AbortController();
    this._pending = asking;
    this._timer = setTimeout(() => this._count(text, asking), pause);
    this._late = setTimeout(() => this._set("counting"), pause + SLOW);
  }

  stop() {
    clearTimeout(this._timer);
    clearTimeout(this._late);
    this._pending?.abort();
    this._pending = null;
  }

  async _count(text, asking) {
    try {
      const analysis = await api.positionAnalysis(text, false, asking.signal);
      if (this._pending !== asking) return;
      this._set("possible", { analysis });
      if (this.kind !== "win" && !(this.best && isOpen(analysis))) return;
      // Chances to win take a second or two: what is known at once is shown at once.
      const more = await api.positionAnalysis(text, true, asking.signal);
      if (this._pending === asking) this._set("possible", { analysis: more });
    } catch (error) {
      if (api.isAbort(error) || this._pending !== asking) return;
      if (error.code === "contradiction") await this._clash(text, asking, error);
      else this._set(error.code === "too-wide" ? "wide" : "refused", { message: error.message });
    }
  }

  /** The clash is highlighted at once; its proof follows. */
  async _clash(text, asking, error) {
    const plain = { ...NOTHING, text: error.message, chips: [], premises: error.clash };
    this._set("impossible", { pages: [plain], message: error.message });
    try {
      const told = await api.position(text, asking.signal);
      if (this._pending !== asking || !told.why) return;
      this._set("impossible", { pages: pagesOf(told.why), message: told.message });
    } catch {
      // The plain message stays.
    }
  }

  _set(state, { analysis = null, pages = [], message = null } = {}) {
    clearTimeout(this._late);
    Object.assign(this, { state, analysis, pages, message, at: 0 });
    this.draw();
    this.onChange();
  }

  /** Another page of why the position is impossible; true if there is one. */
  go(at) {
    if (!this.pages[at]) return false;
    this.at = at;
    this.draw();
    return true;
  }

  /** Chances are hidden while a proof is read. */
  hold(on) {
    this.held = on;
    this.draw();
  }

  draw() {
    const { board, analysis, kind } = this;
    const page = this.held ? NOTHING : (this.pages[this.at] ?? NOTHING);
    board.overlay(this.held ? null : overlayOf(kind, analysis, board));
    board.light("clash", page.premises);
    if (!this.held) lightPage(board, page);
    const { best, tied } = bestOf(!this.held && this.best ? analysis : null);
    board.light("tied", tied);
    board.light("best", best);
    this._caption();
  }

  _caption() {
    this.legend.dataset.kind = this.kind;
    this.note.textContent = this._noteText();
  }

  _noteText() {
    return seeNote(this.kind, this.analysis, this.board) || "The position as it is.";
  }

  /** What is known of a cell beyond its label. */
  more(cell) {
    return besideWin(this.kind, this.analysis, cell);
  }

  /** The number of solutions, in a sentence. */
  get count() {
    if (!this.analysis) return "";
    const { solutions } = this.analysis;
    return solutions === null ? "Too many layouts to write down the number." : solutionsText(solutions);
  }

  /** The same, in two words. */
  get layouts() {
    if (this.analysis?.solutions === "1") return "1 layout";
    return this.count.replace(/^About /, "≈ ").replace(/ are (possible|left)\.$/, "");
  }
}
