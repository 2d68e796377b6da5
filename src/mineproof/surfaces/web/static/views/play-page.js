// The field of Play: counters and tools above the board, its stage, and the line below it.

import { h, sign } from "../dom.js";
import { settings } from "../settings.js";
import { SIGNS, small, tool, worded, zoomers } from "./tools.js";

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

/**
 * The field, its parts by name, and `press(asking)`, which shows the tools that are on. `acts` says
 * what each tool does that is not a setting.
 */
export function pageOf(acts) {
  const tools = {
    flag: tool("flag", "Flag", acts.flag, true),
    hint: tool("hint", "Hint", acts.hint, false),
    why: tool("why", "Why", acts.why, true),
    undo: tool("undo", "Undo", acts.undo, false),
    fresh: tool("fresh", "New", acts.fresh, false),
    panel: tool("panel", "Panel", () => settings.set("panel", !settings.get("panel")), true),
  };
  const parts = {
    tools,
    left: h("span", { class: "value" }, "–"),
    time: h("span", { class: "value" }, "0:00"),
    state: h("span", { class: "chip state" }, "Ready"),
    badge: h("span", { class: "chip no-guess", hidden: true, title: "Logic alone solves this board from its first cell" }, "no guess"),
    stage: h("div", { class: "stage" }),
    where: h("span", { class: "where" }),
    boardName: h("span", { class: "board-name" }),
  };
  parts.name = h(
    "button",
    { type: "button", class: "quiet small game-name", title: "Choose another game", onclick: acts.choose },
    parts.boardName,
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
      parts.state,
      parts.badge,
      h("div", { class: "toolbar", role: "group", "aria-label": "Game" }, ...Object.values(tools)),
    ),
    parts.stage,
    h(
      "div",
      { class: "readout" },
      parts.where,
      parts.name,
      worded("analyse", "Analyse", "Analyse this position", acts.analyse),
      small("share", "Copy this game's address", acts.share),
      ...zoomers(acts.zoom),
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
