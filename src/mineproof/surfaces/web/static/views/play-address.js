// The address of a game in Play: what it names, and what is played if it names nothing.

import { settings } from "../settings.js";
import { freshSeed } from "./match.js";

/** What an address asks for; null if it does not say. */
export const askedIn = (params) => ({
  board: params.get("board"),
  first_click: params.get("first"),
  clues: params.get("clues"),
  seed: params.get("seed"),
});

/** The whole request for a game: the settings fill in what is missing, and the seed is new. */
export const wishOf = ({ board, first_click, clues, seed }) => ({
  board: board ?? settings.get("board"),
  first_click: first_click ?? settings.get("firstClick"),
  clues: clues ?? settings.get("clues"),
  seed: seed !== null && /^\d{1,15}$/.test(seed) ? Number(seed) : freshSeed(),
});

/** The parameters of the address of a game. */
export const paramsOf = ({ board, first_click: first, clues, seed }) => ({
  board,
  first,
  clues: clues === "exact" ? null : clues,
  seed,
});

/** What is wrong with the seed of an address, which no server is asked about; or null. */
export const badSeed = ({ seed }) =>
  seed === null || /^\d{1,15}$/.test(seed) ? null : `the seed “${seed.slice(0, 40)}” is no whole number of up to 15 digits`;

/** Keep what was played as the settings of the next game. */
export function keepWish({ board, first_click, clues }) {
  settings.set("board", board);
  settings.set("firstClick", first_click);
  settings.set("clues", clues);
}
