// A board as SVG, of any topology, for every view of the page, with its bed and its rulers:
// docs/architecture.md lists what it does, and what it calls.

import { h, svg } from "../dom.js";
import { cellName, rulerText, settings } from "../settings.js";
import { DIAMOND, MINE, QUERY, STAR, TICK, chanceOf, cluesOf, faceOf, sameButForText, wordsOf } from "./face.js";
import { BoardSize, frameOf, geometryOf, roundedPath, step, write } from "./geometry.js";
import { listen } from "./input.js";

/** Between a cell's outline and its tile, and the rounding of its corners, in radii, by skin. */
const TILES = { modern: [0.06, 0.24], classic: [0.03, 0.01], contrast: [0.07, 0.1] };
const LINGER = 150; // ms
const SOUGHT = new Set(["best", "point", "fresh"]); // layers whose first cell is scrolled into sight
const LAYERS = "queued region query near step used premise subject clash differ fresh safe mine if-safe if-mine ghost swap tied best point".split(" ");
const SIGN_OF = { best: STAR, safe: TICK, mine: DIAMOND, "if-safe": TICK, "if-mine": DIAMOND, ghost: MINE, swap: MINE, query: QUERY };
const SCATTERED = new Set(["torus", "cube", "graph"]); // neighbours may lie far apart
const HALOED = new Set(["best", "step", "subject", "fresh", "differ"]);
const SAID = {
  premise: "premise",
  clash: "part of the clash",
  best: "best move",
  tied: "as good as the best move",
  subject: "asked about",
  ghost: "a mine in this layout",
  "if-safe": "supposed safe",
  "if-mine": "supposed a mine",
  query: "question mark",
  queued: "sent, not answered yet",
  region: "in the region of the hint",
};

let boards = 0; // boards of this page so far

export class Board {
  constructor(stage, options = {}) {
    this.stage = stage;
    this.options = options;
    this._number = boards += 1;
    this.cell = 0;
    this.numbers = new Map();
    this.shown = [];
    this.root = svg("svg", { class: "board", role: "grid", focusable: "false" });
    this._chances = null;
    this._mines = null;
    this._lit = {};
    this._rulers = new Rulers(this.root);
    this._sizing = new BoardSize(this.root, stage, this._rulers, options.smallest);
    this._stop = listen(this, options);
    this._resize = new ResizeObserver(() => this._onResize());
    this._resize.observe(stage);
    this._theme = new MutationObserver((changes) => this._restyle(changes));
    this._theme.observe(document.documentElement, { attributeFilter: ["data-theme", "data-skin", "data-rulers", "data-names"] });
  }

  destroy() {
    this._stop();
    this._resize.disconnect();
    this._theme.disconnect();
    this._rulers.root.remove();
  }

  // -- drawing --

  show(description, shown) {
    const same = this.description?.name === description.name && this.description.cells === description.cells;
    this._chances = this._mines = null;
    this._lit = {};
    if (same) {
      this._take(description);
      this.dark();
      this.shown = [...shown];
      this._cells.forEach((_, cell) => this._draw(cell));
      return;
    }
    this._take(description);
    this.geometry = geometryOf(description, this._aspect());
    this.shown = [...shown];
    this.cell = 0;
    this._rowOf = [];
    this.geometry.rows.forEach((row, index) => row.forEach((cell) => (this._rowOf[cell] = index)));
    this._build();
    if (!this.root.isConnected) this.stage.replaceChildren(this._rulers.root);
    this._sizing.fit(this.geometry);
  }

  /** Take a description; cells are called as the player wants it, `numbers` knows them by the names of the server. */
  _take(description) {
    this._names = description.names;
    this.numbers = new Map(description.names.map((name, cell) => [name, cell]));
    this.description = { ...description, names: description.names.map(cellName) };
  }

  _aspect() {
    const { clientWidth, clientHeight } = this.stage;
    return clientWidth && clientHeight ? clientWidth / clientHeight : undefined;
  }

  /** The stage has another size: the layers of a cube may be arranged differently. */
  _onResize() {
    if (this.geometry?.across) {
      const geometry = geometryOf(this.description, this._aspect());
      if (geometry.across !== this.geometry.across) {
        this.geometry = geometry;
        this._rebuild();
      }
    }
    this._sizing.fit(this.geometry);
  }

  /** Draw everything again, with the same highlights. */
  _rebuild() {
    const lit = this._lit;
    this._lit = {};
    this._build();
    for (const [layer, cells] of Object.entries(lit)) this.light(layer, cells);
  }

