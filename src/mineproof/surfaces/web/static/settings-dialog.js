// Keys and settings, in a dialog.

import { h } from "./dom.js";
import { settings } from "./settings.js";

const SWITCHES = [
  ["chordClick", "A click or tap on a satisfied number opens around it"],
  ["chordMiddle", "The middle button opens around a number"],
  ["chordBoth", "Left and right button together open around a number"],
];

const THEMES = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const KEYS = [
  ["Arrow keys", "move on the board; Home, End, Page Up and Page Down too"],
  ["Enter or Space", "open the cell"],
  ["F", "flag the cell"],
  ["C", "open around a number that has all its flags"],
  ["W", "why: is this cell safe, a mine, or open? (Alt and click)"],
  ["M, V, O", "show mine chances, win chances, or none"],
  ["B", "highlight the best move"],
  ["U", "undo"],
  ["N", "new game"],
  ["+, −, 0", "larger, smaller, fit"],
  ["← and →", "in a proof: step through it; Esc ends it"],
];

const OTHER_KEYS = [
  ["Analyse", "0 to 9 a clue, F flag, H or Delete hidden, ? open without a clue, * mine, U undo"],
  ["Review", "← and → the moves, E the next mistake, A before or after; on the board , and ."],
  ["Watch", "← and → the steps, Space plays and pauses; on the board , and ."],
];

let dialog = null;

function build() {
  const switches = SWITCHES.map(([key, text]) => {
    const box = h("input", { type: "checkbox", checked: settings.get(key) });
    box.addEventListener("change", () => settings.set(key, box.checked));
    return h("label", { class: "check" }, box, h("span", {}, text));
  });
  const themes = THEMES.map(([theme, text]) => {
    const input = h("input", { type: "radio", name: "theme", value: theme });
    input.addEventListener("change", () => settings.set("theme", theme));
    return h("label", {}, input, text);
  });
  const list = (keys) =>
    h("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]));
  const close = h("button", { type: "button", class: "button primary" }, "Done");
  dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, "Keys and settings"),
    h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "unseen" }, "Theme"),
      ...themes,
    ),
    h("fieldset", {}, h("legend", {}, "Opening around a number"), ...switches),
    h("h3", {}, "Keys on the board"),
    list(KEYS),
    h("h3", {}, "In other views"),
    list(OTHER_KEYS),
    h(
      "p",
      { class: "hint" },
      "Touch: tap opens, a long press flags, two fingers zoom. The flag button below the board",
      " swaps tap and long press.",
    ),
    h("div", { class: "actions" }, close),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
}

export function openSettings() {
  if (!dialog) build();
  for (const input of dialog.querySelectorAll("[name=theme]")) {
    input.checked = input.value === settings.get("theme");
  }
  dialog.showModal();
}
