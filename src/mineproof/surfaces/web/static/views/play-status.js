// The counters above the board of Play: mines left, the clock, the state of the game.

const STATES = { ready: "Ready", running: "Playing", won: "Won", lost: "Lost" };
const TICK = 250; // ms

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
    tools.undo.disabled = !this.match.moves;
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

  _tick() {
    const whole = Math.floor(this.match.seconds);
    const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    const { time } = this.parts;
    if (time.textContent !== text) time.textContent = text;
  }
}
