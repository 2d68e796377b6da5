// Which puzzles were solved, kept in this browser only; read as hostile input.

const KEY = "mineproof.learn";
const NAME = /^[0-9a-f]{12}$/;
const MOST = 5000;

/** How a puzzle was solved: with a mistake or a hint, or without either. */
export const HELPED = 1;
export const CLEAN = 2;

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(found?.solved ?? {}).slice(0, MOST);
    return new Map(known.filter(([name, how]) => NAME.test(name) && (how === HELPED || how === CLEAN)));
  } catch {
    return new Map(); // storage is off, or holds something else
  }
}

const solved = stored();

/** 0 if a puzzle is not solved yet, HELPED or CLEAN. */
export const solvedHow = (name) => solved.get(name) ?? 0;

export const solvedOf = (names) => names.filter((name) => solved.has(name)).length;

/** A puzzle is solved; the better of two tries counts. */
export function keepSolved(name, how) {
  solved.set(name, Math.max(how, solvedHow(name)));
  try {
    localStorage.setItem(KEY, JSON.stringify({ solved: Object.fromEntries(solved) }));
  } catch {
    // Nothing can be kept here: it holds until the page is left.
  }
}