  _build() {
    const { description, geometry } = this;
    const { centres, outlines, radius, rows } = geometry;
    const { rim, x, y, width, height } = frameOf(geometry);
    this.root.setAttribute("viewBox", [x, y, width, height].join(" "));
    this.root.setAttribute("aria-label", this.options.label ?? "Minesweeper board");
    this.root.dataset.topology = description.topology;
    this.root.setAttribute("aria-rowcount", rows.length);
    this.root.setAttribute("aria-colcount", Math.max(...rows.map((row) => row.length)));
    const [gap, round] = TILES[document.documentElement.dataset.skin] ?? TILES.modern;
    this._gap = gap;
    this._tiles = outlines.map((outline, cell) =>
      roundedPath(outline, centres[cell], radius, radius * gap, radius * round),
    );
    this._rulers.show(description, geometry);
    this._ghosts = null;
    const ghosts = svg("g", { "aria-hidden": "true" });
    if (description.topology === "torus") this._addGhosts(description, ghosts);
    this._cells = [];
    const grid = rows.map((row, index) =>
      svg("g", { role: "row", "aria-rowindex": index + 1 }, ...row.map((cell, place) => this._makeCell(cell, place))),
    );
    this._layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: `layer ${name}` })]));
    this._notes = svg("g", { class: "notes" });
    this._ring = svg("path", { class: "focus-ring", "stroke-width": radius * 0.18 });
    this._halo = svg("path", { class: "halo", "stroke-width": radius * 0.38 });
    this._ringed = "";
    this.root.replaceChildren(
      shadings(this._number, this.root),
      bedOf(description, geometry, rim),
      ghosts,
      ...geometry.captions.map(({ x, y: at, text }) =>
        svg("text", { class: "caption", x, y: at, "font-size": 0.5, "aria-hidden": "true" }, text),
      ),
      ...grid,
      svg(
        "g",
        { "aria-hidden": "true", class: "layers" },
        ...Object.values(this._layers),
        this._notes,
        this._halo,
        this._ring,
      ),
    );
    for (let cell = 0; cell < description.cells; cell += 1) this._draw(cell);
    this._cells[this.cell].group.setAttribute("tabindex", "0");
  }

  /** The ghost edges of a torus, in place of an empty group. */
  async _addGhosts(board, place) {
    const { Ghosts } = await import("./ghosts.js");
    if (place.parentNode !== this.root) return; // another board is drawn by now
    this._ghosts = new Ghosts(board);
    place.replaceWith(this._ghosts.root);
    this._cells.forEach(({ group }, cell) => this._ghosts.follow(cell, group));
  }

  _makeCell(cell, place) {
    const tile = svg("path", {
      class: "tile",
      d: this._tiles[cell],
      "stroke-width": 2 * this.geometry.radius * this._gap,
    });
    const group = svg("g", { role: "gridcell", "data-cell": cell, tabindex: "-1", "aria-colindex": place + 1 }, tile);
    this._cells[cell] = { group, tile, marks: [], face: null, drawn: null };
    return group;
  }

  /** Take the rules of a game, as text: unreliable clues are drawn differently. */
  trust(rules) {
    const clues = cluesOf(rules);
    this.unsure = clues !== null && !clues.startsWith("withheld"); // those that are shown are true
    this.root.dataset.clues = this.unsure ? "unsure" : "";
    this._cells?.forEach((made, cell) => made.group.setAttribute("aria-label", this.describe(cell)));
    return clues;
  }

  update(changed) {
    for (const [cell, shown] of changed) {
      this.shown[cell] = shown;
      this._draw(cell);
    }
  }

  reveal(mines) {
    this._mines = mines ? new Set(mines) : null;
    this._cells.forEach((_, cell) => this._draw(cell));
  }

  overlay(chances) {
    this._chances = chances;
    this._cells?.forEach((_, cell) => this._draw(cell));
  }

  /** A theme changes the colours of chances, a skin the tiles. */
  _restyle(changes) {
    if (!this._cells) return;
    if (changes.every((change) => change.attributeName === "data-theme")) {
      this._cells.forEach((_, cell) => this._draw(cell));
      return;
    }
    this.description.names = this._names.map(cellName);
    this._rebuild();
    this._sizing.fit();
  }

  /** Draw one cell, if anything about it has changed. */
  _draw(cell) {
    const made = this._cells[cell];
    const shown = this.shown[cell];
    const chance = chanceOf(this._chances, cell, shown);
    const mined = this._mines ? this._mines.has(cell) : null;
    const theme = document.documentElement.dataset.theme;
    const key = `${shown}|${chance?.text}|${chance?.certain}|${chance?.name}|${chance?.quiet}|${mined}|${theme}`;
    if (made.drawn === key) return;
    made.drawn = key;
    const face = faceOf(shown, chance, mined, theme);
    const before = made.face;
    if (before?.kind !== face.kind) {
      made.group.setAttribute("class", cell === this._hovered ? `${face.kind} over` : face.kind);
    }
    if ((before?.fill ?? "") !== face.fill) made.tile.style.fill = face.fill;
    if (before && sameButForText(before, face)) {
      made.marks[0].firstChild.data = face.marks[0].text;
    } else {
      for (const mark of made.marks) mark.remove();
      made.marks = face.marks.map((mark) => (mark.text ? this._text(cell, mark) : this._sign(cell, mark)));
      for (const mark of made.marks) if (face.ink) mark.setAttribute("color", face.ink);
      made.group.append(...made.marks);
    }
    made.face = face;
    made.group.setAttribute("aria-label", this.describe(cell));
    this._ghosts?.follow(cell, made.group);
  }

  outline(cell) {
    return this._tiles[cell];
  }

  group(cell) {
    return this._cells[cell].group;
  }

  _text(cell, { text, kind, scale, drop }) {
    const [x, y] = this.geometry.centres[cell];
    const { radius } = this.geometry;
    return svg(
      "text",
      { class: kind, x, y: y + drop * radius, dy: "0.355em", "font-size": +(scale * radius).toFixed(3) },
      text,
    );
  }

  _sign(cell, { sign, kind, scale, drop }) {
    return this._signAt(cell, sign, kind, scale, drop);
  }

  _signAt(cell, path, kind, scale, drop = 0, aside = 0) {
    const [x, y] = this.geometry.centres[cell];
    const { radius } = this.geometry;
    const at = write([x + aside * radius, y + drop * radius]);
    return svg("path", {
      class: `sign-${kind}`,
      d: path,
      transform: `translate(${at}) scale(${+(scale * radius).toFixed(4)})`,
    });
  }

  // -- layers --

  light(layer, cells) {
    const before = this._lit[layer] ?? [];
    this._lit[layer] = [...cells];
    const { radius } = this.geometry;
    this._layers[layer].replaceChildren(
      ...cells.flatMap((cell) => {
        const ring = svg("path", { class: "ring", d: this._tiles[cell], "stroke-width": radius * 0.16 });
        const rings = HALOED.has(layer)
          ? [svg("path", { class: "halo", d: this._tiles[cell], "stroke-width": radius * 0.34 }), ring]
          : [ring];
        if (!(layer in SIGN_OF)) return rings;
        const [scale, drop, aside] = layer === "best" ? [0.56, -0.62, 0.62] : [0.9, 0, 0]; // the best in a corner
        return [...rings, this._signAt(cell, SIGN_OF[layer], layer, scale, drop, aside)];
      }),
    );
    if (SOUGHT.has(layer) && cells.length && cells[0] !== before[0]) this.seek(cells[0]);
    if (!(layer in SAID)) return;
    for (const cell of new Set([...before, ...cells])) {
      this._cells[cell].group.setAttribute("aria-label", this.describe(cell));
    }
  }

  annotate(drawn) {
    this._notes?.replaceChildren(...drawn);
  }

  dark() {
    this._notes?.replaceChildren();
    for (const layer of LAYERS) if (this._layers?.[layer].hasChildNodes()) this.light(layer, []);
  }

  // -- words --

  describe(cell) {
    const shown = this.shown[cell];
    const mined = this._mines ? this._mines.has(cell) : null;
    const lit = Object.keys(SAID).filter((layer) => this._lit[layer]?.includes(cell));
    const chance = chanceOf(this._chances, cell, shown);
    const letters = settings.get("letters") && this.description.coordinates[cell].length === 2;
    const place = letters ? [] : this.description.coordinates[cell];
    const words = wordsOf(place, shown, chance, mined, lit.map((layer) => SAID[layer]), this.unsure);
    return letters ? `${this.description.names[cell]}, ${words}` : words;
  }

  // -- focus and size --

  focus(cell, { scroll = true } = {}) {
    this._tabStop(cell);
    this._cells[cell].group.focus({ preventScroll: true });
    if (scroll) this._cells[cell].group.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  seek(cell) {
    this._sizing.seek(this._cells[cell].tile);
  }

  /** The mouse is down on a cell: it has the focus, without a ring. */
  _focusByMouse(cell) {
    if (!this._cells[cell]) return; // another board is drawn by now
    this._byMouse = true;
    this._cells[cell].group.focus({ preventScroll: true });
    this._byMouse = false;
  }

  _tabStop(cell) {
    if (this.cell === cell) return;
    this._cells[this.cell]?.group.setAttribute("tabindex", "-1");
    this.cell = cell;
    this._cells[cell].group.setAttribute("tabindex", "0");
  }

  /** The focus came to a cell, or left the board (null). */
  _onFocus(cell) {
    const seen = cell !== null && !this._byMouse && this._cells[cell].group.matches(":focus-visible");
    if (cell !== null) this._tabStop(cell);
    const ring = seen ? this._tiles[cell] : "";
    if (ring === this._ringed) return;
    this._ringed = ring;
    for (const path of [this._halo, this._ring]) path.setAttribute("d", ring);
  }

  /** The mouse rests on a cell, or on none. */
  _hover(cell) {
    if (cell !== null && !this._cells[cell]) return; // another board is drawn by now
    this._cells[this._hovered]?.group.classList.remove("over");
    this._hovered = cell;
    this._cells[cell]?.group.classList.add("over");
    this._pointAt(cell);
  }

  /** The pointer or the focus is on a cell, or on none: show its neighbours, if they are hard to see. */
  _pointAt(cell) {
    if (this._activeCell === cell) return;
    this._activeCell = cell;
    if (this.description) this._rulers.point(cell);
    if (this.description && SCATTERED.has(this.description.topology)) {
      this.light("near", cell === null ? [] : this.description.neighbours[cell]);
    }
    this.options.onFocus?.(cell);
  }

  /** Keys that move the focus; true if one was used. */
  _move(cell, event) {
    const { rows } = this.geometry;
    const row = rows[this._rowOf[cell]];
    const whole = event.ctrlKey || event.metaKey;
    let to = null;
    if (event.key.startsWith("Arrow")) to = step(this.description, this.geometry, this._rowOf, cell, event.key);
    else if (event.key === "Home") to = whole ? rows[0][0] : row[0];
    else if (event.key === "End") to = whole ? rows.at(-1).at(-1) : row.at(-1);
    else if (event.key === "PageUp" || event.key === "PageDown") {
      const arrow = event.key === "PageUp" ? "ArrowUp" : "ArrowDown";
      to = cell;
      for (let count = 0; count < 5; count += 1) to = step(this.description, this.geometry, this._rowOf, to, arrow);
    }
    if (to === null || event.altKey) return false;
    this.focus(to);
    return true;
  }

  _press(cells) {
    for (const cell of this._pressed ?? []) {
      const { classList } = this._cells[cell]?.group ?? {};
      if (classList?.contains("pressed")) classList.remove("pressed");
    }
    this._pressed = cells.filter((cell) => this.shown[cell] === null);
    for (const cell of this._pressed) this._cells[cell].group.classList.add("pressed");
  }

  /** Release pressed cells; clicked ones stay pressed until they open, or for a moment. */
  _release(clicked) {
    if (clicked) setTimeout(() => this._press([]), LINGER);
    else this._press([]);
  }

  zoom(by, about = null) {
    this._sizing.zoom(by, about);
  }

  /** The ms from `start` (a performance time) until the next frame has been painted. */
  painted(start) {
    return new Promise((done) => {
      requestAnimationFrame(() => {
        // A message is handled after the frame's paint: its time is the end of the frame.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - start);
        channel.port2.postMessage(null);
      });
    });
  }
}

