// What a player has chosen, kept in this browser only.

const KEY = "mineproof.coach";

const DEFAULTS = {
  theme: "auto", // auto | light | dark
  skin: "modern", // modern | classic | contrast
  digits: "plain", // plain | safe: colours that colour-blind players can tell apart
  rulers: true,
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
  };
  for (const [part, value] of Object.entries(look)) if (dataset[part] !== value) dataset[part] = value;
}
dark.addEventListener("change", applyLook);
settings.watch(applyLook);

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
