// How the page reaches the coach where there is no server: it runs in this browser (site/engine.js).
// This file takes the place of the one that asks a server, with the same names.
//
// A board can be shown before the engine is there: what a new game looks like was written down when
// the site was built. Such a game is begun in the engine with its first move.

import { AWAY, engine } from "./site/engine.js";

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
const early = new Map(); // a game that was begun without the engine -> the request for it
const begun = new Map(); // the same -> a promise of its name in the engine

const written = (name) =>
  fetch(new URL(`./site/answers/${name}.json`, import.meta.url)).then((answer) => (answer.ok ? answer.json() : null), () => null);

/** The name of the file with a new game like that, or null. */
function beginningOf({ board, first_click, clues, no_guess, moves }) {
  if (moves || !["beginner", "intermediate", "expert"].includes(board)) return null;
  if (no_guess) return `${board}-no-guess`;
  return (first_click ?? "safe") === "safe" && (clues ?? "exact") === "exact" ? board : null;
}

/** The answer to a request that needs no engine; null if it does. */
async function without(path, body) {
  if (body === undefined) return path in KNOWN ? written(KNOWN[path]) : null;
  if (path !== "/api/games" || engine.started) return null;
  const name = beginningOf(body);
  const answer = name && (await written(name));
  if (!answer || engine.started) return null;
  const seed = body.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
  const game = `early-${crypto.randomUUID()}`;
  early.set(game, { ...body, seed });
  return { ...answer, game, seed };
}

/** A path with the name of a game as the engine knows it. */
async function known(path) {
  const [, game] = /^\/api\/games\/([^/?]+)/.exec(path) ?? [];
  if (!early.has(game)) return path;
  if (!begun.has(game)) {
    const beginning = engine.ask("/api/games", JSON.stringify(early.get(game)));
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
  engine.ready().catch(() => {});
  const written = await without(path, body);
  if (written) return written;
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
