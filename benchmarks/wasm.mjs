// Times of the package for JavaScript on positions that Python draws: node wasm.mjs PACKAGE < JSON > JSON
// For every question the best of some runs, in seconds.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { load } = await import(pathToFileURL(process.argv[2]));
const mineproof = await load();
const expert = () => mineproof.board({ rows: 16, cols: 30, mines: 99 });
const board = expert();
const { positions, guesses, runs, champion } = JSON.parse(readFileSync(0, "utf8"));

function best(times, work) {
  let least = Infinity;
  for (let run = 0; run < times; ++run) {
    const begin = performance.now();
    work();
    least = Math.min(least, performance.now() - begin);
  }
  return least / 1000;
}

// A player remembers what it has thought of: every round is a new one.
function guessing(shown, rounds, player) {
  const least = shown.map(() => Infinity);
  for (let round = 0; round < rounds; ++round) {
    const fresh = expert();
    fresh.guess(fresh.hidden(), { player });
    shown.forEach((one, i) => {
      least[i] = Math.min(least[i], best(1, () => fresh.guess(one, { player })));
    });
  }
  return least;
}

const asked = {
  analyze: positions.map((shown) => best(runs, () => board.analyze(shown))),
  bestMove: positions.map((shown) => best(runs, () => board.bestMove(shown))),
  swift: guessing(guesses, 3, "swift"),
  champion: guessing(guesses.slice(0, champion), 3, "champion"),
};
process.stdout.write(JSON.stringify(asked));
