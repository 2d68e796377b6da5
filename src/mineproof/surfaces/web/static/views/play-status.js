// The counters above the board of Play: mines left, the clock, the state of the game.

import { settings } from "../settings.js";

const STATES = { ready: "Ready", running: "Playing", won: "Won", lost: "Lost" };
const TICK = 100; // ms

/** Seconds as people read them: 0:43, with tenths 0:43.2, 1:05.7. */
export function clockText(seconds, tenths = true) {
  const whole = tenths ? Math.round(10 * Number(seconds.toFixed(1))) : Math.floor(10 * seconds);
  const minutes = Math.floor(whole / 600);
  const rest = String(Math.floor(whole / 10) % 60).padStart(2, "0");
  return `${minutes}:${rest}${tenths ? `.${whole % 10}` : ""}`;
}

export class Status {
  /** `parts` are those of play-page.js. */
  constructor(parts, match) {
    this.parts = parts;
    this.match = match;
    setInterval(() => this._tick(), TICK);
  }

  /** How the game stands; `minesLeft` is null if it is unknown, undefined if it stays. */
  show(minesLeft) {
    const { left, state, tools } = this.parts;
    if (minesLeft !== undefined) left.textContent = minesLeft === null ? "?" : minesLeft;
    const standing = this.match.state;
    state.textContent = this.match.practice ? `${STATES[standing]} · practice` : STATES[standing];
    state.dataset.state = standing;
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
