// The buttons above and below a board, with their drawn signs.

import { h, sign } from "../dom.js";

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
};

/** More signs, for views that are loaded later. */
export const addSigns = (signs) => Object.assign(SIGNS, signs);

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
export function small(name, label, act, kind = "") {
  return h(
    "button",
    { type: "button", class: `round small ${kind}`, "aria-label": label, title: label, onclick: act },
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
    small("less", "Smaller", () => zoom(0.8), "zoom"),
    small("fit", "Fit the board", () => zoom("fit"), "zoom"),
    small("more", "Larger", () => zoom(1.25), "zoom"),
  ];
}
