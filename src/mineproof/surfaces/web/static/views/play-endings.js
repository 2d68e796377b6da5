// What the coach's card says of a game that is over, or gone.

import { all } from "../kept-games.js";
import { counts, settingOf } from "./history-figures.js";
import { clockText } from "./play-status.js";

const timeText = (seconds) => (seconds < 60 ? `${seconds.toFixed(1)} s` : clockText(seconds));

/** A win whose time counts among the best ones. */
const clean = (game) => counts(game) && game.state === "won" && !game.helped;

/** How a win stands among those on the same board, by the same rules; "" where its time does not count. */
function recordWords(game) {
  if (!game || !clean(game)) return "";
  const others = all().filter((other) => other.key !== game.key && settingOf(other) === settingOf(game) && clean(other));
  if (!others.length) return "Your first win here without help.";
  const best = Math.min(...others.map(({ ms }) => ms));
  return game.ms < best ? `A new best time here: ${timeText(best / 1000)} before.` : `Your best time here is ${timeText(best / 1000)}.`;
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
  const time = timeText(seconds);
  const again = ["Same board", acts.again];
  const review = ["Review", acts.review];
  const fresh = ["New game", acts.fresh, won, "fresh"];
  const certificate = acts.certificate ? [["Certificate", acts.certificate]] : [];
  return {
    title: won ? `Won in ${time}` : `Lost after ${time}`,
    text: won ? `Every safe cell is open. ${recordWords(match.kept)}`.trim() : (lesson?.text ?? "That was a mine."),
    tone: won ? "good" : "bad",
    numbers,
    chips,
    actions: won
      ? [fresh, again, review, ...certificate]
      : [
          ["Go on from before the mine", acts.undo, true],
          ...(lesson && lesson.mine !== null ? [[lesson.asks, acts.ask]] : []),
          fresh,
          again,
          review,
          ...certificate,
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
