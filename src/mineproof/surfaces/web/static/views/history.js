// History: the games that this browser keeps, with their statistics, to be looked at again.

import * as api from "../api.js";
import { h, stylesheet } from "../dom.js";
import { figuresOf, firstOpened, specOf } from "../kept-game.js";
import { MOST, all, find, forget, keep } from "../kept-games.js";
import { FIRST } from "./board-fields.js";
import { boardName, readBoard } from "./boards.js";
import { charts, signed } from "./history-chart.js";
import { exported, takeIn } from "./history-file.js";
import { bySetting, counts, efficiencyOf, settingOf, speedOf, summary, timeline } from "./history-figures.js";
import { paramsOf } from "./play-address.js";
import { clockText } from "./play-status.js";

await stylesheet("history.css");

const PAGE = 50; // games shown at once
const MOST_CELLS = 1000; // boards whose games are reviewed unasked
const STATES = { won: ["✓", "Won"], lost: ["✕", "Lost"], running: ["…", "Left"] };
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const FILE = "mineproof-history.json";

export const PARAMS = [];

export function mount(root, context) {
  return new History(root, context);
}

const percentOf = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

/** The rules of a game, where they are not the usual ones. */
function rulesText({ first_click, clues, no_guess }) {
  if (no_guess) return "no guess";
  const first = FIRST.find(([value]) => value === first_click)?.[1] ?? first_click;
  return `first click ${first}${clues === "exact" ? "" : `, clues ${clues}`}`;
}

/** How many were won; a narrow table has room for the share alone. */
const wonOf = ({ won, games }) =>
  h("span", {}, h("span", { class: "won-count" }, `${won} · `), `${((100 * won) / games).toFixed(0)} %`);

class History {
  constructor(root, context) {
    this.context = context;
    this.shown = PAGE;
    this._build(root);
  }

  _build(root) {
    this.board = h("select", { "aria-label": "Board", onchange: () => this._again() });
    this.file = h("input", {
      type: "file",
      hidden: true,
      accept: ".json,application/json",
      "aria-label": "A history to take in",
      onchange: () => this._import(),
    });
    const button = (text, act) => h("button", { type: "button", class: "button", onclick: act }, text);
    this.onGames = [button("Export", () => this._export()), button("Forget all", () => this._forget(all()))];
    this.note = h("p", { class: "hint history-note", role: "status" });
    this.figures = h("dl", { class: "figures" });
    this.table = h("div", { class: "history-table" });
    this.charts = h("section", { class: "card", "aria-label": "Over time" });
    this.list = h("ol", { class: "games" });
    this.more = button("Show more", () => {
      this.shown += PAGE;
      this._draw();
    });
    this.none = h("p", { class: "history-none" }, "No games yet. Every game you finish or leave is kept here, in this browser alone.");
    root.append(
      h(
        "div",
        { class: "history" },
        h(
          "div",
          { class: "history-head" },
          h("h2", {}, "History"),
          h("label", { class: "history-board" }, h("span", { class: "unseen" }, "Board"), this.board),
          h("div", { class: "actions" }, this.onGames[0], button("Import…", () => this.file.click()), this.onGames[1], this.file),
        ),
        this.note,
        this.none,
        h("section", { class: "card", "aria-label": "Figures" }, this.figures, this.table),
        this.charts,
        h("section", { class: "card", "aria-label": "Games" }, h("h3", {}, "Games"), this.list, this.more),
      ),
    );
  }

  enter() {
    this.note.textContent = "";
    this.shown = PAGE;
    this._draw();
    this._catchUp();
  }

  leave() {
    this._looking?.abort();
  }

  _again() {
    this.shown = PAGE;
    this._draw();
  }

  // -- drawing --

  _draw() {
    const games = all();
    this._offer(games);
    const chosen = this.board.value ? games.filter((game) => settingOf(game) === this.board.value) : games;
    const empty = !games.length;
    this.none.hidden = !empty;
    for (const act of this.onGames) act.disabled = empty;
    for (const part of [this.figures.parentNode, this.list.parentNode]) part.hidden = empty;
    this._drawFigures(summary(chosen), bySetting(chosen));
    const drawn = charts(timeline(chosen));
    this.charts.hidden = !drawn;
    this.charts.replaceChildren(...(drawn ? [drawn] : []));
    this.list.replaceChildren(...chosen.slice(0, this.shown).map((game) => this._row(game)));
    this.more.hidden = chosen.length <= this.shown;
  }

  /** The boards that can be chosen among. */
  _offer(games) {
    const { value } = this.board;
    const settings = new Map(games.map((game) => [settingOf(game), game]));
    const several = new Set([...settings.values()].map(({ board }) => board)).size < settings.size;
    const name = (game) => boardName(game.board) + (several ? `, ${rulesText(game)}` : "");
    this.board.replaceChildren(
      h("option", { value: "" }, "All boards"),
      ...[...settings].map(([setting, game]) => h("option", { value: setting }, name(game))),
    );
    this.board.value = settings.has(value) ? value : "";
  }

