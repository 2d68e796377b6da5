// Review: a game move by move: what each move risked, what was better, what it cost; with a chart of
// risks, a replay, and recorded games of other programs (see recording.js).

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { percent } from "../board/face.js";
import { doubtBadge, h, sentence, sign, stylesheet, svg } from "../dom.js";
import { all } from "../kept-games.js";
import { boardName } from "./boards.js";
import { overlayOf } from "./chances.js";
import { SIGNS, tool, wordButton, zoomButtons } from "./field.js";
import { keptGame, writeMoves } from "./match.js";
import { PositionText } from "./position-text.js";
import { proofCard } from "./proof.js";
import { ACCEPTED, MouseTrail, fileOf, isRecording, patternsCard, statisticsCard, takeIn } from "./recording.js";
import { StepList } from "./step-list.js";

await stylesheet("moves.css");

const SLOWEST = 700; // ms a move of a replay
const LONGEST = 40_000; // ms of a whole replay
const STATES = { ready: "Not begun", running: "Still running", won: "Won", lost: "Lost" };

export const PARAMS = ["game", "move", "replay"];

export function mount(root, context) {
  return new Review(root, context);
}

class Review {
  constructor(root, context) {
    this.context = context;
    this.id = null;
    this.moves = [];
    this.n = 0; // the move looked at; 0 is the untouched board
    this._chosen = 0; // how often a move was chosen
    this.after = false;
    this.chances = false;
    this._known = new Map(); // analyses by move
    this._build(root);
  }

  // -- the page --

  _build(root) {
    this.replay = new Replay({
      more: () => this.n < this.moves.length || !this.after,
      begin: () => this._look(1, true),
      step: () => this._look(this.n + 1, true),
      pause: () => Math.min(SLOWEST, LONGEST / this.moves.length),
      mouse: () => (this.mouse.there ? this.mouse : null),
    });
    this.tools = {
      first: tool("first", "First", () => this.go(1)),
      back: tool("back", "Back", () => this.go(this.n - 1)),
      play: this.replay.button,
      next: tool("next", "Next", () => this.go(this.n + 1)),
      last: tool("last", "Last", () => this.go(this.moves.length)),
      after: tool("after", "After", () => this._setAfter(!this.after), true),
      see: tool("see", "Chances", () => this._setChances(!this.chances), true),
    };
    this.state = h("span", { class: "chip state" });
    this.doubt = doubtBadge();
    this.count = h("span", { class: "move-count" });
    this.stage = h("div", { class: "stage" });
    this.where = h("span", { class: "where" });
    this.name = h("span", { class: "game-name" });
    const field = h(
      "div",
      { class: "field" },
      h(
        "div",
        { class: "bar" },
        this.state,
        this.doubt,
        this.count,
        h("div", { class: "toolbar", role: "group", "aria-label": "Moves" }, ...Object.values(this.tools)),
      ),
      this.stage,
      h(
        "div",
        { class: "readout" },
        this.where,
        this.name,
        wordButton("analyse", "Open…", "Open a recorded game: AVF, EVF, RMV, MVF or RAWVF", () => this.file.click()),
        ...zoomButtons((by) => this.board.zoom(by)),
      ),
    );
    this.board = new Board(this.stage, {
      label: "The game at this move",
      smallest: 14,
      onGesture: ({ cell, kind }) => (kind === "primary" || kind === "tap") && this._pick(cell),
      onKey: ({ cell, key, event }) => this._key(cell, key, event),
      onFocus: (cell) => this._point(cell),
    });
    this.mouse = new MouseTrail(this.board, {
      at: (seconds) => this._lookAt(seconds),
      end: () => this.replay.stop(),
    });
    this.mouse.onSeek = (seconds) => {
      this._chosen += 1;
      this.replay.stop();
      this.mouse.draw(seconds);
      this._lookAt(seconds);
    };
    this.stage.after(this.mouse.root);
    this.file = h("input", {
      type: "file",
      hidden: true,
      accept: ACCEPTED,
      "aria-label": "A recorded game",
      onchange: () => {
        const [file] = this.file.files;
        this.file.value = "";
        if (file) this._takeIn(file);
      },
    });
    root.append(this.file);
    this._listen(root);
    const card = proofCard(this.board, {
      onBegin: () => {
        this.replay.stop();
        this._overlay();
      },
      onEnd: () => {
        this._draw();
        this._speak();
        this.voice.actions.querySelector("button")?.focus({ preventScroll: true });
      },
    });
    Object.assign(this, card);
    this.chart = new RiskChart((n) => this.go(n));
    this.list = new StepList("Moves", (n) => this.go(n));
    this.told = h("div", { class: "told" });
    this.work = h(
      "div",
      { class: "workspace", hidden: true },
      field,
      h("div", { class: "side" }, this.voice.root, this.chart.root, h("section", { class: "card move-card", "aria-label": "Moves" }, this.list.list), this.told),
    );
    this.nothing = h("div", { class: "card nothing", hidden: true });
    root.append(this.work, this.nothing);
    // On the document: a focused button that becomes disabled passes the focus to the body.
    document.addEventListener("keydown", (event) => root.hidden || this._keys(event));
  }

