// Play: a game on the board, by mouse, touch or keys, with what See and Why add to it.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import * as motion from "../board/motion.js";
import { doubtBadge, h } from "../dom.js";
import { settings } from "../settings.js";
import * as sound from "../sound.js";
import { boardName } from "./boards.js";
import { Match, freshSeed, sameSpec } from "./match.js";
import { NewGame } from "./new-game.js";
import { askedIn, keepWish, paramsOf, wishOf } from "./play-address.js";
import { bestMove, ending, gone, invitation, notice, welcome } from "./play-cards.js";
import { Moves } from "./play-moves.js";
import { pageOf } from "./play-page.js";
import { Status } from "./play-status.js";
import { See } from "./see.js";
import { Voice } from "./voice.js";
import { Why } from "./why.js";

const LESSON_CELLS = 1000; // a review looks at every move: not for huge boards
const AGAIN = 4000; // ms in which a second N means it

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
    this.press(this.whyMode);
  }

  // -- the page --------------------------------------------------------------------------------

  _build(root) {
    const page = pageOf({
      why: () => this._setWhy(!this.whyMode),
      undo: () => this._undo(),
      fresh: () => this._again(null),
      share: () => this._share(),
      analyse: () => this._analyse(),
      zoom: (by) => this.board.zoom(by),
    });
    Object.assign(this, page.parts);
    this.doubt = doubtBadge();
    this.state.after(this.doubt);
    this.press = page.press;
    this.board = new Board(this.stage, {
      label: "Minesweeper board",
      onGesture: (gesture) => this.moves.gesture(gesture),
      onKey: (key) => this.moves.key(key),
      onFocus: (cell) => this._point(cell),
    });
    this.moves = new Moves(this.board, this.match, {
      asking: () => this.whyMode,
      ask: (cell) => this._ask(cell),
      undo: () => this._undo(),
      fresh: () => this._askAgain(),
      escape: () => (this.why.open ? this.why.close() : this._setWhy(false)),
    });
    this.status = new Status(page.parts, this.match);
    this.voice = new Voice({
      onStep: (by) => this.why.step(by),
      onClose: () => this.why.close(),
      onGo: (at) => this.why.go(at),
      point: (cells) => this.board.light("point", cells),
    });
    this.why = new Why(this.board, this.voice, {
      onBegin: () => this.see.hold(true),
      onEnd: (cell) => {
        this.see.hold(false);
        if (this.match.over && this._answer.layout) this.board.reveal(this._answer.layout);
        if (cell !== null) this._setWhy(false);
        this._speak();
        if (cell !== null) this.board.focus(cell, { scroll: false });
      },
    });
    this.see = new See(this.board, (analysis, problem) => {
      this._problem = problem;
      this._speak();
    });
    this.form = new NewGame({ onStart: (wish) => this._start({ ...wish, seed: wish.seed ?? freshSeed() }) });
    this.work = h(
      "div",
      { class: "workspace" },
      page.field,
      h("div", { class: "side" }, this.voice.root, this.see.root, this.form.root),
    );
    root.append(this.work);
  }

  // -- coming and going ------------------------------------------------------------------------

  async enter(params) {
    const asked = askedIn(params);
    if (!this.match.id && !settings.get("met") && ![...params].length) this.work.classList.add("first-visit");
    if (this.match.id && sameSpec(this.match.spec, asked)) {
      this._address();
      return;
    }
    const kept = this.match.id ? null : await this.match.resume(asked);
    if (kept) {
      this._show(kept);
      return;
    }
    await this._start(wishOf(asked));
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
      keepWish(spec);
      this.form.complain(null);
      this._show(answer);
    } catch (error) {
      this.form.complain(error.message);
      if (!this.match.id) {
        this.form.set(spec);
        this.voice.say(notice(error.message, "bad"));
      }
    }
  }

  /** The key for a new game must be pressed twice if a running game would be lost. */
  _askAgain() {
    const now = performance.now();
    if (this.match.state !== "running" || now - (this._asked ?? -Infinity) < AGAIN) this._again(null);
    else {
      this._asked = now;
      this.voice.say(notice("Press N again for a new game: this one is still running."));
    }
  }

  _undo() {
    if (this.match.moves) this.match.undo();
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
    this.doubt.show(this.board.trust(answer.view.rules));
    if (answer.layout) this.board.reveal(answer.layout);
    this.form.set(this.match.spec);
    this.name.textContent = `${boardName(this.match.spec.board)} · seed ${this.match.spec.seed}`;
    this._address();
    this.status.show(answer.mines_left ?? answer.view.mines_left);
    this._speak();
    this.see.refresh(this.match.id, this.match.state);
    if (this._loaded) this._refocus();
    else {
      this._loaded = true;
      this.board.painted(0).then((duration) => performance.measure("load-to-board", { start: 0, duration }));
    }
  }

  /** A button that was pressed may be gone: the focus moves to the board. */
  _refocus() {
    if (document.activeElement === document.body || !document.activeElement) {
      this.board.focus(this.board.cell, { scroll: false });
    }
  }

  _address() {
    this.context.address("play", paramsOf(this.match.spec));
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

  // -- what the server says --------------------------------------------------------------------

  /** The server answered a move. */
  async _told(reply, { start, action, cell }) {
    this.why.close({ refocus: false });
    this.work.classList.remove("first-visit");
    settings.set("met", true);
    this.board.light("step", []);
    if (action === "undo") this.board.reveal(null);
    if (reply.view) this.board.update(reply.view.shown.map((shown, cell) => [cell, shown]));
    else this.board.update(reply.changed);
    if (this.match.over) {
      this.see.clear();
      if (reply.layout) this.board.reveal(reply.layout);
    }
    this._enliven(reply, action, cell);
    this._answer = reply;
    this._problem = this._lesson = null;
    if (this.match.state === "lost") this._learn(this.match.id);
    this.status.show(reply.mines_left ?? reply.view?.mines_left);
    this._speak();
    this._point(this._pointed ?? null);
    if (action === "flag") {
      this.context.announce(this.board.describe(cell));
      return; // flags are no evidence: the chances stay
    }
    this.see.refresh(this.match.id, this.match.state, start);
    if (action === "undo") this._refocus();
    else this.context.announce(this.status.outcome(this.board, reply, cell));
    const took = await this.board.painted(start);
    performance.measure(action === "undo" ? "undo-to-paint" : "open-to-paint", { start, duration: took });
    this.stage.dataset.openToPaint = took.toFixed(1);
  }

  /** What a move looks and sounds like. */
  _enliven(reply, action, cell) {
    if (action === "undo") return;
    if (action === "flag") {
      if (this.board.shown[cell] === "F") motion.flagged(this.board, cell);
      sound.play(this.board.shown[cell] === "F" ? "flag" : "unflag");
      return;
    }
    const opened = reply.changed.filter(([, shown]) => typeof shown === "number" || shown === "?");
    motion.opened(this.board, opened.map(([changed]) => changed));
    const { state } = this.match;
    if (state === "won") motion.won(this.board);
    if (state === "lost") motion.lost(this.board, this.board.shown.indexOf("*"));
    sound.play(this.match.over ? state : opened.length > 1 ? "area" : "open");
  }

  async _failed(error) {
    if (error.code === "gone" || error.code === "not-found") {
      this.voice.say(gone(error.message, () => this._again(this.match.spec.seed)));
      return;
    }
    this._problem = error.message;
    this._speak();
    try {
      // What was drawn before the answer may be wrong: take the server's view.
      const truth = await api.game(this.match.id);
      this.board.update(truth.view.shown.map((shown, cell) => [cell, shown]));
      this.status.show(truth.mines_left ?? truth.view.mines_left);
    } catch {
      // The server is away; the message says so.
    }
  }

  // -- what is said ----------------------------------------------------------------------------

  /** The coach's card for the game as it stands. */
  _speak() {
    if (!this.why.open) this.voice.say(this._card());
  }

  _card() {
    if (this.match.over) {
      return ending({
        match: this.match,
        measures: this._answer.measures ?? {},
        lesson: this._lesson,
        numbers: this.board.numbers,
        acts: {
          again: () => this._again(this.match.spec.seed),
          fresh: () => this._again(null),
          review: () => this.context.navigate("review", { game: this.match.id }),
          undo: () => this._undo(),
          ask: () => this._askLost(),
        },
      });
    }
    if (this._problem) return notice(this._problem, "bad");
    if (this.work.classList.contains("first-visit")) return welcome();
    const analysis = settings.get("best") ? this.see.analysis : null;
    return analysis?.best ? bestMove(analysis, this.board) : invitation(this.whyMode);
  }

  /** After a loss: what the last move risked, and what was better. */
  async _learn(id) {
    if (this.board.board.cells > LESSON_CELLS) return;
    try {
      const { lessonOf } = await import("./lesson.js");
      const lesson = await lessonOf(id);
      if (id !== this.match.id || this.match.state !== "lost" || !lesson) return;
      this._lesson = lesson;
      this._speak();
      if (lesson.better !== null) this.board.light("best", [lesson.better]);
    } catch {
      // The lesson is an extra: Review says it too.
    }
  }

  /** Could the mine that was opened be known? The proof stands on the position before it. */
  _askLost() {
    const { mine, before } = this._lesson;
    this.board.reveal(null);
    this.why.show(mine, (asked, signal) => api.positionExplain(before, asked, signal));
  }

  _point(cell) {
    this._pointed = cell;
    this.voice.pointed(cell);
    const word = cell === null ? "" : this.board.describe(cell) + this.see.more(cell);
    this.where.textContent = word.charAt(0).toUpperCase() + word.slice(1);
  }

  // -- See and Why -----------------------------------------------------------------------------

  _setWhy(on) {
    this.whyMode = on;
    this.stage.classList.toggle("asking", on);
    if (!on && this.why.open) this.why.close();
    this.press(this.whyMode);
    this._speak();
  }

  _ask(cell) {
    const shown = this.board.shown[cell];
    if (shown !== null && shown !== "F") {
      this.why.close({ refocus: false });
      this.voice.say(notice("This cell is open: ask about one that is hidden or flagged."));
      return;
    }
    this.why.show(cell, (asked, signal) => api.explain(this.match.id, asked, signal));
  }

  _set(key) {
    this.press(this.whyMode);
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
