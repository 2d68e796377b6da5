// The face of a cell, from what it shows and its chance: signs, the colours of chances, marks, its label in words.
export const FLAG = "M-.3-.62v1.24M-.3-.6L.48-.28L-.3.06Z";
export const TICK = "M-.42.04L-.12.36L.46-.34";
const CROSS = "M-.4-.4L.4.4M-.4.4L.4-.4";
export const DIAMOND = "M0-.5L.5 0L0 .5L-.5 0Z";
export const STAR =
  "M0-.5L.15-.16L.52-.12L.24.13L.32.5L0 .31L-.32.5L-.24.13L-.52-.12L-.15-.16Z";
export const MINE =
  "M0-.62V.62M-.62 0H.62M-.42-.42L.42.42M-.42.42L.42-.42" +
  "M.4 0A.4.4 0 1 1-.4 0A.4.4 0 1 1 .4 0Z";
export const QUERY = "M-.27-.24A.28.28 0 1 1 .1.03Q0 .08 0 .24M0 .5V.51";

// -- chances --

/** A chance in per cent, one decimal; 0 and 100 are used only for what is certain. */
export function percent(chance, certain = false) {
  if (certain) return chance > 0.5 ? "100" : "0";
  if (chance < 0.0005) return "<0.1";
  if (chance >= 0.9995) return ">99.9";
  const text = (100 * chance).toFixed(1);
  if (text === "0.0") return "<0.1";
  return text === "100.0" ? ">99.9" : text;
}

const STOPS = {
  light: [
    [0, [31, 95, 166]],
    [0.25, [112, 165, 213]],
    [0.5, [238, 234, 222]],
    [0.75, [238, 161, 84]],
    [1, [178, 74, 14]],
  ],
  dark: [
    [0, [38, 108, 186]],
    [0.25, [73, 116, 158]],
    [0.5, [92, 92, 92]],
    [0.75, [176, 112, 52]],
    [1, [226, 122, 44]],
  ],
};

/** The colours of a share from 0 (good) to 1 (bad): the fill, and the text that stands on it. */
function heat(share, theme) {
  // Most chances are below a half: a power below 1 spreads them over the scale.
  const place = Math.min(Math.max(share, 0), 1) ** 0.62;
  const stops = STOPS[theme] ?? STOPS.light;
  const next = Math.max(stops.findIndex(([at]) => at >= place), 1);
  const [from, low] = stops[next - 1];
  const [to, high] = stops[next];
  const mix = (place - from) / (to - from);
  const colour = low.map((part, index) => Math.round(part + (high[index] - part) * mix));
  return { fill: `rgb(${colour.join(" ")})`, ink: light(colour) > 0.179 ? "#000000" : "#ffffff" };
}

