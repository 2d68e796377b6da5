// What views beside Play ask the server: positions, puzzles, agents that play; with all of api.js.

import { get, post } from "./api.js";

export * from "./api.js";

export const position = (text, signal) => post("/api/positions", { text }, signal);
/** A board of which nothing is open yet, as a position. */
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

export const watch = (wish, signal) => post("/api/watch", wish, signal);
export const agents = (signal) => get("/api/agents", signal);
