// What nobody should hand over, handed over: prints for each call what became of it, and whether the core still answers.

import { BudgetExceeded, InputError, load, MineproofError } from "mineproof";
const mineproof = await load();
const board = mineproof.board({ rows: 3, cols: 3, mines: 2 });
const wide = mineproof.board({ rows: 40, cols: 40, mines: 300 });
const odd = [
  undefined, null, NaN, Infinity, -1, 0.5, 1e300, 2 ** 31, 10n, "", "x", "\u0000".repeat(50), [], {}, [[]], () => 0,
  Symbol("s"), new Map(), new Proxy([], {}), Object.create(null), { length: 1e9 }, { length: -1 }, new Uint8Array(9).fill(252),
];
const calls = {
  board: (v) => mineproof.board(v),
  rows: (v) => mineproof.board({ rows: v, cols: 3, mines: 1 }),
  size: (v) => mineproof.board({ rows: 100000, cols: 100000, mines: 1, ...(v ? {} : {}) }),
  mines: (v) => mineproof.board({ rows: 3, cols: 3, mines: v }),
  density: (v) => mineproof.board({ rows: 3, cols: 3, mines: { density: v } }),
  neighbours: (v) => mineproof.board({ neighbours: v, mines: 0 }),
  neighbour: (v) => mineproof.board({ neighbours: [[1], [v]], mines: 0 }),
  list: (v) => mineproof.board({ neighbours: [[1], v], mines: 0 }),
  loop: () => mineproof.board({ neighbours: [[0]], mines: 0 }),
  oneWay: () => mineproof.board({ neighbours: [[1], []], mines: 0 }),
  twice: () => mineproof.board({ neighbours: [[1, 1], [0, 0]], mines: 0 }),
  clues: (v) => mineproof.board({ rows: 3, cols: 3, mines: 1, clues: v ?? 7 }),
  likelihood: (v) => mineproof.board({ rows: 3, cols: 3, mines: 1, clues: () => v }),
  missing: (v) => mineproof.board({ rows: 3, cols: 3, mines: 1, clues: { shown: () => 0.5, missing: () => v } }),
  firstClick: (v) => mineproof.board({ rows: 3, cols: 3, mines: 1, firstClick: v ?? 1 }),
  option: (v) => mineproof.board({ rows: 3, cols: 3, mines: 1, more: v }),
  analyze: (v) => board.analyze(v),
  mark: (v) => board.analyze(Array.from({ length: 9 }, () => v === 0.5 ? v : v ?? "y")),
  states: (v) => board.analyze(".........", { states: v ?? -1 }),
  memory: (v) => board.analyze(".........", { memory: v ?? -1 }),
  seconds: (v) => board.analyze(".........", { seconds: v ?? -1 }),
  trust: (v) => board.analyze(".........", { trustFlags: v ?? 1 }),
  best: (v) => board.bestMove(v),
  player: (v) => board.guess(".........", { player: v ?? 1 }),
  seed: (v) => board.deal({ seed: typeof v === "bigint" ? -v : v ?? -1 }),
  first: (v) => board.deal({ first: v ?? -1 }),
  layout: (v) => board.open(v, board.hidden(), 0),
  cell: (v) => board.open(new Uint8Array(9), board.hidden(), v),
  method: (v) => board.generate({ method: v ?? 1 }),
  count: (v) => board.generate({ count: v ?? 0 }),
  deals: (v) => wide.generate({ mostDeals: v ?? 0 }),
  clears: (v) => board.clears(v, 0),
  parse: (v) => mineproof.parse(v),
  header: (v) => mineproof.parse(`square 3x3 mines=${String(typeof v)}`),
  load: (v) => load({ wasm: v ?? 1 }),
  tooMuch: () => wide.analyze(wide.open(wide.deal({ seed: 1, first: 820 }), wide.hidden(), 820), { states: 1 }),
};
const answers = [];
for (const [name, call] of Object.entries(calls)) {
  for (const value of odd) {
    try {
      await call(value);
      answers.push([name, null]);
    } catch (error) {
      const good = error instanceof InputError || error instanceof BudgetExceeded;
      answers.push([name, good ? error.message : `${error.constructor.name}: ${error.stack}`, good]);
    }
  }
}
const after = board.analyze("1.. 12. 01.").solutions;
console.log(JSON.stringify([answers, String(after)]));
