// The field of a view: buttons with drawn signs above and below a board; of Play also its counters and clock.

import { h, sign } from "../dom.js";
import { settings } from "../settings.js";

export const SIGNS = {
  flag: "M6 21V4M6 4.5l11.5 4.2L6 13",
  hint: "M9.5 18h5M10.3 21h3.4M12 3a6 6 0 0 0-3.4 10.9c.6.5.9 1.1.9 1.9h5c0-.8.3-1.4.9-1.9A6 6 0 0 0 12 3Z",
  why: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.6v.1M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4Z",
  undo: "M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
  fresh: "M12 5v14M5 12h14",
  panel: "M3.5 5h17v14h-17ZM14.5 5v14",
  analyse: "M4 4h16v16H4ZM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16M10.8 12l1 1 1.6-2",
  share: "M9.5 14.5l5-5M8 11l-2.6 2.6a3.6 3.6 0 0 0 5 5L13 16M11 8l2.6-2.6a3.6 3.6 0 0 1 5 5L16 13",
  less: "M6 12h12",
  more: "M12 6v12M6 12h12",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  mine: "M12 3.5v17M3.5 12h17M6 6l12 12M6 18 18 6M12 7.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6Z",
  down: "M6.5 9.5 12 15l5.5-5.5",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2",
  see: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z",
  redo: "M15.5 5 20 9.5 15.5 14M19.5 9.5H10a5.5 5.5 0 0 0 0 11h3",
  clear: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  first: "M18 5.5 11.5 12l6.5 6.5M6.5 5.5v13",
  back: "M14.5 5.5 8 12l6.5 6.5",
  play: "M7.5 5v14l11.5-7Z",
  pause: "M8 5.5v13M16 5.5v13",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  last: "M6 5.5 12.5 12 6 18.5M17.5 5.5v13",
  after: "M4 6h7v12H4ZM13 6h7v12h-7ZM14.8 12l1.6 1.7 2.4-3.2",
};

/** A tool above the board: a sign and a word; one that `toggles` can be pressed in. */
export function tool(name, label, act, toggles = false) {
  return h(
    "button",
    {
      type: "button",
      class: `tool tool-${name}`,
      title: label,
      "aria-pressed": toggles ? "false" : null,
      onclick: act,
    },
    sign(SIGNS[name]),
    h("span", {}, label),
  );
}

/** A small button below the board: a sign alone. */
export function signButton(name, label, act, kind = "") {
  return h(
    "button",
    { type: "button", class: `round small ${kind}`, "aria-label": label, title: label, onclick: act },
    sign(SIGNS[name]),
  );
}

/** A small button below the board with a word beside its sign; `label` says more. */
export function wordButton(name, word, label, act) {
  return h(
    "button",
    { type: "button", class: "quiet small", "aria-label": label, title: label, onclick: act },
    sign(SIGNS[name]),
    h("span", {}, word),
  );
}

/** Larger, smaller, fit: `zoom(by)` is called. */
export function zoomButtons(zoom) {
  return [
    signButton("less", "Smaller", () => zoom(0.8), "zoom"),
    signButton("fit", "Fit the board", () => zoom("fit"), "zoom"),
    signButton("more", "Larger", () => zoom(1.25), "zoom"),
  ];
}

/** A counter with its sign. */
export function count(name, label, value) {
  return h(
    "div",
    { class: "count", title: label },
    sign(SIGNS[name]),
    h("span", { class: "unseen" }, `${label} `),
    value,
  );
}

// -- Play --

const GUESS_RULES = {
  fair: "Where nothing is certainly safe, a best guess opens no mine; the chances shown are the true ones",
  cruel: "A guess that is needless, or not a best one, opens a mine; the chances shown are the true ones",
};

/** A badge that says what becomes of guesses, if the deal does not decide. */
function guessBadge() {
  const badge = h("span", { class: "chip", hidden: true });
  badge.show = (rule) => {
    badge.hidden = !(rule in GUESS_RULES);
    badge.textContent = `${rule} guesses`;
    badge.title = GUESS_RULES[rule] ?? "";
  };
  return badge;
}

/**
 * The field, its parts by name, and `press(asking)`, which shows the tools that are on. `acts` says
 * what each tool does that is not a setting.
 */
