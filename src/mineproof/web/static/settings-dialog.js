// Keys and settings, in a dialog.

import { h, stylesheet } from "./dom.js";
import { settings } from "./settings.js";

/** Choices of one among few: [setting, title, [value, text]...]. */
const CHOICES = [
  ["theme", "Theme", ["auto", "System"], ["light", "Light"], ["dark", "Dark"]],
  ["skin", "Skin", ["modern", "Modern"], ["classic", "Classic"], ["contrast", "High contrast"]],
  ["digits", "Colours of the numbers", ["plain", "Warm"], ["safe", "Colour-blind safe"]],
];

const LOOKS = [
  ["rulers", "Rulers: the numbers of rows and columns"],
  ["letters", "Cells as letters and numbers from 1: C4 instead of 3,2"],
  ["motion", "Short animations (never if your system asks for less motion)"],
  ["sound", "Sounds"],
];

const EXTRAS = [
  ["figures", "Clicks, 3BV, efficiency and tenths of a second while you play"],
  ["questionMarks", "Question marks: flag a flagged cell"],
];

const SWITCHES = [
  ["chordClick", "A click or tap on a satisfied number opens around it"],
  ["chordMiddle", "The middle button opens around a number"],
  ["chordBoth", "Left and right button together open around a number"],
];

const KEYS = [
  ["The cell", "keys act on the cell you point at or moved to, whichever was last; those without a cell work anywhere"],
  ["Arrow keys", "move on the board; Home, End, Page Up and Page Down too"],
  ["Enter", "open the cell, or around a number"],
  ["Space", "the same; while you point with the mouse, flag the cell, or open around a number"],
  ["F", "flag the cell"],
  ["C", "open around a number that has all its flags"],
  ["H", "hint: where to look; again: the clues, the cell, the proof"],
  ["W", "why the cell is safe or a mine, or that nobody can know (Alt and click)"],
  ["X", "to the next hidden cell beside a number; with Shift back"],
  ["R", "read what lies around the cell"],
  ["K", "check my flags: how many are wrong; Show which tells the cells"],
  ["S, M, V, O", "show only what is certain, mine chances, win chances, or none"],
  ["B", "highlight the best move"],
  ["U", "undo; right after New, back to the game before"],
  ["N or F2", "new game"],
  ["?", "these keys, from anywhere"],
  ["+, −, 0", "larger, smaller, all of the board"],
  ["← and →", "in a proof: step through it; Esc ends it"],
];

const OTHER_KEYS = [
  ["Analyse", "0 to 9 a clue, F flag, H or Delete hidden, ? open without a clue, * mine, U undo"],
  ["Review", "← and → the moves, E the next mistake, A before or after; on the board , and ."],
  ["Learn", "Enter safe, F a mine, W why, H a hint, N the next puzzle"],
  ["Watch", "← and → the steps, Space plays and pauses; on the board , and ."],
];

await stylesheet("dialogs.css");

let dialog = null;

function choice([key, title, ...options]) {
  const inputs = options.map(([value, text]) => {
    const input = h("input", { type: "radio", name: key, value });
    input.addEventListener("change", () => settings.set(key, value));
    return h("label", {}, input, text);
  });
  return h("fieldset", { class: "choice" }, h("legend", {}, title), h("div", { class: "segments" }, ...inputs));
}

function check([key, text]) {
  const box = h("input", { type: "checkbox", checked: settings.get(key) });
  box.addEventListener("change", () => settings.set(key, box.checked));
  return h("label", { class: "check" }, box, h("span", {}, text));
}

function build() {
  const list = (keys) =>
    h("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]));
  const close = h("button", { type: "button", class: "button primary" }, "Done");
  dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, "Keys and settings"),
    ...CHOICES.map(choice),
    h("fieldset", {}, h("legend", { class: "unseen" }, "Look and sound"), ...LOOKS.map(check)),
    h("fieldset", {}, h("legend", {}, "While playing"), ...EXTRAS.map(check)),
    h("fieldset", {}, h("legend", {}, "Opening around a number"), ...SWITCHES.map(check)),
    h("h3", { id: "settings-keys" }, "Keys on the board"),
    list(KEYS),
    h("h3", {}, "In other views"),
    list(OTHER_KEYS),
    h(
      "p",
      { class: "hint" },
      "Touch: tap opens, a long press flags, two fingers zoom. The flag button swaps tap and long press.",
    ),
    h("div", { class: "actions" }, close),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
}

export function openSettings({ keys = false } = {}) {
  if (!dialog) build();
  for (const input of dialog.querySelectorAll("[type=radio]")) {
    input.checked = input.value === settings.get(input.name);
  }
  dialog.showModal();
  if (keys) document.getElementById("settings-keys").scrollIntoView();
}