  _drawFigures(sums, rows) {
    const share = sums.games ? ` (${((100 * sums.won) / sums.games).toFixed(0)} %)` : "";
    const figures = [
      ["Games", `${sums.games}`],
      ["Won", `${sums.won}${share}`],
      ["Wins in a row", `${sums.streak.now}, at most ${sums.streak.longest}`],
      ["Time", clockText(sums.ms / 1000)],
      ["Chance lost a game", percentOf(sums.lost)],
      ["Luck", sums.luck === null ? "–" : `${signed(sums.luck)} in ${sums.guesses} ${sums.guesses === 1 ? "guess" : "guesses"}`],
      ["Left", `${sums.left}`],
      ["Practice", `${sums.practice}`],
    ];
    this.figures.replaceChildren(
      ...figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
    const cells = (tag, texts) => texts.map((text) => h(tag, tag === "th" ? { scope: "col" } : {}, text));
    this.table.replaceChildren(
      h(
        "table",
        {},
        h("caption", { class: "unseen" }, "By board and rules"),
        h("thead", {}, h("tr", {}, ...cells("th", ["Board", "Games", "Won", "Best", "3BV/s", h("abbr", { title: "Efficiency" }, "Effic.")]))),
        h(
          "tbody",
          {},
          ...rows.map((row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, boardName(row.board), h("small", {}, rulesText(row))),
              ...cells("td", [
                `${row.games}`,
                wonOf(row),
                row.best === null ? "–" : clockText(row.best / 1000),
                row.speed === null ? "–" : row.speed.toFixed(2),
                row.efficiency === null ? "–" : `${(100 * row.efficiency).toFixed(0)} %`,
              ]),
            ),
          ),
        ),
      ),
      h("p", { class: "hint" }, "Best times and 3BV/s are of games without help: no chances, no best move, no why. Practice does not count: games with a move taken back, and deals played before."),
    );
    this.table.hidden = !rows.length;
  }

  _row(game) {
    const [mark, word] = STATES[game.state];
    const name = boardName(game.board);
    const when = DATE.format(new Date(game.began));
    const [speed, efficiency] = [speedOf(game), efficiencyOf(game)];
    const facts = [
      clockText(game.ms / 1000),
      speed === null ? null : `${speed.toFixed(2)} 3BV/s`,
      efficiency === null ? null : `efficiency ${(100 * efficiency).toFixed(0)} %`,
      game.lost === null ? null : `gave away ${percentOf(game.lost)}`,
      game.luck === null || !game.guesses ? null : `luck ${signed(game.luck)}`,
      game.practice ? "practice" : null,
      game.helped ? "with help" : null,
    ].filter((fact) => fact !== null);
    const act = (text, what, label) =>
      h("button", { type: "button", class: "button", "aria-label": `${text}: ${label}`, onclick: what }, text);
    const label = `${name}, ${word.toLowerCase()}, ${when}`;
    return h(
      "li",
      { class: "game", "data-state": game.state },
      h("span", { class: "game-mark", "aria-hidden": "true" }, mark),
      h(
        "div",
        { class: "game-text" },
        h("p", { class: "game-title" }, `${word} · ${name}`, h("small", {}, ` ${rulesText(game)}`)),
        h("p", { class: "game-facts" }, `${when} · ${facts.join(" · ")}`),
      ),
      h(
        "div",
        { class: "game-acts" },
        game.state === "running" ? act("Go on", () => this._goOn(game), label) : act("Play again", () => this._replay(game), label),
        act("Replay", () => this.context.navigate("review", { game: game.game, replay: 1 }), label),
        act("Review", () => this.context.navigate("review", { game: game.game }), label),
        act("Forget", () => this._forget([game]), label),
      ),
    );
  }

  // -- what can be done --

  _goOn(game) {
    this.context.navigate("play", paramsOf(specOf(game), firstOpened(game.moves)), { played: game.key });
  }

  _replay(game) {
    this.context.navigate("play", paramsOf(specOf(game), firstOpened(game.moves)), { fresh: true });
  }

  _forget(games) {
    const kept = games.map(({ key }) => find(key));
    forget(kept.map(({ key }) => key));
    this._draw();
    const what = kept.length === 1 ? "1 game is" : `${kept.length} games are`;
    this.context.tell(`${what} forgotten.`, {
      act: [
        "Undo",
        () => {
          kept.forEach(keep);
          this._draw();
        },
      ],
    });
  }

  _export() {
    const href = URL.createObjectURL(new Blob([exported()], { type: "application/json" }));
    h("a", { href, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
    this.note.textContent = `${all().length} games are written to ${FILE}.`;
  }

  async _import() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    try {
      const { taken, known, refused } = await takeIn(file);
      const parts = [`${taken} ${taken === 1 ? "game is" : "games are"} taken in`];
      if (known) parts.push(`${known} were here already`);
      if (refused.length) parts.push(`${refused.length} are refused (${refused[0]})`);
      this.note.textContent = `${parts.join(", ")}. At most ${MOST} are kept.`;
      this.context.tell(null); // what could be undone is of the history before
      this._draw();
      this._catchUp();
    } catch (error) {
      this.context.tell(error.message, { tone: "bad" });
    }
  }

  /** Review what was not reviewed yet, the newest first, while this view is open. */
  async _catchUp() {
    this._looking?.abort();
    const looking = new AbortController();
    this._looking = looking;
    const small = ({ board }) => {
      const [rows, columns] = readBoard(board)?.size ?? [0, 0];
      return rows * (columns || 3 * rows) <= MOST_CELLS;
    };
    const open = all().filter((game) => counts(game) && game.lost === null && small(game));
    for (const game of open) {
      try {
        const review = await api.review(game.game, looking.signal);
        if (looking.signal.aborted || !find(game.key)) return;
        keep({ ...find(game.key), ...figuresOf(review) });
        this._draw();
      } catch (error) {
        if (api.isAbort(error)) return;
      }
    }
  }
}
