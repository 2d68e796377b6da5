// The games that this browser keeps: one entry of localStorage for each.
//
// localStorage and not IndexedDB: it is written at once, with every move, so that a tab that is
// closed or crashes loses nothing; an entry for each game lets tabs write beside each other. There
// are never more than MOST games, nor more than MOST_TEXT characters of them: the oldest go first.
// Where nothing can be stored, they are kept as long as the page is open.

import { reviveWith } from "./api.js";
import { hasSeed, readGame, requestOf } from "./kept-reading.js";

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

function stored(key) {
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

/** Keep a game as it stands; one of which nothing is open is not stored. */
export function keep(game) {
  here.set(game.key, Object.freeze({ ...game }));
  if (game.state === "ready") erase(game.key);
  else store(game);
}

/** The game of a key, or null. */
export const find = (key) => here.get(key) ?? stored(key);

/** All games that something was opened in, the newest first; those alone whose key passes a test. */
export function all(test = () => true) {
  const keys = [...new Set([...storedKeys(), ...here.keys()])].filter(test);
  const found = keys.map((key) => stored(key) ?? here.get(key));
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

// -- games that the server forgot --

reviveWith((game) => {
  const found = [...here.values(), ...all()].find((one) => one.game === game);
  return found ? requestOf(found) : null;
});