// -- beside the cells --

/** The shadings of board `number`; boards of hidden views must not share them. */
function shadings(number, root) {
  const shade = `tile-shade-${number}`;
  const bevel = `tile-bevel-${number}`;
  root.style.setProperty("--shade", `url("#${shade}")`);
  root.style.setProperty("--bevel", `url("#${bevel}")`);
  return svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: bevel, width: 1, height: 1, patternContentUnits: "objectBoundingBox" },
      svg("path", { class: "bevel-light", d: "M0 0H1V1H0Z" }),
      svg("path", { class: "bevel-dark", d: "M1 0V1H0L.13 .87H.87V.13Z" }),
      svg("path", { class: "bevel-face", d: "M.13 .13H.87V.87H.13Z" }),
    ),
    svg(
      "linearGradient",
      { id: shade, x1: 0, y1: 0, x2: 0, y2: 1 },
      svg("stop", { class: "shade-top", offset: 0 }),
      svg("stop", { class: "shade-foot", offset: 1 }),
    ),
  );
}

/** What lies under the tiles: the board's bed, or the lines of a graph. */
function bedOf(board, { outlines, centres, radius }, rim) {
  const graph = board.topology === "graph";
  return svg("path", {
    class: graph ? "edges" : "bed",
    d: graph ? edgesPath(board, centres) : outlines.map(outlinePath).join(""),
    "stroke-width": graph ? radius * 0.14 : 1.9 * rim,
  });
}

