// How the page reaches the coach where there is no server: it runs in this browser (site/engine.js).
// This file takes the place of the one that asks a server, with the same names.
//
// Python takes seconds to come, so a small core plays before it (site/small.js): boards, moves and chances.
// What it cannot answer waits for Python, in which such a game goes on with its moves.

import { AWAY, engine } from "./site/engine.js";
import * as small from "./site/small.js";

export { AWAY };

/** What people are told about the engine, where others have a server. */
export const WORDS = {
  away: "The engine could not be loaded. Nothing is lost: this page goes on when it comes.",
  back: "The engine is here.",
  later: (view) => `${view} is loaded when the engine is here.`,
  forgotten: "This browser has not kept this game.",
};

/** What the coach refused. */
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

/** Whether the engine is there; it is loaded if it is not. */
export const answers = () => engine.ready().then(() => true, () => false);

const KNOWN = { "/api/boards": "boards", "/api/agents": "agents", "/api/lessons": "lessons" };
const early = new Map(); // a game that was begun without Python -> the SmallGame
const begun = new Map(); // the same -> a promise of its name in the engine

const written = (name) =>
  fetch(new URL(`./site/answers/${name}.json`, import.meta.url)).then((answer) => (answer.ok ? answer.json() : null), () => null);

/** The answer to a request that needs no Python; null if it does. */
async function without(path, body) {
  if (path in KNOWN) return written(KNOWN[path]);
  const puzzle = /^\/api\/puzzles\/([0-9a-f]+)$/.exec(path);
  if (puzzle) return small.puzzle(puzzle[1]);
  if (engine.started) return null;
  if (path === "/api/games") return begin(body);
  if (path.startsWith("/api/positions")) return withCore(() => ofPosition(path, body));
  const [, name, rest] = /^\/api\/games\/([^/?]+)(.*)$/.exec(path) ?? [];
  const game = early.get(name);
  if (!game || begun.has(name)) return null;
  if (!rest) return (await withCore(() => game.toJSON())) && { game: name, ...game.toJSON() };
  if (rest === "/analysis?win=0") return withCore(() => game.analysis());
  if (rest === "/undo") return withCore(() => game.undo(body)).then((answer) => answer && { game: name, ...answer });
  const [, action] = /^\/(open|flag|chord)$/.exec(rest) ?? [];
  return action ? withCore(() => game.move(action, body)) : null;
}

/** Ask the small core once it is there, unless Python is there first. */
async function withCore(ask) {
  await Promise.race([small.load(), engine.ready()]).catch(() => small.load());
  return engine.started ? null : ask();
}

function ofPosition(path, { text, board, win }) {
  if (path === "/api/positions" && text && !board) return small.position(text);
  return path === "/api/positions/analysis" && !win ? small.positionAnalysis(text) : null;
}

/** A game is shown at once; a core that is not there yet makes its first move later. */
async function begin(body) {
  const seed = body.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
  const game = small.SmallGame.of(body, seed);
  if (!game) return null;
  if (body.moves) await small.load();
  const answer = game.toJSON();
  if (!answer || engine.started) return null;
  const name = `early-${crypto.randomUUID()}`;
  early.set(name, game);
  return { game: name, ...answer };
}

/** A path with the name of a game as the engine knows it: one that began without it goes on there. */
async function known(path) {
  const [, game] = /^\/api\/games\/([^/?]+)/.exec(path) ?? [];
  if (!early.has(game)) return path;
  if (!begun.has(game)) {
    const { request, seed, saved, elapsedMs, practice } = early.get(game);
    const asked = { ...request, seed, moves: saved, elapsed_ms: elapsedMs, practice };
    const beginning = engine.ask("/api/games", JSON.stringify(asked));
    begun.set(game, beginning.then(({ answer, error, status }) => {
      if (error) throw new Refusal(error, status);
      return answer.game;
    }));
    begun.get(game).catch(() => begun.delete(game));
  }
  return path.replace(game, await begun.get(game));
}

/** What the coach answers. Rejects with a Refusal, whose code is AWAY where the engine cannot be loaded. */
export async function askOnce(path, { body, signal }) {
  const answered = await without(path, body);
  if (answered) return answered;
  try {
    await engine.ready();
  } catch (error) {
    console.error(error);
    throw new Refusal({ code: AWAY, message: "The engine could not be loaded." });
  }
  // A page that was loaded anew has an engine without games: they are begun again from what is kept.
  if (path.startsWith("/api/games/")) await import("./kept-games.js");
  const told = await engine.ask(await known(path), body === undefined ? null : JSON.stringify(body), signal);
  if (told.error) throw new Refusal(told.error, told.status);
  const { answer } = told;
  const [, game] = /^\/api\/games\/([^/?]+)/.exec(path) ?? [];
  return early.has(game) && answer.game ? { ...answer, game } : answer;
}