export function pageOf(acts) {
  const tools = {
    flag: tool("flag", "Flag", acts.flag, true),
    hint: tool("hint", "Hint", acts.hint),
    why: tool("why", "Why", acts.why, true),
    undo: tool("undo", "Undo", acts.undo),
    fresh: tool("fresh", "New", acts.fresh),
    panel: tool("panel", "Panel", () => settings.set("panel", !settings.get("panel")), true),
  };
  const parts = {
    tools,
    left: h("span", { class: "value" }, "–"),
    time: h("span", { class: "value" }, "0:00"),
    stateElement: h("span", { class: "chip state" }, "Ready"),
    noGuessBadge: h("span", { class: "chip no-guess", hidden: true, title: "Logic alone solves this board from its first cell" }, "no guess"),
    ruleBadge: guessBadge(),
    stage: h("div", { class: "stage" }),
    where: h("span", { class: "where" }),
    nameElement: h("span", { class: "board-name" }),
  };
  parts.name = h(
    "button",
    { type: "button", class: "quiet small game-name", title: "Choose another game", onclick: acts.choose },
    parts.nameElement,
    sign(SIGNS.down),
  );
  const field = h(
    "div",
    { class: "field" },
    h(
      "div",
      { class: "bar" },
      count("mine", "Mines left", parts.left),
      count("clock", "Time", parts.time),
      parts.stateElement,
      parts.noGuessBadge,
      parts.ruleBadge,
      h("div", { class: "toolbar", role: "group", "aria-label": "Game" }, ...Object.values(tools)),
    ),
    parts.stage,
    h(
      "div",
      { class: "readout" },
      parts.where,
      parts.name,
      wordButton("analyse", "Analyse", "Analyse this position", acts.analyse),
      signButton("share", "Copy this game's address", acts.share),
      ...zoomButtons(acts.zoom),
    ),
  );
  const press = (asking) => {
    tools.flag.setAttribute("aria-pressed", settings.get("flagMode"));
    tools.why.setAttribute("aria-pressed", asking);
    tools.panel.setAttribute("aria-pressed", settings.get("panel"));
    parts.stage.classList.toggle("flagging", settings.get("flagMode"));
  };
  return { field, parts, press };
}

const STATES = { ready: "Ready", running: "Playing", won: "Won", lost: "Lost" };
const TICK = 100; // ms

/** Seconds as people read them: 0:43, with tenths 0:43.2, 1:05.7. */
export function clockText(seconds, tenths = true) {
  const whole = tenths ? Math.round(10 * Number(seconds.toFixed(1))) : Math.floor(10 * seconds);
  const minutes = Math.floor(whole / 600);
  const rest = String(Math.floor(whole / 10) % 60).padStart(2, "0");
  return `${minutes}:${rest}${tenths ? `.${whole % 10}` : ""}`;
}

export class GameStatus {
  /** `parts` are those of `pageOf`. */
  constructor(parts, match) {
    this.parts = parts;
    this.match = match;
    setInterval(() => this._tick(), TICK);
  }

  /** How the game stands; `minesLeft` is null if it is unknown, undefined if it stays. */
  show(minesLeft) {
    const { left, stateElement, tools } = this.parts;
    if (minesLeft !== undefined) left.textContent = minesLeft === null ? "?" : minesLeft;
    const { state, practice } = this.match;
    stateElement.textContent = practice ? `${STATES[state]} · practice` : STATES[state];
    stateElement.dataset.state = state;
    tools.undo.disabled = !this.match.moves && !this.match.before;
    this._tick();
  }

  /** A move in words, for those who do not see it. */
  outcome(board, reply, cell) {
    if (this.match.over) return `${STATES[this.match.state]}.`;
    const [, shown] = reply.changed.find(([changed]) => changed === cell) ?? [];
    const words = shown === undefined ? [] : [board.describe(cell)];
    if (reply.changed.length > 1) words.push(`${reply.changed.length} cells opened`);
    return words.join("; ");
  }

  /** Tenths are shown where they can be read: when the clock stands still, or where figures are wanted. */
  _tick() {
    const { match, parts } = this;
    const text = clockText(match.seconds, match.over || settings.get("figures"));
    if (parts.time.textContent !== text) parts.time.textContent = text;
  }
}