const outlinePath = (outline) => `M${outline.map(write).join("L")}Z`;

/** The lines of a graph, each once. */
function edgesPath(board, centres) {
  const lines = board.neighbours.flatMap((near, cell) =>
    near.filter((other) => other > cell).map((other) => `M${write(centres[cell])}L${write(centres[other])}`),
  );
  return lines.join("");
}

const BREADTH = [24, 18]; // px, of the ruler at the left and of the one above
const APART = 17; // px, the least from one number to the next
const STEPS = [1, 2, 5, 10, 20, 50];
const STRAIGHT = new Set(["square", "square4", "torus", "triangle", "cube"]); // columns go straight down
const ROWS_ONLY = new Set(["hexagon"]); // each row counts its own columns

/** The rulers of a board: its rows and columns by number. They stay in sight while the board scrolls. */
class Rulers {
  /** The rulers around a drawing; `root` holds them all. */
  constructor(drawing) {
    this.top = svg("svg", { class: "ruler ruler-top", height: BREADTH[1], "aria-hidden": "true" });
    this.left = svg("svg", { class: "ruler ruler-left", width: BREADTH[0], "aria-hidden": "true" });
    this.root = h("div", { class: "board-frame" }, h("div", { class: "ruler ruler-corner" }), this.top, this.left, drawing);
    this._columns = new Map(); // number of a column -> its marks
    this._rows = new Map();
  }

