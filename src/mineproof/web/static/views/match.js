// A game as the page knows it: the request for it, as an address or the settings give it; what the server
// said last, its moves one after another, its clock; and what is kept of it in this browser (kept-games.js
// says what the fields of a kept game hold).

import * as api from "../api.js";
import * as keptGames from "../kept-games.js";
import { settings } from "../settings.js";

// -- the request for a game --

/** What an address asks for; null where it is silent. An address that names anything but clues means exact ones. */
export const requestIn = (params) => ({
  board: params.get("board"),
  first_click: params.get("first"),
  clues: params.get("clues") ?? ([...params].length ? "exact" : null),
  seed: params.get("seed"),
  no_guess: params.has("no-guess") ? params.get("no-guess") !== "0" : [...params].length ? false : null,
  guess_rule: params.get("guesses") ?? ([...params].length ? "dealt" : null),
  layout: params.get("layout"),
});

/** The first cell of a no-guess game, if its address names one, or null. */
export const firstCellIn = (params) => (/^\d{1,4}$/.test(params.get("start") ?? "") ? Number(params.get("start")) : null);

/** The complete request for a game: settings fill in what is missing, a fresh seed the seed. */
export const wishOf = ({ board, first_click, clues, seed, no_guess, guess_rule, layout = null }) =>
  layout !== null ? laidWish(board, first_click, layout) : withoutGuess({
    board: board ?? settings.get("board"),
    first_click: first_click ?? settings.get("beginning"),
    clues: clues ?? settings.get("clues"),
    seed: seed !== null && /^\d{1,15}$/.test(seed) ? Number(seed) : freshSeed(),
    no_guess: no_guess ?? settings.get("noGuess"),
    guess_rule: guess_rule ?? settings.get("guessRule"),
  });

/** A game whose mines are given (`layout`, as web/coach.py reads it) needs no seed, and is practice. */
const laidWish = (board, first_click, layout) => ({
  ...{ board: board ?? "expert", first_click: first_click ?? "safe", clues: "exact", seed: 0, no_guess: false, guess_rule: "dealt" },
  ...{ layout, practice: true },
});

/** A no-guess game opens an area at the first click and has exact clues. */
export const withoutGuess = (wish) => (wish.no_guess ? { ...wish, first_click: "opening", clues: "exact", guess_rule: "dealt" } : wish);

/** The parameters of the address of a game. */
export const paramsOf = ({ board, first_click: first, clues, seed, no_guess: sure, guess_rule: guesses, layout = null }, firstCell = null) => ({
  board,
  first: sure ? null : first,
  clues: clues === "exact" ? null : clues,
  "no-guess": sure ? 1 : null,
  guesses: (guesses ?? "dealt") === "dealt" ? null : guesses,
  seed: layout === null ? seed : null,
  layout,
  start: sure ? firstCell : null,
});

/** What is wrong with the seed of an address, found without the server; or null. */
export const badSeed = ({ seed }) =>
  seed === null || /^\d{1,15}$/.test(seed) ? null : `The seed “${seed.slice(0, 40)}” is no whole number of up to 15 digits.`;

/** Keep what was played as the settings of the next game. */
export function keepWish({ board, first_click, clues, no_guess, guess_rule }) {
  settings.set("board", board);
  settings.set("noGuess", no_guess);
  if (no_guess) return;
  settings.set("beginning", first_click);
  settings.set("clues", clues);
  settings.set("guessRule", guess_rule);
}

// -- one game as this browser keeps it --

const LETTERS = { open: "o", flag: "f", unflag: "u", chord: "c" };

/** A key that sorts by the time a game began, and ends with its seed. */
const keyOf = (began, seed) => `${began.toString(36).padStart(9, "0")}-${seed.toString(36)}`;

/** A game that was just begun. */
export function freshGame(game, { board, first_click, clues, no_guess = false, guess_rule = "dealt", seed, layout = null }, began = Date.now()) {
  return {
    ...{ key: keyOf(began, seed), game, board, first_click, clues, no_guess, guess_rule, seed, layout, began },
    ...{ state: "ready", moves: "", ms: 0, clicks: 0, queries: "", practice: layout !== null, helped: false },
    ...{ three_bv: null, lost: null, luck: null, guesses: null },
  };
}

/** The server's list of moves as a text. */
export const writeMoves = (moves) => moves.map(({ action, cell }) => LETTERS[action] + cell).join("");

/** What is played: the same deal has the same mines. */
export const specOf = ({ board, first_click, clues, no_guess, guess_rule, seed, layout = null }) => ({ board, first_click, clues, no_guess, guess_rule, seed, layout });

/** The cell that was opened first, in a text of moves; null if none was. */
export function firstOpened(moves) {
  const found = /o(\d+)/.exec(moves);
  return found ? Number(found[1]) : null;
}

// -- the game that is played --

