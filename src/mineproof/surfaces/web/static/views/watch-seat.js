// One agent's game in Watch: its board at any step, and why it did what it did.

import * as api from "../api-more.js";
import { Board } from "../board/board.js";
import { percent } from "../board/heat.js";
import { h, textWithCells } from "../dom.js";
import { PositionText } from "./position-text.js";
import { StepList } from "./step-list.js";
import { worded } from "./tools.js";

const MARKS = { proved: "✓", guessed: "?", unstated: "–" };
const ACTIONS = { open: "opened", flag: "flagged", unflag: "took the flag off", chord: "opened around" };
const ENDS = {
  cleared: "Won: every safe cell is open",
  marked: "Won: every cell is open or correctly flagged",
  finished: "Lost: a flag is wrong",
  exploded: "Lost: it opened a mine",
  stuck: "It stopped",
  failed: "It failed",
  unfinished: "Not finished",
};
const PAUSE = 160; // ms on a guess before its exact risk is asked for

export class Seat {
  /** `onChoose(n)`, `onKey`, `onFocus(cell, words)` and `onAnalyse(text)` are called. */
  constructor({ onChoose, onKey, onFocus, onAnalyse }) {
    this.at = 0;
    this.game = null;
    this._found = new Map(); // what was asked about steps: {more, premises}
    this.name = h("h2", { class: "seat-name" }, " ");
    this.end = h("span", { class: "chip state" });
    this.count = h("span", { class: "move-count" });
    this.stage = h("div", { class: "stage" });
    this.reason = h("p", { class: "reason", "aria-live": "polite", "aria-atomic": "true" });
    this.analyse = worded("analyse", "Analyse", "Analyse this position", () => onAnalyse(this.text()));
    this.root = h(
      "section",
      { class: "seat" },
      h("div", { class: "seat-head" }, this.name, this.end, this.count, this.analyse),
      this.stage,
      h("div", { class: "seat-foot" }, this.reason),
    );
    this.board = new Board(this.stage, {
      label: "The agent's board",
      smallest: 12,
      onKey,
      onFocus: (cell) => onFocus(cell, cell === null ? "" : this.board.describe(cell)),
    });
    this.heading = h("h2", {}, "Reasons");
    this.list = new StepList("Steps", onChoose);
    this.steps = h("section", { class: "card move-card reasons" }, this.heading, this.list.list);
  }

  /** An empty board, before any game. */
  preview(description, shown, text) {
    this.game = null;
    this._asking?.abort();
    this.board.show(description, shown);
    this._layout = new PositionText(text);
    this.list.show([]);
    this.name.textContent = "No game yet";
    this.end.hidden = true;
    this.count.textContent = "";
    this.reason.textContent = "Press Play to watch, or choose another agent and board.";
    this.analyse.disabled = true;
  }

  show(description, game) {
    this.game = game;
    this._found.clear();
    this.board.show(description, game.view.shown);
    this._layout = new PositionText(game.view.short);
    this.name.textContent = game.agent;
    this.root.setAttribute("aria-label", `${game.agent}'s game`);
    this.board.root.setAttribute("aria-label", `${game.agent}'s board`);
    this.heading.textContent = `Reasons of ${game.agent}`;
    this.list.list.setAttribute("aria-label", `Steps of ${game.agent}`);
    this.analyse.disabled = false;
    this.list.show(
      game.steps.map((step) => {
        const what = this._what(step);
        const risk = step.reason.kind === "guessed" && step.risk !== null ? `${percent(step.risk, step.risk === 0)} %` : "";
        return {
          kind: step.reason.kind,
          mark: MARKS[step.reason.kind],
          what,
          word: step.reason.text,
          aside: risk,
          label: `Step ${step.n} ${what}: ${step.reason.text}`,
        };
      }),
    );
    this.go(0, true);
  }

  get length() {
    return this.game?.steps.length ?? 0;
  }

