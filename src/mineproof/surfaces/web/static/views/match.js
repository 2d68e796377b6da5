// A game as the page knows it: what the server said last, its moves one after another, its clock,
// and what is kept of it in this browser.

import * as api from "../api.js";
import { connection } from "../connection.js";
import { freshGame, specOf, writeMoves } from "../kept-game.js";

const KEPT = "mineproof.game";

let loading = null;
/**
 * What this browser keeps of games (kept-games.js), which the first board need not wait for. It is
 * asked for when the server answers: a browser remembers that a module did not come.
 */
export const memory = () => (loading ??= api.boards().then(() => import("../kept-games.js")));

/** A seed that fits every address and every JSON number. */
export const freshSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** The game of this tab: {id, spec, key, before}, or null. */
export function keptGame() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

export class Match {
  /** `told(reply, {start, action, cell})` is called with every answer, `failed(error)` with errors. */
  constructor(told, failed) {
    this.told = told;
    this.failed = failed;
    this.id = null;
    this.spec = null;
    this.state = "ready";
    this.moves = 0;
    this.queries = new Set(); // cells with the player's question mark
    this.seeing = () => false; // whether moves are to be answered with their analysis
    this.kept = null; // the game as it is kept (see kept-game.js)
    this._memory = null; // kept-games.js, once it is loaded
    this.before = null; // the key of the game that was played before this one
    this._queue = Promise.resolve();
    this._sent = 0; // moves that are not answered yet
    this._began = null;
    this._stopped = null;
    this._drawn = []; // flags that are drawn and not answered yet: {cell, written}
    addEventListener("pagehide", () => this.over || this._leave());
    api.recallWith(() => this.recall());
  }

  get over() {
    return this.state === "won" || this.state === "lost";
  }

  /** Whether the game does not count: a move was taken back, or the deal was played before. */
  get practice() {
    return Boolean(this.kept?.practice);
  }

  /** Whether a move waits for a server that does not answer: no other is taken before. */
  get waiting() {
    return connection.away && this._sent > 0;
  }

  /** Seconds since the first opening, until the end. */
  get seconds() {
    if (this._began === null) return 0;
    return Math.max(0, (this._stopped ?? performance.now()) - this._began) / 1000;
  }

  /** From now on, keep the game. */
  async recall() {
    if (this._memory) return;
    const found = await memory();
    if (this._memory) return;
    this._memory = found;
    if (!this.kept) return;
    this.kept.practice ||= found.playedBefore(this.kept);
    this._keep();
  }

  /** A new game; null if it is no longer `wanted()` when the server answers. */
  async begin(spec, wanted = () => true) {
    if (this.kept) await this.recall(); // the game before is kept
    const answer = await api.newGame(spec);
    if (!wanted()) return null;
    const begun = { ...spec, seed: answer.seed ?? spec.seed };
    const practice = Boolean(this._memory?.playedBefore(begun));
    this._adopt(answer, { ...freshGame(answer.game, begun), practice });
    return answer;
  }

  /** Go on with a kept game, where it was left; null if it is no longer `wanted()`. */
  async goOn(kept, wanted = () => true) {
    await this.recall();
    const answer = await api.game(kept.game);
    if (!wanted()) return null;
    this._adopt(answer, kept);
    return answer;
  }

  /** The game of this tab, after the page was loaded again; null if there is none. */
  async resume(wanted) {
    const tab = keptGame();
    if (!tab || (wanted && !sameSpec(tab.spec, wanted))) return null;
    try {
      await this.recall();
      const answer = await api.game(tab.id);
      this._adopt(answer, this._memory.find(tab.key) ?? { ...freshGame(tab.id, tab.spec), ms: answer.elapsed_ms });
      this.before = tab.before ?? null;
      return answer;
    } catch {
      return null;
    }
  }

  _adopt(answer, kept) {
    if (!this.over) this._keep(); // one that is over was written down at its end
    if (this.moves) this.before = this.kept.key;
    this.id = answer.game;
    this.spec = specOf(kept);
    this.state = answer.state;
    this.moves = answer.moves?.length ?? 0;
    const practice = kept.practice || Boolean(answer.practice);
    this.kept = { ...kept, game: this.id, moves: writeMoves(answer.moves ?? []), practice };
    this.queries = new Set(kept.queries ? kept.queries.split(",").map(Number) : []);
    if (this.before === this.kept.key) this.before = null;
    const now = performance.now();
    this._began = answer.state === "ready" ? null : now - kept.ms;
    this._stopped = this.over ? now : null;
    this._queue = Promise.resolve();
    this._drawn = [];
    this._keep(answer);
    this._keepTab();
  }

