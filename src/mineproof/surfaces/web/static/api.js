// The coach's server: every endpoint the page calls, and its errors.
//
//   game(...)  newGame(...)  move(...)  undo(...)  analysis(...)  explain(...)  review(...)
//   position(...)  emptyPosition(...)  positionAnalysis(...)  positionExplain(...)  positionExport(...)
//   watch(...)  agents()  boards()
//
// Each returns a promise of the answer's JSON and takes an optional AbortSignal last. A refusal
// rejects with a Refusal, whose `message` is one line for people; an aborted request rejects with
// an AbortError (see `isAbort`). A server that is away is waited for. A game that it has forgotten
// since is begun again with its moves, if this browser keeps them (see kept-games.js), and keeps
// the name that the page knows it by.

import { connection } from "./connection.js";

const AWAY = "unreachable";
const FORGOTTEN = "The server no longer has this game, and this browser has not kept it.";

/** What the server refused. */
export class Refusal extends Error {
  constructor({ code, message, cell = null, clash = [] }, status = 0) {
    super(message);
    this.code = code;
    this.cell = cell;
    this.clash = clash;
    this.status = status;
  }
}

export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

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

async function askOnce(path, { body, signal }) {
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal,
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refusal({ code: AWAY, message: "The coach's server does not answer." });
  }
  let json = null;
  try {
    json = await answer.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    if (error instanceof TypeError) throw new Refusal({ code: AWAY, message: "The answer broke off." });
  }
  if (answer.ok && json !== null) return json;
  const told = json?.error ?? {
    code: "malformed",
    message: `The server answered ${answer.status} without saying why.`,
  };
  throw new Refusal(told, answer.status);
}

const post = (path, body, signal) => ask(path, { body, signal });
const get = (path, signal) => ask(path, { signal });

// -- games, which a server may forget ------------------------------------------------------------

const names = new Map(); // a game as the page calls it -> as the server calls it since
const reviving = new Map();
let keptOf = () => null;

/** `find(game)` says how to begin a game again: the body of a request with its moves, or null. */
export const reviveWith = (find) => (keptOf = find);

const of = (game) => `/api/games/${encodeURIComponent(names.get(game) ?? game)}`;

/** Begin a forgotten game again, once for all who ask; false if nothing is kept of it. */
async function revive(game, called) {
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
      if (!(await revive(game, called))) throw new Refusal({ code: "gone", message: FORGOTTEN });
    }
  }
}

/** A new game: {board, seed, first_click, clues}, or with its moves one that is gone on with. */
export const newGame = (wish, signal) => post("/api/games", wish, signal);
export const game = (id, signal) => askGame(id, "", { signal });
/** A move: action "open", "flag" (with `on`) or "chord". */
export const move = (id, action, body, signal) => askGame(id, `/${action}`, { body, signal });
export const undo = (id, signal) => askGame(id, "/undo", { body: {}, signal });
export const analysis = (id, win, signal) => askGame(id, `/analysis?win=${win ? 1 : 0}`, { signal });
export const explain = (id, cell, signal) => askGame(id, `/explain?cell=${cell}`, { signal });
export const review = (id, signal) => askGame(id, "/review", { signal });

export const position = (text, signal) => post("/api/positions", { text }, signal);
/** A board of which nothing is open yet, as a position. */
export const emptyPosition = (board, signal) => post("/api/positions", { board }, signal);
export const positionAnalysis = (text, win, signal) =>
  post("/api/positions/analysis", { text, win }, signal);
export const positionExplain = (text, cell, signal) =>
  post("/api/positions/explain", { text, cell }, signal);
export const positionExport = (text, to, signal) =>
  post("/api/positions/export", { text, to }, signal);

export const watch = (wish, signal) => post("/api/watch", wish, signal);
export const agents = (signal) => get("/api/agents", signal);
export const boards = (signal) => get("/api/boards", signal);
