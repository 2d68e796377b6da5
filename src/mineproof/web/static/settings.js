// What a player has chosen, kept in this browser only.

const KEY = "mineproof.coach";

const DEFAULTS = {
  theme: "auto", // auto | light | dark
  skin: "modern", // modern | classic | contrast
  digits: "plain", // plain | safe: colours that colour-blind players can tell apart
  rulers: true,
  letters: false, // whether cells are called C4, by letters and numbers from 1
  motion: true,
  sound: false,
  met: false, // whether a move was made here before
  chordMiddle: true,
  chordBoth: true,
  chordClick: true,
  flagMode: false,
  questionMarks: false,
  panel: false, // whether a phone on its side shows what is beside the board
  figures: false, // clicks, 3BV and efficiency while playing
  overlay: "none", // none | sure | mine | win
  best: false,
  board: "beginner",
  beginning: "opening", // what the first cell is to be: safe | opening | any
  clues: "exact",
  guessRule: "dealt",
  noGuess: false, // whether boards are to need no guess
};

function readSettings() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.keys(DEFAULTS).filter((key) => typeof found[key] === typeof DEFAULTS[key]);
    return Object.fromEntries(known.map((key) => [key, found[key]]));
  } catch {
    return {}; // storage is off, or holds something else: the defaults do
  }
}

const values = { ...DEFAULTS, ...readSettings() };
const listeners = new Set();

export const settings = {
  get: (key) => values[key],
  set(key, value) {
    if (values[key] === value) return;
    values[key] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch {
      // Storage is off: the choice holds until the page is left.
    }
    for (const listener of listeners) listener(key, value);
  },
  /** Call `listener(key, value)` at every change. */
  watch: (listener) => listeners.add(listener),
};

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Put the chosen look in force; the theme `auto` follows the system. */
export function applyLook() {
  const { dataset } = document.documentElement;
  const chosen = settings.get("theme");
  const look = {
    theme: chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen,
    skin: settings.get("skin"),
    digits: settings.get("digits"),
    rulers: settings.get("rulers") ? "on" : "off",
    names: settings.get("letters") ? "letters" : "numbers",
  };
  for (const [part, value] of Object.entries(look)) if (dataset[part] !== value) dataset[part] = value;
}
dark.addEventListener("change", applyLook);
settings.watch(applyLook);

/** A column as letters: A to Z, then AA. */
function lettersOf(column) {
  const rest = Math.floor(column / 26);
  return (rest ? lettersOf(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

/** A row or a column on a ruler. */
export const rulerText = (number, isRow) => {
  if (!settings.get("letters")) return String(number);
  return isRow ? String(number + 1) : lettersOf(number);
};

/** A cell's name as the player wants it: "3,2", or "C4" where letters are chosen. Others stay as they are. */
export function cellName(name) {
  const [row, column, more] = settings.get("letters") ? name.split(",") : [];
  return column === undefined || more !== undefined ? name : rulerText(Number(column), false) + rulerText(Number(row), true);
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
