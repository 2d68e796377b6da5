// One game as this browser keeps it; kept-reading.js says what its fields hold.

const LETTERS = { open: "o", flag: "f", unflag: "u", chord: "c" };

/** A key that sorts by the time a game began, and ends with its seed. */
const keyOf = (began, seed) => `${began.toString(36).padStart(9, "0")}-${seed.toString(36)}`;

/** A game that was just begun. */
export function freshGame(game, { board, first_click, clues, seed }, began = Date.now()) {
  return {
    ...{ key: keyOf(began, seed), game, board, first_click, clues, seed, began },
    ...{ state: "ready", moves: "", ms: 0, clicks: 0, queries: "", practice: false, helped: false },
    ...{ three_bv: null, lost: null, luck: null, guesses: null },
  };
}

/** The server's list of moves as a text. */
export const writeMoves = (moves) => moves.map(({ action, cell }) => LETTERS[action] + cell).join("");

/** What is played: the same deal has the same mines. */
export const specOf = ({ board, first_click, clues, seed }) => ({ board, first_click, clues, seed });

/** What a review says of a game, to be kept with it. */
export const figuresOf = ({ lost, luck, guesses }) => ({ lost, luck, guesses });
