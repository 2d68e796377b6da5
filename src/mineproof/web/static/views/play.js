// Play: a game on the board, by mouse, touch or keys, with what See and Why add to it.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { atFirstTouch, doubtBadge, h, retried } from "../dom.js";
import * as keptGames from "../kept-games.js";
import { settings } from "../settings.js";
import { boardName } from "./boards.js";
import { CoachCard, greeting, startNotice, invitation, notice, welcome } from "./coach-card.js";
import { GameStatus, clockText, pageOf } from "./field.js";
import { Match, requestIn, badSeed, firstCellIn, firstOpened, freshSeed, keepWish, paramsOf, sameSpec, wishOf } from "./match.js";
import { NewGame } from "./new-game.js";
import { Moves, Questions } from "./play-moves.js";
import { See } from "./see.js";

// Loaded after the first board.
const loadEffects = () => retried("effects", (again) => import(`./effects.js${again}`));
const loadEndings = () => retried("endings", (again) => import(`./endings.js${again}`));
const loadBoardForms = () => import("./board-forms.js");
const loadDaily = () => retried("daily", (again) => import(`./daily.js${again}`));

const KEPT_FOR = 15_000; // ms in which the game before is offered

/** What an address of Play may say. */
export const PARAMS = ["board", "first", "clues", "no-guess", "guesses", "seed", "start", "layout"];

/** Where a game ended: the mine that was opened, or the last cell. */
const endOf = ({ changed = [] }, cell) => changed.find(([, shown]) => shown === "*")?.[0] ?? cell;

export function mount(root, context) {
  return new Play(root, context);
}

class Play {
  constructor(root, context) {
    this.context = context;
    this.match = new Match(
      (reply, move) => this._onReply(reply, move),
      (error) => this._onError(error),
    );
    this._build(root);
    this.match.seeing = () => this.see.wanted;
    this.match.onWaiting = (cells) => this.board.description && this.board.light("queued", cells);
    settings.watch((key) => this._onSetting(key));
    // What fails to load tells that the server may be away: a question finds out, and says so.
    atFirstTouch(() => this._loadRest().catch(() => this.match.id && api.game(this.match.id).catch(() => {})));
    this.press(false);
  }

  // -- the page --

