// Cells far from every number share one chance: it is written once, in their midst.

const FEW = 8; // fewer cells say it each

/**
 * The far cells of an overlay, {cells, spokesman, roomy}, or null where they are few or do not agree.
 * The spokesman stands farthest from all other cells; `roomy` says whether all around it are far too.
 */
export function farCells(board, shown, { values, certain }) {
  const cells = new Set();
  let common = null;
  for (let cell = 0; cell < board.cells; cell += 1) {
    if (shown[cell] !== null || values[cell] === null || certain?.[cell]) continue;
    if (board.neighbours[cell].some((near) => shown[near] !== null && shown[near] !== "F")) continue;
    common ??= values[cell];
    if (Math.abs(values[cell] - common) > 1e-9) return null;
    cells.add(cell);
  }
  if (cells.size < FEW) return null;
  const [spokesman, depth] = deepest(board, cells);
  return { cells, spokesman, roomy: depth > 1 };
}

/** The cell of a set that is the most steps away from the cells outside it, and how many. */
function deepest(board, cells) {
  const most = Math.max(...[...cells].map((cell) => board.neighbours[cell].length));
  // A cell at the edge of the board has fewer neighbours: beyond it lies the outside.
  let edge = [...cells].filter(
    (cell) => board.neighbours[cell].length < most || board.neighbours[cell].some((near) => !cells.has(near)),
  );
  if (!edge.length) edge = [cells.values().next().value];
  const depth = new Map(edge.map((cell) => [cell, 1]));
  let last = edge;
  while (edge.length) {
    last = edge;
    edge = [];
    for (const cell of last) {
      for (const near of board.neighbours[cell]) {
        if (!cells.has(near) || depth.has(near)) continue;
        depth.set(near, depth.get(cell) + 1);
        edge.push(near);
      }
    }
  }
  const middle = last.sort((one, two) => one - two)[Math.floor(last.length / 2)];
  return [middle, depth.get(middle)];
}
