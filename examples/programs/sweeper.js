// An agent in JavaScript for mineproof's protocol of lines.
//
//     mineproof play --agent "command: node examples/programs/sweeper.js" --board beginner
//
// One clue at a time: if its hidden neighbours are all mines or all safe, it plays one of them.

let state = 1;

function random(below) { // repeatable, from the seed of the game
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
}

function move(rows) {
  const unknown = [];
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < rows[row].length; column++) {
      const mark = rows[row][column];
      if (mark === ".") unknown.push([row, column]);
      if (!/\d/.test(mark)) continue;
      const hidden = [];
      let mines = Number(mark);
      for (let r = Math.max(row - 1, 0); r < Math.min(row + 2, rows.length); r++) {
        for (let c = Math.max(column - 1, 0); c < Math.min(column + 2, rows[r].length); c++) {
          if (rows[r][c] === ".") hidden.push([r, c]);
          if ("F*".includes(rows[r][c])) mines--;
        }
      }
      if (hidden.length && mines === 0) return { open: hidden[0], proved: "single-point" };
      if (hidden.length && mines === hidden.length) return { flag: hidden[0], proved: "single-point" };
    }
  }
  if (!unknown.length) return { stop: "every hidden cell is flagged" };
  return { open: unknown[random(unknown.length)], guess: "random" };
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const position = JSON.parse(line);
  if (position.move === 1) state = position.seed; // a new game
  console.log(JSON.stringify(move(position.rows)));
});