  _build(root) {
    const page = pageOf({
      flag: () => {
        settings.set("flagMode", !settings.get("flagMode"));
        this.questions.choose(false);
      },
      hint: () => this.questions.hint(),
      why: () => this.questions.choose(!this.questions.choosing),
      undo: () => this._undo(),
      fresh: () => this._playAgain(null),
      share: () => this._share(),
      choose: () => this.form.choose(),
      analyse: () => this._analyse(),
      zoom: (by) => this.board.zoom(by),
    });
    const { parts } = page;
    this.stage = parts.stage;
    this.where = parts.where;
    this.nameElement = parts.nameElement;
    this.noGuessBadge = parts.noGuessBadge;
    this.ruleBadge = parts.ruleBadge;
    this.doubt = doubtBadge();
    parts.stateElement.after(this.doubt);
    this.press = page.press;
    this.board = new Board(this.stage, {
      label: "Minesweeper board",
      onGesture: (gesture) => this.moves.gesture(gesture),
      onKey: (key) => this.moves.key(key),
      anywhere: true,
      onFocus: (cell) => this._point(cell),
    });
    this.moves = new Moves(this.board, this.match, {
      asking: () => this.questions.choosing,
      ask: (cell) => this.questions.ask(cell),
      undo: () => this._undo(),
      fresh: () => this._playAgain(null),
      hint: () => this.questions.hint(),
      escape: () => this.questions.escape(),
      choose: () => this.questions.choose(!this.questions.choosing),
      say: (text) => {
        this.where.textContent = text;
        this.context.announce(text);
      },
      checkFlags: () => this.questions.flags(),
    });
    this.firstCell = new FirstCellMark(this.board, this.match);
    this.status = new GameStatus(parts, this.match);
    this.voice = new CoachCard({
      onStep: (by) => this.questions.why?.step(by),
      onClose: () => this.questions.escape(),
      onGo: (at) => this.questions.why?.go(at),
      point: (cells) => this.board.light("point", cells),
      said: () => this._updateLayoutClasses(),
    });
    this.see = new See(this.board, (problem) => {
      this._problem = problem;
      this._speak();
      this._point(this._pointed ?? null);
    });
    this.questions = new Questions({
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
    this.form = new NewGame({ onStart: (wish) => this._onForm(wish) });
    this.dailyCard = h("section", { class: "card daily", "aria-label": "Daily" }, h("h2", {}, "Daily"));
    this.work = h(
      "div",
      { class: "workspace" },
      page.field,
      h("div", { class: "side" }, this.voice.root, this.see.root, this.form.root, this.dailyCard),
    );
    root.append(this.work);
  }

  // -- coming and going --

  async enter(params, state) {
    const asked = requestIn(params);
    this.firstCell.cell = firstCellIn(params);
    const named = state?.played ? keptGames.find(state.played) : null;
    if (!this.match.id && !settings.get("met") && ![...params].length) this.work.classList.add("first-visit");
    if (state?.fresh) {
      await this._start({ ...wishOf(asked), ...(state.moves ? { moves: state.moves } : {}) }, { address: true });
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
    else await this._refuseAddress(bad);
    const [last] = [...params].length ? [] : keptGames.all();
    if (last?.state !== "running" || last.key === this.match.kept?.key) return;
    this._left = last;
    this._speak();
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
      this._left = null;
      if (!spec.moves && !spec.layout) keepWish(spec); // neither the boards of the day nor given mines change settings
      this.form.complain(null);
      this._show(answer, !address);
      if (before?.state === "running") this._offer(before);
    } catch (error) {
      const { inWords } = await loadBoardForms();
      if (address) await this._refuseAddress(inWords(error.message));
      else this.form.complain(inWords(error.message));
    }
  }

  /** The address names no game: say so, and play what was played last. */
  async _refuseAddress(why) {
    if (!this.match.id) await this._start(wishOf(requestIn(new URLSearchParams())), {});
    else this._address();
    this.context.tell(`This address names no game. ${why}`, { tone: "bad" });
  }

  /** The form asks for a game. */
  _onForm(wish) {
    this.firstCell.cell = null;
    this._start({ ...wish, seed: wish.seed ?? freshSeed() });
  }

  // -- the boards of the day --

  /** Show them, as they stand. */
  async _refreshDaily() {
    if (!this.daily) {
      const { Daily } = await loadDaily();
      this.daily ??= new Daily(this.dailyCard, {
        onPlay: (daily) => this._playDaily(daily),
        onResume: ({ key }) => this._goOnWith(key).then(() => this._scrollToBoard()),
        onReview: ({ game }) => this.context.navigate("review", { game }),
        tell: (text) => this.context.tell(text),
      });
    }
    await this.daily.refresh();
  }

  /** It begins at the same cell for everybody, so that cell is open already. */
  async _playDaily({ board, seed, start }) {
    await this.match.recall(); // whether it was played before decides whether it counts
    await this._start({ board, seed, first_click: "opening", clues: "exact", no_guess: true, guess_rule: "dealt", moves: `o${start}` });
    this._scrollToBoard();
    await this.daily.refresh();
  }

  _leaveGame() {
    this.see.stop();
    if (this.match.id) {
      settings.set("flagMode", false); // a mode ends with its game
      this.questions.choose(false);
    }
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
      this.context.tell(`This game cannot be continued: ${error.message}`, { tone: "bad" });
      return false;
    }
  }

  /** A running game was left for another: say that it is kept. */
  _offer({ key, board, ms }) {
    const text = `Your game on ${boardName(board)}, ${clockText(ms / 1000)}, is kept.`;
    this.context.tell(text, { act: ["Resume", () => this._goOnWith(key)], forMs: KEPT_FOR });
  }

  async _goOnWith(key) {
    const kept = keptGames.find(key);
    if (kept) await this._goOn(kept);
  }

  _undo() {
    if (this.match.moves) this.match.undo();
    else if (this.match.before) this._goOnWith(this.match.before);
  }

  /** The same board again, by its seed; with null a new one. */
  _playAgain(seed) {
    this.firstCell.cell = seed === null ? null : this.firstCell.forAddress;
    this._start(seed === null ? { ...this.match.spec, seed: freshSeed(), layout: null } : { ...this.match.spec, seed });
  }

  _show(answer, push = false) {
    this.questions.moved("show");
    this.context.game = this.match.id;
    this._answer = answer;
    this._problem = this._lesson = null;
    this.see.clear();
    this.board.show(answer.board, answer.view.shown);
    this.doubt.show(this.board.trust(answer.view.rules));
    if (answer.layout) this._reveal(answer.layout);
    if (this.match.state === "lost") this._showLesson(this.match.id);
    this.moves.query();
    this._count();
    this.form.set(this.match.spec);
    const seed = h("span", { class: "seed" }, this.match.spec.layout ? " · given mines" : ` · seed ${this.match.spec.seed}`);
    this.nameElement.replaceChildren(boardName(this.match.spec.board), seed);
    this.noGuessBadge.hidden = !this.match.spec.no_guess;
    this.ruleBadge.show(this.match.spec.guess_rule);
    this.firstCell.draw();
    this._address(push);
    this.status.show(answer.mines_left ?? answer.view.mines_left);
    this._speak();
    this._point(this._pointed < this.board.description.cells ? this._pointed : null);
    this.see.refresh(this.match.id, this.match.state);
    if (this._loaded) {
      this._refocus();
      this._scrollToBoard();
    } else {
      this._loaded = true;
      this.board.painted(0).then((duration) => {
        performance.measure("load-to-board", { start: 0, duration });
        this._refreshDaily().catch(() => {});
      });
    }
  }

  /** The player is there: load what comes with moves, and begin to keep the game. */
  async _loadRest() {
    await this.match.recall();
    if (this.match.id) this.status.show();
    this._endings = await loadEndings();
    await this._effects();
    if (!this.daily) await this._refreshDaily();
  }

  /** The effects of moves, and the figures; rejects if the server is away when they are first needed. */
  async _effects() {
    const { MoveEffects } = await loadEffects();
    return (this._lively ??= new MoveEffects(this.board, this.match));
  }

  _count() {
    if (this._lively || settings.get("figures")) this._effects().then((effects) => effects.count(), () => {});
  }

  /** The card of a game that is over, which may have to be loaded after a reload. */
  _endCard(facts) {
    if (this._endings) return this._endings.endCard(facts);
    loadEndings().then((endings) => {
      this._endings = endings;
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

  /** On a phone, what was pressed may be far below the board: scroll back up to it. */
  _scrollToBoard() {
    if (this.work.getBoundingClientRect().top < 0) scrollTo(0, 0);
  }

  _address(push = false) {
    this._addressed = this.firstCell.forAddress;
    this.context.address("play", paramsOf(this.match.spec, this._addressed), { push, played: this.match.kept.key });
  }

  /** Show the mines of a finished game; after a win they are flagged. */
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
      this._onError(error);
    }
  }

  // -- what the server says --

  /** The server answered a move: first the board, then what is said and asked for. */
  async _onReply(reply, { startedAt, action, cell }) {
    const undone = action === "undo";
    this.questions.moved(action);
    this.work.classList.remove("first-visit");
    settings.set("met", true);
    this._drawReply(reply, undone);
    this._effects().then((effects) => effects.follow(reply, action, cell), () => {});
    this._takeReply(reply, undone);
    this._speak();
    if (this.match.over) {
      this.board.seek(endOf(reply, cell));
      if (this.daily?.has(this.match.kept)) this.daily.refresh().catch(() => {});
    }
    this._point(this._pointed ?? null);
    if (action === "flag") {
      this.context.announce(this.board.describe(cell));
      return; // flags are no evidence: the chances stay
    }
    this.see.refresh(this.match.id, this.match.state, startedAt, reply.analysis);
    if (undone) {
      this._refocus();
      this._scrollToBoard();
    } else this.context.announce(this.status.outcome(this.board, reply, cell));
    const duration = await this.board.painted(startedAt);
    performance.measure(undone ? "undo-to-paint" : "open-to-paint", { start: startedAt, duration });
  }

  /** Draw what a move changed. */
  _drawReply(reply, undone) {
    this.board.light("step", []);
    if (undone) {
      this.board.reveal(null);
      this.firstCell.cell = this._addressed;
      this.firstCell.draw();
    }
    this.board.update(reply.view ? reply.view.shown.map((shown, cell) => [cell, shown]) : reply.changed);
    if (this.match.over) {
      this.see.clear();
      if (reply.layout) this._reveal(reply.layout);
    }
    this.moves.query();
    this._count();
  }

  /** What a move changed about the game, but for its board. */
  _takeReply(reply, undone) {
    this._answer = reply;
    this._problem = this._lesson = null;
    if (this.match.state === "lost") this._showLesson(this.match.id);
    if (this.see.wanted && !this.match.over) this.match.note({ helped: true });
    if (undone) this._address(); // a finished game that goes on is another one
    else this.context.tell(null);
    if (this._addressed !== this.firstCell.forAddress) this._address();
    this.status.show(this.match.state === "won" ? 0 : (reply.mines_left ?? reply.view?.mines_left));
  }

  async _onError(error) {
    if (error.code === "gone") {
      const { goneCard } = await loadEndings();
      this.voice.say(goneCard(error.message, () => this._playAgain(this.match.spec.seed)));
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
    if (!this.questions.open) this.voice.say(this._card());
  }

  _card() {
    if (this.match.over) {
      return this._endCard({
        match: this.match,
        measures: this._answer.measures ?? {},
        lesson: this._lesson,
        numbers: this.board.numbers,
        acts: {
          again: () => this._playAgain(this.match.spec.seed),
          fresh: () => this._playAgain(null),
          review: () => this.context.navigate("review", { game: this.match.id }),
          undo: () => this._undo(),
          ask: () => {
            this._scrollToBoard();
            this.questions.askLost(this._lesson);
          },
          certificate: this.match.spec.no_guess ? () => this._certificate() : null,
          result: this.daily?.has(this.match.kept) ? () => this.daily.share() : null,
        },
      });
    }
    if (this._problem) return notice(this._problem, "bad");
    if (this._answer?.guess) return { ...notice(this._answer.guess.text, this._answer.guess.best ? "good" : "bad"), title: "A guess" };
    if (this.firstCell.shown) return startNotice(this.firstCell.cell, this.board);
    if (this.work.classList.contains("first-visit")) return welcome();
    if (this.match.state === "ready" && this._left) return greeting(boardName(this._left.board), clockText(this._left.ms / 1000, false), () => this._goOn(this._left));
    const { choosing } = this.questions;
    const flagged = this.board.shown.includes("F") ? [["Check flags", () => this.questions.flags()]] : [];
    return (settings.get("best") && !choosing && this.see.card()) || { ...invitation(choosing, this.match), actions: choosing ? [] : flagged };
  }

  /** After a loss: what the last move risked, and what was better. */
  async _showLesson(id) {
    try {
      const lesson = await (await loadEndings()).lessonOf(id, this.board.description);
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
    const { saveCertificate } = await loadEndings();
    await saveCertificate(this.match.id, this.match.spec, this.context.tell);
  }

  /** On a phone held sideways the board has nearly all the room, unless there is something to read. */
  _updateLayoutClasses() {
    const read = settings.get("panel") || this.match.over || this.voice.root.classList.contains("asked");
    this.work?.classList.toggle("slim", !read && !this.work.classList.contains("first-visit"));
    this.work?.classList.toggle("over", this.match.over);
  }

  /** A setting was changed: show what it is now. */
  _onSetting(key) {
    this.press(this.questions.choosing);
    this._updateLayoutClasses();
    if (key === "figures") this._count();
    if (key === "letters") {
      this._speak();
      this._point(this._pointed ?? null);
    }
    if (key !== "overlay" && key !== "best") return;
    this.see.sync();
    const fresh = this.see.lacks;
    if (!this.see.wanted) {
      this.see.stop();
      this.see.clear();
    } else if (fresh) this.see.refresh(this.match.id, this.match.state);
    else this.see.draw();
    this._speak();
    this._point(this._pointed ?? null);
  }
}

/** The first cell of a no-guess game: the board is made for it, so the address names it. */
class FirstCellMark {
  constructor(board, match) {
    this.board = board;
    this.match = match;
    this.cell = null; // where the game is to be begun, if its address or an earlier try says so
  }

  /** The cell opened first, or the one to open first; null for other games. */
  get forAddress() {
    if (!this.match.spec?.no_guess) return null;
    return firstOpened(this.match.kept?.moves ?? "") ?? this.cell;
  }

  /** Whether a cell is marked: the game has not begun yet. */
  get shown() {
    const { spec, state } = this.match;
    return Boolean(spec?.no_guess) && state === "ready" && this.cell !== null && this.cell < this.board.description.cells;
  }

  draw() {
    if (!this.shown) this.cell = null;
    this.board.light("step", this.shown ? [this.cell] : []);
  }
}
