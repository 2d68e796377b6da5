// The games that this browser keeps: one entry of localStorage for each, read as hostile input.
//
// localStorage and not IndexedDB: it is written at once, with every move, so that a tab that is
// closed or crashes loses nothing; an entry for each game lets tabs write beside each other. There
// are never more than MOST games, nor more than MOST_TEXT characters of them: the oldest go first.
// Where nothing can be stored, they are kept as long as the page is open.
//
// A game is {key, game, board, first_click, clues, no_guess, guess_rule, seed, layout, began, state, moves, ms, clicks, queries,
// practice, helped, three_bv, lost, luck, guesses}: `game` is what the page calls it to the server, `began`
// a date in ms, `moves` as web/games.py reads them, `ms` the time on its clock, `queries`
// the cells with a question mark. `state` is "running" for a game that was left. The last four are
// null until they are known.

import { reviveWith } from "./api.js";

const FIRST = ["safe", "opening", "any"];
const RULES = ["dealt", "fair", "cruel"];
const STATES = ["ready", "running", "won", "lost"];
const MOST_MOVES = 64 * 1024; // characters, as the server reads them
const LATEST = 8.64e15; // the last date there is

const within = (least, most) => (value) => Number.isFinite(value) && value >= least && value <= most;
const whole = (least, most) => (value) => Number.isSafeInteger(value) && value >= least && value <= most;
const maybe = (test) => (value) => value === null || test(value);
const text = (longest, pattern) => (value) =>
  typeof value === "string" && value.length <= longest && pattern.test(value);
const flag = (value) => typeof value === "boolean";

const FIELDS = {
  key: text(40, /^[0-9a-z]{9}-[0-9a-z]{1,12}$/),
  game: text(60, /^[\w-]+$/),
  board: text(4000, /^[ -~]+$/),
  first_click: (value) => FIRST.includes(value),
  clues: text(100, /^[ -~]+$/),
  no_guess: flag,
  guess_rule: (value) => RULES.includes(value),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  layout: maybe(text(20_000, /^[0-9a-v]+$/)), // where its mines are, if no seed deals them
  began: whole(0, LATEST),
  state: (value) => STATES.includes(value),
  moves: text(MOST_MOVES, /^(?:[oufc]\d{1,6})*$/),
  ms: within(0, 1e11),
  clicks: whole(0, 1e7),
  queries: text(MOST_MOVES, /^(?:\d{1,6}(?:,\d{1,6})*)?$/),
  practice: flag,
  helped: flag,
  three_bv: maybe(whole(0, 1e6)),
  lost: maybe(within(0, 1e5)),
  luck: maybe(within(-1e5, 1e5)),
  guesses: maybe(whole(0, 1e6)),
};
/** Fields that older games lack. */
const UNSAID = { no_guess: false, guess_rule: "dealt", layout: null };

/** Read a game from a value that anybody may have written. Throws an Error that names the field. */
export function readGame(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it is no game");
  const entries = Object.entries(FIELDS).map(([name, test]) => {
    const said = Object.hasOwn(value, name) ? value[name] : UNSAID[name];
    if (!test(said)) throw new Error(`its ${name} cannot be read`);
    return [name, said];
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** Whether a key belongs to a game with this seed. */
const hasSeed = (key, seed) => key.endsWith(`-${seed.toString(36)}`);

/** The request that brings a kept game back to where it was. */
const requestOf = ({ board, first_click, clues, no_guess, guess_rule, seed, layout, moves, ms, practice }) => ({
  ...{ board, first_click, clues, no_guess, guess_rule, seed, layout, moves },
  elapsed_ms: Math.round(ms),
  practice,
});

const PREFIX = "mineproof.played.";
export const MOST = 1000;
const MOST_TEXT = 2_000_000; // well within the 5 million that browsers give

const here = new Map(); // key -> game of this page, also those not stored

function storedKeys() {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length))
      .sort();
  } catch {
    return [];
  }
}

function readStored(key) {
  try {
    return readGame(JSON.parse(localStorage.getItem(PREFIX + key)));
  } catch {
    return null; // not there, or not ours
  }
}

function erase(key) {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Nothing is stored here.
  }
}

/** Make room for one more game of `size` characters. */
function makeRoom(size) {
  const keys = storedKeys();
  const sizes = keys.map((key) => localStorage.getItem(PREFIX + key)?.length ?? 0);
  let all = sizes.reduce((sum, one) => sum + one, size);
  keys.forEach((key, at) => {
    if (keys.length - at < MOST && all <= MOST_TEXT) return;
    erase(key);
    all -= sizes[at];
  });
}

function store(game) {
  const name = PREFIX + game.key;
  const text = JSON.stringify(game);
  try {
    if (localStorage.getItem(name) === null) makeRoom(text.length);
    for (;;) {
      try {
        localStorage.setItem(name, text);
        return;
      } catch (error) {
        const [oldest] = storedKeys();
        if (oldest === undefined || oldest === game.key) throw error;
        erase(oldest);
      }
    }
  } catch {
    // Storage is off or full of other things: the page keeps it while it is open.
  }
}

/** Keep a game as it stands; a game with no cell open is not stored. */
export function keep(game) {
  here.set(game.key, Object.freeze({ ...game }));
  if (game.state === "ready") erase(game.key);
  else store(game);
}

/** The game of a key, or null. */
export const find = (key) => here.get(key) ?? readStored(key);

/** All games with an open cell, the newest first; only those whose key passes the test. */
export function all(test = () => true) {
  const keys = [...new Set([...storedKeys(), ...here.keys()])].filter(test);
  const found = keys.map((key) => readStored(key) ?? here.get(key));
  return found
    .filter((game) => game && game.state !== "ready")
    .sort((one, two) => two.began - one.began);
}

/** Whether the deal of a game was played before: its mines may be known. */
export const playedBefore = (spec) =>
  all((key) => key !== spec.key && hasSeed(key, spec.seed)).some(
    (game) =>
      game.board === spec.board &&
      game.first_click === spec.first_click &&
      game.no_guess === Boolean(spec.no_guess),
  );

export function forget(keys) {
  for (const key of keys) {
    here.delete(key);
    erase(key);
  }
}

// -- games that the server has forgotten --

reviveWith((game) => {
  const found = [...here.values(), ...all()].find((one) => one.game === game);
  return found ? requestOf(found) : null;
});
