// Play: a game on the board, by mouse, touch or keys, with what See and Why add to it.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { atFirstTouch, doubtBadge, h } from "../dom.js";
import { settings } from "../settings.js";
import { boardName } from "./boards.js";
import { Match, freshSeed, memory, sameSpec } from "./match.js";
import { NewGame } from "./new-game.js";
import { Asking } from "./play-asking.js";
import { askedIn, badSeed, keepWish, paramsOf, startIn, wishOf } from "./play-address.js";
import { beginning, invitation, notice, welcome } from "./play-cards.js";
import { Moves } from "./play-moves.js";
import { pageOf } from "./play-page.js";
import { Status, clockText } from "./play-status.js";
import { See } from "./see.js";
import { StartMark } from "./start-mark.js";
import { Voice } from "./voice.js";

// What the first board need not wait for.
const EFFECTS = () => import("./play-effects.js");
const ENDINGS = () => import("./play-endings.js");
const CERTIFICATE = () => import("./certificate.js");
const REFUSALS = () => import("./refusals.js");

const KEPT_FOR = 15_000; // ms in which the game before is offered

export { PARAMS } from "./play-address.js";

/** Where a game ended: the mine that was opened, or the last cell. */
const endOf = ({ changed = [] }, cell) => changed.find(([, shown]) => shown === "*")?.[0] ?? cell;

export function mount(root, context) {
  return new Play(root, context);
}

class Play {
  constructor(root, context) {
    this.context = context;
    this.match = new Match(
      (reply, move) => this._told(reply, move),
      (error) => this._failed(error),
    );
    this._build(root);
    this.match.seeing = () => this.see.wanted;
    settings.watch((key) => this._set(key));
    atFirstTouch(() => this._loadRest().catch(() => {}));
    this.press(false);
  }

  // -- the page --

