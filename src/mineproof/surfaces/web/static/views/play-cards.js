// What the coach's card says of a game: the best move, the end, a fault, or what can be asked.

import { sentence } from "../dom.js";
import { riskWords } from "./overlays.js";

/** Something went wrong, or something must be known first. */
export const notice = (text, tone = "plain") => ({ title: "Coach", text, tone });

/** What this is, for who comes for the first time. */
export const welcome = () => ({
  title: "Minesweeper, proved",
  text: "Click any cell to begin. When you are stuck, the coach knows every chance, the best move, and why.",
  tone: "plain",
});

/** What can be asked while a game goes on. */
export const invitation = (asking) =>
  notice(
    asking
      ? "Choose a cell: is it safe, a mine, or can nobody know?"
      : "Turn on chances or the best move, or ask why about any cell.",
  );

/** The best move of an analysis, what it risks and why it is best. */
export function bestMove({ best }, board) {
  const chips = [riskWords(best)];
  if (best.win) chips.push(`win chance ${best.win}`);
  if (best.win && best.ties) chips.push(best.ties === 1 ? "one other ties" : `${best.ties} others tie`);
  return {
    title: `Best move: ${board.board.names[best.cell]}`,
    text: sentence(best.reason),
    tone: "good",
    chips,
    numbers: board.numbers,
  };
}

/** The end of a game; `lesson` is that of its last move, `acts` what can be done now. */
export function ending({ match, measures, lesson, numbers, acts }) {
  const won = match.state === "won";
  const { seconds } = match;
  const chips = won ? [] : [...(lesson?.chips ?? [])];
  if (measures["3bv"] !== undefined) {
    chips.push(`3BV ${measures["3bv"]}`);
    if (won && seconds > 0.5) chips.push(`${(measures["3bv"] / seconds).toFixed(2)} 3BV/s`);
    const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
    chips.push(many(measures.openings, "opening"), many(measures.islands, "island"));
  }
  const time = `${seconds.toFixed(1)} s`;
  const again = ["Same board", acts.again];
  const review = ["Review", acts.review];
  const fresh = ["New game", acts.fresh, won];
  return {
    title: won ? `Won in ${time}` : `Lost after ${time}`,
    text: won ? "Every safe cell is open." : (lesson?.text ?? "That was a mine."),
    tone: won ? "good" : "bad",
    numbers,
    chips,
    actions: won
      ? [fresh, again, review]
      : [
          ["Go on from before the mistake", acts.undo, true],
          ...(lesson && lesson.mine !== null ? [[lesson.asks, acts.ask]] : []),
          fresh,
          again,
          review,
        ],
  };
}

/** A game that the server has forgotten. */
export const gone = (message, again) => ({
  title: "This game is gone",
  text: `${message} The same board can be played again from its start.`,
  tone: "bad",
  actions: [["Same board again", again, true]],
});