  /** A file that is dropped on the view is a recorded game. */
  _listen(root) {
    root.addEventListener("dragover", (event) => {
      event.preventDefault();
      root.classList.add("dropping");
    });
    root.addEventListener("dragleave", (event) => root.contains(event.relatedTarget) || root.classList.remove("dropping"));
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      root.classList.remove("dropping");
      const [file] = event.dataTransfer.files;
      if (file) this._takeIn(file);
    });
  }

  /** Take in a recorded game, and look at it; what is wrong with it is said over the page. */
  async _takeIn(file) {
    this.replay.stop();
    this.context.tell(`Reading ${file.name} …`);
    try {
      const { game } = await takeIn(file);
      this.context.navigate("review", { game });
    } catch (error) {
      const known = isRecording(file) ? "" : " Recorded games end in .avf, .evf, .rmv, .mvf or .rawvf.";
      this.context.tell(`${file.name}: ${sentence(error.message)}${known}`, { tone: "bad" });
    }
  }

  // -- coming and going --

  async enter(params) {
    const id = params.get("game") ?? lastGame([this.context.game, this.id, keptGame()?.id]);
    const wanted = Number(params.get("move")) || null;
    if (id === null) {
      this._empty(
        "No game yet",
        "Play a game to its end, then look at it again here: what every move risked, and what was better. Or open a recorded game of another program, or drop its file here: AVF, EVF, RMV, MVF, RAWVF.",
      );
      return;
    }
    const chosen = this._chosen;
    let told = null;
    try {
      told = await Promise.all([api.game(id), api.review(id)]);
    } catch (error) {
      const file = error.code === "gone" ? fileOf(id) : null;
      if (file) await this._takeIn(file);
      else this._empty("This game is gone", sentence(error.message));
      return;
    }
    this._show(id, ...told, wanted);
    // Whoever chose a move while the game was fetched wants to look at that one.
    if (params.get("replay") === "1" && this.moves.length && chosen === this._chosen) this.replay.start();
  }

  leave() {
    this.replay.stop();
    this._asking?.abort();
  }

  _empty(title, text) {
    this.work.hidden = true;
    this.nothing.hidden = false;
    this.nothing.replaceChildren(
      h("h2", {}, title),
      h("p", { role: "status" }, text),
      h("div", { class: "actions" }, h("button", { type: "button", class: "button primary", onclick: () => this.context.navigate("play") }, "Play"), h("button", { type: "button", class: "button", onclick: () => this.file.click() }, "Open a recording…")),
    );
  }

  _show(id, game, review, wanted) {
    if (!review.moves.length) {
      if (review.recording) this._empty("No move", "The recording ends before a cell was opened or flagged.");
      else this._empty("Nothing has been played yet", "Open a cell first: every move is looked at here.");
      return;
    }
    if (this.why.open) this.why.close();
    const same = this.id === id;
    this.work.hidden = false;
    this.nothing.hidden = true;
    this.id = id;
    this.game = game;
    this.review = review;
    this.moves = review.moves;
    this.text = new PositionText(game.view.short);
    this._known.clear();
    this.board.show(game.board, game.view.shown);
    this.doubt.show(this.board.trust(game.view.rules));
    const { recording } = review;
    this.recorded = recording?.moves ?? null;
    this.list.show(moveRows(this.moves, this.board.description.names, this.recorded));
    this.mouse.show(recording?.trail);
    const cards = [statisticsCard(review.statistics), patternsCard(recording, (pattern) => this.context.navigate("learn", { pattern }))];
    this.told.replaceChildren(...cards.filter((card) => card !== null));
    this.chart.show(this.moves);
    this.state.textContent = game.practice ? `${STATES[game.state]} · practice` : STATES[game.state];
    this.state.dataset.state = game.state;
    this.name.textContent = boardName(game.board.name) + (recording ? ` · ${recording.player || recording.software}` : game.seed === null ? "" : ` · seed ${game.seed}`);
    this.name.title = recording ? [recording.software, recording.started].filter(Boolean).join(", ") : "";
    // Players come to see the costliest move, so it is shown first.
    const worst = this.moves.reduce((found, move) => ((move.lost ?? 0) > (found.lost ?? 0) ? move : found), this.moves.at(-1));
    this.replay.stop();
    this._look(wanted ?? (same && this.n <= this.moves.length ? this.n : worst.n), this.after);
  }

  // -- moves --

  /** Look at a move, and stay there. */
  go(n) {
    this._chosen += 1;
    this.replay.stop();
    this._look(n, this.after);
  }

  /** Look at what stood there at a moment of a recording. */
  _lookAt(seconds) {
    const done = this.recorded.filter(({ time }) => time <= seconds + 1e-6).length;
    const [n, after] = done ? [done, true] : [1, false];
    if (n !== this.n || after !== this.after) this._look(n, after, seconds);
  }

  /** Look at a move, before it or after it. */
  _look(n, after, seconds = null) {
    if (!this.moves.length) return;
    this.after = after;
    if (this.why.open) this.why.close();
    this.n = Math.min(Math.max(n, 1), this.moves.length);
    this.list.choose(this.n);
    this.chart.choose(this.n);
    this.count.textContent = `Move ${this.n} of ${this.moves.length}`;
    this.tools.first.disabled = this.tools.back.disabled = this.n === 1;
    this.tools.next.disabled = this.tools.last.disabled = this.n === this.moves.length;
    if (!this.mouse.running) this.context.address("review", { game: this.id, move: this.n });
    this._draw();
    this._speak();
    if (seconds === null && this.recorded) this.mouse.draw(this.recorded[this.n - 1].time);
  }

  get move() {
    return this.moves[this.n - 1];
  }

  /** What was shown after the first `count` moves. */
  _shownAfter(count) {
    const shown = new Array(this.game.board.cells).fill(null);
    for (const move of this.moves.slice(0, count)) {
      for (const [cell, mark] of move.changed) shown[cell] = mark;
    }
    return shown;
  }

  _textBefore() {
    return this.text.write(this._shownAfter(this.n - 1));
  }

  _draw() {
    const { board, move } = this;
    const shown = this._shownAfter(this.after ? this.n : this.n - 1);
    board.reveal(null);
    board.update(shown.map((mark, cell) => [cell, mark]));
    if (this.after && this.n === this.moves.length && this.game.layout) this._reveal(this.game.layout);
    this.stage.dataset.kind = move.kind ?? "";
    board.light("step", [move.cell]);
    board.light("best", move.best_cell === null ? [] : [move.best_cell]);
    this.tools.after.setAttribute("aria-pressed", this.after);
    this.tools.see.setAttribute("aria-pressed", this.chances);
    board.seek(move.cell);
    this._point(this._pointed ?? null);
    this._overlay();
  }

  /** The mines of the finished game; after a win they are flagged, for nothing went wrong. */
  _reveal(layout) {
    if (this.game.state === "won") this.board.update(layout.map((cell) => [cell, "F"]));
    else this.board.reveal(layout);
  }

  /** The chances before the move, if they are wanted. */
  async _overlay() {
    this._asking?.abort();
    const { n } = this;
    if (!this.chances || this.after || this.why.open) return this.board.overlay(null);
    if (this._known.has(n)) return this.board.overlay(this._known.get(n));
    this.board.overlay(null);
    const asking = new AbortController();
    this._asking = asking;
    try {
      const analysis = await api.positionAnalysis(this._textBefore(), false, asking.signal);
      if (this._asking !== asking || n !== this.n) return undefined;
      this._known.set(n, overlayOf("mine", analysis, this.board));
      return this._overlay();
    } catch (error) {
      if (!api.isAbort(error)) this.where.textContent = error.message;
      return undefined;
    }
  }

  _setAfter(on) {
    this.replay.stop();
    if (this.why.open) this.why.close();
    this.after = on;
    this._draw();
    this.context.announce(on ? "The position after the move." : "The position before the move.");
  }

  _setChances(on) {
    this.chances = on;
    this._draw();
  }

  /** A click on a cell goes to the move that opened or flagged it. */
  _pick(cell) {
    const found = this.moves.find((move) => move.changed.some(([changed]) => changed === cell));
    if (found) this.go(found.n);
  }

  _key(cell, key, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const acts = {
      ",": () => this.go(this.n - 1),
      ".": () => this.go(this.n + 1),
      a: () => this._setAfter(!this.after),
      m: () => this._setChances(!this.chances),
      e: () => this._nextMistake(),
      w: () => this._ask(cell),
      Enter: () => this._pick(cell),
      " ": () => this._pick(cell),
      p: () => this.replay.toggle(),
      "+": () => this.board.zoom(1.25),
      "=": () => this.board.zoom(1.25),
      "-": () => this.board.zoom(0.8),
      0: () => this.board.zoom("fit"),
      Escape: () => this.why.close(),
    };
    const act = acts[key.length === 1 ? key.toLowerCase() : key];
    act?.();
    return Boolean(act);
  }

  /** Keys go through the moves unless something else uses them. */
  _keys(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.work.hidden) return;
    if (event.target.closest("[role=grid], input, select, textarea, dialog") || this.why.open) return;
    const acts = {
      ArrowLeft: () => this.go(this.n - 1),
      ArrowRight: () => this.go(this.n + 1),
      a: () => this._setAfter(!this.after),
      e: () => this._nextMistake(),
      p: () => this.replay.toggle(),
    };
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  }

  _nextMistake() {
    const found = this.moves.find((move) => move.n > this.n && isMistake(move)) ?? this.moves.find(isMistake);
    if (found) this.go(found.n);
  }

  // -- what is said --

  _ask(cell) {
    if (this.after) this._setAfter(false);
    const shown = this.board.shown[cell];
    if (shown !== null && shown !== "F") return;
    this.why.show(cell, (asked, signal) => api.positionExplain(this._textBefore(), asked, signal));
  }

  _speak() {
    if (this.why.open) return;
    const { move } = this;
    const { names } = this.board.description;
    const [mark, word] = verdictOf(move);
    const chips = [];
    if (move.risk !== null) chips.push(`risk ${chance(move.risk)}`);
    if (move.best_risk !== null && move.best_cell !== move.cell) chips.push(`best ${chance(move.best_risk)}`);
    if (move.lost > 0) chips.push(`lost ${chance(move.lost)}`);
    const actions = [];
    const hidden = this._shownAfter(this.n - 1);
    const asked = move.best_cell ?? move.cell;
    if (hidden[asked] === null || hidden[asked] === "F") actions.push([`Why ${names[asked]}?`, () => this._ask(asked)]);
    if (this.moves.some(isMistake)) actions.push(["Next mistake", () => this._nextMistake()]);
    if (this.review.recording) actions.push(["Play on from here", () => this._playOn()]);
    actions.push(["Analyse", () => this.context.navigate("analyse", { p: this._textBefore() })]);
    this.voice.say({
      title: `Move ${move.n}: ${word} ${mark}`,
      text: [move.text, this.recorded?.[this.n - 1].text].filter(Boolean).join(" "),
      tone: { blunder: "bad", inaccuracy: "bad", good: "good" }[move.kind] ?? "plain",
      chips,
      actions,
      numbers: this.board.numbers,
    });
  }

  /** Play the recorded board from before this move, or from after it if that is shown. */
  _playOn() {
    const { layout } = this.review.recording;
    const moves = writeMoves(this.moves.slice(0, this.after ? this.n : this.n - 1));
    this.context.navigate("play", { board: this.game.board.name, first: "safe", layout }, { moves, fresh: true });
  }

  _point(cell) {
    this._pointed = cell;
    this.voice.pointed(cell);
    const word = cell === null ? this._summary() : this.board.describe(cell);
    this.where.textContent = word.charAt(0).toUpperCase() + word.slice(1);
  }

  _summary() {
    if (!this.review) return "";
    const { blunders, lost } = this.review;
    const count = blunders.length === 1 ? "1 blunder" : `${blunders.length} blunders`;
    return `${count}, ${percentSum(lost)} given away in all`;
  }
}

