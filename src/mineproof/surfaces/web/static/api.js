// The coach's server: every endpoint the page calls, and its errors.
//
//   game(...)  newGame(...)  move(...)  undo(...)  analysis(...)  explain(...)  review(...)
//   position(...)  emptyPosition(...)  positionAnalysis(...)  positionExplain(...)  positionExport(...)
//   watch(...)  agents()  boards()
//
// Each returns a promise of the answer's JSON and takes an optional AbortSignal last. A refusal
// rejects with a Refusal, whose `message` is one line for people; an aborted request rejects with
// an AbortError (see `isAbort`).

/** What the server refused, or that it could not be reached (code "unreachable"). */
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

async function ask(path, { body, signal } = {}) {
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
    throw new Refusal({
      code: "unreachable",
      message: "The coach's server does not answer. Is `mineproof coach` still running?",
    });
  }
  let json = null;
  try {
    json = await answer.json();
  } catch (error) {
    if (isAbort(error)) throw error;
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
const of = (game) => `/api/games/${encodeURIComponent(game)}`;

/** A new game: {board, seed, first_click, clues}. */
export const newGame = (wish, signal) => post("/api/games", wish, signal);
export const game = (id, signal) => get(of(id), signal);
/** A move: action "open", "flag" (with `on`) or "chord". */
export const move = (id, action, body, signal) => post(`${of(id)}/${action}`, body, signal);
export const undo = (id, signal) => post(`${of(id)}/undo`, {}, signal);
export const analysis = (id, win, signal) => get(`${of(id)}/analysis?win=${win ? 1 : 0}`, signal);
export const explain = (id, cell, signal) => get(`${of(id)}/explain?cell=${cell}`, signal);
export const review = (id, signal) => get(`${of(id)}/review`, signal);

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
