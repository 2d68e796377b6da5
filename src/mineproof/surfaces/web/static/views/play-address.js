// The address of a game in Play: what it names, and what is played if it names nothing.

import { settings } from "../settings.js";
import { freshSeed } from "./match.js";

/** What an address of Play may say. */
export const PARAMS = ["board", "first", "clues", "no-guess", "seed", "start"];

/** What an address asks for; null if it does not say. One that says anything and no clues means exact ones, as it is written. */
export const askedIn = (params) => ({
  board: params.get("board"),
  first_click: params.get("first"),
  clues: params.get("clues") ?? ([...params].length ? "exact" : null),
  seed: params.get("seed"),
  no_guess: params.has("no-guess") ? params.get("no-guess") !== "0" : [...params].length ? false : null,
});

/** The cell that a game without guesses is to be begun in, as its address says; or null. */
export const startIn = (params) => (/^\d{1,4}$/.test(params.get("start") ?? "") ? Number(params.get("start")) : null);

/** The whole request for a game: the settings fill in what is missing, and the seed is new. */
export const wishOf = ({ board, first_click, clues, seed, no_guess }) =>
  withoutGuess({
    board: board ?? settings.get("board"),
    first_click: first_click ?? settings.get("firstClick"),
    clues: clues ?? settings.get("clues"),
    seed: seed !== null && /^\d{1,15}$/.test(seed) ? Number(seed) : freshSeed(),
    no_guess: no_guess ?? settings.get("noGuess"),
  });

/** A request whose rules fit: without guesses the first click opens an area, and clues are true. */
export const withoutGuess = (wish) => (wish.no_guess ? { ...wish, first_click: "opening", clues: "exact" } : wish);

/** The parameters of the address of a game. */
export const paramsOf = ({ board, first_click: first, clues, seed, no_guess: sure }, start = null) => ({
  board,
  first: sure ? null : first,
  clues: clues === "exact" ? null : clues,
  "no-guess": sure ? 1 : null,
  seed,
  start: sure ? start : null,
});

/** What is wrong with the seed of an address, which no server is asked about; or null. */
export const badSeed = ({ seed }) =>
  seed === null || /^\d{1,15}$/.test(seed) ? null : `The seed “${seed.slice(0, 40)}” is no whole number of up to 15 digits.`;

/** Keep what was played as the settings of the next game. */
export function keepWish({ board, first_click, clues, no_guess }) {
  settings.set("board", board);
  settings.set("noGuess", no_guess);
  if (no_guess) return;
  settings.set("firstClick", first_click);
  settings.set("clues", clues);
}
