// What the package says of positions: a JSON list on stdin, a JSON list on stdout. Doubles are written as their bits.
// node answers.mjs PACKAGE < positions > answers

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { load, InconsistentPosition } = await import(pathToFileURL(process.argv[2]));
const mineproof = await load();

function bits(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

// A clue table comes as its rows [neighbours][mines], each { SHOWN: SHARE }.
function withClues({ table, ...description }) {
  if (!table) return description;
  const shown = (clue, mines, near) => table[near][mines][clue] ?? 0;
  const missing = (mines, near) => table[near][mines]["-"] ?? 0;
  return { ...description, clues: { shown, missing } };
}

function answer({ description, shown, trustFlags }) {
  const board = mineproof.board(withClues(description));
  try {
    const analysis = board.analyze(shown, { trustFlags });
    const best = board.bestMove(shown, { trustFlags });
    return {
      chances: Array.from(analysis.chances, bits).join(""),
      safe: analysis.safe,
      mines: analysis.mines,
      solutions: String(analysis.solutions),
      logSolutions: bits(analysis.logSolutions),
      least: analysis.leastRisk && [analysis.leastRisk.cell, analysis.leastRisk.alike],
      best: best && {
        cell: best.cell,
        basis: best.basis,
        risk: bits(best.risk),
        win: best.win === null ? null : bits(best.win),
        alike: best.basis === "look-ahead" ? null : best.alike,
      },
    };
  } catch (error) {
    if (!(error instanceof InconsistentPosition)) throw error;
    return { clues: error.clues, usesTotal: error.usesTotal };
  }
}

function made({ description, first, seed, method }) {
  const found = mineproof.board(description).generate({ first, seed, count: 2, method });
  return [found.method, found.tried, ...found.boards.map(({ layout, index }) => [index, layout.join("")])];
}

function dealt({ description, first, seed, index }) {
  const board = mineproof.board(description);
  const layout = board.deal({ seed: BigInt(seed), index, first });
  return [layout.join(""), board.counts(layout).join(" "), board.open(layout, board.hidden(), first).join("")];
}

const kinds = { answer, made, dealt };
const asked = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.map((one) => kinds[one.kind](one))));
