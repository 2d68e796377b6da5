// A history as one file, out and in; what comes in may have been written by anybody.

import { readGame } from "../kept-reading.js";
import { MOST, all, find, keep } from "../kept-games.js";

const MOST_FILE = 8_000_000; // bytes of a file that is read
const FORMAT = "mineproof history";
const VERSION = 1;

/** All games as the text of a file. */
export const exported = () => `${JSON.stringify({ format: FORMAT, version: VERSION, games: all() })}\n`;

/** Take in the games of a file: {taken, known, refused: [why]}. Throws an Error if it is none. */
export async function takeIn(file) {
  if (file.size > MOST_FILE) {
    throw new Error(`${file.name} has ${Math.ceil(file.size / 1e6)} MB; at most ${MOST_FILE / 1e6} MB are read.`);
  }
  let found = null;
  try {
    found = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no history: it is not JSON.`);
  }
  if (found?.format !== FORMAT || !Array.isArray(found.games)) {
    throw new Error(`${file.name} is no history of the coach: Export writes one.`);
  }
  if (found.version !== VERSION) throw new Error(`${file.name} was written by another version of the coach.`);
  const said = { taken: 0, known: 0, refused: [] };
  const games = [];
  found.games.forEach((value, at) => {
    try {
      games.push(readGame(value));
    } catch (error) {
      said.refused.push(`game ${at + 1}: ${error.message}`);
    }
  });
  // The newest are kept if there are more than there is room for.
  games.sort((one, two) => two.began - one.began);
  for (const game of games.slice(0, MOST).reverse()) {
    if (find(game.key)) said.known += 1;
    else {
      keep(game);
      said.taken += 1;
    }
  }
  return said;
}
