// Where the cells of a board lie: outlines, rows, which cell an arrow key leads to; and the size of a board
// in its stage: fitted, zoomed about a point, scrolled until a cell is seen.
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

// -- the size of a board in its stage --

const RIM = 0.24; // around the board, in radii of a cell
const LARGEST = 80; // px, the widest cell that fitting makes
const SMALLEST = { fine: 22, coarse: 32 };
const ZOOMED = { least: 12, most: 96 }; // px, the cells that zooming makes
const ENOUGH = 0.85; // of the smallest cells, if all of the board is then seen
const SMALL = 26; // px: narrower cells are drawn plainer

/** The rim of a board, and the box of its drawing with it: {rim, x, y, width, height}. */
export function frameOf({ radius, box: [x, y, width, height] }) {
  const rim = radius * RIM;
  return { rim, x: x - rim, y: y - rim, width: width + 2 * rim, height: height + 2 * rim };
}

export class BoardSize {
  /**
   * `root` is the drawing within `stage`, `rulers` stand beside it; `smallest` is the least size of a
   * cell that is fitted unasked, if any.
   */
  constructor(root, stage, rulers, smallest) {
    this.root = root;
    this.stage = stage;
    this.rulers = rulers;
    this.smallest = smallest;
    this.geometry = null;
    this.scrolls = false; // whether some of the board is out of sight
    this._size = null; // px a cell; "whole" for all of the board; null for cells that can be played
  }

  /** Fit a board into the stage; by default the board that is drawn. */
  fit(geometry = this.geometry) {
    this.geometry = geometry;
    if (!geometry) return;
    const { radius } = geometry;
    const frame = frameOf(geometry);
    const room = this._room();
    this._whole = Math.min(room[0] / frame.width, room[1] / frame.height) * 2 * radius;
    const wanted = typeof this._size === "number" ? this._size : this._fitSize();
    // Whole pixels keep the lines of a square board crisp.
    this._pixels = wanted > 16 ? Math.floor(wanted) : wanted;
    this._scale = this._pixels / (2 * radius);
    const size = [frame.width * this._scale, frame.height * this._scale];
    this.scrolls = size[0] > room[0] + 1 || size[1] > room[1] + 1;
    this._need(room[0], frame, radius);
    this.root.setAttribute("width", +size[0].toFixed(2));
    this.root.setAttribute("height", +size[1].toFixed(2));
    this.rulers.fit(this._scale, frame);
    this.stage.classList.toggle("small-cells", this._pixels < SMALL);
  }

  /** Larger or smaller by a factor about a point of the stage, or all of the board ("fit"). */
  zoom(by, about = null) {
    const before = this._scale;
    this._size = this._zoomSize(by);
    this.fit();
    const { stage } = this;
    const [x, y] = about ?? [stage.clientWidth / 2, stage.clientHeight / 2];
    const ratio = this._scale / before;
    stage.scrollLeft = (stage.scrollLeft + x) * ratio - x;
    stage.scrollTop = (stage.scrollTop + y) * ratio - y;
  }

  /** Scroll the stage, and it alone, until a tile is seen. */
  seek(tile) {
    if (!this.scrolls) return;
    const { stage } = this;
    const [left, top] = this.rulers.breadth;
    const room = stage.getBoundingClientRect();
    const place = tile.getBoundingClientRect();
    stage.scrollLeft += beyond(place.left, place.right, room.left + left, room.right);
    stage.scrollTop += beyond(place.top, place.bottom, room.top + top, room.bottom);
  }

  /** The room of a board in its stage, in px. */
  _room() {
    const style = getComputedStyle(this.stage);
    const [left, top] = this.rulers.breadth;
    return [
      this.stage.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - left,
      this.stage.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom) - top,
    ];
  }

  /** The height that the board would fill at this width: a stage takes no more (narrow.css). */
  _need(width, frame, radius) {
    const [wide, usual] = [(width / frame.width) * 2 * radius, this._usual()];
    const pixels = wide > ENOUGH * usual ? Math.floor(Math.min(wide, LARGEST)) : usual;
    const beside = this.rulers.breadth[1] + 2 * parseFloat(getComputedStyle(this.stage).paddingTop);
    const need = Math.ceil((frame.height * pixels) / (2 * radius) + beside);
    // A cube's layers are arranged by the stage, so the stage must not be sized by them.
    this.stage.style.setProperty("--need", this.geometry.across ? "100dvh" : `${need}px`);
  }

  _fitSize() {
    const usual = this._usual();
    // Slightly smaller cells are better than a board that scrolls by one cell.
    const least = this._size === "whole" ? 1 : this._whole > ENOUGH * usual ? ENOUGH * usual : usual;
    return Math.min(Math.max(this._whole, least), LARGEST);
  }

  _zoomSize(by) {
    if (by === "fit") return "whole";
    // From the whole of a large board, go straight to cells large enough to play.
    if (by > 1 && this._size === "whole" && this._pixels * by < this._usual()) return null;
    return Math.min(Math.max(this._pixels * by, Math.min(ZOOMED.least, this._whole)), ZOOMED.most);
  }

  _usual() {
    const coarse = matchMedia("(pointer: coarse)").matches;
    return this.smallest ?? (coarse ? SMALLEST.coarse : SMALLEST.fine);
  }
}

/** How far from..to lies outside low..high, with a margin of one cell. */
function beyond(from, to, low, high) {
  const spare = to - from;
  if (from - spare < low) return from - spare - low;
  return to + spare > high ? to + spare - high : 0;
}