  /** The px that the rulers take at the left and above. */
  get breadth() {
    return this.root.classList.contains("bare") ? [0, 0] : BREADTH;
  }

  /** The numbers of a board. */
  show(description, geometry) {
    this.description = description;
    const { topology, coordinates } = description;
    const first = geometry.rows[0];
    const cells = [...coordinates.keys()];
    const columns = STRAIGHT.has(topology) ? cells : ROWS_ONLY.has(topology) ? [] : first;
    const none = coordinates[0].length < 2; // a graph has no rows
    this.root.classList.toggle("bare", none || !settings.get("rulers"));
    this._columns = this._marks(this.top, none ? [] : columns, geometry, 0);
    this._rows = this._marks(this.left, none ? [] : cells, geometry, 1);
    this._here = [];
  }

  /** Place the numbers for a scale of the drawing; where they would stand too close, some are left out. */
  fit(scale, frame) {
    this._place(this._columns, 0, scale, frame.x);
    this._place(this._rows, 1, scale, frame.y);
    this.top.setAttribute("width", +(frame.width * scale).toFixed(2));
    this.left.setAttribute("height", +(frame.height * scale).toFixed(2));
  }

  /** Mark the row and the column of a cell, or of none. */
  point(cell) {
    for (const text of this._here ?? []) text.classList.remove("here");
    const at = cell === null ? [] : this.description.coordinates[cell];
    this._here = [...(this._rows.get(at.at(-2)) ?? []), ...(this._columns.get(at.at(-1)) ?? [])].map(({ text }) => text);
    for (const text of this._here) text.classList.add("here");
  }

  /** One mark for each number at each place where cells have it. */
  _marks(ruler, cells, { outlines }, axis) {
    const known = new Set();
    const marks = new Map();
    for (const cell of cells) {
      const number = this.description.coordinates[cell].at(axis ? -2 : -1);
      const along = outlines[cell].map((point) => point[axis]);
      const at = (Math.min(...along) + Math.max(...along)) / 2;
      const place = `${number}@${at.toFixed(2)}`;
      if (known.has(place)) continue;
      known.add(place);
      if (!marks.has(number)) marks.set(number, []);
      marks.get(number).push({ at, text: svg("text", {}, rulerText(number, Boolean(axis))) });
    }
    ruler.replaceChildren(...[...marks.values()].flat().map(({ text }) => text));
    return marks;
  }

  _place(marks, axis, scale, from) {
    const places = [...marks.entries()].map(([number, [{ at }]]) => [number, at]).sort(([a], [b]) => a - b);
    const gap = places.length > 1 ? Math.abs(places[1][1] - places[0][1]) * scale : APART;
    const every = STEPS.find((step) => step * gap >= APART) ?? STEPS.at(-1);
    for (const [number, list] of marks) {
      for (const { at, text } of list) {
        const along = +((at - from) * scale).toFixed(1);
        text.setAttribute("x", axis ? BREADTH[0] - 7 : along);
        text.setAttribute("y", axis ? along + 3.8 : BREADTH[1] - 5);
        text.classList.toggle("unshown", number % every !== 0);
      }
    }
  }
}