  _keepTab() {
    const { id, spec, before, kept } = this;
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ id, spec, key: kept.key, before }));
    } catch {
      // Nothing can be kept in this tab: only the address names the game.
    }
  }

  /** A finished game that goes on leaves its end in the history, under a name of its own. */
  _fork() {
    this._memory?.keep({ ...this.kept, game: `kept-${this.kept.key}` });
    const { helped, clicks } = this.kept;
    this.kept = { ...freshGame(this.id, this.spec), helped, clicks, practice: true };
    this._keepTab();
  }

  /** Write down how the game stands; `answer` is the server's, if there is a new one. */
  _keep(answer = null) {
    if (!this.kept) return;
    this.kept.state = this.state;
    this.kept.ms = Math.round(1000 * this.seconds);
    this.kept.queries = [...this.queries].join(",");
    if (this.over && answer?.measures) this.kept.three_bv = answer.measures["3bv"];
    this._memory?.keep(this.kept);
  }

  /** Nobody waits for the answers any more: what is drawn is kept, whether the server was told or not. */
  _leave() {
    this._keep();
    const drawn = this._drawn.map(({ written }) => written).join("");
    if (drawn) this._memory?.keep({ ...this.kept, moves: this.kept.moves + drawn });
  }

  /** Write down what else is known: `helped`, or what a review says. */
  note(facts) {
    Object.assign(this.kept, facts);
    this._keep();
  }

  /** A click on the board, whether it does anything or not. */
  click() {
    if (!this.over && this.kept) this.kept.clicks += 1;
  }

  /** The position now, in the short notation. */
  async text() {
    return (await api.game(this.id)).view.short;
  }

  /**
   * Send a move after those before it. `still()` says whether it makes sense by then. A flag that was
   * changed again before its answer came changes nothing on the board: what is drawn there is newer.
   */
  move(action, body, start, still = () => true) {
    const written = writeMoves([{ action: action === "flag" && !body.on ? "unflag" : action, cell: body.cell }]);
    const told = action === "flag" ? this._draw(body.cell, written) : () => {};
    this._send(async (id) => {
      if (this.over || !still()) return;
      const see = action === "flag" ? {} : { see: this.seeing() };
      const reply = await api.move(id, action, { ...body, ...see, at: this.moves });
      if (id !== this.id) return;
      if (reply.changed.length) {
        this.moves += 1;
        this.kept.moves += written;
      }
      this._follow(reply, start);
      const again = action === "flag" && this._drawn.slice(1).some(({ cell }) => cell === body.cell);
      this.told(again ? { ...reply, changed: [] } : reply, { start, action, cell: body.cell });
    }, told);
  }

  undo() {
    this._send(async (id) => {
      const reply = await api.undo(id, this.moves);
      if (id !== this.id) return;
      if (this.over) this._fork();
      this.moves = reply.moves.length;
      this.kept.moves = writeMoves(reply.moves);
      this.kept.practice = true;
      this._follow(reply, performance.now());
      this.told(reply, { start: performance.now(), action: "undo", cell: null });
    });
  }

  /** A move drawn before the server knows of it; what is to be done when it was answered. */
  _draw(cell, written) {
    const drawn = this._drawn;
    drawn.push({ cell, written });
    return () => drawn.shift();
  }

  _send(work, done = () => {}) {
    const { id } = this;
    this._sent += 1;
    const sent = this._queue.then(() => work(id)).finally(() => {
      this._sent -= 1;
      done();
    });
    this._queue = sent.catch((error) => {
      if (id === this.id) this.failed(error);
    });
  }

  /** The clock runs from the first click that opened something to the one that ended the game. */
  _follow(reply, at) {
    this.state = reply.state;
    if (this.state === "ready") this._began = null;
    else this._began ??= at;
    if (this.over) this._stopped ??= at;
    else if (this._stopped !== null) {
      // A game that goes on after its end: the clock stood still meanwhile.
      if (this._began !== null) this._began += performance.now() - this._stopped;
      this._stopped = null;
    }
    this._keep(reply);
  }
}

export function sameSpec(one, two) {
  return ["board", "first_click", "clues", "seed", "no_guess"].every(
    (key) => two[key] === null || two[key] === undefined || String(one[key]) === String(two[key]),
  );
}