function light(colour) {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// -- cells --

const AXES = { 1: ["cell"], 2: ["row", "column"], 3: ["layer", "row", "column"] };

/**
 * The face of a cell: {kind, fill, ink, marks}. `kind` is its classes; `fill` and `ink` are colours
 * or "". A mark is {text | sign, kind, scale, drop}: its size and how far below the centre it
 * stands, in radii. `chance` is null or {text, share, certain, good, quiet}: a cell that is
 * quiet has its colour alone. `mined` tells the mines of a finished game, null before.
 */
export function faceOf(shown, chance, mined, theme) {
  const face = { kind: kindOf(shown, mined, chance?.certain), fill: "", ink: "", marks: [] };
  const flagged = shown === "F";
  if (chance?.absent) {
    face.marks.push({ text: chance.text, kind: "absent", scale: 0.9, drop: flagged ? 0.52 : 0 });
  } else if (chance) {
    const colours = heat(chance.share, theme);
    [face.fill, face.ink] = [colours.fill, colours.ink];
    if (!chance.quiet) face.marks.push(chanceMark(chance, flagged), ...errorMark(chance, flagged));
  }
  if (flagged) {
    const [scale, drop] = chance ? [0.72, -0.26] : [1, 0];
    face.marks.push({ sign: FLAG, kind: chance ? "flag raised" : "flag", scale, drop });
    if (mined === false) face.marks.push({ sign: CROSS, kind: "wrong", scale: 1.2, drop: 0 });
  } else if (shown === "*" || (shown === null && mined)) {
    face.marks.push({ sign: MINE, kind: "mine-sign", scale: 1, drop: 0 });
  } else if (typeof shown === "number" && shown > 0) {
    face.marks.push({ text: String(shown), kind: `number n${Math.min(shown, 9)}`, scale: 1.18, drop: 0 });
  } else if (shown === "?") {
    face.marks.push({ text: "?", kind: "number none", scale: 1, drop: 0 });
  }
  return face;
}

function chanceMark({ text, certain, good }, flagged) {
  if (certain && !good) {
    const [scale, drop] = flagged ? [0.5, 0.56] : [1, 0];
    return { sign: certain === "safe" ? TICK : DIAMOND, kind: `sure ${certain}`, scale, drop };
  }
  const [chance, error] = text.split("±");
  const scale = (chance.length > 4 ? 0.6 : 0.7) * (flagged || error ? 0.86 : 1);
  return { text: chance, kind: "chance", scale, drop: flagged ? 0.4 : error ? -0.2 : 0 };
}

/** The error of an estimate, below it. */
function errorMark({ text }, flagged) {
  const error = text.split("±")[1];
  return error ? [{ text: `±${error}`, kind: "chance", scale: 0.46, drop: flagged ? 0.8 : 0.4 }] : [];
}

/** The chance of a cell in an overlay (see board.js), with its text and colour; or null. */
export function chanceOf(overlay, cell, shown) {
  if (!overlay || (shown !== null && shown !== "F")) return null;
  const value = overlay.values[cell] ?? null;
  const certain = overlay.certain?.[cell] ?? null;
  const { name } = overlay;
  if (value === null) {
    if (certain && overlay.absent) return { text: "", share: Number(certain === "mine"), certain, name };
    return overlay.absent ? { text: "·", share: null, certain: null, absent: true, name } : null;
  }
  const said = overlay.texts?.[cell] ?? `${percent(value, certain !== null)} %`;
  const text = said.replace(/ %$/, "").replaceAll(" ", "");
  // Coloured by the text: cells with the same text look alike, and are redrawn only when it changes.
  const written = text.startsWith("<") ? 0.0005 : text.startsWith(">") ? 0.9995 : parseFloat(text) / 100;
  const share = certain ? Number(certain === "mine") : overlay.good ? 1 - written : written;
  return {
    text,
    said,
    // Colours in steps of one per cent: far cells are then not redrawn at every move.
    share: certain ? share : Math.round(100 * share) / 100,
    certain,
    good: Boolean(overlay.good),
    quiet: overlay.quiet?.has(cell) ?? false,
    name,
  };
}

function kindOf(shown, mined, certain) {
  if (shown === "*") return "cell open boom";
  if (shown === "F") return mined === false ? "cell covered flagged wrong" : "cell covered flagged";
  if (shown !== null) return shown === "#" ? "cell none" : "cell open";
  return `cell covered${mined ? " mined" : ""}${certain ? ` sure-${certain}` : ""}`;
}

/** A cell in words: "row 3, column 5, hidden, mine chance 12.5 %". */
export function wordsOf(coordinates, shown, chance, mined, more, unsure = false) {
  const axes = AXES[coordinates.length] ?? coordinates.map((_, axis) => `axis ${axis}`);
  const words = coordinates.map((value, axis) => `${axes[axis]} ${value}`);
  words.push(stateWords(shown, mined, unsure));
  if (chance?.certain) words.push(chance.certain === "safe" ? "certainly safe" : "certainly a mine");
  if (chance?.absent) words.push(`${chance.name} not estimated`);
  else if (chance && !chance.certain) words.push(`${chance.name} ${chance.said}`);
  return [...words, ...more].join(", ");
}

function stateWords(shown, mined, unsure) {
  if (shown === null) return mined ? "mine" : "hidden";
  if (shown === "F") return mined === false ? "wrong flag" : "flagged";
  if (shown === "*") return "exploded mine";
  if (shown === "?") return "open, no clue";
  if (shown === "#") return "no cell";
  if (unsure) return `open, shows ${shown}, which may be wrong`;
  return shown === 0 ? "open, no mines around" : `open, ${shown}`;
}

/** Whether two faces differ only in the text of their only mark. */
export function sameButForText(one, two) {
  if (one.ink !== two.ink || one.marks.length !== 1 || two.marks.length !== 1) return false;
  const [[before], [after]] = [one.marks, two.marks];
  if (before.text === undefined || after.text === undefined) return false;
  return ["kind", "scale", "drop"].every((part) => before[part] === after[part]);
}

/** The kind of clues in a text of rules; null if they are exact. */
export function cluesOf(rules) {
  const [, clues] = /(?:^| )clues=(\S+)/.exec(rules) ?? [];
  return !clues || clues.startsWith("exact") ? null : clues;
}
