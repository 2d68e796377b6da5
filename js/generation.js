// Boards that need no guess: what is certain suffices from the first cell to the last.

import { BudgetExceeded, InputError, named, seed64, time, whole } from "./errors.js";

const MOST_DEALS = 1_000_000;
const PILOT = 20_000;
const STEP = 256;
const REPAIRED_STEP = 16;
const FEW_LAYOUTS = 100_000;
const SECONDS = 60;
const TOTAL = 2;

// Boards in the order of their deals. Every such board is equally likely with `uniform`; `auto` is that unless the
// first 20,000 deals all need a guess.
export function generate(board, given) {
  const { seed = 0, count = 1, method = "auto", mostDeals = MOST_DEALS } = given;
  const centre = board.rows === null ? board.cells >> 1 : (board.rows >> 1) * board.cols + (board.cols >> 1);
  const { first = centre } = given;
  const rule = board.firstClick ?? "opening";
  if (rule === "any") throw new InputError("first click any makes a guess of the first click; accepted: safe, opening");
  named(method, "method", ["auto", "uniform", "repair"]);
  const seconds = time(given.seconds ?? SECONDS);
  const search = {
    board,
    first,
    free: board.keptFree(first, rule),
    seed: seed64(seed, "seed"),
    count: whole(count, "count", 1, 100_000),
    mostDeals: whole(mostDeals, "mostDeals", 1, Number.MAX_SAFE_INTEGER),
    end: performance.now() + 1000 * seconds,
  };
  if (method === "repair") return repaired(search);
  return uniform(search, method === "auto") ?? repaired(search);
}

// Null where others are to be repaired instead.
function uniform(search, mayRepair) {
  const boards = [];
  for (let tried = 0; ; ) {
    const [words, , , done] = attempt(search, "keep", tried, STEP, boards.length);
    for (const index of words) boards.push({ index });
    tried += done;
    if (boards.length === search.count) return made(search, "uniform", boards);
    if (!boards.length && tried <= STEP) checkSomeExist(search);
    if (!boards.length && mayRepair && tried >= PILOT) return null;
  }
}

function repaired(search) {
  const boards = [];
  for (let tried = 0; ; ) {
    const [words, changes, layouts, done] = attempt(search, "repair", tried, REPAIRED_STEP, boards.length);
    const cells = search.board.cells;
    words.forEach((index, i) => {
      boards.push({ index, changes: changes[i], layout: layouts.slice(i * cells, (i + 1) * cells) });
    });
    if (boards.length === search.count) return made(search, "repaired", boards);
    if (!boards.length && tried === 0) checkSomeExist(search);
    tried += done;
  }
}

// Some deals from number `tried` on: the indices found, changes, layouts, and how many were tried.
function attempt({ board, first, free, seed, count, mostDeals, end }, name, tried, step, found) {
  const deals = Math.min(step, mostDeals - tried);
  const left = (end - performance.now()) / 1000;
  if (deals === 0) {
    const what = found ? `${found} of ${count} boards` : "no board without guesses";
    const accepted = "more deals (mostDeals), fewer mines, or the method repair";
    throw new BudgetExceeded(`${what} among ${tried} deals; accepted: ${accepted}`);
  }
  if (left <= 0) {
    const accepted = "more seconds, fewer mines, or another first cell";
    throw new BudgetExceeded(`${found} of ${count} boards in the time that was allowed; accepted: ${accepted}`);
  }
  const excluded = board.excluded(free);
  board.ask(name, excluded, first, TOTAL, seed, BigInt(tried), deals, count - found, left);
  const [done, ...changes] = board.core.numbers();
  return [[...board.core.words()], changes, board.core.bytes(), done];
}

function made({ board, first, free, seed }, method, boards) {
  const excluded = board.excluded(free);
  const all = boards.map(({ index, changes = 0, layout }) => {
    if (layout === undefined) {
      board.ask("deal", excluded, board.mines, seed, index);
      layout = board.core.bytes();
    }
    return { layout, first, index: Number(index), changes };
  });
  return { method, tried: all[all.length - 1].index + 1, boards: all };
}

// InputError where so few layouts are possible that all can be tried, in vain.
function checkSomeExist({ board, first, free }) {
  const kept = new Set(free);
  const room = Array.from({ length: board.cells }, (_, cell) => cell).filter((cell) => !kept.has(cell));
  let layouts = 1;
  for (let i = 0; i < board.mines && layouts <= FEW_LAYOUTS; ++i) layouts = (layouts * (room.length - i)) / (i + 1);
  if (layouts > FEW_LAYOUTS) return;
  const chosen = Array.from({ length: board.mines }, (_, i) => i);
  for (let more = true; more; ) {
    const table = [];
    while (more && table.length < STEP) {
      table.push(board.excluded(chosen.map((place) => room[place])));
      more = advance(chosen, room.length);
    }
    const bytes = new Uint8Array(table.length * board.cells);
    table.forEach((layout, i) => bytes.set(layout, i * board.cells));
    board.ask("clear", bytes, table.length, first, TOTAL);
    if (board.core.bytes().includes(1)) return;
  }
  const tried = `all ${Math.round(layouts)} were tried`;
  const accepted = "another size, number of mines or first cell";
  throw new InputError(`no layout can be cleared from ${board.name(first)} without a guess: ${tried}; accepted: ${accepted}`);
}

// The next choice of places in order; false after the last.
function advance(chosen, places) {
  for (let i = chosen.length - 1; i >= 0; --i) {
    if (chosen[i] < places - chosen.length + i) {
      ++chosen[i];
      for (let j = i + 1; j < chosen.length; ++j) chosen[j] = chosen[j - 1] + 1;
      return true;
    }
  }
  return false;
}
