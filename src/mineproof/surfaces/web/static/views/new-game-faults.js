// What is wrong with a filled-in form for a new game, found without beginning one: everything at once.

import * as api from "../api-more.js";
import { TEXT } from "./boards.js";
import { inWords } from "./refusals.js";

/** What a number field accepts, if what it holds is not that. */
function badNumber(input) {
  if (input.disabled || input.hidden || input.validity.valid) return null;
  return `${input.ariaLabel}: a whole number from ${input.min} to ${input.max}.`;
}

/** What the server says against a board; null if nothing, or if it cannot be asked. */
async function badBoard(text) {
  try {
    await api.emptyPosition(text);
    return null;
  } catch (error) {
    return inWords(error.message);
  }
}

/** {board, seed, fields}: a line on the board and one on the seed, or null, and the fields they are about. */
export async function faultsOf({ shape, size, text, seed, wish }) {
  const numbers = size.inputs.filter((input) => badNumber(input));
  const found = numbers.map(badNumber).join(" ");
  const board = found || (await badBoard(wish.board));
  const wrong = seed.validity.valid ? null : "Seed: a whole number of up to 15 digits, or nothing.";
  const fields = [...numbers];
  if (board && !found) fields.push(shape.value === TEXT ? text : size.mines);
  if (wrong) fields.push(seed);
  return { board, seed: wrong, fields };
}
