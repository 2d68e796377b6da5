// Moves that follow each other by themselves, with the button that starts and stops them.

import { h, sign } from "../dom.js";
import "./more-signs.js";
import { SIGNS, tool } from "./tools.js";

export class Replay {
  /**
   * `begin()` shows the first move, `step()` the next one, `more()` says whether there is one, and
   * `pause()` how many ms to wait before it.
   */
  constructor({ begin, step, more, pause }) {
    Object.assign(this, { begin, step, more, pause });
    this.button = tool("play", "Replay", () => this.toggle());
    this.playing = false;
  }

  toggle() {
    if (this.playing) this.stop();
    else this.start();
  }

  /** From the first move. */
  start() {
    this.playing = true;
    this._draw();
    this.begin();
    this._wait();
  }

  stop() {
    clearTimeout(this._timer);
    if (!this.playing) return;
    this.playing = false;
    this._draw();
  }

  _wait() {
    this._timer = setTimeout(() => {
      if (!this.more()) return this.stop();
      this.step();
      return this._wait();
    }, this.pause());
  }

  _draw() {
    const label = this.playing ? "Pause" : "Replay";
    this.button.title = label;
    this.button.replaceChildren(sign(SIGNS[this.playing ? "pause" : "play"]), h("span", {}, label));
  }
}
