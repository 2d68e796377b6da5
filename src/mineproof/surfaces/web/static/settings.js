// What a player has chosen, kept in this browser only.

const KEY = "mineproof.coach";

const DEFAULTS = {
  theme: "auto", // auto | light | dark
  chordMiddle: true,
  chordBoth: true,
  chordClick: true,
  flagMode: false,
  questionMarks: false,
  figures: false, // clicks, 3BV and efficiency while playing
  overlay: "none", // none | mine | win
  best: false,
  board: "beginner",
  firstClick: "safe",
  clues: "exact",
};

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const known = Object.keys(DEFAULTS).filter((key) => typeof found[key] === typeof DEFAULTS[key]);
    return Object.fromEntries(known.map((key) => [key, found[key]]));
  } catch {
    return {}; // storage is off, or holds something else: the defaults do
  }
}

const values = { ...DEFAULTS, ...stored() };
const listeners = new Set();

export const settings = {
  get: (key) => values[key],
  set(key, value) {
    if (values[key] === value) return;
    values[key] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch {
      // Nothing can be kept here: the choice holds until the page is left.
    }
    for (const listener of listeners) listener(key, value);
  },
  /** Be told of every change: listener(key, value). */
  watch: (listener) => listeners.add(listener),
};

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Put the chosen theme in force; `auto` follows the system. */
export function applyTheme() {
  const chosen = settings.get("theme");
  const theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  document.documentElement.dataset.theme = theme;
}
dark.addEventListener("change", applyTheme);

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
