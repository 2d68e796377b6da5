// The coach's server: games, positions, puzzles and agents, its errors, and whether it answers.
//
// Each request returns a promise of the answer's JSON and takes an optional AbortSignal last. A refusal
// rejects with a Refusal, whose `message` is one line for people; an aborted request rejects with
// an AbortError (see `isAbort`). While the server is away, requests wait. If the server has forgotten a
// game and this browser has kept its moves (see kept-games.js), the game is begun again under the name
// that the page knows it by.

import { AWAY, WORDS, Refusal, answers, askOnce } from "./transport.js";

export { isAbort } from "./transport.js";

// -- whether the server answers; requests that found it away wait until it is back --

const FIRST = 300; // ms before it is asked again; then twice as long each time
const LONGEST = 3000;

const listeners = new Set();
let waiting = null; // a promise while the server is away
let wake = () => {};

async function untilBack() {
  for (let pause = FIRST; ; pause = Math.min(2 * pause, LONGEST)) {
    await new Promise((done) => {
      wake = done;
      setTimeout(done, pause);
    });
    if (await answers()) return;
  }
}

function tell() {
  for (const listener of listeners) listener(waiting !== null);
}

/** A promise that rejects with an AbortError when the signal aborts. */
const abortOf = (signal) =>
  new Promise((_, drop) => {
    const abort = () => drop(new DOMException("no longer wanted", "AbortError"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });

export const connection = {
  get away() {
    return waiting !== null;
  },
  /** Resolves when the server answers again; rejects with an AbortError if aborted before. */
  back(signal) {
    if (!waiting) {
      waiting = untilBack().then(() => {
        waiting = null;
        tell();
      });
      tell();
    }
    return signal ? Promise.race([waiting, abortOf(signal)]) : waiting;
  },
  /** Call `listener(away)` when the server goes away or comes back. */
  watch: (listener) => listeners.add(listener),
};

addEventListener("online", () => wake());
document.addEventListener("visibilitychange", () => document.hidden || wake());

// -- questions and answers --

async function ask(path, request = {}) {
  for (;;) {
    try {
      return await askOnce(path, request);
    } catch (error) {
      if (error.code !== AWAY) throw error;
      await connection.back(request.signal);
    }
  }
}

const post = (path, body, signal) => ask(path, { body, signal });
const get = (path, signal) => ask(path, { signal });

// -- games, which a server may forget --

const names = new Map(); // a game as the page calls it -> as the server calls it since
const reviving = new Map();
let keptOf = () => null;
let recall = async () => {};

/** `find(game)` says how to begin a game again: the body of a request with its moves, or null. */
export const reviveWith = (find) => (keptOf = find);

/** `load()` resolves when what is kept is known, and the game that is played is kept. */
export const recallWith = (load) => (recall = load);

const of = (game) => `/api/games/${encodeURIComponent(names.get(game) ?? game)}`;

/** Begin a forgotten game again, once for all who ask; false if nothing is kept of it. */
async function revive(game, called) {
  await recall().catch(() => {});
  if ((names.get(game) ?? game) !== called) return true; // somebody else just did
  if (!reviving.has(game)) {
    const kept = keptOf(game);
    if (!kept) return false;
    const begun = newGame(kept).then((answer) => names.set(game, answer.game));
    reviving.set(game, begun.finally(() => reviving.delete(game)));
  }
  await reviving.get(game);
  return true;
}

async function askGame(game, rest, request = {}) {
  for (;;) {
    const called = names.get(game) ?? game;
    try {
      const answer = await ask(of(game) + rest, request);
      return "game" in answer ? { ...answer, game } : answer;
    } catch (error) {
      if (error.code !== "not-found" && error.code !== "gone") throw error;
      if (!(await revive(game, called))) throw new Refusal({ code: "gone", message: WORDS.forgotten });
    }
  }
}

/** A new game: {board, seed, first_click, clues, no_guess}; with `moves`, one that continues. */
export const newGame = (wish, signal) => post("/api/games", wish, signal);
export const game = (id, signal) => askGame(id, "", { signal });
/** A move: "open" or "chord" (`see`: with its analysis), or "flag" (with `on`), made once after `at` others. */
export const move = (id, action, body, signal) => askGame(id, `/${action}`, { body, signal });
export const undo = (id, at, signal) => askGame(id, "/undo", { body: { at }, signal });
export const analysis = (id, win, signal) => askGame(id, `/analysis?win=${win ? 1 : 0}`, { signal });
export const explain = (id, cell, signal) => askGame(id, `/explain?cell=${cell}`, { signal });
export const hint = (id, level, signal) => askGame(id, `/hint?level=${level}`, { signal });
export const certificate = (id, signal) => askGame(id, "/certificate", { signal });
/** The review of a game; with `last` only its last move is judged. */
export const review = (id, { last = false, signal } = {}) => askGame(id, `/review${last ? "?last=1" : ""}`, { signal });

/** The game of a recording: the bytes of a file in base64, and its name. */
export const recording = (file, name, signal) => post("/api/recordings", { file, name }, signal);

/** The boards of the day; `won` lists the wins that are kept (see views/daily.js). */
export const daily = (won, signal) => post("/api/daily", { won }, signal);
export const boards = (signal) => get("/api/boards", signal);
export const agents = (signal) => get("/api/agents", signal);
export const watch = (wish, signal) => post("/api/watch", wish, signal);

// -- positions and puzzles --

export const position = (text, signal) => post("/api/positions", { text }, signal);
/** The position of a board with no cell open. */
export const emptyPosition = (board, signal) => post("/api/positions", { board }, signal);
export const positionAnalysis = (text, win, signal) =>
  post("/api/positions/analysis", { text, win }, signal);
export const positionExplain = (text, cell, signal) =>
  post("/api/positions/explain", { text, cell }, signal);
export const positionExport = (text, to, signal) =>
  post("/api/positions/export", { text, to }, signal);

const puzzleAt = (name) => `/api/puzzles/${encodeURIComponent(name)}`;
export const lessons = (signal) => get("/api/lessons", signal);
export const puzzle = (name, signal) => get(puzzleAt(name), signal);
export const puzzleExplain = (name, cell, signal) => get(`${puzzleAt(name)}/explain?cell=${cell}`, signal);
