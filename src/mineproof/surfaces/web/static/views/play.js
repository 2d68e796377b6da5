// Play: a game on the board, by mouse, touch or keys, with what See and Why add to it.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { percent } from "../board/heat.js";
import { h, sentence } from "../dom.js";
import { settings } from "../settings.js";
import { Match, freshSeed, sameSpec } from "./match.js";
import { NewGame, boardName } from "./new-game.js";
import { pageOf } from "./play-page.js";
import { See } from "./see.js";
import { Voice } from "./voice.js";
import { Why } from "./why.js";

const STATES = { ready: "Ready", running: "Playing", won: "Won", lost: "Lost" };
const LESSON_CELLS = 1000; // a review looks at every move: not for huge boards
const AGAIN = 4000; // ms in which a second N means it
const NEXT_OVERLAY = { none: "mine", mine: "win", win: "none" };

export function mount(root, context) {
  return new Play(root, context);
}

class Play {
  constructor(root, context) {
    this.context = context;
    this.whyMode = false;
    this.match = new Match(
      (reply, move) => this._told(reply, move),
      (error) => this._failed(error),
    );
    this._build(root);
    settings.watch((key) => this._set(key));
    this._press();
    setInterval(() => this._tick(), 250);
  }

  // -- the page --------------------------------------------------------------------------------

  _build(root) {
    const page = pageOf({
      flag: () => settings.set("flagMode", !settings.get("flagMode")),
      see: () => settings.set("overlay", NEXT_OVERLAY[settings.get("overlay")]),
      best: () => settings.set("best", !settings.get("best")),
      why: () => this._setWhy(!this.whyMode),
      undo: () => this._undo(),
      fresh: () => this._again(null),
      share: () => this._share(),
      analyse: () => this._analyse(),
      zoom: (by) => this.board.zoom(by),
    });
    Object.assign(this, page.parts);
    this.board = new Board(this.stage, {
      label: "Minesweeper board",
      onGesture: (gesture) => this._gesture(gesture),
      onKey: (key) => this._key(key),
      onFocus: (cell) => this._point(cell),
    });
    this.voice = new Voice({
      onStep: (by) => this.why.step(by),
      onClose: () => this.why.close(),
      point: (cell) => this.board.light("point", cell === null ? [] : [cell]),
    });
    this.why = new Why(this.board, this.voice, {
      onBegin: () => this.see.hold(true),
      onEnd: (cell) => {
        this.see.hold(false);
        this._speak();
        if (cell !== null) this.board.focus(cell, { scroll: false });
      },
    });
    this.see = new See(this.board, (analysis, problem) => {
      this._problem = problem;
      this._speak();
    });
    this.form = new NewGame({ onStart: (wish) => this._start({ ...wish, seed: wish.seed ?? freshSeed() }) });
    root.append(
      h("div", { class: "workspace" }, page.field, h("div", { class: "side" }, this.voice.root, this.see.root, this.form.root)),
    );
  }

  // -- coming and going ------------------------------------------------------------------------

  async enter(params) {
    const asked = {
      board: params.get("board"),
      first_click: params.get("first"),
      clues: params.get("clues"),
      seed: params.get("seed"),
    };
    if (this.match.id && sameSpec(this.match.spec, asked)) {
      this._address();
      return;
    }
    const kept = this.match.id ? null : await this.match.resume(asked);
    if (kept) {
      this._show(kept);
      return;
    }
    const seed = asked.seed !== null && /^\d{1,15}$/.test(asked.seed) ? Number(asked.seed) : freshSeed();
    await this._start({
      board: asked.board ?? settings.get("board"),
      first_click: asked.first_click ?? settings.get("firstClick"),
      clues: asked.clues ?? settings.get("clues"),
      seed,
    });
  }

  leave() {
    this.see.stop();
  }

  async _start(spec) {
    this.see.stop();
    const starting = Symbol("start");
    this._starting = starting;
    try {
      const answer = await this.match.begin(spec, () => this._starting === starting);
      if (!answer) return;
      settings.set("board", spec.board);
      settings.set("firstClick", spec.first_click);
      settings.set("clues", spec.clues);
      this.form.complain(null);
      this._show(answer);
    } catch (error) {
      this.form.complain(error.message);
      if (!this.match.id) {
        this.form.set(spec);
        this.voice.say({ title: "Coach", text: error.message, tone: "bad" });
      }
    }
  }

