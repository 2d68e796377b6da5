// Whether the server answers. Requests that found it away wait here until it is back.

import { answers } from "./transport.js";

const FIRST = 300; // ms before it is asked again; then twice as long each time
const LONGEST = 3000;

const listeners = new Set();
let waiting = null; // a promise while the server is away
let wake = () => {};

async function untilBack() {
  for (let pause = FIRST; ; pause = Math.min(2 * pause, LONGEST)) {
    await new Promise((done) => {
      wake = done;
      setTimeout(done, pause);
    });
    if (await answers()) return;
  }
}

function tell() {
  for (const listener of listeners) listener(waiting !== null);
}

/** What a request does until it is dropped: reject with its AbortError. */
const dropped = (signal) =>
  new Promise((_, drop) => {
    const abort = () => drop(new DOMException("no longer wanted", "AbortError"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });

export const connection = {
  get away() {
    return waiting !== null;
  },
  /** Resolves when the server answers again; rejects with an AbortError if it is dropped before. */
  back(signal) {
    if (!waiting) {
      waiting = untilBack().then(() => {
        waiting = null;
        tell();
      });
      tell();
    }
    return signal ? Promise.race([waiting, dropped(signal)]) : waiting;
  },
  /** Be told when the server goes away (true) and when it is back (false). */
  watch: (listener) => listeners.add(listener),
};

addEventListener("online", () => wake());
document.addEventListener("visibilitychange", () => document.hidden || wake());
