// History: the games that this browser keeps, with their statistics and charts, to be looked at again, and
// as one file, out and in.

import * as api from "../api.js";
import { h, stylesheet, svg } from "../dom.js";
import { MOST, all, find, forget, keep, readGame } from "../kept-games.js";
import { FIRST, boardName, readBoard } from "./boards.js";
import { clockText } from "./field.js";
import { firstOpened, paramsOf, specOf } from "./match.js";
import { bySetting, counts, efficiencyOf, settingOf, speedOf, summary, timeline } from "./statistics.js";

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
function rulesText({ first_click, clues, no_guess, guess_rule }) {
  if (no_guess) return "no guess";
  const first = FIRST.find(([value]) => value === first_click)?.[1] ?? first_click;
  const guesses = guess_rule === "dealt" ? "" : `, ${guess_rule} guesses`;
  return `first click ${first}${clues === "exact" ? "" : `, clues ${clues}`}${guesses}`;
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
      "aria-label": "A history to import",
      onchange: () => this._import(),
    });
    const button = (text, act) => h("button", { type: "button", class: "button", onclick: act }, text);
    this.onGames = [button("Export", () => this._export()), button("Delete all", () => this._forget(all()))];
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
      ["Streak", `${sums.streak.now} (best ${sums.streak.longest})`],
      ["Time", clockText(sums.ms / 1000)],
      ["Chance lost a game", percentOf(sums.lost)],
      ["Luck", sums.luck === null ? "–" : `${withSign(sums.luck)} in ${sums.guesses} ${sums.guesses === 1 ? "guess" : "guesses"}`],
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
      game.luck === null || !game.guesses ? null : `luck ${withSign(game.luck)}`,
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
        act("Delete", () => this._forget([game]), label),
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
    const what = kept.length === 1 ? "1 game" : `${kept.length} games`;
    this.context.tell(`${what} deleted.`, {
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
    const href = URL.createObjectURL(new Blob([historyText()], { type: "application/json" }));
    h("a", { href, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
    this.note.textContent = `${all().length} games exported to ${FILE}.`;
  }

  async _import() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    try {
      const { taken, known, refused } = await importHistory(file);
      const parts = [`${taken} ${taken === 1 ? "game" : "games"} imported`];
      if (known) parts.push(`${known} already here`);
      if (refused.length) parts.push(`${refused.length} refused (${refused[0]})`);
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
        const review = await api.review(game.game, { signal: looking.signal });
        if (looking.signal.aborted || !find(game.key)) return;
        const { lost, luck, guesses } = review;
        keep({ ...find(game.key), lost, luck, guesses });
        this._draw();
      } catch (error) {
        if (api.isAbort(error)) return;
      }
    }
  }
}

// -- charts: the chance lost in each game, and the luck of all games so far --

const [WIDE, HIGH] = [420, 120];
const PLOT = { left: 44, right: 414, top: 10, foot: 108 };
const CHARTED = 60; // games, the newest

function frame(label, ticks, y, marks) {
  return svg(
    "svg",
    { class: "history-chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    ...ticks.flatMap(([value, text]) => [
      svg("path", { class: "rule", d: `M${PLOT.left} ${y(value)}H${PLOT.right}` }),
      svg("text", { class: "tick", x: PLOT.left - 6, y: y(value) + 4 }, text),
    ]),
    ...marks,
  );
}

const withSign = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;

/** The charts of a timeline (see statistics.js); null of fewer than two games. */
function charts(timeline) {
  const games = timeline.slice(-CHARTED);
  if (games.length < 2) return null;
  const x = (at) => +(PLOT.left + ((at + 0.5) / games.length) * (PLOT.right - PLOT.left)).toFixed(1);
  return h(
    "div",
    { class: "history-charts" },
    h("section", {}, h("h3", {}, "Chance lost in each game"), lostChart(games, x)),
    h("section", {}, h("h3", {}, "Luck so far, in guesses"), luckChart(games, x)),
    h("p", { class: "hint" }, `The last ${games.length} games that count, the newest on the right; games lost in red.`),
  );
}

function lostChart(games, x) {
  const most = Math.max(0.1, Math.min(1, Math.max(...games.map(({ lost }) => lost))));
  const y = (share) => +(PLOT.foot - (Math.min(share, most) / most) * (PLOT.foot - PLOT.top)).toFixed(1);
  const width = Math.min((0.72 * (PLOT.right - PLOT.left)) / games.length, 18);
  const bars = games.map(({ lost, state }, at) =>
    svg("rect", {
      class: `bar-${state}`,
      x: +(x(at) - width / 2).toFixed(1),
      y: Math.min(y(lost), PLOT.foot - 1.5),
      width: +width.toFixed(1),
      height: Math.max(PLOT.foot - y(lost), 1.5),
      rx: 1.5,
    }),
  );
  const last = games.slice(-10);
  const of = (some) => ((100 * some.reduce((sum, { lost }) => sum + lost, 0)) / some.length).toFixed(1);
  const label = `Chance lost in each game: ${of(games)} % on average, ${of(last)} % in the last ${last.length}.`;
  return frame(label, [[0, "0"], [most, `${Math.round(100 * most)} %`]], y, bars);
}

function luckChart(games, x) {
  const most = Math.max(1, ...games.map(({ luck }) => Math.abs(luck)));
  const middle = (PLOT.top + PLOT.foot) / 2;
  const y = (luck) => +(middle - (luck / most) * (middle - PLOT.top)).toFixed(1);
  const line = games.map(({ luck }, at) => `${at ? "L" : "M"}${x(at)} ${y(luck)}`).join("");
  const label = `Luck: ${withSign(games.at(-1).luck)} guesses against what was to be expected.`;
  return frame(label, [[most, withSign(most)], [0, "0"], [-most, withSign(-most)]], y, [
    svg("path", { class: "luck-line", d: line }),
  ]);
}

// -- one file, out and in; what comes in may have been written by anybody --

const MOST_FILE = 8_000_000; // bytes of a file that is read
const FORMAT = "mineproof history";
const VERSION = 1;

/** All games as the text of a file. */
const historyText = () => `${JSON.stringify({ format: FORMAT, version: VERSION, games: all() })}\n`;

/** Import the games of a file: {taken, known, refused: [why]}. Throws an Error if it holds no history. */
async function importHistory(file) {
  if (file.size > MOST_FILE) {
    throw new Error(`${file.name} has ${Math.ceil(file.size / 1e6)} MB; at most ${MOST_FILE / 1e6} MB are read.`);
  }
  let found = null;
  try {
    found = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no history: it is not JSON.`);
  }
  if (found?.format !== FORMAT || !Array.isArray(found.games)) {
    throw new Error(`${file.name} is no history of the coach: Export writes one.`);
  }
  if (found.version !== VERSION) throw new Error(`${file.name} was written by another version of the coach.`);
  const said = { taken: 0, known: 0, refused: [] };
  const games = [];
  found.games.forEach((value, at) => {
    try {
      games.push(readGame(value));
    } catch (error) {
      said.refused.push(`game ${at + 1}: ${error.message}`);
    }
  });
  // The newest are kept if there are more than there is room for.
  games.sort((one, two) => two.began - one.began);
  for (const game of games.slice(0, MOST).reverse()) {
    if (find(game.key)) said.known += 1;
    else {
      keep(game);
      said.taken += 1;
    }
  }
  return said;
}
