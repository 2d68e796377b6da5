// Where the cells of a board lie: outlines, sizes, rows, and which cell an arrow key leads to.

const NAMED = 0.95; // the room of a layer's name above it, in cells
const BETWEEN = 0.6; // between a layer and the one below it

/**
 * The drawn geometry of a board description: any cells, given as polygons. The layers of a cube stand in
 * lines that suit a stage `aspect` times as wide as high, each with its name: `captions`.
 */
export function geometryOf(board, aspect = 1.6) {
  const layers = board.topology === "cube" ? layersOf(board, aspect) : null;
  const outlines =
    layers?.outlines ?? board.polygons ?? board.coordinates.map(([row, column]) => unit(column, row));
  const centres = outlines.map(centroid);
  const reach = outlines.map((outline, cell) => inradius(outline, centres[cell]));
  const radius = Math.min(...reach);
  const points = outlines.flat();
  const low = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])));
  const high = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis])));
  // A torus is drawn with the cells beyond its edges, a cube with the names of its layers.
  const beyond = board.topology === "torus" ? 1 : 0;
  const above = layers ? NAMED : beyond;
  return {
    outlines,
    centres,
    radius,
    rows: rowsOf(board, centres),
    box: [low[0] - beyond, low[1] - above, high[0] - low[0] + 2 * beyond, high[1] - low[1] + above + beyond],
    captions: layers?.captions ?? [],
    across: layers?.across ?? 0,
  };
}

const unit = (x, y) => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
];

/** How many layers of a cube stand in a line, and where its cells and its layers' names are. */
function layersOf(board, aspect) {
  const [layers, rows, columns] = board.shape.split("x").map(Number);
  const height = rows + NAMED + BETWEEN;
  const cost = (across) => Math.max((across * (columns + 1) - 1) / aspect, Math.ceil(layers / across) * height);
  const ways = [...Array(layers).keys()].map((way) => way + 1);
  const across = ways.reduce((best, way) => (cost(way) < cost(best) - 1e-9 ? way : best));
  const corner = (layer) => [(layer % across) * (columns + 1), Math.floor(layer / across) * height];
  return {
    across,
    outlines: board.coordinates.map(([layer, row, column]) => {
      const [x, y] = corner(layer);
      return unit(x + column, y + row);
    }),
    captions: [...Array(layers).keys()].map((layer) => {
      const [x, y] = corner(layer);
      return { x, y: y - 0.3, text: `Layer ${layer}` };
    }),
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
