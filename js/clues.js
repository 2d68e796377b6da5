// Clues that lie: how likely a shown number is, given the true count, as the core takes it.

import { InputError, quoted } from "./errors.js";

const ACCEPTED =
  "exact, optimistic, cautious, withheld:P, noisy:P with P from 0 to 1, a function, or functions { shown, missing }";
const MOST_SHOWN = 250;
const LEAST = 1e-130;
const MOST = 1e130;

// A share such as 0.3 as a fraction of whole numbers, so that 1 - 0.3 is rounded once.
function share(text, name) {
  const digits = /^(\d{0,8})(?:\.(\d{0,14}))?$/.exec(text);
  const [above, below] = digits ? [digits[1] || "0", digits[2] ?? ""] : ["", ""];
  const [over, under] = [Number(above + below), 10 ** below.length];
  if (!digits || !/\d/.test(text) || over > under || String(over).length > 15) {
    throw new InputError(`clues are ${quoted(name)}; accepted: ${ACCEPTED}`);
  }
  return [over, under];
}

// A function (shown, count, neighbours) -> likelihood; null where a shown number is always true.
function likelihood(clues) {
  if (typeof clues === "function") return clues;
  if (typeof clues?.shown === "function" && typeof clues.missing === "function") return clues.shown;
  if (typeof clues !== "string") throw new InputError(`clues are ${quoted(clues)}; accepted: ${ACCEPTED}`);
  if (clues === "exact") return null;
  if (clues === "optimistic") return (shown, count) => (shown <= count ? 1 / (count + 1) : 0);
  if (clues === "cautious") return (shown, count, near) => (count <= shown && shown <= near ? 1 / (near - count + 1) : 0);
  const [name, given] = clues.split(":", 2);
  if (given === undefined || !["withheld", "noisy"].includes(name)) {
    throw new InputError(`clues are ${quoted(clues)}; accepted: ${ACCEPTED}`);
  }
  const [over, under] = share(given, clues);
  if (name === "withheld") return over < under ? null : () => 0;
  return (shown, count, near) => {
    // The chances of all ways to show it, in parts of 2 * under.
    let parts = shown === count ? 2 * (under - over) : 0;
    if (shown === Math.max(count - 1, 0)) parts += over;
    if (shown === Math.min(count + 1, near)) parts += over;
    return parts / (2 * under);
  };
}

function checked(weight, what, count, degree) {
  if (typeof weight === "number" && (weight === 0 || (weight >= LEAST && weight <= MOST))) return weight;
  const place = `the likelihood of ${what} for ${count} mines among ${degree} neighbours`;
  throw new InputError(`${place} is ${quoted(weight)}; accepted: 0, or ${LEAST} to ${MOST}`);
}

// The table [degree][shown][count] of a board with these degrees: { degree, codes, weights, missing }; null for clues
// that are exact, or left out at times. `missing` is the code of a missing clue where it is evidence: one after the
// largest clue, else null.
export function channel(clues, degrees) {
  const likely = likelihood(clues);
  if (likely === null) return null;
  const seen = [...new Set(degrees)].sort((a, b) => a - b);
  const most = seen[seen.length - 1];
  const missing = typeof clues === "object" ? most + 1 : null;
  if (missing > MOST_SHOWN) {
    throw new InputError(`a cell has ${most} neighbours; accepted with missing clues: at most ${MOST_SHOWN - 1}`);
  }
  const codes = missing === null ? Math.min(most, MOST_SHOWN) + 1 : missing + 1;
  const weights = new Float64Array((most + 1) * codes * (most + 1));
  for (const degree of seen) {
    for (let shown = 0; shown <= degree && shown < codes; ++shown) {
      for (let count = 0; count <= degree; ++count) {
        const weight = checked(likely(shown, count, degree), shown, count, degree);
        weights[(degree * codes + shown) * (most + 1) + count] = weight;
      }
    }
    for (let count = 0; missing !== null && count <= degree; ++count) {
      const weight = checked(clues.missing(count, degree), "a missing clue", count, degree);
      weights[(degree * codes + missing) * (most + 1) + count] = weight;
    }
  }
  return { degree: most, codes, weights, missing };
}