  /** Show the game after `at` steps; `rest` if it stays there, so that the words are read aloud. */
  go(at, rest) {
    if (!this.game) return;
    const { board, game } = this;
    const before = this.at;
    this.at = Math.min(at, this.length);
    const ended = this.at === this.length;
    this.reason.setAttribute("aria-live", rest ? "polite" : "off");
    board.reveal(null);
    if (this.at === before + 1) board.update(game.steps[before].changed);
    else board.update(this._shown(this.at).map((mark, cell) => [cell, mark]));
    // After a win the mines are flagged, for nothing went wrong.
    if (ended && game.layout && game.won) board.update(game.layout.map((cell) => [cell, "F"]));
    else if (ended && game.layout) board.reveal(game.layout);
    const step = game.steps[this.at - 1] ?? null;
    board.light("step", step?.cell != null ? [step.cell] : []);
    if (step?.cell != null) board.seek(step.cell);
    this.list.choose(this.at);
    this.count.textContent = `Step ${this.at} of ${this.length}`;
    this.end.hidden = !ended;
    if (ended) {
      const [word, more] = endWords(game).split(/(?=: )/);
      this.end.replaceChildren(word, h("span", { class: "end-more" }, more ?? ""));
      this.end.dataset.state = game.won ? "won" : game.outcome === "exploded" || game.outcome === "finished" ? "lost" : "ended";
    }
    this._speak(step);
    this._weigh(step, rest);
  }

  /** The position on the board now, as text. */
  text() {
    return this._layout.write(this.board.shown);
  }

  leave() {
    clearTimeout(this._timer);
    this._asking?.abort();
  }

  _shown(count) {
    const shown = [...this.game.view.shown];
    for (const step of this.game.steps.slice(0, count)) {
      for (const [cell, mark] of step.changed) shown[cell] = mark;
    }
    return shown;
  }

  _what(step) {
    if (step.cell === null) return step.action === "stop" ? "stopped" : step.action;
    return `${ACTIONS[step.action] ?? step.action} ${this.board.board.names[step.cell]}`;
  }

  _speak(step) {
    this.board.light("premise", step ? (this._found.get(step.n)?.premises ?? step.reason.premises) : []);
    if (!step) {
      this.reason.textContent = "Nothing is open yet.";
      return;
    }
    const found = this._found.get(step.n);
    const text = `${capital(this._what(step))}: ${step.reason.text}.${found ? ` ${found.more}` : ""}`;
    this.reason.replaceChildren(
      h("span", { class: `reason-mark ${step.reason.kind}`, "aria-hidden": "true" }, MARKS[step.reason.kind]),
      h("span", {}, ...textWithCells(text, this.board.numbers, (cells) => this.board.light("point", cells))),
    );
  }

  /** For the step shown: the exact risk of a guess, the proof of what was only called proved. */
  _weigh(step, rest) {
    this.leave();
    if (!step || !rest || this._found.has(step.n) || step.cell === null) return;
    const guess = step.reason.kind === "guessed" && step.risk === null && step.action === "open";
    const bare = step.reason.kind === "proved" && !step.reason.premises.length;
    if (!guess && !bare) return;
    const before = this._shown(step.n - 1);
    if (before.every((mark) => mark === null)) return; // the first click follows its own rule
    const text = this._layout.write(before);
    this._timer = setTimeout(async () => {
      this._asking = new AbortController();
      const { signal } = this._asking;
      try {
        this._found.set(step.n, guess ? await riskOf(text, step.cell, signal) : await proofOf(text, step.cell, signal));
        if (this.game?.steps[this.at - 1] === step) this._speak(step);
      } catch {
        // The agent's own words stay.
      }
    }, PAUSE);
  }
}

async function riskOf(text, cell, signal) {
  const { p, certain } = await api.positionAnalysis(text, false, signal);
  return { more: `The exact risk: ${percent(p[cell], certain[cell] !== null)} %.`, premises: [] };
}

async function proofOf(text, cell, signal) {
  const told = await api.positionExplain(text, cell, signal);
  const short = told.steps.length > 1 ? told.summary : told.text;
  return { more: told.certain ? short : "", premises: told.premises };
}

function endWords(game) {
  const words = ENDS[game.outcome] ?? game.outcome;
  return game.note ? `${words}: ${game.note}` : words;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
