// After a loss: was it avoidable, what did it cost, and could the mine be known?

import * as api from "../api.js";
import { percent } from "../board/heat.js";
import { PositionText } from "./position-text.js";

const MOST_CELLS = 1000; // a review looks at every move: not for huge boards
const AVOIDABLE = { good: "No.", forced: "No.", inaccuracy: "Yes.", blunder: "Yes." };
const OF = { win: "of the chance to win", risk: "in needless risk", alive: "in needless risk" };

/**
 * The lesson of a lost game: {text, chips, better, mine, asks, before}. `mine` is the cell that was
 * opened, `asks` what can be asked about it, `before` the text of the position before the move. Null
 * where there is none.
 */
export async function lessonOf(id, { cells }) {
  if (cells > MOST_CELLS) return null;
  const [{ moves }, { view }] = await Promise.all([api.review(id), api.game(id)]);
  const last = moves.at(-1);
  if (!last?.text) return null;
  const shown = new Array(view.shown.length).fill(null);
  for (const { changed } of moves.slice(0, -1)) for (const [cell, mark] of changed) shown[cell] = mark;
  const [mine] = last.changed.find(([, mark]) => mark === "*") ?? [null];
  const { kind, lost, measure, best_cell: best } = last;
  return {
    text: `Was this avoidable? ${AVOIDABLE[kind] ?? "It could not be counted."} ${last.text}`,
    chips: lost > 0 ? [`lost ${percent(lost, lost === 1)} % ${OF[measure] ?? ""}`.trim()] : [],
    better: best === null || best === last.cell ? null : best,
    mine,
    asks: last.certain === "mine" ? "Why was it a mine?" : "Could it be known?",
    before: new PositionText(view.short).write(shown),
  };
}
