// The field of Play: counters and tools above the board, its stage, and the line below it.

import { h, sign } from "../dom.js";

const SIGNS = {
  flag: "M6 21V4M6 4.5l11.5 4.2L6 13",
  see: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z",
  best: "M12 3.5l2.5 5.4 5.9.7-4.4 4 1.2 5.9L12 16.6l-5.2 2.9L8 13.6l-4.4-4 5.9-.7Z",
  why: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.6v.1M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4Z",
  undo: "M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
  fresh: "M12 5v14M5 12h14",
  share: "M9.5 14.5l5-5M8 11l-2.6 2.6a3.6 3.6 0 0 0 5 5L13 16M11 8l2.6-2.6a3.6 3.6 0 0 1 5 5L16 13",
  lens: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15 15l5 5",
  less: "M6 12h12",
  more: "M12 6v12M6 12h12",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  mine: "M12 3.5v17M3.5 12h17M6 6l12 12M6 18 18 6M12 7.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6Z",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2",
};

function tool(name, label, act, toggles) {
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

function small(name, label, act) {
  return h(
    "button",
    { type: "button", class: "round small", "aria-label": label, title: label, onclick: act },
    sign(SIGNS[name]),
  );
}

function count(name, label, value) {
  return h(
    "div",
    { class: "count", title: label },
    sign(SIGNS[name]),
    h("span", { class: "unseen" }, `${label} `),
    value,
  );
}

/** The field, and its parts by name; `acts` says what each tool does. */
export function pageOf(acts) {
  const tools = {
    flag: tool("flag", "Flag", acts.flag, true),
    see: tool("see", "Chances", acts.see, true),
    best: tool("best", "Best", acts.best, true),
    why: tool("why", "Why", acts.why, true),
    undo: tool("undo", "Undo", acts.undo, false),
    fresh: tool("fresh", "New", acts.fresh, false),
  };
  const parts = {
    tools,
    left: h("span", { class: "value" }, "–"),
    time: h("span", { class: "value" }, "0:00"),
    state: h("span", { class: "chip state" }, "Ready"),
    stage: h("div", { class: "stage" }),
    where: h("span", { class: "where" }),
    name: h("span", { class: "game-name" }),
  };
  const field = h(
    "div",
    { class: "field" },
    h(
      "div",
      { class: "bar" },
      count("mine", "Mines left", parts.left),
      count("clock", "Time", parts.time),
      parts.state,
      h("div", { class: "toolbar", role: "group", "aria-label": "Game" }, ...Object.values(tools)),
    ),
    parts.stage,
    h(
      "div",
      { class: "readout" },
      parts.where,
      parts.name,
      small("lens", "Analyse this position", acts.analyse),
      small("share", "Copy this game's address", acts.share),
      small("less", "Smaller", () => acts.zoom(0.8)),
      small("fit", "Fit the board", () => acts.zoom("fit")),
      small("more", "Larger", () => acts.zoom(1.25)),
    ),
  );
  return { field, parts };
}
