// Every error that the package throws on purpose. A message is one line: it names the place and what would be accepted.

export class MineproofError extends Error {
  get name() {
    return this.constructor.name;
  }
}

// Malformed input: a board, a position, an option.
export class InputError extends MineproofError {}

// No layout explains the position. `clues` are cells of clues that clash, as few as it takes; `usesTotal` says whether
// the number of mines is needed too.
export class InconsistentPosition extends MineproofError {
  constructor(message, clues, usesTotal) {
    super(message);
    this.clues = clues;
    this.usesTotal = usesTotal;
  }
}

// More states, memory, time or deals than were allowed; nothing is approximated.
export class BudgetExceeded extends MineproofError {}

// A value from outside as it may stand in a message.
export function quoted(value) {
  let text;
  try {
    text = typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    text = typeof value;
  }
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

// A whole number from `least` to `most`; or InputError.
export function whole(value, name, least, most) {
  const good = typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
  if (!good) throw new InputError(`${name} is ${quoted(value)}; accepted: a whole number from ${least} to ${most}`);
  return value;
}

// A positive number of seconds, or none: 0 stands for that.
export function time(value) {
  if (value === undefined) return 0;
  if (typeof value !== "number" || !(value > 0 && value <= 1e6)) {
    throw new InputError(`seconds is ${quoted(value)}; accepted: a positive number up to 1000000`);
  }
  return value;
}

// A number of 64 bits, which names randomness: a whole number or a bigint.
export function seed64(value, name) {
  const number = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof number !== "bigint" || number < 0n || number >= 1n << 64n) {
    throw new InputError(`${name} is ${quoted(value)}; accepted: a whole number or a bigint from 0 to 2**64-1`);
  }
  return number;
}

// One of a few names.
export function named(value, name, names) {
  if (!names.includes(value)) throw new InputError(`${name} is ${quoted(value)}; accepted: ${names.join(", ")}`);
  return value;
}

// The options, if all of them are known.
export function options(given, where, names) {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null) {
    throw new InputError(`${where} takes options, not ${quoted(given)}; accepted: an object with ${names.join(", ")}`);
  }
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) {
      throw new InputError(`${where} has no option ${quoted(name)}; accepted: ${names.join(", ")}`);
    }
  }
  return given;
}