/** The game to review unasked: the first of these in which a cell was opened, else the last one played; or null. */
function lastGame(games) {
  const played = all();
  const here = games.find((game) => played.some((one) => one.game === game));
  return here ?? played[0]?.game ?? games.find((game) => game) ?? null;
}

/** A sum of chances, which may pass 100 %. */
const percentSum = (sum) => (sum === 0 || sum === 1 ? `${100 * sum} %` : `${(100 * sum).toFixed(1)} %`);

// -- the moves --

/** How a move is judged, as a sign and as a word: never by colour alone. */
const JUDGED = {
  good: ["✓", "good"],
  forced: ["!", "best guess"],
  inaccuracy: ["?!", "inaccuracy"],
  blunder: ["??", "blunder"],
};
const ACTIONS = { open: "opens", flag: "flags", unflag: "takes the flag off", chord: "opens around" };

const verdictOf = (move) => JUDGED[move.kind] ?? ["–", "not counted"];

/** A chance that is whole only where it is certain. */
const chance = (value) => `${percent(value, value === 0 || value === 1)} %`;

const isMistake = (move) => move.kind === "blunder" || move.kind === "inaccuracy";

/** The moves as rows of a list; those of a recording with the seconds that each took. */
function moveRows(moves, names, recorded) {
  return moves.map((move, at) => {
    const took = recorded ? `${recorded[at].seconds.toFixed(1)} s · ` : "";
    const [mark, word] = verdictOf(move);
    const what = `${ACTIONS[move.action]} ${names[move.cell]}`;
    const risk = move.risk === null ? "" : `, risk ${chance(move.risk)}`;
    const lost = move.lost > 0 ? `, lost ${chance(move.lost)}` : "";
    return {
      kind: move.kind ?? "unknown",
      mark,
      what,
      word: took + word,
      aside: move.lost > 0 ? `−${chance(move.lost)}` : "",
      label: `Move ${move.n} ${what}: ${word}${risk}${lost}`,
    };
  });
}

