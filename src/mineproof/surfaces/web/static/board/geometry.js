// Where the cells of a board lie: outlines, sizes, rows, and which cell an arrow key leads to.

/** The drawn geometry of a board description: any cells, given as polygons. */
export function geometryOf(board) {
  const outlines =
    board.polygons ??
    board.coordinates.map(([row, column]) => [
      [column, row],
      [column + 1, row],
      [column + 1, row + 1],
      [column, row + 1],
    ]);
  const centres = outlines.map(centroid);
  const reach = outlines.map((outline, cell) => inradius(outline, centres[cell]));
  const radius = Math.min(...reach);
  const points = outlines.flat();
  const low = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])));
  const high = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis])));
  return {
    outlines,
    centres,
    radius,
    rows: rowsOf(board, centres),
    box: [low[0], low[1], high[0] - low[0], high[1] - low[1]],
  };
}

function centroid(outline) {
  const sum = outline.reduce(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [sum[0] / outline.length, sum[1] / outline.length];
}

function inradius(outline, [x, y]) {
  return Math.min(
    ...outline.map(([ax, ay], index) => {
      const [bx, by] = outline[(index + 1) % outline.length];
      return Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / Math.hypot(bx - ax, by - ay);
    }),
  );
}

/** Rows of cells that share all coordinates but the last, from left to right. */
function rowsOf(board, centres) {
  const rows = new Map();
  board.coordinates.forEach((at, cell) => {
    const key = at.slice(0, -1).join(",");
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(cell);
  });
  return [...rows.values()].map((row) => row.sort((a, b) => centres[a][0] - centres[b][0]));
}

/** The path of an outline drawn `inset` smaller, its corners rounded by `round`. */
export function roundedPath(outline, [x, y], radius, inset, round) {
  const scale = (radius - inset) / radius;
  const corners = outline.map(([px, py]) => [x + (px - x) * scale, y + (py - y) * scale]);
  const parts = corners.map((corner, index) => {
    const before = corners[(index + corners.length - 1) % corners.length];
    const after = corners[(index + 1) % corners.length];
    const enter = towards(corner, before, round);
    const leave = towards(corner, after, round);
    return `${index ? "L" : "M"}${write(enter)}Q${write(corner)} ${write(leave)}`;
  });
  return `${parts.join("")}Z`;
}

function towards([x, y], [tx, ty], distance) {
  const length = Math.hypot(tx - x, ty - y);
  const share = Math.min(distance / length, 0.45);
  return [x + (tx - x) * share, y + (ty - y) * share];
}

export const write = ([x, y]) => `${+x.toFixed(3)},${+y.toFixed(3)}`;

/** The cell an arrow key leads to from `cell`; the cell itself at the edge. */
export function step(board, geometry, rowOf, cell, key) {
  const row = geometry.rows[rowOf[cell]];
  const place = row.indexOf(cell);
  const round = board.topology === "torus";
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = place + (key === "ArrowLeft" ? -1 : 1);
    return row[round ? (next + row.length) % row.length : next] ?? cell;
  }
  const down = key === "ArrowDown" ? 1 : -1;
  const found = nearest(board, geometry, rowOf, cell, down);
  if (found !== null || !round) return found ?? cell;
  return geometry.rows.at(down > 0 ? 0 : -1)[place];
}

/** The nearest cell of another row above or below; between equals, the one of the same column. */
function nearest(board, geometry, rowOf, cell, down) {
  const [x, y] = geometry.centres[cell];
  const column = board.coordinates[cell].at(-1);
  let best = null;
  let least = Infinity;
  for (let other = 0; other < board.cells; other += 1) {
    if (geometry.rows.length > 1 && rowOf[other] === rowOf[cell]) continue;
    const along = (geometry.centres[other][1] - y) * down;
    if (along < geometry.radius * 0.2) continue;
    const across = Math.abs(geometry.centres[other][0] - x);
    const drift = Math.abs(board.coordinates[other].at(-1) - column);
    const cost = along + across + 0.01 * drift * geometry.radius;
    if (cost < least) [best, least] = [other, cost];
  }
  return best;
}