const KEPT = "mineproof.game";
const LATE = 250; // ms after which a move shows that it waits for its answer

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
  /** `onReply(reply, {startedAt, action, cell})` is called with every answer, `onError(error)` with errors. */
  constructor(onReply, onError) {
    this.onReply = onReply;
    this.onError = onError;
    this.id = null;
    this.spec = null;
    this.state = "ready";
    this.moves = 0;
    this.queries = new Set(); // cells with the player's question mark
    this.onWaiting = () => {}; // is told the cells whose moves are sent and have no answer for a while
    this._sent = []; // those cells
    this.seeing = () => false; // whether moves are to be answered with their analysis
    this.kept = null; // the game as it is kept (see kept-games.js)
    this._keptGames = null; // kept-games.js, once the page was touched: the first board need not wait for it
    this.before = null; // the key of the game that was played before this one
    this._queue = Promise.resolve();
    this._unanswered = 0; // requests in the queue
    this._beganAt = null;
    this._endedAt = null;
    this._pendingFlags = []; // flags that are drawn and not answered yet: {cell, written}
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
    return api.connection.away && this._unanswered > 0;
  }

  /** Seconds since the first opening, until the end. */
  get seconds() {
    if (this._beganAt === null) return 0;
    return Math.max(0, (this._endedAt ?? performance.now()) - this._beganAt) / 1000;
  }

  /** From now on, keep the game. */
  async recall() {
    if (this._keptGames) return;
    this._keptGames = keptGames;
    if (!this.kept) return;
    this.kept.practice ||= keptGames.playedBefore(this.kept);
    this._keep();
  }

  /** A new game; null if it is no longer `wanted()` when the server answers. */
  async begin(spec, wanted = () => true) {
    if (this.kept) await this.recall(); // the game before is kept
    const answer = await api.newGame(spec);
    if (!wanted()) return null;
    const begun = { ...spec, seed: answer.seed ?? spec.seed };
    const practice = Boolean(spec.practice || this._keptGames?.playedBefore(begun));
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
      this._adopt(answer, this._keptGames.find(tab.key) ?? { ...freshGame(tab.id, tab.spec), ms: answer.elapsed_ms });
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
    this._beganAt = answer.state === "ready" ? null : now - kept.ms;
    this._endedAt = this.over ? now : null;
    this._queue = Promise.resolve();
    this._pendingFlags = [];
    this._sent = [];
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
    this._keptGames?.keep({ ...this.kept, game: `kept-${this.kept.key}` });
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
    this._keptGames?.keep(this.kept);
  }

  /** The page is left: keep what is drawn, whether the server has answered or not. */
  _leave() {
    this._keep();
    const flags = this._pendingFlags.map(({ written }) => written).join("");
    if (flags) this._keptGames?.keep({ ...this.kept, moves: this.kept.moves + flags });
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

  /** Resolves when all that was sent is answered. */
  settled() {
    return this._queue;
  }

  /** The position now, in the short notation. */
  async text() {
    return (await api.game(this.id)).view.short;
  }

  /**
   * Send a move once those before it are answered. `still()` says whether it makes sense by then. The page
   * draws a flag before it is sent, so the answer to one that was changed again since draws nothing.
   */
  move(action, body, startedAt, still = () => true) {
    const flag = action === "flag";
    const { cell } = body;
    const written = writeMoves([{ action: flag && !body.on ? "unflag" : action, cell }]);
    const pending = this._pendingFlags; // those of this game: another one has a list of its own
    if (flag) pending.push({ cell, written });
    else this._sent.push(cell);
    const told = flag ? null : setTimeout(() => this.onWaiting([...this._sent]), LATE);
    this._enqueue(
      async (id) => {
        if (this.over || !still()) return;
        const see = flag ? {} : { see: this.seeing() };
        const reply = await api.move(id, action, { ...body, ...see, at: this.moves });
        if (id !== this.id) return;
        if (reply.changed.length) {
          this.moves += 1;
          this.kept.moves += written;
        }
        this._updateState(reply, startedAt);
        const changedSince = flag && this._pendingFlags.slice(1).some((later) => later.cell === cell);
        this.onReply(changedSince ? { ...reply, changed: [] } : reply, { startedAt, action, cell });
      },
      () => {
        clearTimeout(told);
        if (flag) pending.shift();
        else this.onWaiting(this._sent.splice(this._sent.indexOf(cell), 1) && [...this._sent]);
      },
    );
  }

  undo() {
    this._enqueue(async (id) => {
      const reply = await api.undo(id, this.moves);
      if (id !== this.id) return;
      if (this.over) this._fork();
      this.moves = reply.moves.length;
      this.kept.moves = writeMoves(reply.moves);
      this.kept.practice = true;
      this._updateState(reply, performance.now());
      this.onReply(reply, { startedAt: performance.now(), action: "undo", cell: null });
    });
  }

  /** Ask the server once the requests before are answered; then `afterwards()`, also after an error. */
  _enqueue(request, afterwards = () => {}) {
    const { id } = this;
    this._unanswered += 1;
    const answered = this._queue.then(() => request(id)).finally(() => {
      this._unanswered -= 1;
      afterwards();
    });
    this._queue = answered.catch((error) => {
      if (id === this.id) this.onError(error);
    });
  }

  /** Take the state in an answer to a move made `at` a time. */
  _updateState(reply, at) {
    this.state = reply.state;
    this._updateClock(at);
    this._keep(reply);
  }

  /** The clock runs from the first click that opened something to the one that ended the game. */
  _updateClock(at) {
    if (this.state === "ready") this._beganAt = null;
    else this._beganAt ??= at;
    if (this.over) this._endedAt ??= at;
    else if (this._endedAt !== null) {
      // A game that goes on after its end: the clock stood still meanwhile.
      if (this._beganAt !== null) this._beganAt += performance.now() - this._endedAt;
      this._endedAt = null;
    }
  }
}

export function sameSpec(one, two) {
  if ((one.layout ?? null) !== (two.layout ?? null)) return false;
  return ["board", "first_click", "clues", "seed", "no_guess", "guess_rule"].every(
    (key) => two[key] === null || two[key] === undefined || String(one[key]) === String(two[key]),
  );
}
