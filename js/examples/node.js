// node node.js: a game of Expert, played by best moves.
import { load } from "mineproof";

const mineproof = await load();
const board = mineproof.board({ rows: 16, cols: 30, mines: 99 });
let shown = board.hidden();
let layout = null;
for (;;) {
  const move = board.bestMove(shown);
  if (move === null || shown.includes("*")) break;
  layout ??= board.deal({ seed: 2, first: move.cell });
  shown = board.open(layout, shown, move.cell);
  if (move.risk > 0) console.log(`${board.name(move.cell)}: ${move.basis}, risk ${move.risk.toFixed(3)}`);
}
console.log(board.text(shown));
console.log(shown.includes("*") ? "lost" : "won");
