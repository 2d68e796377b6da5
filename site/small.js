// What can be answered before Python is there: the compiled core alone (the package for JavaScript, `make js`)
// deals, opens, counts and draws on square boards with true clues, as the coach does, to the last bit. Puzzles
// were written down when the site was built. A game that began here goes on in Python with its moves.

import { load as loadCore } from "./core/index.js";

const PRESETS = { beginner: "9x9/10", intermediate: "16x16/40", expert: "16x30/99", evil: "20x30/130" };
const MOST_CELLS = 10_000;
const NO_GUESS_CELLS = 1_000;
const STATES = 20_000; // of an analysis that is quick
const AT_ONCE = 512; // deals tried for a board without guesses, as in web/games.py
const LETTERS = { o: "open", f: "flag", u: "unflag", c: "chord" };
const CERTAIN = { 0: "safe", 1: "mine" };

let loading = null;
let core = null;

/** Load the core; resolves when it is there, or has failed: Python then does all of it. */
export function load() {
  loading ??= fetch(new URL("./core/mineproof.bin", import.meta.url))
    .then((answer) => {
      if (!answer.ok) throw new TypeError(`mineproof.bin: ${answer.status}`);
      return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    })
    .then((wasm) => loadCore({ wasm }))
    .then((loaded) => {
      core = loaded;
      performance.mark("core-ready");
    })
    .catch((error) => console.warn(`The small core could not be loaded: ${error.message}`));
  return loading;
}

/** A square board described as the coach does; its neighbours are those of the lattice. */
export function describe(name, rows, cols, mines) {
  const cells = Array.from({ length: rows * cols }, (_, cell) => [Math.floor(cell / cols), cell % cols]);
  const near = ([row, col]) => {
    const found = [];
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); r += 1) {
      for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, cols - 1); c += 1) {
        if (r !== row || c !== col) found.push(r * cols + c);
      }
    }
    return found;
  };
  return {
    name,
    mines,
    topology: "square",
    rows,
    cols,
    shape: `${rows}x${cols}`,
    cells: cells.length,
    coordinates: cells,
    names: cells.map(([row, col]) => `${row},${col}`),
    polygons: null,
    centres: null,
    neighbours: cells.map(near),
    size: [cols, rows],
  };
}

/** The sides and mines of a square board by its name; null for every other. */
function readBoard(name) {
  const found = /^(?:square:)?(\d{1,4})x(\d{1,4})\/(\d{1,5})$/.exec(Object.hasOwn(PRESETS, name) ? PRESETS[name] : name);
  if (!found) return null;
  const [rows, cols, mines] = found.slice(1).map(Number);
  return rows > 0 && cols > 0 && rows * cols <= MOST_CELLS && mines > 0 ? { rows, cols, mines } : null;
}

const rulesText = (mines, first) =>
  `mines=${mines} first-click=${first} on-mine=lose total=known clues=exact given=none cascade=on goal=clear`;

/** A game. What it cannot do it answers with null: then Python is waited for. */
export class SmallGame {
  /** The game of a request, or null where it is not for this. */
  static of(request, seed) {
    const read = readBoard(request.board);
    const first = request.first_click ?? (request.no_guess ? "opening" : "safe");
    if (!read || (request.clues ?? "exact") !== "exact" || !["safe", "opening", "any"].includes(first)) return null;
    const { rows, cols, mines } = read;
    if (request.layout || (request.guess_rule ?? "dealt") !== "dealt") return null;
    if (request.no_guess && (rows * cols > NO_GUESS_CELLS || first === "any")) return null;
    if (mines > rows * cols - (first === "opening" ? Math.min(rows, 2) * Math.min(cols, 2) : first === "safe")) return null;
    const moves = [...(request.moves ?? "").matchAll(/([ofuc])(\d{1,6})/g)].map(([, letter, cell]) => ({ action: LETTERS[letter], cell: Number(cell) }));
    const game = new SmallGame({ ...read, first, seed, request });
    game.before = moves; // to be made as soon as the core is there
    game.elapsed = request.elapsed_ms ?? 0;
    game.practice = Boolean(request.practice);
    return game;
  }

  constructor({ rows, cols, mines, first, seed, request }) {
    Object.assign(this, { rows, cols, mines, first, seed, request });
    this.board = describe(request.board, rows, cols, mines);
    this.before = [];
    this.elapsed = 0;
    this.practice = false;
    this._reset();
  }

  _reset() {
    this.shown = new Array(this.board.cells).fill(null);
    this.moves = [];
    this.layout = this._counts = null;
    this.state = "ready";
    this.version = 0;
  }

  /** Whether all of it was played: moves that came with the request need the core. */
  _catchUp() {
    if (!this.before.length) return true;
    if (!core) return false;
    const moves = this.before;
    this.before = [];
    const began = performance.now() - this.elapsed;
    for (const { action, cell } of moves) if (!this._do(action, cell)) return false;
    this._began = this.state === "ready" ? null : began;
    return true;
  }

