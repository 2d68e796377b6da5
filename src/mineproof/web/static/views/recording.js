// A recorded game of another program in Review: taken in from a file, its mouse drawn over the board at its
// own speed, and the statistics and patterns of a game.

import * as api from "../api.js";
import { h, svg } from "../dom.js";

const ENDINGS = /\.(?:avf|evf|rmv|mvf|rawvf)$/i;
export const ACCEPTED = ".avf,.evf,.rmv,.mvf,.rawvf";
const MOST = 786_000; // bytes of a file, as the server reads them
const TRAIL = 1.5; // seconds of the mouse's way that are drawn behind it
const SPEEDS = [0.25, 0.5, 1, 2, 4];

export const isRecording = (file) => ENDINGS.test(file.name);

const taken = new Map(); // game -> its file, in case the server forgets the game

/** Take in the file of a recording: the game as the server answers it. Rejects with a line for people. */
export async function takeIn(file) {
  if (file.size > MOST) throw new Error(`${file.name} has ${Math.ceil(file.size / 1000)} kB; at most ${MOST / 1000} kB are read.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  const answer = await api.recording(btoa(text), file.name);
  taken.set(answer.game, file);
  return answer;
}

/** The file that a game was taken in from on this page, or undefined. */
export const fileOf = (game) => taken.get(game);

/** Seconds on the clock of a recording. */
const clock = (seconds) => `${seconds.toFixed(2)} s`;

// -- the mouse --

/** The mouse of a recording over a board, at any moment or running on. */
export class MouseTrail {
  /** `at(seconds)` is called for every moment that is drawn, `end()` after the last. */
  constructor(board, { at, end }) {
    Object.assign(this, { board, at, end });
    this.seconds = 0;
    this.way = svg("path", { class: "mouse-way" });
    this.arrow = svg("path", { class: "mouse-arrow", d: "M0 0V1.05L.26.83.43 1.2.6 1.12.44.76.78.74Z" });
    this.drawing = svg("g", { class: "mouse", "aria-hidden": "true" }, this.way, this.arrow);
    this.time = h("output", { class: "mouse-time" });
    this.slider = h("input", { type: "range", min: 0, step: 0.01, "aria-label": "Time", oninput: () => this.onSeek(Number(this.slider.value)) });
    this.speed = h(
      "select",
      { "aria-label": "Speed" },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
    );
    this.root = h("div", { class: "mouse-bar", role: "group", "aria-label": "Mouse", hidden: true }, this.slider, this.time, this.speed);
    this.onSeek = () => {};
  }

  /** The trail of a recording, three numbers a moment; null for a game that has none. */
  show(trail) {
    this.stop();
    this.trail = trail ?? [];
    this.root.hidden = !this.trail.length;
    this.drawing.remove();
    this.slider.max = this.last;
    this.seconds = 0;
  }

  get there() {
    return this.trail?.length > 0;
  }

  get last() {
    return Math.max(this.trail.at(-3) ?? 0, 0);
  }

  get running() {
    return this._frame !== undefined;
  }

  /** Run on from this moment. */
  start() {
    this.stop();
    let before = performance.now();
    const step = (now) => {
      this._frame = requestAnimationFrame(step);
      const seconds = this.seconds + ((now - before) / 1000) * Number(this.speed.value);
      before = now;
      this.draw(Math.min(seconds, this.last));
      this.at(this.seconds);
      if (seconds >= this.last) {
        this.stop();
        this.end();
      }
    };
    this._frame = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this._frame);
    this._frame = undefined;
  }

  /** The mouse at a moment, with its way to there. */
  draw(seconds) {
    if (!this.there) return;
    this.seconds = seconds;
    this.slider.value = seconds;
    this.slider.setAttribute("aria-valuetext", clock(seconds));
    this.time.textContent = clock(seconds);
    if (!this.drawing.isConnected) this.board.annotate([this.drawing]);
    const [x0, y0, unit] = this._corner();
    const place = (at) => [x0 + this.trail[3 * at + 1] * unit, y0 + this.trail[3 * at + 2] * unit];
    const here = this._index(seconds);
    const points = [];
    for (let at = here; at >= 0 && this.trail[3 * at] >= seconds - TRAIL; at -= 1) points.push(place(at).map((part) => part.toFixed(2)).join(" "));
    this.way.setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
    this.way.setAttribute("stroke-width", 0.09 * unit);
    const [x, y] = place(Math.max(here, 0));
    this.arrow.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${(0.62 * unit).toFixed(3)})`);
  }

  /** The last moment that is not later. */
  _index(seconds) {
    let [low, high] = [0, this.trail.length / 3];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.trail[3 * middle] <= seconds + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Where the board's corner lies in its drawing, and the width of a cell. */
  _corner() {
    const outline = this.board.geometry.outlines[0];
    const [xs, ys] = [0, 1].map((axis) => outline.map((point) => point[axis]));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs)];
  }
}

// -- what is told of a game --

const SECONDS = new Set(["time"]);
const WHOLE = new Set(["path"]);

function written({ key, value }) {
  if (value === null) return "–";
  if (SECONDS.has(key)) return clock(value);
  if (Number.isInteger(value) || WHOLE.has(key)) return value.toFixed(0);
  return value.toFixed(3);
}

/** The players' measures of a game, each with its meaning; null where there are none. */
export function statisticsCard(statistics) {
  if (!statistics?.length) return null;
  return h(
    "details",
    { class: "card statistics-card" },
    h("summary", {}, "Statistics"),
    h(
      "dl",
      { class: "measures" },
      ...statistics.map((one) =>
        h("div", { title: one.meaning }, h("dt", {}, one.name), h("dd", {}, written(one)), h("dd", { class: "meaning" }, one.meaning)),
      ),
    ),
  );
}

/** The patterns of a recorded game, the costliest first; `practise(pattern)` leads to their puzzles. */
export function patternsCard(recording, practise) {
  if (!recording?.patterns.length) return null;
  return h(
    "details",
    { class: "card statistics-card" },
    h("summary", {}, "Patterns"),
    h(
      "ul",
      { class: "patterns" },
      ...recording.patterns.map(({ pattern, used, mean, missed }) => {
        const said = [
          used ? `${used} × ${mean.toFixed(2)} s` : null,
          missed ? `passed over ${missed === 1 ? "once" : `${missed} times`}` : null,
        ].filter((part) => part !== null);
        return h(
          "li",
          {},
          h("button", { type: "button", class: "quiet small", title: `Puzzles of ${pattern}`, onclick: () => practise(pattern) }, pattern),
          h("span", {}, said.join(", ")),
        );
      }),
    ),
  );
}
