// The coach's server: games, and its errors. What Play does not ask for at first is in api-more.js.
//
// Each returns a promise of the answer's JSON and takes an optional AbortSignal last. A refusal
// rejects with a Refusal, whose `message` is one line for people; an aborted request rejects with
// an AbortError (see `isAbort`). A server that is away is waited for. A game that it has forgotten
// since is begun again with its moves, if this browser keeps them (see kept-games.js), and keeps
// the name that the page knows it by.

import { connection } from "./connection.js";
import { AWAY, Refusal, WORDS, askOnce } from "./transport.js";

export { Refusal, isAbort } from "./transport.js";

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

export const post = (path, body, signal) => ask(path, { body, signal });
export const get = (path, signal) => ask(path, { signal });

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

/** A new game: {board, seed, first_click, clues, no_guess}, or with its moves one that is gone on with. */
export const newGame = (wish, signal) => post("/api/games", wish, signal);
export const game = (id, signal) => askGame(id, "", { signal });
/** A move: "open" or "chord" (`see`: with its analysis), or "flag" (with `on`), made once after `at` others. */
export const move = (id, action, body, signal) => askGame(id, `/${action}`, { body, signal });
export const undo = (id, at, signal) => askGame(id, "/undo", { body: { at }, signal });
export const analysis = (id, win, signal) => askGame(id, `/analysis?win=${win ? 1 : 0}`, { signal });
export const explain = (id, cell, signal) => askGame(id, `/explain?cell=${cell}`, { signal });
export const hint = (id, level, signal) => askGame(id, `/hint?level=${level}`, { signal });
export const certificate = (id, signal) => askGame(id, "/certificate", { signal });
export const review = (id, signal) => askGame(id, "/review", { signal });

export const boards = (signal) => get("/api/boards", signal);
