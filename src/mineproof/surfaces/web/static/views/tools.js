// The buttons above and below a board, with their drawn signs.

import { h, sign } from "../dom.js";

export const SIGNS = {
  flag: "M6 21V4M6 4.5l11.5 4.2L6 13",
  see: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z",
  best: "M12 3.5l2.5 5.4 5.9.7-4.4 4 1.2 5.9L12 16.6l-5.2 2.9L8 13.6l-4.4-4 5.9-.7Z",
  why: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.6v.1M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4Z",
  undo: "M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15.5 5 20 9.5 15.5 14M19.5 9.5H10a5.5 5.5 0 0 0 0 11h3",
  fresh: "M12 5v14M5 12h14",
  clear: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  first: "M18 5.5 11.5 12l6.5 6.5M6.5 5.5v13",
  back: "M14.5 5.5 8 12l6.5 6.5",
  play: "M7.5 5v14l11.5-7Z",
  pause: "M8 5.5v13M16 5.5v13",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  last: "M6 5.5 12.5 12 6 18.5M17.5 5.5v13",
  after: "M4 6h7v12H4ZM13 6h7v12h-7ZM14.8 12l1.6 1.7 2.4-3.2",
  analyse: "M4 4h16v16H4ZM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16M10.8 12l1 1 1.6-2",
  share: "M9.5 14.5l5-5M8 11l-2.6 2.6a3.6 3.6 0 0 0 5 5L13 16M11 8l2.6-2.6a3.6 3.6 0 0 1 5 5L16 13",
  less: "M6 12h12",
  more: "M12 6v12M6 12h12",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  mine: "M12 3.5v17M3.5 12h17M6 6l12 12M6 18 18 6M12 7.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6Z",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2",
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
export function small(name, label, act) {
  return h(
    "button",
    { type: "button", class: "round small", "aria-label": label, title: label, onclick: act },
    sign(SIGNS[name]),
  );
}

/** A small button below the board with a word beside its sign; `label` says more. */
export function worded(name, word, label, act) {
  return h(
    "button",
    { type: "button", class: "quiet small", "aria-label": label, title: label, onclick: act },
    sign(SIGNS[name]),
    h("span", {}, word),
  );
}

/** Larger, smaller, fit: `zoom(by)` is called. */
export function zoomers(zoom) {
  return [
    small("less", "Smaller", () => zoom(0.8)),
    small("fit", "Fit the board", () => zoom("fit")),
    small("more", "Larger", () => zoom(1.25)),
  ];
}
