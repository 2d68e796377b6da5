// Learn: patterns one after the other, then puzzles by level, solved on the board.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { h, stylesheet } from "../dom.js";
import { settings } from "../settings.js";
import * as sound from "../sound.js";
import { count, tool, zoomButtons } from "./field.js";
import { proofCard } from "./proof.js";

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
      anywhere: true,
      onFocus: (cell) => this._point(cell),
    });
    const card = proofCard(this.board, {
      onEnd: (cell) => {
        this._speak();
        if (cell !== null) this.board.focus(cell, { scroll: false });
      },
    });
    Object.assign(this, card);
    this.picture = new PatternPicture();
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
          h("div", { class: "readout" }, this.where, ...zoomButtons((by) => this.board.zoom(by))),
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
      this.chapters ??= [NUMBERS, ...chaptersOf(await api.lessons())];
      const place = placeIn(this.chapters, params);
      const puzzle = await puzzleOf(place.chapter.puzzles[place.at]);
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
    this.title.textContent = `${capital(headOf(chapter))} · ${at + 1} of ${chapter.puzzles.length}`;
    this.stage.dataset.puzzle = this._served.puzzle;
    this._count();
    this._speak();
    this._point(null);
  }

  _next() {
    const next = placeAfter(this.chapters, this.place);
    if (next) this.context.navigate("learn", paramsOf(next.chapter, next.at));
    else this.context.tell("That was the last puzzle.");
  }

  _showLesson() {
    const { chapter } = this.place;
    this.lesson.replaceChildren(
      h("h2", {}, capital(headOf(chapter)), ...codeOf(chapter)),
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
    const name = key.length === 1 ? key.toLowerCase() : key;
    const act = cell === null && ["Enter", " ", "f", "w"].includes(name) ? null : acts[name];
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
    if (this.puzzle.solved) this._finish();
    else sound.play(said.right ? (mine ? "flag" : "open") : "lost");
    this._speak();
    this._point(this._pointed ?? null);
    this.context.announce(said.text);
  }

  _finish() {
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
    this.why.show(cell, (asked, signal) => explain(this._served, asked, signal));
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
      const told = await explain(this._served, cell);
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
    const chips = puzzle.solved && puzzle.puzzle.pattern ? [puzzle.puzzle.pattern, `level ${puzzle.puzzle.level}`] : [];
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
    const title = puzzle.guess ? "The best guess" : this._served.position ? "What does the number say?" : "What is certain?";
    return { title, text: `${puzzle.puzzle.text} ${how}`, tone: "plain" };
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

// -- what a number means: the first lessons, on boards of 5 x 5 --

/** Positions with what they teach, and with all that is certain in them: `safe` and `mines`, as the engine finds. */
export const FIRST_LESSONS = [
  {
    position: "square 5x5 mines=1\n00000\n01110\n01.10\n01110\n00000\n",
    text: "A number counts the mines in the eight cells around it. Every 1 here touches one hidden cell: the mine.",
    safe: [],
    mines: [12],
  },
  {
    position: "square 5x5 mines=2\n00000\n01221\n01..1\n01221\n00000\n",
    text: "A 2 that touches only two hidden cells: both are mines.",
    safe: [],
    mines: [12, 13],
  },
  {
    position: "square 5x5 mines=2\n..F10\n.2110\nF1000\n11000\n00000\n",
    text: "A number that has all its mines makes every other cell around it safe. The 2 has two flags, and needs no more.",
    safe: [0, 1, 5],
    mines: [],
  },
  {
    position: "square 5x5 mines=3\n.2000\n.2000\n.1000\n.1100\n..100\n",
    text: "First the mines, then what is safe: the 2 in the corner has two hidden cells, and a 1 below shares one of them.",
    safe: [10, 15, 20],
    mines: [0, 5, 21],
  },
  {
    position: "square 5x5 mines=3\n..100\n.2100\n.1011\n1101.\n0001.\n",
    text: "All of it now: each number that has as many hidden cells as mines, then each that has its mines.",
    safe: [0, 5, 24],
    mines: [1, 10, 19],
  },
];
const LESSON = "00000000000"; // what the names of first lessons begin with; those of puzzles are digests

const NUMBERS = {
  key: "pattern",
  value: "numbers",
  name: "Numbers",
  title: "what a number means",
  explanation: "A number says how many of the cells around it are mines, corners included. Everything else in Minesweeper follows from that.",
  picture: null,
  puzzles: FIRST_LESSONS.map((_, at) => `${LESSON}${at}`),
};

/** A puzzle by its name: a first lesson, or one of the server's. */
async function puzzleOf(name) {
  if (!NUMBERS.puzzles.includes(name)) return api.puzzle(name);
  const lesson = FIRST_LESSONS[NUMBERS.puzzles.indexOf(name)];
  const { board, view } = await api.position(lesson.position);
  return { ...lesson, board, view, puzzle: name, question: "certain", pattern: null, level: null, best: [], choices: [] };
}

/** Why a cell of a puzzle is certain. */
const explain = ({ puzzle, position }, cell, signal) =>
  position ? api.positionExplain(position, cell, signal) : api.puzzleExplain(puzzle, cell, signal);

// -- the course --

/** What a chapter is called in words; the code of a pattern is small print. */
const headOf = ({ key, name, title }) => (key === "pattern" ? title : name);
const codeOf = ({ key, name, picture }) => (key === "pattern" && picture ? [h("small", { class: "pattern-code" }, name)] : []);

/** What follows "#/learn?" for a puzzle: its chapter and its number from 1. */
const paramsOf = ({ key, value }, at) => ({ [key]: value, n: at + 1 });
const hrefOf = (chapter, at) => `#/learn?${new URLSearchParams(paramsOf(chapter, at))}`;

/** The chapters of the server's lessons, each {key, value, name, title, explanation, picture, puzzles}. */
function chaptersOf({ patterns, levels }) {
  return [
    ...patterns.map((pattern) => ({ key: "pattern", value: pattern.name, ...pattern })),
    ...levels.map(({ level, puzzles }) => ({
      key: "level",
      value: String(level),
      name: `Level ${level}`,
      title: "all patterns, mixed",
      explanation: null,
      picture: null,
      puzzles,
    })),
  ];
}

/** The first puzzle of a chapter that is not solved; the first where all are. */
const firstOpen = ({ puzzles }) => Math.max(0, puzzles.findIndex((name) => !solvedHow(name)));

/** Where an address leads: {chapter, at}. What it does not say, or says wrong, is where to go on. */
function placeIn(chapters, params) {
  const asked = ["pattern", "level"].find((key) => params.has(key));
  const found = chapters.find(({ key, value }) => key === asked && value === params.get(key));
  // Who has solved puzzles needs no lesson in what a number means.
  const begun = chapters.some((one) => one !== NUMBERS && solvedOf(one.puzzles));
  const open = ({ puzzles }) => solvedOf(puzzles) < puzzles.length;
  const chapter = found ?? chapters.find((one) => open(one) && (one !== NUMBERS || !begun)) ?? chapters[0];
  const number = Number(params.get("n"));
  const there = found && Number.isInteger(number) && number >= 1 && number <= chapter.puzzles.length;
  return { chapter, at: there ? number - 1 : firstOpen(chapter) };
}

/** What comes after a puzzle; null after the last. */
function placeAfter(chapters, { chapter, at }) {
  if (at + 1 < chapter.puzzles.length) return { chapter, at: at + 1 };
  const next = chapters[chapters.indexOf(chapter) + 1];
  return next ? { chapter: next, at: firstOpen(next) } : null;
}

const STATES = ["", "solved with help", "solved without a slip"];
const MARKS = ["", "✓", "★"];

/** The puzzles of a chapter as numbers that lead to them. */
function numbersOf({ chapter, at }) {
  return h(
    "ol",
    { class: "puzzle-numbers", "aria-label": `Puzzles of ${chapter.name}` },
    ...chapter.puzzles.map((name, index) => {
      const how = solvedHow(name);
      const label = `Puzzle ${index + 1}${how ? `, ${STATES[how]}` : ""}`;
      const current = index === at ? "step" : null;
      return h(
        "li",
        {},
        h("a", { href: hrefOf(chapter, index), "data-solved": how, "aria-label": label, "aria-current": current, title: label }, MARKS[how] || String(index + 1)),
      );
    }),
  );
}

/** All chapters with how much of each is solved. */
function contents(chapters, here) {
  const item = (chapter) => {
    const { puzzles } = chapter;
    const done = solvedOf(puzzles);
    const clean = puzzles.filter((one) => solvedHow(one) === CLEAN).length;
    return h(
      "li",
      {},
      h(
        "a",
        { href: hrefOf(chapter, firstOpen(chapter)), "aria-current": chapter === here ? "true" : null, "data-done": done === puzzles.length },
        h("span", { class: "chapter-title" }, capital(headOf(chapter)), ...codeOf(chapter)),
        h("span", { class: "chapter-done", title: `${clean} without a slip` }, `${done} / ${puzzles.length}`),
      ),
    );
  };
  const part = (title, key) => {
    const mine = chapters.filter((chapter) => chapter.key === key);
    return [h("h3", {}, title), h("ul", { class: "chapters" }, ...mine.map(item))];
  };
  return [...part("Patterns", "pattern"), ...part("Puzzles by level", "level")];
}

// -- a puzzle --

const percent = (share) => `${(100 * share).toFixed(1)} %`;

class Puzzle {
  /** `puzzle` is the server's; it is drawn on `board`. */
  constructor(puzzle, board) {
    this.puzzle = puzzle;
    this.board = board;
    this.found = new Set();
    this.mistakes = 0;
    this.helped = false;
    this.solved = false;
    board.show(puzzle.board, puzzle.view.shown);
    board.overlay(null);
  }

  get guess() {
    return this.puzzle.question === "guess";
  }

  /** The certain cells, all of them. */
  get certain() {
    return [...this.puzzle.safe, ...this.puzzle.mines];
  }

  /** Mines left, as the player counts them; null if the position does not tell. */
  get minesLeft() {
    const { mines, view } = this.puzzle;
    return view.mines_left === null ? null : view.mines_left - mines.filter((cell) => this.found.has(cell)).length;
  }

  name(cell) {
    return this.board.description.names[cell];
  }

  /** A certain cell that is not found yet, or null. */
  get next() {
    return this.certain.find((cell) => !this.found.has(cell)) ?? null;
  }

  /** Claim a cell: {right, text}, or null if there is nothing to claim. */
  claim(cell, mine) {
    if (this.solved || this.board.shown[cell] !== null) return null;
    return this.guess ? this._guess(cell, mine) : this._certain(cell, mine);
  }

  _certain(cell, mine) {
    const { mines, safe } = this.puzzle;
    const name = this.name(cell);
    if ((mine ? mines : safe).includes(cell)) {
      this.found.add(cell);
      this.board.update([[cell, mine ? "F" : "?"]]);
      this.solved = this.found.size === this.certain.length;
      const left = this.solved ? "" : ` ${this.found.size} of ${this.certain.length} found.`;
      return { right: true, text: `${name} is ${mine ? "a mine" : "safe"}.${left}` };
    }
    this.mistakes += 1;
    if (this.certain.includes(cell)) return { right: false, text: `${name} is certain, but it is not ${mine ? "a mine" : "safe"}.` };
    return { right: false, text: `${name} is not certain: it may be safe, and it may be a mine.` };
  }

  _guess(cell, mine) {
    if (mine) return { right: false, text: "Nothing is certain here. Choose the cell to open." };
    const { best, choices } = this.puzzle;
    const found = choices.find((one) => one.cell === cell);
    const said = `${this.name(cell)} has a ${percent(found.risk)} chance of being a mine; after it the game is won in ${percent(found.win)} of cases.`;
    if (!best.includes(cell)) {
      this.mistakes += 1;
      return { right: false, text: `${said} Another cell is better.` };
    }
    this.solved = true;
    this.chances("win");
    return { right: true, text: `${said} No other cell does better.` };
  }

  /** Draw what every choice of a guess is worth: its chance of a mine, or to win. */
  chances(kind) {
    this.board.overlay(choicesOf(this.puzzle, kind));
    if (kind === "win") this.board.light("best", this.puzzle.best);
  }
}

/** The overlay of a guess: the exact chance of a mine, or to win, of every choice. */
function choicesOf({ choices, board }, kind) {
  const values = new Array(board.cells).fill(null);
  for (const choice of choices) values[choice.cell] = kind === "win" ? choice.win : choice.risk;
  return { name: `${kind} chance`, values, certain: null, good: kind === "win" };
}

// -- the picture of a pattern --

/** What is lit of a puzzle, by layer. */
const LIT = { premise: "premises", safe: "safe", mine: "mines", best: "best" };

class PatternPicture {
  constructor() {
    this.stage = h("div", { class: "stage lesson-stage", inert: true });
    this.caption = h("figcaption", { class: "unseen" });
    this.root = h("figure", { class: "lesson-picture", hidden: true }, this.stage, this.caption);
    this.board = new Board(this.stage, { label: "Picture of the pattern", smallest: 12 });
    this._shown = null;
  }

  /** Show the picture of a chapter; one without has none. */
  async show({ name, picture }) {
    if (this._shown === picture) return;
    this._shown = picture;
    this.root.hidden = true;
    if (!picture) return;
    const puzzle = await api.puzzle(picture);
    if (this._shown !== picture) return;
    this.root.hidden = false;
    this.caption.textContent = `Example of ${name}: ${answerOf(puzzle)}`;
    this.board.show(puzzle.board, puzzle.view.shown);
    this.board.overlay(puzzle.question === "guess" ? choicesOf(puzzle, "win") : null);
    for (const [layer, part] of Object.entries(LIT)) this.board.light(layer, puzzle[part]);
  }
}

/** The answer of a puzzle in words. */
function answerOf({ safe, mines, best, board: { names } }) {
  const said = Object.entries({ safe, mines, best }).filter(([, cells]) => cells.length);
  return said.map(([word, cells]) => `${word} ${cells.map((cell) => names[cell]).join(" ")}`).join("; ");
}

// -- which puzzles were solved: kept in this browser only, and read as hostile input --

const KEY = "mineproof.learn";
const NAME = /^[0-9a-f]{12}$/;
const MOST = 5000;

/** How a puzzle was solved: with a mistake or a hint, or without either. */
const HELPED = 1;
const CLEAN = 2;

function readProgress() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(found?.solved ?? {}).slice(0, MOST);
    return new Map(known.filter(([name, how]) => NAME.test(name) && (how === HELPED || how === CLEAN)));
  } catch {
    return new Map(); // storage is off, or holds something else
  }
}

const solved = readProgress();

/** 0 if a puzzle is not solved yet, HELPED or CLEAN. */
const solvedHow = (name) => solved.get(name) ?? 0;

const solvedOf = (names) => names.filter((name) => solved.has(name)).length;

/** A puzzle is solved; the better of two tries counts. */
function keepSolved(name, how) {
  solved.set(name, Math.max(how, solvedHow(name)));
  try {
    localStorage.setItem(KEY, JSON.stringify({ solved: Object.fromEntries(solved) }));
  } catch {
    // Nothing can be kept here: it holds until the page is left.
  }
}