  // -- what the coach answers --

  toJSON() {
    if (!this._catchUp()) return null;
    return {
      board: this.board,
      view: { shown: [...this.shown], mines_left: this._left(), rules: rulesText(this.mines, this.first), short: this._short() },
      moves: this.moves.map((move) => ({ ...move })),
      no_guess: Boolean(this.request.no_guess),
      guess_rule: "dealt",
      ...this._status(),
    };
  }

  /** The moves as a request for a game takes them. */
  get saved() {
    const letters = { open: "o", flag: "f", unflag: "u", chord: "c" };
    return this.moves.map(({ action, cell }) => letters[action] + cell).join("");
  }

  get elapsedMs() {
    return this._began ? Math.round((this._ended ?? performance.now()) - this._began) : 0;
  }

  move(action, { cell, on, at, see }) {
    if (!core || !this._catchUp() || this._over || !(cell < this.board.cells)) return null;
    if (at !== undefined && at !== null && at !== this.moves.length) return null;
    const done = this._do(action === "flag" ? (on ? "flag" : "unflag") : action, cell);
    if (!done) return null;
    const analysis = see && action !== "flag" && !this._over ? this.analysis() : null;
    return { changed: done, guess: null, analysis, ...this._status() };
  }

  undo({ moves = 1 }) {
    if (!core || !this._catchUp() || moves > this.moves.length) return null;
    const kept = this.moves.slice(0, this.moves.length - moves);
    const { _began: began, version } = this;
    this._reset();
    for (const { action, cell } of kept) this._do(action, cell);
    Object.assign(this, { practice: true, version: version + 1, _began: this.state === "ready" ? null : began, _ended: null });
    return this.toJSON();
  }

  analysis() {
    if (!core || !this._catchUp() || this._over) return null;
    return analysisOf(this._core, this._marks());
  }

  // -- the game --

  get _over() {
    return this.state === "won" || this.state === "lost";
  }

  get _core() {
    this._asked ??= core.board({ rows: this.rows, cols: this.cols, mines: this.mines, firstClick: this.first });
    return this._asked;
  }

  _marks() {
    return this.shown.map((shown) => shown ?? ".");
  }

  _deal(first) {
    if (!this.request.no_guess) return this._core.deal({ seed: this.seed, first });
    return this._core.generate({ first, seed: this.seed, method: "uniform", mostDeals: AT_ONCE }).boards[0].layout;
  }

  /** Make a move; what it changed, or null if it is not for this. */
  _do(action, cell) {
    const shown = this.shown[cell];
    const changed = [];
    if (action === "flag" || action === "unflag") {
      const [from, to] = action === "flag" ? [null, "F"] : ["F", null];
      if (shown === to) return changed;
      if (shown !== from) return null;
      this.shown[cell] = to;
      changed.push([cell, to]);
    } else if (action === "open") {
      if (shown !== null) return null;
      try {
        this.layout ??= this._deal(cell);
        this._counts ??= this._core.counts(this.layout);
      } catch {
        return null; // it takes a longer search, or the mines do not fit
      }
      this._open(cell, changed);
    } else {
      const near = this.board.neighbours[cell];
      if (typeof shown !== "number" || near.filter((one) => this.shown[one] === "F").length !== shown) return null;
      for (const one of near) if (this.shown[one] === null && !this._over) this._open(one, changed);
    }
    if (!changed.length) return changed;
    this.moves.push({ action, cell });
    this.version += 1;
    if (this.state !== "ready") this._began ??= performance.now();
    if (this._over) this._ended ??= performance.now();
    return changed;
  }

  _open(cell, changed) {
    this.state = "running";
    if (this.layout[cell]) {
      this.shown[cell] = "*";
      changed.push([cell, "*"]);
      this.state = "lost";
      return;
    }
    const waiting = [cell];
    this._reveal(cell, changed);
    while (waiting.length) {
      const here = waiting.pop();
      if (this.shown[here]) continue;
      for (const other of this.board.neighbours[here]) {
        if (this.shown[other] !== null) continue;
        this._reveal(other, changed);
        waiting.push(other);
      }
    }
    const left = this.shown.filter((one) => one === null || one === "F").length;
    if (left === this.mines) this.state = "won";
  }

  _reveal(cell, changed) {
    this.shown[cell] = this._counts[cell];
    changed.push([cell, this.shown[cell]]);
  }

  _left() {
    return this.mines - this.shown.filter((shown) => shown === "F" || shown === "*").length;
  }

  _short() {
    const first = this.first === "safe" ? "" : ` first-click=${this.first}`;
    const rows = Array.from({ length: this.rows }, (_, row) => this._marks().slice(row * this.cols, (row + 1) * this.cols).join(""));
    return `square ${this.rows}x${this.cols} mines=${this.mines}${first}\n${rows.join("\n")}\n`;
  }