  /** The key for a new game is pressed twice where a game would be lost by it. */
  _askAgain() {
    const now = performance.now();
    if (this.match.state !== "running" || now - (this._asked ?? -Infinity) < AGAIN) this._again(null);
    else {
      this._asked = now;
      this.voice.say({ title: "Coach", text: "Press N again for a new game: this one goes on." });
    }
  }

  _again(seed) {
    this._start({ ...this.match.spec, seed: seed ?? freshSeed() });
  }

  _show(answer) {
    this.why.close({ refocus: false });
    this.context.game = this.match.id;
    this._answer = answer;
    this._problem = null;
    this._lesson = null;
    this.see.clear();
    this.board.show(answer.board, answer.view.shown);
    if (answer.layout) this.board.reveal(answer.layout);
    this.form.set(this.match.spec);
    this.name.textContent = `${boardName(this.match.spec.board)} · seed ${this.match.spec.seed}`;
    this._address();
    this._status(answer.mines_left ?? answer.view.mines_left);
    this._speak();
    this.see.refresh(this.match.id, this.match.state);
    if (this._loaded) this._refocus();
    else {
      this._loaded = true;
      this.board.painted(0).then((duration) => performance.measure("load-to-board", { start: 0, duration }));
    }
  }

  /** A button that was pressed may be gone: the focus goes to the board, not to nowhere. */
  _refocus() {
    if (document.activeElement === document.body || !document.activeElement) {
      this.board.focus(this.board.cell, { scroll: false });
    }
  }

  _address() {
    const { board, first_click: first, clues, seed } = this.match.spec;
    this.context.address("play", { board, first, clues: clues === "exact" ? null : clues, seed });
  }

  async _share() {
    this._address();
    try {
      await navigator.clipboard.writeText(location.href);
      this.where.textContent = "The address is copied.";
    } catch {
      this.where.textContent = "The address bar holds this game.";
    }
    this.context.announce(this.where.textContent);
  }

  async _analyse() {
    try {
      this.context.navigate("analyse", { p: await this.match.text() });
    } catch (error) {
      this._failed(error);
    }
  }

  // -- moves -----------------------------------------------------------------------------------

  _gesture({ cell, kind, alt, time }) {
    if (kind === "primary" && (alt || this.whyMode)) return this._ask(cell);
    if (kind === "tap" && this.whyMode) return this._ask(cell);
    const flagging = settings.get("flagMode");
    if (kind === "primary" || kind === "tap") {
      if (typeof this.board.shown[cell] === "number") {
        return settings.get("chordClick") ? this._chord(cell, time) : undefined;
      }
      return flagging ? this._flag(cell, time) : this._open(cell, time);
    }
    if (kind === "secondary") return this._flag(cell, time);
    if (kind === "hold") return flagging ? this._open(cell, time) : this._flag(cell, time);
    if (kind === "middle" && settings.get("chordMiddle")) return this._chord(cell, time);
    if (kind === "both" && settings.get("chordBoth")) return this._chord(cell, time);
    return undefined;
  }