  _build(root) {
    const page = pageOf({
      flag: () => {
        settings.set("flagMode", !settings.get("flagMode"));
        this.asking.choose(false);
      },
      hint: () => this.asking.hint(),
      why: () => this.asking.choose(!this.asking.choosing),
      undo: () => this._undo(),
      fresh: () => this._again(null),
      share: () => this._share(),
      choose: () => this.form.choose(),
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
      asking: () => this.asking.choosing,
      ask: (cell) => this.asking.ask(cell),
      undo: () => this._undo(),
      fresh: () => this._again(null),
      hint: () => this.asking.hint(),
      escape: () => this.asking.escape(),
    });
    this.start = new StartMark(this.board, this.match);
    this.status = new Status(page.parts, this.match);
    this.voice = new Voice({
      onStep: (by) => this.asking.why.step(by),
      onClose: () => this.asking.escape(),
      onGo: (at) => this.asking.why.go(at),
      point: (cells) => this.board.light("point", cells),
      said: () => this._slim(),
    });
    this.see = new See(this.board, (analysis, problem) => {
      this._problem = problem;
      this._speak();
      this._point(this._pointed ?? null);
    });
    this.asking = new Asking({
      board: this.board,
      match: this.match,
      voice: this.voice,
      see: this.see,
      speak: () => this._speak(),
      ended: () => this.match.over && this._answer.layout && this._reveal(this._answer.layout),
      chosen: (on) => {
        this.stage.classList.toggle("asking", on);
        this.press(on);
      },
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

  // -- coming and going --

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
    if (this.match.kept) this.match.note({}); // with the time on its clock now, which History shows
  }

  /** Begin a game. One that an `address` asks for replaces it; others add to the browser's Back. */
  async _start(spec, { address = false } = {}) {
    const starting = this._leaveGame();
    const before = this.match.kept; // its time is written down when it is left
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
    this.context.tell(`This address names no game. ${why}`, { tone: "bad" });
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
    this.asking.moved("show");
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
    const seed = h("span", { class: "seed" }, ` · seed ${this.match.spec.seed}`);
    this.boardName.replaceChildren(boardName(this.match.spec.board), seed);
    this.badge.hidden = !this.match.spec.no_guess;
    this.start.draw();
    this._address(push);
    this.status.show(answer.mines_left ?? answer.view.mines_left);
    this._speak();
    this._point(this._pointed < this.board.board.cells ? this._pointed : null);
    this.see.refresh(this.match.id, this.match.state);
    if (this._loaded) {
      this._refocus();
      this._rise();
    } else {
      this._loaded = true;
      this.board.painted(0).then((duration) => performance.measure("load-to-board", { start: 0, duration }));
    }
  }

  /** Somebody is there: load what comes with moves, and begin to keep the game. */
  async _loadRest() {
    await this.match.recall();
    if (this.match.id) this.status.show();
    this._ending = (await ENDINGS()).ending;
    await (await this._effects()).load();
  }

  /** What moves look and sound like, and the figures; the server may be away when they are wanted. */
  async _effects() {
    const { Effects } = await EFFECTS();
    return (this._lively ??= new Effects(this.board, this.match));
  }

  _count() {
    if (this._lively || settings.get("figures")) this._effects().then((effects) => effects.count(), () => {});
  }

  /** The card of a game that is over, which may have to be loaded after a reload. */
  _over(told) {
    if (this._ending) return this._ending(told);
    ENDINGS().then(({ ending }) => {
      this._ending = ending;
      this._speak();
    }, () => {});
    return notice(this.match.state === "won" ? "Won." : "Lost.");
  }

  /** A button that was pressed may be gone: the focus moves to the board. */
  _refocus() {
    if (document.activeElement === document.body || !document.activeElement) {
      this.board.focus(this.board.cell, { scroll: false });
    }
  }

  /** What was pressed may stand far below the board: on a phone the page goes back up to it. */
  _rise() {
    if (this.work.getBoundingClientRect().top < 0) scrollTo(0, 0);
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

  // -- what the server says --

  /** The server answered a move. */
  async _told(reply, { start, action, cell }) {
    this.asking.moved(action);
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
    this._effects().then((effects) => effects.moved(reply, action, cell), () => {});
    this._answer = reply;
    this._problem = this._lesson = null;
    if (this.match.state === "lost") this._learn(this.match.id);
    if (this.see.wanted && !this.match.over) this.match.note({ helped: true });
    if (action === "undo") this._address(); // a finished game that goes on is another one
    else this.context.tell(null);
    if (this._addressed !== this.start.begun) this._address();
    this.status.show(this.match.state === "won" ? 0 : (reply.mines_left ?? reply.view?.mines_left));
    this._speak();
    if (this.match.over) this.board.seek(endOf(reply, cell));
    this._point(this._pointed ?? null);
    if (action === "flag") {
      this.context.announce(this.board.describe(cell));
      return; // flags are no evidence: the chances stay
    }
    this.see.refresh(this.match.id, this.match.state, start, reply.analysis);
    if (action === "undo") {
      this._refocus();
      this._rise();
    } else this.context.announce(this.status.outcome(this.board, reply, cell));
    const took = await this.board.painted(start);
    performance.measure(action === "undo" ? "undo-to-paint" : "open-to-paint", { start, duration: took });
    this.stage.dataset.openToPaint = took.toFixed(1);
  }

  async _failed(error) {
    if (error.code === "gone") {
      const { gone } = await ENDINGS();
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

  // -- what is said --

  /** The coach's card for the game as it stands. */
  _speak() {
    if (!this.asking.open) this.voice.say(this._card());
  }

  _card() {
    if (this.match.over) {
      return this._over({
        match: this.match,
        measures: this._answer.measures ?? {},
        lesson: this._lesson,
        numbers: this.board.numbers,
        acts: {
          again: () => this._again(this.match.spec.seed),
          fresh: () => this._again(null),
          review: () => this.context.navigate("review", { game: this.match.id }),
          undo: () => this._undo(),
          ask: () => {
            this._rise();
            this.asking.askLost(this._lesson);
          },
          certificate: this.match.spec.no_guess ? () => this._certificate() : null,
        },
      });
    }
    if (this._problem) return notice(this._problem, "bad");
    if (this.start.shown) return beginning(this.start.cell, this.board);
    if (this.work.classList.contains("first-visit")) return welcome();
    const { choosing } = this.asking;
    return (settings.get("best") && !choosing && this.see.card()) || invitation(choosing);
  }

  /** After a loss: what the last move risked, and what was better. */
  async _learn(id) {
    try {
      const lesson = await (await import("./lesson.js")).lessonOf(id, this.board.board);
      if (id !== this.match.id || this.match.state !== "lost" || !lesson) return;
      this._lesson = lesson;
      this._speak();
      if (lesson.better !== null) this.board.light("best", [lesson.better]);
      if (lesson.mine !== null) this.board.seek(lesson.mine);
    } catch {
      // The lesson is an extra: Review says it too.
    }
  }

  _point(cell) {
    this._pointed = cell;
    this.voice.pointed(cell);
    const word = cell === null ? "" : this.board.describe(cell) + this.see.more(cell);
    this.where.textContent = word.charAt(0).toUpperCase() + word.slice(1);
  }

  // -- See and the certificate --

  async _certificate() {
    const { saveCertificate } = await CERTIFICATE();
    await saveCertificate(this.match.id, this.match.spec, this.context.tell);
  }

  /** On a phone held sideways the board has nearly all the room, unless there is something to read. */
  _slim() {
    const read = settings.get("panel") || this.match.over || this.voice.root.classList.contains("asked");
    this.work?.classList.toggle("slim", !read && !this.work.classList.contains("first-visit"));
    this.work?.classList.toggle("over", this.match.over);
  }

  _set(key) {
    this.press(this.asking.choosing);
    this._slim();
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
    this._point(this._pointed ?? null);
  }
}
