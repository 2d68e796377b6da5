// The boards of the day, in Play: three that need no guess, the same for everybody, with the streak, the
// result as a text, and yesterday's games to be reviewed. What was played is read from the kept games.

import * as api from "../api.js";
import { h } from "../dom.js";
import { all } from "../kept-games.js";
import { boardName, readBoard } from "./boards.js";
import { clockText } from "./field.js";
import { firstOpened } from "./match.js";
import { counts } from "./statistics.js";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const MARKS = { won: "✓", lost: "✕", running: "…" };
const WORDS = { won: "won", lost: "lost", running: "not finished" };
const HERE = /^(localhost|127\.|\[::1\])/; // an address that leads nobody else anywhere

/** Whether a kept game is a board of a day. */
const isDaily = (game, { board, seed, start }) =>
  game.no_guess && game.board === board && game.seed === seed && firstOpened(game.moves) === start;

/** The first try at a board of a day, which alone counts; null if there was none. */
const firstTry = (games, daily) => games.findLast((game) => isDaily(game, daily) && !game.practice) ?? null;

/** The wins that may count towards the streak, as the server reads them. */
const wins = (games) =>
  games
    .filter((game) => game.no_guess && game.state === "won" && counts(game) && /^\d{8}$/.test(game.seed) && /^[a-z]+$/.test(game.board))
    .map(({ board, seed, moves, began }) => `${board}:${seed}:${firstOpened(moves)}:${began}`)
    .join(" ");

/** "9 × 9". */
const sizeOf = (board) => readBoard(board).size.slice(0, 2).join(" × ");

const days = (count) => `${count} ${count === 1 ? "day" : "days"}`;

/** "5 h 12 min". */
function untilText(seconds) {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export class Daily {
  /**
   * Fills `root`. `onPlay(daily)` begins a board of a day, `onResume(game)` goes on with a game of it,
   * `onReview(game)` shows a finished one, `tell(text)` says a line.
   */
  constructor(root, { onPlay, onResume, onReview, tell }) {
    Object.assign(this, { root, onPlay, onResume, onReview, tell });
    this.answer = null;
  }

  /** Ask for the boards, and show them with what was played. */
  async refresh() {
    const asked = (this._asked = Symbol("asked"));
    const answer = await api.daily(wins(all()));
    if (this._asked !== asked) return;
    this.answer = answer;
    this._draw();
  }

  _draw() {
    const { today, yesterday, streak, longest, seconds_left: left } = this.answer;
    const games = all();
    const played = today.boards.some((daily) => firstTry(games, daily));
    const before = yesterday.boards.map((daily) => [daily, firstTry(games, daily)]);
    const missed = before.every(([, game]) => !game);
    this.root.replaceChildren(
      h(
        "div",
        { class: "card-head" },
        h("h2", {}, `Daily · ${DAY.format(new Date(today.day))}`),
        h("span", { class: "hint daily-streak" }, longest ? `Streak ${streak} (best ${longest})` : ""),
      ),
      h("div", { class: "daily-boards" }, ...today.boards.map((daily) => this._button(daily, firstTry(games, daily)))),
      h(
        "p",
        { class: "hint daily-line" },
        `${missed ? "The same boards for everyone; no guess needed. " : ""}Next in ${untilText(left)}. `,
        played ? h("button", { type: "button", class: "phrase", onclick: () => this.share() }, "Copy result") : null,
      ),
      h(
        "p",
        { class: "hint daily-line", hidden: missed },
        "Yesterday: ",
        ...before.flatMap(([daily, game], at) => [at ? " · " : "", this._before(daily, game)]),
      ),
    );
  }

  /** A board of today: played, gone on with, or looked at again. */
  _button(daily, game) {
    const name = boardName(daily.board);
    const done = game && game.state !== "running";
    const what = game ? `${WORDS[game.state]}, ${clockText(game.ms / 1000)}` : "not played yet";
    return h(
      "button",
      {
        type: "button",
        class: "button daily-board",
        "data-state": game?.state ?? "open",
        "aria-label": `Daily ${name}: ${what}${done ? ". Review" : ""}`,
        onclick: () => (done ? this.onReview(game) : game ? this.onResume(game) : this.onPlay(daily)),
      },
      h("span", {}, sizeOf(daily.board)),
      h("small", {}, game ? `${MARKS[game.state]} ${clockText(game.ms / 1000, done)}` : "Play"),
    );
  }

  _before(daily, game) {
    const name = boardName(daily.board);
    const size = sizeOf(daily.board);
    const [text, act] = game
      ? [`${size} ${MARKS[game.state]}`, () => (game.state === "running" ? this.onResume(game) : this.onReview(game))]
      : [size, () => this.onPlay(daily)];
    const label = game ? `${name}, ${WORDS[game.state]}: ${game.state === "running" ? "go on" : "review"}` : `${name}: play`;
    return h("button", { type: "button", class: "phrase", "aria-label": `Yesterday's ${label}`, onclick: act }, text);
  }

  /** Whether a kept game is a board of today. */
  has(game) {
    return Boolean(game && this.answer?.today.boards.some((daily) => isDaily(game, daily)));
  }

  /** The result of today as a text. */
  text() {
    const { today, streak } = this.answer;
    const games = all();
    const lines = today.boards.map((daily) => {
      const game = firstTry(games, daily);
      const help = game?.state === "won" && game.helped ? ", with help" : "";
      return `${boardName(daily.board)} ${game ? `${MARKS[game.state]} ${clockText(game.ms / 1000)}${help}` : "–"}`;
    });
    const { href, hostname } = location;
    const address = HERE.test(hostname) ? [] : [href.split("#")[0]];
    return [`mineproof daily ${today.day}`, ...lines, `Streak: ${days(streak)}`, ...address].join("\n");
  }

  async share() {
    await this.refresh();
    try {
      await navigator.clipboard.writeText(this.text());
      this.tell("The result is copied.");
    } catch {
      this.tell(this.text().replaceAll("\n", " · "));
    }
  }
}