  _status() {
    const { state, version, practice } = this;
    const layout = this._over ? [...this.layout.keys()].filter((cell) => this.layout[cell]) : null;
    return {
      ...{ state, version, mines_left: this._left(), elapsed_ms: this.elapsedMs, practice, undone: practice },
      ...{ seed: this.seed, layout, measures: layout && this._measures() },
    };
  }

  /** 3BV, openings and islands of the layout. */
  _measures() {
    const { neighbours } = this.board;
    const safe = [...this._counts.keys()].filter((cell) => !this.layout[cell]);
    const zero = (cell) => !this.layout[cell] && this._counts[cell] === 0;
    const parts = (cells, inside) => {
      const seen = new Set();
      let found = 0;
      for (const cell of cells) {
        if (seen.has(cell)) continue;
        found += 1;
        const waiting = [cell];
        seen.add(cell);
        for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
          for (const other of neighbours[here]) if (inside(other) && !seen.has(other)) waiting.push(other) && seen.add(other);
        }
      }
      return found;
    };
    const openings = parts(safe.filter(zero), zero);
    const bounds = (cell) => !this.layout[cell] && !zero(cell) && !neighbours[cell].some(zero);
    const single = safe.filter(bounds);
    return { "3bv": openings + single.length, openings, islands: parts(single, bounds) };
  }
}

// -- chances, positions and puzzles --

/** The analysis of a position on a board of the core, as the coach answers it; null where it is too wide. */
function analysisOf(board, marks) {
  const started = performance.now();
  let found;
  try {
    found = board.analyze(marks, { states: STATES });
  } catch {
    return null;
  }
  const p = marks.map((mark, cell) => (mark === "." || mark === "F" ? found.chances[cell] : null));
  return {
    p,
    certain: p.map((chance) => CERTAIN[chance] ?? null),
    promised: !found.opened && board.firstClick !== "any",
    solutions: String(found.solutions),
    best: bestOf(board, marks),
    win: null,
    note: null,
    elapsed_us: Math.round(1000 * (performance.now() - started)),
  };
}

/** The best move. A guess is left open: Python tells it, which plays games out. */
function bestOf(board, marks) {
  const best = board.bestMove(marks);
  if (best === null) return null;
  const { cell, basis, risk, alike } = best;
  const rest = alike.length;
  let reason = "";
  if (basis === "certain") {
    const also = rest === 1 ? ", and so is one other cell" : `, and so are ${rest} other cells`;
    reason = `${board.name(cell)} is safe in every layout that explains the position${rest ? also : ""}.`;
  } else if (basis === "first-click" && board.firstClick === "opening") {
    reason = "The first cell opens an area by the rules; here it has room on all sides.";
  } else if (basis === "first-click") {
    reason = "The first cell is safe by the rules. One with few neighbours is the likeliest to have no mine around it, and then it opens an area.";
    if (rest) reason += ` ${rest === 1 ? "One other cell is" : `${rest} other cells are`} as good.`;
  }
  return { cell, p: risk, reason, basis: reason ? basis : "look-ahead", ties: rest, tied: alike, win: null };
}

/** Whether a square position with true clues is possible; null where Python must say. */
export function position(text) {
  const read = readPosition(text);
  if (!read) return null;
  const { board, shown, mines, rest } = read;
  try {
    board.analyze(shown, { states: STATES });
  } catch {
    return null;
  }
  const drawn = shown.map((mark) => (mark === "." ? null : mark));
  const left = mines - drawn.filter((mark) => mark === "F" || mark === "*").length;
  return {
    board: describe(`square:${board.rows}x${board.cols}`, board.rows, board.cols, mines),
    view: { shown: drawn, mines_left: left, rules: rulesText(mines, board.firstClick ?? "safe"), short: `${rest}\n` },
    ...{ status: "consistent", clash: [], message: null, why: null },
  };
}

/** The analysis of such a position, without chances to win. */
export function positionAnalysis(text) {
  const read = readPosition(text);
  return read && analysisOf(read.board, read.shown);
}

function readPosition(text) {
  const rest = text.trim();
  const header = /^square (\d{1,3})x(\d{1,3}) mines=(\d{1,5})(?: first-click=(?:any|safe|opening))?\n[.F0-8?*\n]+$/.exec(rest);
  if (!core || !header) return null;
  try {
    const read = core.parse(rest);
    return { ...read, mines: Number(header[3]), rest };
  } catch {
    return null;
  }
}

let puzzles = null;

/** A puzzle by its name, from the file that was written with the site. */
export async function puzzle(name) {
  puzzles ??= fetch(new URL("./answers/puzzles.bin", import.meta.url))
    .then((answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).json())
    .catch(() => {
      puzzles = null;
      return {};
    });
  const found = (await puzzles)[name];
  if (!found) return null;
  const { board, ...rest } = found;
  return { board: describe(...board), ...rest };
}
