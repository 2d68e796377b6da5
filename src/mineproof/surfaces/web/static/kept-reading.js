// A kept game read as hostile input, wherever it comes from: the browser's storage, or a file.
//
// {key, game, board, first_click, clues, seed, began, state, moves, ms, clicks, queries, practice,
//  helped, three_bv, lost, luck, guesses}: `game` is what the page calls it to the server, `began` a
// date in ms, `moves` as the server's kept_moves.py reads them, `ms` the time on its clock, `queries`
// the cells with a question mark. `state` is "running" for a game that was left. The last four are
// null until they are known.

const FIRST = ["safe", "opening", "any"];
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
  seed: whole(0, Number.MAX_SAFE_INTEGER),
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
/** The game in a value that anybody may have written. Throws an Error that names the field. */
export function readGame(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it is no game");
  const entries = Object.entries(FIELDS).map(([name, test]) => {
    if (!Object.hasOwn(value, name) || !test(value[name])) throw new Error(`its ${name} cannot be read`);
    return [name, value[name]];
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** Whether a key is of a game of a seed. */
export const hasSeed = (key, seed) => key.endsWith(`-${seed.toString(36)}`);

/** What to ask the server for, to play a kept game again up to where it was. */
export const requestOf = ({ board, first_click, clues, seed, moves, ms, practice }) => ({
  ...{ board, first_click, clues, seed, moves },
  elapsed_ms: Math.round(ms),
  practice,
});