const [WIDE, HIGH] = [308, 116];
const PLOT = { left: 36, right: 298, top: 22, foot: 98 };
const NEAR = 12; // a click so near to a blunder means it

/** The chart: the risk of every move, and the chance of still being alive after it. */
class RiskChart {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.count = 0;
    this.blunders = [];
    this.svg = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
    this.root = h(
      "section",
      { class: "card chart-card", "aria-label": "Risk over the moves" },
      this.svg,
      h(
        "p",
        { class: "hint chart-legend", "aria-hidden": "true" },
        h("span", { class: "key-bar" }, "risk taken"),
        h("span", { class: "key-line" }, "still alive"),
        h("span", { class: "key-dash" }, "by least risk"),
      ),
    );
    this.svg.addEventListener("click", (event) => {
      if (!this.count) return;
      const edge = this.svg.getBoundingClientRect();
      const x = ((event.clientX - edge.left) / edge.width) * WIDE;
      const share = (x - PLOT.left) / (PLOT.right - PLOT.left);
      const off = (n) => Math.abs(this._x(n) - x);
      const near = this.blunders.filter((n) => off(n) <= NEAR).sort((one, two) => off(one) - off(two));
      this.onChoose(near[0] ?? Math.min(Math.max(Math.ceil(share * this.count), 1), this.count));
    });
  }

  show(moves) {
    this.count = moves.length;
    const y = (share) => PLOT.foot - share * (PLOT.foot - PLOT.top);
    const alive = survival(moves, "risk");
    const best = survival(moves, "best_risk");
    const width = Math.max(Math.min((0.7 * (PLOT.right - PLOT.left)) / Math.max(moves.length, 1), 12), 1.5);
    const bars = moves.filter((move) => move.risk > 0).flatMap((move) => {
      const x = this._x(move.n);
      const top = Math.min(y(move.risk), PLOT.foot - 1.5);
      const bar = svg("rect", {
        class: `bar-${move.kind}`,
        x: +(x - width / 2).toFixed(2),
        y: +top.toFixed(2),
        width: +width.toFixed(2),
        height: +(PLOT.foot - top).toFixed(2),
        rx: Math.min(width / 4, 2),
      });
      if (move.kind !== "blunder") return [bar];
      const at = Math.max(top - 11, 10);
      return [
        bar,
        svg("circle", { class: "bar-spot", cx: x, cy: at, r: 9.5, onclick: (event) => this._pick(event, move.n) }),
        svg("text", { class: "bar-mark", x, y: at + 4 }, "??"),
      ];
    });
    this.cursor = svg("path", { class: "cursor" });
    this.svg.replaceChildren(
      ...[0, 0.5, 1].flatMap((share) => [
        svg("path", { class: "rule", d: `M${PLOT.left} ${y(share)}H${PLOT.right}` }),
        svg("text", { class: "tick", x: PLOT.left - 5, y: y(share) + 3.5 }, share === 1 ? "100 %" : `${100 * share}`),
      ]),
      this.cursor,
      ...bars,
      svg("path", { class: "alive-best", d: this._steps(best, y) }),
      svg("path", { class: "alive", d: this._steps(alive, y) }),
      svg("text", { class: "tick first", x: PLOT.left, y: HIGH - 4 }, "1"),
      svg("text", { class: "tick", x: PLOT.right, y: HIGH - 4 }, moves.length ? `move ${moves.length}` : ""),
    );
    const blunders = moves.filter((move) => move.kind === "blunder").map((move) => move.n);
    this.blunders = blunders;
    this.svg.setAttribute(
      "aria-label",
      `By the risks taken, the chance of still being alive fell to ${chance(alive.at(-1))}` +
        ` over ${moves.length} moves; by the least risk each time it would be ${chance(best.at(-1))}.` +
        (blunders.length ? ` Blunders: moves ${blunders.join(", ")}.` : " No blunders."),
    );
  }

  /** A blunder is hit anywhere on its mark, also where moves stand close together. */
  _pick(event, n) {
    event.stopPropagation();
    this.onChoose(n);
  }

  choose(n) {
    const x = this._x(n);
    this.cursor?.setAttribute("d", n ? `M${x} ${PLOT.top - 4}V${PLOT.foot}` : "");
  }

  _x(n) {
    return +(PLOT.left + ((n - 0.5) / Math.max(this.count, 1)) * (PLOT.right - PLOT.left)).toFixed(2);
  }

  _steps(values, y) {
    return values.reduce(
      (path, value, n) => (n ? `${path}H${this._x(n)}V${y(value).toFixed(2)}` : `M${PLOT.left} ${y(value).toFixed(2)}`),
      "",
    ) + `H${PLOT.right}`;
  }
}

