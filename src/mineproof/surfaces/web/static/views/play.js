// Play: a game on the board, by mouse, touch or keys, with what See and Why add to it.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { atFirstTouch, doubtBadge, h } from "../dom.js";
import { settings } from "../settings.js";
import { boardName } from "./boards.js";
import { Match, freshSeed, memory, sameSpec } from "./match.js";
import { NewGame } from "./new-game.js";
import { askedIn, badSeed, keepWish, paramsOf, startIn, wishOf } from "./play-address.js";
import { beginning, ending, gone, invitation, notice, welcome } from "./play-cards.js";
import { Moves } from "./play-moves.js";
import { pageOf } from "./play-page.js";
import { Status, clockText } from "./play-status.js";
import { See } from "./see.js";
import { StartMark } from "./start-mark.js";
import { Voice } from "./voice.js";
import { LazyWhy } from "./why-later.js";

// What the first board need not wait for.
const HINTS = () => import("./hints.js");
const CERTIFICATE = () => import("./certificate.js");
const REFUSALS = () => import("./refusals.js");
const FIGURES = () => import("./play-figures.js");
const MOTION = () => import("../board/motion.js");
const SOUND = () => import("../sound.js");

const LESSON_CELLS = 1000; // a review looks at every move: not for huge boards
const KEPT_FOR = 15_000; // ms in which the game before is offered

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
    atFirstTouch(() => this._loadRest().catch(() => {}));
    this.press(this.whyMode);
  }

  // -- the page --------------------------------------------------------------------------------

  _build(root) {
    const page = pageOf({
      hint: () => this._hint(),
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
      fresh: () => this._again(null),
      hint: () => this._hint(),
      escape: () => this._escape(),
    });
    this.start = new StartMark(this.board, this.match);
    this.status = new Status(page.parts, this.match);
    this.voice = new Voice({
      onStep: (by) => this.why.step(by),
      onClose: () => this._escape(),
      onGo: (at) => this.why.go(at),
      point: (cells) => this.board.light("point", cells),
    });
    this.why = new LazyWhy(this.board, this.voice, {
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
    this.form = new NewGame({ onStart: (wish) => this._chosen(wish) });
    this.work = h(
      "div",
      { class: "workspace" },
      page.field,
      h("div", { class: "side" }, this.voice.root, this.see.root, this.form.root),
    );
    root.append(this.work);
  }

  // -- coming and going ------------------------------------------------------------------------

  async enter(params, state) {
    const asked = askedIn(params);
    this.start.cell = startIn(params);
    const named = state?.played ? (await memory()).find(state.played) : null;
    if (!this.match.id && !settings.get("met") && ![...params].length) this.work.classList.add("first-visit");
    if (state?.fresh) {
      await this._start(wishOf(asked), { address: true });
      return;
    }
    if (this.match.id && (named ? named.key === this.match.kept.key : sameSpec(this.match.spec, asked))) {
      this._address();
      return;
    }
    if (named && (await this._goOn(named))) return;
    const kept = this.match.id ? null : await this.match.resume(asked);
    if (kept) {
      this._show(kept);
      return;
    }
    const bad = badSeed(asked);
    if (!bad) await this._start(wishOf(asked), { address: true });
    else await this._instead(bad);
    const [last] = [...params].length ? [] : (await memory()).all();
    if (last?.state === "running" && last.key !== this.match.kept.key) this._offer(last);
  }

  leave() {
    this.see.stop();
  }

  /** Begin a game. One that an `address` asks for replaces it; others add to the browser's Back. */
  async _start(spec, { address = false } = {}) {
    const starting = this._leaveGame();
    const before = this.match.kept && { ...this.match.kept };
    try {
      const answer = await this.match.begin(spec, () => this._starting === starting);
      if (!answer) return;
      keepWish(spec);
      this.form.complain(null);
      this._show(answer, !address);
      if (before?.state === "running") this._offer(before);
    } catch (error) {
      const { inWords } = await REFUSALS();
      if (address) await this._instead(inWords(error.message));
      else this.form.complain(inWords(error.message));
    }
  }

  /** An address that names no game: say so where it can be seen, and play what was played last. */
  async _instead(why) {
    if (!this.match.id) await this._start(wishOf(askedIn(new URLSearchParams())), {});
    else this._address();
    this.context.tell(`This address names no game: ${why}`, { tone: "bad" });
  }

  /** The form asks for a game. */
  _chosen(wish) {
    this.start.cell = null;
    this._start({ ...wish, seed: wish.seed ?? freshSeed() });
  }

  _leaveGame() {
    this.see.stop();
    this.context.tell(null);
    this._starting = Symbol("start");
    return this._starting;
  }

  /** Go on with a kept game; false if it cannot be. */
  async _goOn(kept, { push = false } = {}) {
    const starting = this._leaveGame();
    try {
      const answer = await this.match.goOn(kept, () => this._starting === starting);
      if (answer) this._show(answer, push);
      return true;
    } catch (error) {
      this.context.tell(`This game cannot be gone on with: ${error.message}`, { tone: "bad" });
      return false;
    }
  }

  /** A running game was left for another: say that it is kept. */
  _offer({ key, board, ms }) {
    const text = `Your game on ${boardName(board)}, ${clockText(ms / 1000)}, is kept.`;
    this.context.tell(text, { act: ["Resume", () => this._goOnWith(key)], forMs: KEPT_FOR });
  }

  async _goOnWith(key) {
    const kept = (await memory()).find(key);
    if (kept) await this._goOn(kept);
  }

  _undo() {
    if (this.match.moves) this.match.undo();
    else if (this.match.before) this._goOnWith(this.match.before);
  }

  _again(seed) {
    this.start.cell = seed === null ? null : this.start.begun;
    this._start({ ...this.match.spec, seed: seed ?? freshSeed() });
  }

  _show(answer, push = false) {
    this.why.close({ refocus: false });
    this.hints?.close();
    this.context.game = this.match.id;
    this._answer = answer;
    this._problem = this._lesson = null;
    this.see.clear();
    this.board.show(answer.board, answer.view.shown);
    this.doubt.show(this.board.trust(answer.view.rules));
    if (answer.layout) this._reveal(answer.layout);
    if (this.match.state === "lost") this._learn(this.match.id);
    this.moves.query();
    this._count();
    this.form.set(this.match.spec);
    this.name.textContent = `${boardName(this.match.spec.board)} · seed ${this.match.spec.seed}`;
    this.badge.hidden = !this.match.spec.no_guess;
    this.start.draw();
    this._address(push);
    this.status.show(answer.mines_left ?? answer.view.mines_left);
    this._speak();
    this.see.refresh(this.match.id, this.match.state);
    if (this._loaded) this._refocus();
    else {
      this._loaded = true;
      this.board.painted(0).then((duration) => performance.measure("load-to-board", { start: 0, duration }));
    }
  }

  /** Somebody is there: load what comes with moves, and begin to keep the game. */
  async _loadRest() {
    await this.match.recall();
    if (this.match.id) this.status.show();
    await Promise.all([MOTION(), SOUND()]);
  }

  /** A button that was pressed may be gone: the focus moves to the board. */
  _refocus() {
    if (document.activeElement === document.body || !document.activeElement) {
      this.board.focus(this.board.cell, { scroll: false });
    }
  }

  _address(push = false) {
    this._addressed = this.start.begun;
    this.context.address("play", paramsOf(this.match.spec, this._addressed), { push, played: this.match.kept.key });
  }

  /** The mines of a finished game; after a win they are flagged, for nothing went wrong. */
  _reveal(layout) {
    if (this.match.state === "won") {
      this.board.update(layout.map((cell) => [cell, "F"]));
      this.status.show(0);
    } else this.board.reveal(layout);
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
    if (action !== "flag") this.hints?.close();
    this.work.classList.remove("first-visit");
    settings.set("met", true);
    this.board.light("step", []);
    if (action === "undo") {
      this.board.reveal(null);
      this.start.cell = this._addressed;
      this.start.draw();
    }
    if (reply.view) this.board.update(reply.view.shown.map((shown, cell) => [cell, shown]));
    else this.board.update(reply.changed);
    if (this.match.over) {
      this.see.clear();
      if (reply.layout) this._reveal(reply.layout);
    }
    this.moves.query();
    this._count();
    this._enliven(reply, action, cell);
    this._answer = reply;
    this._problem = this._lesson = null;
    if (this.match.state === "lost") this._learn(this.match.id);
    if (this.see.wanted && !this.match.over) this.match.note({ helped: true });
    if (action === "undo") this._address(); // a finished game that goes on is another one
    else this.context.tell(null);
    if (this._addressed !== this.start.begun) this._address();
    this.status.show(this.match.state === "won" ? 0 : (reply.mines_left ?? reply.view?.mines_left));
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

  /** Clicks, 3BV and efficiency, if they are wanted. */
  async _count() {
    if (!this.figures && !settings.get("figures")) return;
    const { Figures } = await FIGURES();
    if (!this.figures) this.stage.after((this.figures = new Figures(this.match)).root);
    this.figures.show(this.board);
  }

  /** What a move looks and sounds like. */
  async _enliven(reply, action, cell) {
    if (action === "undo") return;
    const { state } = this.match;
    const [motion, sound] = await Promise.all([MOTION(), SOUND()]).catch(() => []); // the server is away
    if (!motion) return;
    if (action === "flag") {
      if (this.board.shown[cell] === "F") motion.flagged(this.board, cell);
      sound.play(this.board.shown[cell] === "F" ? "flag" : "unflag");
      return;
    }
    const opened = reply.changed.filter(([, shown]) => typeof shown === "number" || shown === "?");
    motion.opened(this.board, opened.map(([changed]) => changed));
    if (state === "won") motion.won(this.board);
    if (state === "lost") motion.lost(this.board, this.board.shown.indexOf("*"));
    sound.play(state === "won" || state === "lost" ? state : opened.length > 1 ? "area" : "open");
  }

  async _failed(error) {
    if (error.code === "gone") {
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
    if (!this.why.open && !this.hints?.open) this.voice.say(this._card());
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
          certificate: this.match.spec.no_guess ? () => this._certificate() : null,
        },
      });
    }
    if (this._problem) return notice(this._problem, "bad");
    if (this.start.shown) return beginning(this.start.cell, this.board);
    if (this.work.classList.contains("first-visit")) return welcome();
    return (settings.get("best") && !this.whyMode && this.see.card()) || invitation(this.whyMode);
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

  /** One level more of a hint. */
  async _hint() {
    if (this.match.over) return;
    this.match.note({ helped: true });
    const { Hints } = await HINTS();
    this.hints ??= new Hints(this.board, this.voice, {
      ask: (level) => api.hint(this.match.id, level),
      onBegin: () => this.why.close({ refocus: false }),
      onEnd: () => {
        this.see.draw();
        this._speak();
      },
      onProof: (hint) => this.why.show(hint.cell, async () => hint.why),
    });
    this.hints.more();
  }

  _escape() {
    if (this.why.open) this.why.close();
    else if (this.hints?.open) this.hints.close();
    else this._setWhy(false);
  }

  async _certificate() {
    const { saveCertificate } = await CERTIFICATE();
    await saveCertificate(this.match.id, this.match.spec, this.context.tell);
  }

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
    this.match.note({ helped: true });
    this.hints?.close();
    this.why.show(cell, (asked, signal) => api.explain(this.match.id, asked, signal));
  }

  _set(key) {
    this.press(this.whyMode);
    if (key === "figures") this._count();
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
