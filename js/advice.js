// The best move of a position: what is certain, then best play near the end, then the guess that looks ahead. It is
// what mineproof's `advise` says in Python, by the same numbers; the work is bounded by counts, never by a clock.

import { Contradiction } from "./core.js";
import { BudgetExceeded } from "./errors.js";

const EQUAL = 1e-12;
const SOLUTIONS = 1_000;
const WORK = 2_000_000n;
const LARGEST = 20_000;
const WIDEST = 20_000;
const DENSE = 0.18;

// Equally good first cells, in ascending order. Under `opening` one with room on all sides; else those with the fewest
// neighbours, which show a 0 most often.
export function firstCells(board, rule, mines) {
  const cells = board.cells;
  if (rule === "opening") {
    const steps = mines >= DENSE * cells ? 3 : 2;
    const near = within(board, 0, 2 * steps).filter((cell) => 1 + board.degree(cell) + mines <= cells);
    let best = null;
    let most = -1;
    for (const cell of near) {
      const room = within(board, cell, steps).length;
      if (room > most) [best, most] = [cell, room];
    }
    if (best !== null) return [best];
  }
  let fewest = Infinity;
  for (let cell = 0; cell < cells; ++cell) fewest = Math.min(fewest, board.degree(cell));
  const found = [];
  for (let cell = 0; cell < cells; ++cell) if (board.degree(cell) === fewest) found.push(cell);
  return found;
}

// The cells up to some steps away, the nearest first, each ring in ascending order.
function within(board, start, steps) {
  const found = new Set([start]);
  const order = [start];
  let ring = [start];
  for (let step = 0; step < steps; ++step) {
    const next = new Set();
    for (const cell of ring) for (const other of board.neighbours(cell)) if (!found.has(other)) next.add(other);
    ring = [...next].sort((a, b) => a - b);
    for (const cell of ring) found.add(cell);
    order.push(...ring);
  }
  return order;
}

// Whether the mines fit beside the cell that is kept free with the fewest around it.
function hasRoom(board, rule) {
  if (typeof board.mines !== "number") return true;
  let fewest = Infinity;
  for (let cell = 0; cell < board.cells; ++cell) fewest = Math.min(fewest, board.degree(cell));
  return board.mines <= board.cells - (rule === "opening" ? 1 + fewest : 1);
}

// The quotient of two whole numbers, rounded once.
function quotient(over, under) {
  if (over === 0n) return 0;
  const shift = BigInt(Math.max(0, 66 + under.toString(2).length - over.toString(2).length));
  const [scaled, rest] = [(over << shift) / under, (over << shift) % under];
  // The last bit stands for all that is cut off, so that a tie is told from what is just above it.
  return Number(scaled * 2n + (rest ? 1n : 0n)) / 2 ** (Number(shift) + 1);
}

// The chance to win by best play of every cell that is no proved mine, ascending; null where the end is too far away.
function knownEnd(asked, analysis) {
  const { board, codes, vouched } = asked;
  try {
    board.ask("endgame", codes, vouched, SOLUTIONS, WORK);
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
  const [numbers, words] = [board.core.numbers(), board.core.words()];
  const shares = new Map();
  let [won, all] = [1n, 1n];
  for (let i = 0, j = 0; i < numbers.length; ) {
    const size = numbers[i++];
    const best = words[j + size];
    for (let k = 0; k < size; ++k) shares.set(numbers[i + k], [words[j + k], best]);
    [won, all] = [won * best, all * words[j + size + 1]];
    [i, j] = [i + size, j + size + 2];
  }
  const found = [];
  for (const cell of analysis.hidden) {
    const risk = analysis.chances[cell];
    if (risk === 1) continue;
    const [over, under] = shares.get(cell) ?? [1n, 1n];
    found.push({ cell, risk, chance: quotient(won * over, all * under) });
  }
  return found;
}

// Whether the guess of a player that looks ahead can be asked for.
function canLookAhead({ board, codes, vouched }) {
  if (vouched || board.cells > LARGEST) return false;
  try {
    board.solve(codes, vouched, { states: WIDEST });
  } catch (error) {
    if (error instanceof BudgetExceeded) return false;
    throw error;
  }
  return true;
}

// The guess of `swift` or `champion`; null where something is certainly safe, or nothing can be.
export function guess({ board, codes }, player, seed) {
  const rule = board.firstClick ?? "safe";
  const first = Int32Array.from(firstCells(board, rule, board.mines));
  const place = ["any", "safe", "opening"].indexOf(rule);
  try {
    board.ask("guess", codes, player === "champion" ? 1 : 0, place, first, first.length, seed);
  } catch (error) {
    if (error instanceof Contradiction || error instanceof BudgetExceeded) return null;
    throw error;
  }
  const [cell, among] = board.core.numbers();
  return cell === undefined ? null : { cell, risk: board.core.chances()[0], among };
}

// The first number of mineproof's stream for a guess that nobody has named a seed for.
export const UNNAMED = 7108066972471032027n;

// The best move, or null where no hidden cell can be safe.
export function advise(asked) {
  const { board, codes } = asked;
  const analysis = board.solve(codes, asked.vouched, {});
  const least = analysis.leastRisk;
  if (least === null) return null;
  const rule = board.firstClick ?? "safe";
  if (!analysis.opened && rule !== "any" && hasRoom(board, rule)) {
    const [cell, ...others] = firstCells(board, rule, typeof board.mines === "number" ? board.mines : 0);
    return { cell, basis: "first-click", risk: 0, win: null, alike: others };
  }
  if (least.chance === 0) {
    const [cell, ...others] = analysis.safe;
    return { cell, basis: "certain", risk: 0, win: null, alike: others };
  }
  if (typeof board.mines === "number" && board.clues === "exact" && !analysis.exploded) {
    const wins = knownEnd(asked, analysis);
    if (wins !== null) return byWins(wins);
    const chosen = canLookAhead(asked) ? guess(asked, "swift", UNNAMED) : null;
    if (chosen !== null) {
      return { cell: chosen.cell, basis: "look-ahead", risk: analysis.chances[chosen.cell], win: null, alike: [] };
    }
  }
  const alike = analysis.hidden.filter(
    (cell) => cell !== least.cell && Math.abs(analysis.chances[cell] - least.chance) <= EQUAL,
  );
  return { cell: least.cell, basis: "least-risk", risk: least.chance, win: null, alike };
}

function byWins(wins) {
  wins.sort((a, b) => b.chance - a.chance || a.risk - b.risk);
  const [best] = wins;
  const alike = wins.filter((win) => win !== best && win.chance >= best.chance - EQUAL).map((win) => win.cell);
  return { cell: best.cell, basis: "best-play", risk: best.risk, win: best.chance, alike };
}
