// The pages of an explanation: the whole proof on one picture, then its steps; or two layouts.
//
// What was concluded stays on the board: cells that are certain by then, and sets of cells of which
// the number of mines is known. What is only supposed goes with its case.

import { bands, notesOf } from "../board/annotate.js";
import { stylesheet } from "../dom.js";

await stylesheet("proof.css");

const MOST_LIT = 40; // of a step about more cells, only those that its text names are lit
const MOST_IN_SET = 12; // larger sets are named in the text, not drawn

/** A page that lights nothing. */
export const NOTHING = {
  premises: [],
  cells: [],
  fresh: [],
  concludes: [],
  supposes: [],
  sets: [],
  notes: [],
  ghosts: [],
  differ: [],
  swapped: [],
};

/** Light all that a page speaks of. */
export function lightPage(board, page) {
  const of = (pairs, kind) => pairs.filter(([, found]) => found === kind).map(([cell]) => cell);
  board.light("used", page.cells);
  board.light("fresh", page.fresh);
  for (const kind of ["safe", "mine"]) {
    board.light(kind, of(page.concludes, kind));
    board.light(`if-${kind}`, of(page.supposes, kind));
  }
  board.light("ghost", page.ghosts);
  board.light("differ", page.differ);
  board.light("swap", page.swapped);
  board.annotate([...bands(page.sets, board.geometry), ...notesOf(page.notes, board.geometry)]);
}

/** The pages of an explanation as the server gives it. */
export function pagesOf(told) {
  if (told.witnesses) return layoutPages(told);
  const technique = /^(\d+|two) clues$/.test(told.technique ?? "") ? null : told.technique;
  const chips = [technique, told.uses_total ? "uses the mine total" : null].filter(Boolean);
  const { steps } = told;
  if (steps.length < 2) {
    const parts = steps[0]?.parts ?? [{ text: told.text, cells: [] }];
    const lit = steps.length ? stepPage(told, 0, chips) : { ...NOTHING, premises: told.premises, chips };
    return [{ ...lit, text: told.text, parts, premises: told.premises }];
  }
  return [wholePage(told, chips), ...steps.map((_, at) => stepPage(told, at, chips))];
}

/** The whole proof on one picture: every clue, and what is concluded with the number of its step. */
function wholePage(told, chips) {
  const free = told.steps.filter((step) => above(told.steps, step).length === 0);
  const concludes = free.flatMap((step) => step.concludes);
  const numbers = new Map();
  for (const step of free) {
    for (const [cell] of step.concludes) if (!numbers.has(cell)) numbers.set(cell, told.steps.indexOf(step) + 1);
  }
  return {
    ...NOTHING,
    whole: true,
    text: told.summary,
    chips,
    premises: told.premises,
    concludes: concludes.length <= MOST_LIT ? concludes : concludes.filter(([cell]) => cell === told.cell),
    sets: setsOf(free, null, concludes),
    notes: numbers.size <= MOST_LIT ? [...numbers] : [],
    list: told.steps.map(({ parts, under, kind }) => ({ parts, depth: under.length, kind })),
  };
}

/** A step: what it uses is lit, what it concludes appears, and all that was concluded before stays. */
function stepPage({ steps, premises }, at, chips) {
  const step = steps[at];
  const here = new Set(above(steps, step));
  const held = steps.slice(0, at + 1).map((one) => [one, above(steps, one)]);
  const visible = held.filter(([, under]) => under.every((number) => here.has(number)));
  const decided = (pick) => visible.filter(([, under]) => pick(under.length)).flatMap(([one]) => one.concludes);
  const concludes = decided((depth) => !depth);
  const supposes = decided((depth) => depth);
  const fresh = step.concludes.map(([cell]) => cell);
  const named = new Set(step.parts.flatMap(({ cells }) => cells));
  const spoken = step.cells.length <= MOST_LIT ? step.cells : step.cells.filter((cell) => named.has(cell));
  return {
    ...NOTHING,
    text: step.text,
    parts: step.parts,
    chips,
    // A clue that an earlier step has told of may be named again.
    premises: premises.filter((clue) => step.premises.includes(clue) || named.has(clue)),
    cells: spoken.filter((cell) => !fresh.includes(cell)),
    fresh: fresh.length <= MOST_LIT ? fresh : fresh.filter((cell) => named.has(cell)),
    concludes,
    supposes,
    sets: setsOf(visible.map(([one]) => one), step, [...concludes, ...supposes]),
  };
}

/** Sets whose number of mines is known by then, each with its label; those of `now` are fresh. */
function setsOf(steps, now, decided) {
  const known = new Set(decided.map(([cell]) => cell));
  const found = new Map();
  for (const step of steps) {
    for (const { cells, mines } of step.counts) {
      if (cells.length < 2 || cells.length > MOST_IN_SET || !mines.length) continue;
      if (cells.every((cell) => known.has(cell))) continue;
      found.set(cells.join(), { cells, label: amount(mines, cells.length), fresh: step === now });
    }
  }
  return [...found.values()];
}

/** The numbers of mines that a set may hold, as a badge: "1", "≤1", "≥2", "1–2". */
function amount(mines, size) {
  const [least, most] = [mines[0], mines.at(-1)];
  if (least === most) return String(least);
  if (mines.length < most - least + 1) return mines.join("/");
  if (least === 0) return `≤${most}`;
  return most === size ? `≥${least}` : `${least}–${most}`;
}

/** The numbers of the suppositions that a step holds under, its own included where it is one. */
function above(steps, step) {
  return step.kind === "step" ? step.under : [...step.under, steps.indexOf(step) + 1];
}

/** Two layouts that differ in few cells: those are lit, the other mines stay in the background. */
function layoutPages(told) {
  const layouts = told.witnesses.map((cells) => new Set(cells));
  const [one, two] = layouts;
  const differ = [...one].filter((cell) => !two.has(cell)).concat([...two].filter((cell) => !one.has(cell)));
  return layouts.map((mines, index) => ({
    ...NOTHING,
    text: `${told.text} Layout ${index + 1} of two: here it is ${mines.has(told.cell) ? "a mine" : "safe"}.`,
    chips: ["not certain"],
    ghosts: [...mines],
    differ,
    swapped: differ.filter((cell) => mines.has(cell)),
    supposes: differ.filter((cell) => !mines.has(cell)).map((cell) => [cell, "safe"]),
  }));
}
