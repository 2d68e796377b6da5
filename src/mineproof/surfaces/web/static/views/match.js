// A game as the page knows it: what the server said last, its moves one after another, its clock.

import * as api from "../api.js";

const KEPT = "mineproof.game";

/** A seed that fits every address and every JSON number. */
export const freshSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** The game kept in this tab: {id, spec}, or null. */
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
    this.practice = false;
    this._queue = Promise.resolve();
    this._began = null;
    this._stopped = null;
  }

  get over() {
    return this.state === "won" || this.state === "lost";
  }

  /** Seconds since the first opening, until the end. */
  get seconds() {
    if (this._began === null) return 0;
    return ((this._stopped ?? performance.now()) - this._began) / 1000;
  }

  /** A new game; null if it is no longer `wanted()` when the server answers. */
  async begin(spec, wanted = () => true) {
    const answer = await api.newGame(spec);
    if (!wanted()) return null;
    this._adopt(answer, { ...spec, seed: answer.seed ?? spec.seed });
    return answer;
  }

  /** The game of this tab, after the page was loaded again; null if there is none. */
  async resume(wanted) {
    const kept = keptGame();
    if (!kept || (wanted && !sameSpec(kept.spec, wanted))) return null;
    try {
      const answer = await api.game(kept.id);
      this._adopt(answer, kept.spec);
      return answer;
    } catch {
      return null;
    }
  }

  _adopt(answer, spec) {
    this.id = answer.game;
    this.spec = spec;
    this.state = answer.state;
    this.moves = answer.moves?.length ?? 0;
    this.practice = Boolean(answer.undone);
    this._began = answer.state === "ready" ? null : performance.now() - (answer.elapsed_ms ?? 0);
    this._stopped = this.over ? performance.now() : null;
    this._queue = Promise.resolve();
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ id: this.id, spec }));
    } catch {
      // Nothing can be kept in this tab: only the address names the game.
    }
  }

  /** The position now, in the short notation. */
  async text() {
    return (await api.game(this.id)).view.short;
  }

  /** Send a move after those before it. `still()` says whether it makes sense by then. */
  move(action, body, start, still = () => true) {
    this._send(async (id) => {
      if (this.over || !still()) return;
      const reply = await api.move(id, action, body);
      if (id !== this.id) return;
      this.moves += 1;
      this._follow(reply);
      this.told(reply, { start, action, cell: body.cell });
    });
  }

  undo() {
    this._send(async (id) => {
      const reply = await api.undo(id);
      if (id !== this.id) return;
      this.moves = Math.max(0, this.moves - 1);
      this.practice = true;
      this._follow(reply);
      this.told(reply, { start: performance.now(), action: "undo", cell: null });
    });
  }

  _send(work) {
    const { id } = this;
    this._queue = this._queue.then(() => work(id)).catch((error) => {
      if (id === this.id) this.failed(error);
    });
  }

  _follow(reply) {
    this.state = reply.state;
    this.practice ||= Boolean(reply.undone);
    if (this.state === "ready") this._began = null;
    else this._began ??= performance.now();
    if (this.over) this._stopped ??= performance.now();
    else if (this._stopped !== null) {
      this._began += performance.now() - this._stopped;
      this._stopped = null;
    }
  }
}

export function sameSpec(one, two) {
  return ["board", "first_click", "clues", "seed"].every(
    (key) => two[key] === null || two[key] === undefined || String(one[key]) === String(two[key]),
  );
}
