// Learn: patterns one after the other, then puzzles by level, solved on the board.

import * as api from "../api-more.js";
import { Board } from "../board/board.js";
import { h, stylesheet } from "../dom.js";
import { CLEAN, HELPED, keepSolved } from "../learn-progress.js";
import { settings } from "../settings.js";
import * as sound from "../sound.js";
import { after, chaptersOf, contents, numbersOf, paramsOf, placeIn } from "./learn-course.js";
import { Picture } from "./learn-picture.js";
import { Puzzle } from "./learn-puzzle.js";
import { count } from "./play-page.js";
import { proofCard } from "./proof-card.js";
import "./more-signs.js";
import { tool, zoomers } from "./tools.js";

await Promise.all([stylesheet("learn.css"), stylesheet("proof.css")]);

export const PARAMS = ["pattern", "level", "n"];

export function mount(root, context) {
  return new Learn(root, context);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

class Learn {
  constructor(root, context) {
    this.context = context;
    this.puzzle = null;
    this._hinted = 0;
    this._build(root);
    settings.watch(() => this._press());
    this._press();
  }

  // -- the page --

  _build(root) {
    this.tools = {
      flag: tool("flag", "Flag", () => settings.set("flagMode", !settings.get("flagMode")), true),
      hint: tool("hint", "Hint", () => this._hint()),
      undo: tool("undo", "Again", () => this._begin()),
      next: tool("next", "Next", () => this._next()),
    };
    this.title = h("h2", { class: "learn-title" });
    this.left = h("span", { class: "value" });
    this.counter = count("mine", "Mines left", this.left);
    this.stage = h("div", { class: "stage" });
    this.where = h("span", { class: "where" });
    const toolbar = h("div", { class: "toolbar", role: "group", "aria-label": "Puzzle" }, ...Object.values(this.tools));
    this.board = new Board(this.stage, {
      label: "Puzzle",
      onGesture: (gesture) => this._gesture(gesture),
      onKey: (key) => this._key(key),
      onFocus: (cell) => this._point(cell),
    });
    const card = proofCard(this.board, {
      onEnd: (cell) => {
        this._speak();
        if (cell !== null) this.board.focus(cell, { scroll: false });
      },
    });
    Object.assign(this, card);
    this.picture = new Picture();
    this.lesson = h("section", { class: "card lesson", "aria-label": "Lesson" });
    this.course = h("nav", { class: "card course", "aria-label": "Course" });
    root.append(
      h(
        "div",
        { class: "workspace" },
        h(
          "div",
          { class: "field" },
          h("div", { class: "bar" }, this.title, this.counter, toolbar),
          this.stage,
          h("div", { class: "readout" }, this.where, ...zoomers((by) => this.board.zoom(by))),
        ),
        h("div", { class: "side" }, this.voice.root, this.lesson, this.course),
      ),
    );
  }

  _press() {
    this.tools.flag.setAttribute("aria-pressed", settings.get("flagMode"));
    this.stage.classList.toggle("flagging", settings.get("flagMode"));
  }

  // -- coming and going --

  async enter(params) {
    const entering = (this._entering = Symbol("enter"));
    try {
      this.chapters ??= chaptersOf(await api.lessons());
      const place = placeIn(this.chapters, params);
      const puzzle = await api.puzzle(place.chapter.puzzles[place.at]);
      if (this._entering !== entering) return;
      this.place = place;
      this._served = puzzle;
      this.context.address("learn", paramsOf(place.chapter, place.at));
      this._begin();
      this._showLesson();
    } catch (error) {
      if (this._entering === entering) this.voice.say({ title: "Learn", text: error.message, tone: "bad" });
    }
  }

  leave() {
    this.why.close({ refocus: false });
  }

  /** The puzzle from its start. */
  _begin() {
    this.why.close({ refocus: false });
    this.puzzle = new Puzzle(this._served, this.board);
    this._hinted = 0;
    this._said = null;
    const { chapter, at } = this.place;
    this.title.textContent = `${capital(chapter.name)} · ${at + 1} of ${chapter.puzzles.length}`;
    this.stage.dataset.puzzle = this._served.puzzle;
    this._count();
    this._speak();
    this._point(null);
  }

  _next() {
    const next = after(this.chapters, this.place);
    if (next) this.context.navigate("learn", paramsOf(next.chapter, next.at));
    else this.context.tell("That was the last puzzle.");
  }

  _showLesson() {
    const { chapter } = this.place;
    this.lesson.replaceChildren(
      h("h2", {}, `${capital(chapter.name)}: ${chapter.title}`),
      ...(chapter.explanation ? [h("p", {}, chapter.explanation)] : []),
      this.picture.root, // a board is fitted to its stage as long as it is on the page
      numbersOf(this.place),
    );
    this.course.replaceChildren(h("h2", {}, "Course"), ...contents(this.chapters, chapter));
    this.picture.show(chapter).catch(() => {}); // the text says it too
  }

  // -- answers --

  _gesture({ cell, kind, alt }) {
    const flagging = settings.get("flagMode");
    if (kind === "primary" && alt) this._ask(cell);
    else if (kind === "primary" || kind === "tap") this._claim(cell, flagging);
    else if (kind === "secondary") this._claim(cell, true);
    else if (kind === "hold") this._claim(cell, !flagging);
  }

  _key({ cell, key, event }) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const acts = {
      Enter: () => this._claim(cell, false),
      " ": () => this._claim(cell, false),
      f: () => this._claim(cell, true),
      w: () => this._ask(cell),
      h: () => this._hint(),
      n: () => this._next(),
      "+": () => this.board.zoom(1.25),
      "-": () => this.board.zoom(0.8),
      0: () => this.board.zoom("fit"),
      Escape: () => this.why.close(),
    };
    const act = acts[key.length === 1 ? key.toLowerCase() : key];
    act?.();
    return Boolean(act);
  }

  _claim(cell, mine) {
    const said = this.puzzle?.claim(cell, mine);
    if (!said) return;
    this.why.close({ refocus: false });
    this.board.light("premise", []);
    this.board.light("clash", said.right ? [] : [cell]);
    this._said = { ...said, cell };
    this._count();
    if (this.puzzle.solved) this._solved();
    else sound.play(said.right ? (mine ? "flag" : "open") : "lost");
    this._speak();
    this._point(this._pointed ?? null);
    this.context.announce(said.text);
  }

  _solved() {
    const { mistakes, helped } = this.puzzle;
    keepSolved(this._served.puzzle, mistakes || helped ? HELPED : CLEAN);
    sound.play("won");
    this._showLesson();
  }

  _ask(cell) {
    const shown = this._served.view.shown[cell];
    if (shown !== null || this.puzzle.guess) return;
    if (!this.puzzle.found.has(cell)) this.puzzle.helped = true;
    this.board.light("clash", []);
    this.why.show(cell, (asked, signal) => api.puzzleExplain(this._served.puzzle, asked, signal));
  }

  /** First the clues to look at, then the proof of a cell; of a guess first the risks. */
  async _hint() {
    const { puzzle } = this;
    if (!puzzle || puzzle.solved) return;
    puzzle.helped = true;
    this._hinted += 1;
    if (puzzle.guess) {
      puzzle.chances(this._hinted > 1 ? "win" : "mine");
      this._say("Hint", this._hinted > 1 ? "The chance to win after opening each cell." : "The chance of a mine in each cell. Risk is not all: what will the clue tell?");
      return;
    }
    const cell = puzzle.next;
    if (this._hinted > 1) {
      this._hinted = 0;
      this._ask(cell);
      return;
    }
    try {
      const told = await api.puzzleExplain(this._served.puzzle, cell);
      if (this.puzzle !== puzzle) return;
      this.board.light("clash", []);
      this.board.light("premise", told.premises);
      this._say("Hint", `Look at the lit clues${told.uses_total ? " and the number of mines" : ""}. Once more shows a cell and its proof.`);
    } catch (error) {
      this._say("Hint", error.message);
    }
  }

  // -- what is said --

  _say(title, text) {
    this.voice.say({ title, text, tone: "proof", actions: [["More", () => this._hint(), true]] });
  }

  _speak() {
    if (this.why.open || !this.puzzle) return;
    this.voice.say(this._card());
  }

  _card() {
    const { puzzle, _said: said } = this;
    const chips = puzzle.solved ? [puzzle.puzzle.pattern, `level ${puzzle.puzzle.level}`] : [];
    const why = said && !puzzle.guess ? [["Show why", () => this._ask(said.cell)]] : [];
    const numbers = this.board.numbers;
    if (puzzle.solved) {
      const clean = !puzzle.mistakes && !puzzle.helped;
      return {
        title: clean ? "Solved without a slip" : "Solved",
        text: said.text,
        tone: "good",
        numbers,
        chips,
        actions: [["Next puzzle", () => this._next(), true], ...why],
      };
    }
    if (said) return { title: said.right ? "Right" : "Not so", text: said.text, tone: said.right ? "good" : "bad", numbers, actions: why };
    const how = puzzle.guess ? "Open it." : "Open what is safe, flag what is a mine.";
    return { title: puzzle.guess ? "The best guess" : "What is certain?", text: `${puzzle.puzzle.text} ${how}`, tone: "plain" };
  }

  _count() {
    const { minesLeft } = this.puzzle;
    this.counter.hidden = minesLeft === null;
    this.left.textContent = minesLeft ?? "";
  }

  _point(cell) {
    this._pointed = cell;
    this.voice.pointed(cell);
    this.where.textContent = cell === null ? "" : capital(this.board.describe(cell));
  }
}