/** The chance that none of the moves so far opened a mine. */
function survival(moves, risk) {
  const values = [1];
  for (const move of moves) values.push(values.at(-1) * (1 - (move[risk] ?? 0)));
  return values;
}

/** Moves that follow each other by themselves, with the button that starts and stops them. */
class Replay {
  /**
   * `begin()` shows the first move, `step()` the next one, `more()` says whether there is one, and
   * `pause()` how many ms to wait before it. `mouse()` is the mouse of a recording, which runs instead
   * from where it is, or null.
   */
  constructor({ begin, step, more, pause, mouse }) {
    Object.assign(this, { begin, step, more, pause, mouse });
    this.button = tool("play", "Replay", () => this.toggle());
    this.playing = false;
  }

  toggle() {
    if (this.playing) this.stop();
    else this.start();
  }

  /** From the first move; a recording from the moment that is shown, or anew after its end. */
  start() {
    this.playing = true;
    this._draw();
    const mouse = this.mouse();
    if (mouse) {
      if (mouse.seconds >= mouse.last) mouse.onSeek(0);
      this.playing = true;
      this._draw();
      mouse.start();
      return;
    }
    this.begin();
    this._wait();
  }

  stop() {
    clearTimeout(this._timer);
    this.mouse()?.stop();
    if (!this.playing) return;
    this.playing = false;
    this._draw();
  }

  _wait() {
    this._timer = setTimeout(() => {
      if (!this.more()) return this.stop();
      this.step();
      return this._wait();
    }, this.pause());
  }

  _draw() {
    const label = this.playing ? "Pause" : "Replay";
    this.button.title = label;
    this.button.replaceChildren(sign(SIGNS[this.playing ? "pause" : "play"]), h("span", {}, label));
  }
}