  _key({ cell, key, event }) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const acts = {
      Enter: () => this._openOrChord(cell, event.timeStamp),
      " ": () => this._openOrChord(cell, event.timeStamp),
      f: () => this._flag(cell, event.timeStamp),
      c: () => this._chord(cell, event.timeStamp),
      w: () => this._ask(cell),
      m: () => settings.set("overlay", settings.get("overlay") === "mine" ? "none" : "mine"),
      v: () => settings.set("overlay", settings.get("overlay") === "win" ? "none" : "win"),
      o: () => settings.set("overlay", "none"),
      b: () => settings.set("best", !settings.get("best")),
      u: () => this._undo(),
      n: () => this._askAgain(),
      "+": () => this.board.zoom(1.25),
      "=": () => this.board.zoom(1.25),
      "-": () => this.board.zoom(0.8),
      0: () => this.board.zoom("fit"),
      Escape: () => (this.why.open ? this.why.close() : this._setWhy(false)),
    };
    const act = acts[key.length === 1 ? key.toLowerCase() : key];
    act?.();
    return Boolean(act);
  }

  _openOrChord(cell, time) {
    if (this.whyMode) this._ask(cell);
    else if (this.board.shown[cell] === null) this._open(cell, time);
    else if (settings.get("chordClick")) this._chord(cell, time);
  }

  _open(cell, time) {
    const hidden = () => this.board.shown[cell] === null;
    if (!hidden() || this.match.over) return;
    this.match.move("open", { cell }, time, hidden);
  }

  /** A flag is drawn at once; the server is told after. */
  _flag(cell, time) {
    const before = this.board.shown[cell];
    if ((before !== null && before !== "F") || this.match.over) return;
    const on = before === null;
    this.board.update([[cell, on ? "F" : null]]);
    this.match.move("flag", { cell, on }, time);
  }

  _chord(cell, time) {
    const ready = () => {
      const clue = this.board.shown[cell];
      if (typeof clue !== "number" || clue === 0) return false;
      const near = this.board.board.neighbours[cell].map((other) => this.board.shown[other]);
      const marked = near.filter((shown) => shown === "F" || shown === "*").length;
      return marked === clue && near.includes(null);
    };
    if (!this.match.over) this.match.move("chord", { cell }, time, ready);
  }

  _undo() {
    if (this.match.moves) this.match.undo();
  }

  /** The server answered a move. */
  async _told(reply, { start, action, cell }) {
    this.why.close({ refocus: false });
    this.board.light("step", []);
    if (action === "undo") this.board.reveal(null);
    if (reply.view) this.board.update(reply.view.shown.map((shown, cell) => [cell, shown]));
    else this.board.update(reply.changed);
    if (this.match.over) {
      this.see.clear();
      if (reply.layout) this.board.reveal(reply.layout);
    }
    this._answer = reply;
    this._problem = this._lesson = null;
    if (this.match.state === "lost") this._learn(this.match.id);
    this._status(reply.mines_left ?? reply.view?.mines_left);
    this._speak();
    this._point(this._pointed ?? null);
    if (action === "flag") return; // flags are no evidence: the chances stay
    this.see.refresh(this.match.id, this.match.state, start);
    if (action === "undo") this._refocus();
    else this.context.announce(this._outcome(reply, cell));
    const took = await this.board.painted(start);
    performance.measure(action === "undo" ? "undo-to-paint" : "open-to-paint", { start, duration: took });
    this.stage.dataset.openToPaint = took.toFixed(1);
  }

  async _failed(error) {
    if (error.code === "gone" || error.code === "not-found") {
      this.voice.say({
        title: "This game is gone",
        text: `${error.message} The same board can be played again from its start.`,
        tone: "bad",
        actions: [["Same board again", () => this._again(this.match.spec.seed), true]],
      });
      return;
    }
    this._problem = error.message;
    this._speak();
    try {
      // What was drawn ahead of the answer may be wrong: take the server's view.
      const truth = await api.game(this.match.id);
      this.board.update(truth.view.shown.map((shown, cell) => [cell, shown]));
      this._status(truth.mines_left ?? truth.view.mines_left);
    } catch {
      // The server is away; the message says so.
    }
  }

  // -- what is said ----------------------------------------------------------------------------

  _status(minesLeft) {
    if (minesLeft !== undefined) this.left.textContent = minesLeft === null ? "?" : minesLeft;
    const { state, practice } = this.match;
    this.state.textContent = practice ? `${STATES[state]} · practice` : STATES[state];
    this.state.dataset.state = state;
    this.tools.undo.disabled = !this.match.moves;
    this._tick();
  }

  _tick() {
    const seconds = this.match.seconds;
    const whole = Math.floor(seconds);
    const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (this.time.textContent !== text) this.time.textContent = text;
  }

  /** The coach's card for the game as it stands. */
  _speak() {
    if (this.why.open) return;
    if (this.match.over) return this._speakEnd();
    if (this._problem) {
      return this.voice.say({ title: "Coach", text: this._problem, tone: "bad" });
    }
    const best = settings.get("best") ? this.see.analysis?.best : null;
    if (best) {
      const name = this.board.board.names[best.cell];
      const certain = this.see.analysis.certain[best.cell];
      const risk = certain ? "certainly safe" : `mine chance ${percent(best.p)} %`;
      return this.voice.say({
        title: `Best move: ${name}`,
        text: sentence(best.reason),
        tone: "good",
        chips: [risk],
        numbers: this.board.numbers,
      });
    }
    return this.voice.say({
      title: "Coach",
      text: this.whyMode
        ? "Choose a cell: is it safe, a mine, or can nobody know?"
        : "Turn on chances or the best move, or ask why about any cell.",
    });
  }

  _speakEnd() {
    const won = this.match.state === "won";
    const measures = this._answer.measures ?? {};
    const seconds = this.match.seconds;
    const chips = [];
    if (measures["3bv"] !== undefined) {
      chips.push(`3BV ${measures["3bv"]}`);
      if (won && seconds > 0.5) chips.push(`${(measures["3bv"] / seconds).toFixed(2)} 3BV/s`);
      chips.push(`${measures.openings} openings`, `${measures.islands} islands`);
    }
    const time = `${seconds.toFixed(1)} s`;
    const again = ["Same board", () => this._again(this.match.spec.seed)];
    const review = ["Review", () => this.context.navigate("review", { game: this.match.id })];
    const fresh = ["New game", () => this._again(null), won];
    this.voice.say({
      title: won ? `Won in ${time}` : `Lost after ${time}`,
      text: won ? "Every safe cell is open." : (this._lesson ?? "That was a mine."),
      tone: won ? "good" : "bad",
      numbers: this.board.numbers,
      chips,
      actions: won
        ? [fresh, again, review]
        : [["Go on from before the mistake", () => this._undo(), true], fresh, again, review],
    });
  }

  /** After a loss: what the last move risked, and what was better. */
  async _learn(id) {
    if (this.board.board.cells > LESSON_CELLS) return;
    try {
      const last = (await api.review(id)).moves.at(-1);
      if (id !== this.match.id || this.match.state !== "lost" || !last?.text) return;
      this._lesson = last.text;
      this._speak();
      if (last.best_cell !== null && last.best_cell !== last.cell) {
        this.board.light("best", [last.best_cell]);
      }
    } catch {
      // The lesson is an extra: Review says it too.
    }
  }

  /** A move in words, for those who do not see it. */
  _outcome(reply, cell) {
    if (this.match.over) return `${STATES[this.match.state]}.`;
    const [, shown] = reply.changed.find(([changed]) => changed === cell) ?? [];
    const words = shown === undefined ? [] : [this.board.describe(cell)];
    if (reply.changed.length > 1) words.push(`${reply.changed.length} cells opened`);
    return words.join("; ");
  }

  _point(cell) {
    this._pointed = cell;
    const word = cell === null ? "" : this.board.describe(cell) + this.see.more(cell);
    this.where.textContent = word.charAt(0).toUpperCase() + word.slice(1);
  }

  // -- See and Why -----------------------------------------------------------------------------

  _setWhy(on) {
    this.whyMode = on;
    this.stage.classList.toggle("asking", on);
    if (!on && this.why.open) this.why.close();
    this._press();
    this._speak();
  }

  _ask(cell) {
    const shown = this.board.shown[cell];
    if (shown !== null && shown !== "F") {
      if (this.why.open) this.why.close();
      this.voice.say({
        title: "Coach",
        text: "This cell is open: ask about one that is hidden or flagged.",
      });
      return;
    }
    this.why.show(cell, (asked, signal) => api.explain(this.match.id, asked, signal));
  }

  _press() {
    const { flag, see, best, why } = this.tools;
    flag.setAttribute("aria-pressed", settings.get("flagMode"));
    see.setAttribute("aria-pressed", settings.get("overlay") !== "none");
    see.dataset.kind = settings.get("overlay");
    best.setAttribute("aria-pressed", settings.get("best"));
    why.setAttribute("aria-pressed", this.whyMode);
    this.stage.classList.toggle("flagging", settings.get("flagMode"));
  }

  _set(key) {
    this._press();
    if (key !== "overlay" && key !== "best") return;
    this.see.sync();
    const fresh = !this.see.analysis || (this.see.kind === "win" && !this.see.analysis.win);
    if (!this.see.wanted) {
      this.see.stop();
      this.see.clear();
    } else if (fresh) this.see.refresh(this.match.id, this.match.state);
    else this.see.draw();
    this._speak();
  }
}
