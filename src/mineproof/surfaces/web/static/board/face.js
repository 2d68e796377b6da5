// What one cell looks like and how it is put into words, from what it shows and its chance.

import { heat, percent } from "./heat.js";
import { CROSS, DIAMOND, FLAG, MINE, TICK } from "./signs.js";

const AXES = { 1: ["cell"], 2: ["row", "column"], 3: ["layer", "row", "column"] };

/**
 * The face of a cell: {kind, fill, ink, marks}. `kind` is its classes; `fill` and `ink` are colours
 * or "". A mark is {text | sign, kind, scale, drop}: its size and how far below the centre it
 * stands, in radii. `chance` is null or {text, share, certain, good, silent}: where others say it for a
 * cell, the cell is silent. `mined` tells the mines of a finished game, null before.
 */
export function faceOf(shown, chance, mined, theme) {
  const face = { kind: kindOf(shown, mined, chance?.certain), fill: "", ink: "", marks: [] };
  const flagged = shown === "F";
  if (chance) {
    const colours = heat(chance.share, theme);
    [face.fill, face.ink] = [colours.fill, colours.ink];
    if (!chance.silent) face.marks.push(chanceMark(chance, flagged));
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
  const scale = (text.length > 4 ? 0.6 : 0.7) * (flagged ? 0.86 : 1);
  return { text, kind: "chance", scale, drop: flagged ? 0.52 : 0 };
}

/** The chance of a cell in an overlay (see board.js), as it is written and coloured; or null. */
export function chanceOf(overlay, cell, shown) {
  const value = shown === null || shown === "F" ? (overlay?.values[cell] ?? null) : null;
  if (value === null) return null;
  const certain = overlay.certain?.[cell] ?? null;
  const sure = certain !== null || (overlay.exact?.[cell] && (value === 0 || value === 1));
  const text = percent(value, sure);
  // Coloured by the text: cells with the same text look alike, and are redrawn only when it changes.
  const written = text.startsWith("<") ? 0.0005 : text.startsWith(">") ? 0.9995 : Number(text) / 100;
  const share = certain ? Number(certain === "mine") : overlay.good ? 1 - written : written;
  const { far } = overlay;
  return {
    text,
    // Whole per cents are enough for colours, and far cells then keep theirs from move to move.
    share: certain ? share : Math.round(100 * share) / 100,
    certain,
    good: Boolean(overlay.good),
    name: overlay.name,
    silent: Boolean(far?.cells.has(cell)) && (far.roomy || cell !== far.spokesman),
  };
}

function kindOf(shown, mined, certain) {
  if (shown === "*") return "cell open boom";
  if (shown === "F") return mined === false ? "cell covered flagged wrong" : "cell covered flagged";
  if (shown !== null) return shown === "#" ? "cell none" : "cell open";
  return `cell covered${mined ? " mined" : ""}${certain ? ` sure-${certain}` : ""}`;
}

/** A cell in words: "row 3, column 5, hidden, mine chance 12.5 %". */
export function wordsOf(coordinates, shown, chance, mined, more) {
  const axes = AXES[coordinates.length] ?? coordinates.map((_, axis) => `axis ${axis}`);
  const words = coordinates.map((value, axis) => `${axes[axis]} ${value}`);
  words.push(stateWords(shown, mined));
  if (chance?.certain) words.push(chance.certain === "safe" ? "certainly safe" : "certainly a mine");
  if (chance && (!chance.certain || chance.good)) words.push(`${chance.name} ${chance.text} %`);
  return [...words, ...more].join(", ");
}

function stateWords(shown, mined) {
  if (shown === null) return mined ? "mine" : "hidden";
  if (shown === "F") return mined === false ? "wrong flag" : "flagged";
  if (shown === "*") return "exploded mine";
  if (shown === "?") return "open, no clue";
  if (shown === "#") return "no cell";
  return shown === 0 ? "open, no mines around" : `open, ${shown}`;
}
