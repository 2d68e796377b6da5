// The end of a game in Play: what the coach's card says of it, the lesson of a lost game (was it avoidable,
// what did it cost, could the mine be known?), and the certificate of one that needed no guess.

import * as api from "../api.js";
import { percent } from "../board/face.js";
import { h } from "../dom.js";
import { all } from "../kept-games.js";
import { clockText } from "./field.js";
import { PositionText } from "./position-text.js";
import { counts, settingOf } from "./statistics.js";

const MOST_CELLS = 1000; // a review looks at every move: not for huge boards
const KEPT_FOR = 1000; // ms: by then the browser has taken the file

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
export function endCard({ match, measures, lesson, numbers, acts }) {
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
  const result = acts.result ? [["Copy result", acts.result]] : [];
  return {
    title: won ? `Won in ${time}` : `Lost after ${time}`,
    text: won ? `Every safe cell is open. ${recordWords(match.kept)}`.trim() : (lesson?.text ?? "That was a mine."),
    tone: won ? "good" : "bad",
    numbers,
    chips,
    actions: won
      ? [fresh, ...result, again, review, ...certificate]
      : [
          ["Take it back", acts.undo, true],
          ...(lesson && lesson.mine !== null ? [[lesson.asks, acts.ask]] : []),
          fresh,
          again,
          review,
          ...result,
          ...certificate,
        ],
  };
}

/** A game that the server has forgotten. */
export const goneCard = (message, again) => ({
  title: "This game is gone",
  text: `${message} The same board can be played again from its start.`,
  tone: "bad",
  actions: [["Same board again", again, true]],
});

const AVOIDABLE = { good: "No.", forced: "No.", inaccuracy: "Yes.", blunder: "Yes." };
const LOST_OF = { win: "of the chance to win", risk: "in needless risk" };

/**
 * The lesson of a lost game: {text, chips, better, mine, asks, before}. `mine` is the cell that was
 * opened, `asks` what can be asked about it, `before` the text of the position before the move. Null
 * where there is none.
 */
export async function lessonOf(id, { cells }) {
  if (cells > MOST_CELLS) return null;
  const [{ moves }, { view }] = await Promise.all([api.review(id, { last: true }), api.game(id)]);
  const last = moves.at(-1);
  if (!last?.text) return null;
  const shown = new Array(view.shown.length).fill(null);
  for (const { changed } of moves.slice(0, -1)) for (const [cell, mark] of changed) shown[cell] = mark;
  const [mine] = last.changed.find(([, mark]) => mark === "*") ?? [null];
  const { kind, lost, measure, best_cell: best } = last;
  return {
    text: `Was this avoidable? ${AVOIDABLE[kind] ?? "It could not be counted."} ${last.text}`,
    chips: lost > 0 ? [`lost ${percent(lost, lost === 1)} % ${LOST_OF[measure] ?? ""}`.trim()] : [],
    better: best === null || best === last.cell ? null : best,
    mine,
    asks: last.certain === "mine" ? "Why was it a mine?" : "Was it knowable?",
    before: new PositionText(view.short).write(shown),
  };
}

/** Save the certificate of a game as a file, and say so: `tell(text, {tone})`. */
export async function saveCertificate(game, { board, seed }, tell) {
  try {
    const { text } = await api.certificate(game);
    const name = `mineproof-${board.replace(/\W+/g, "-")}-${seed}.certificate.json`;
    const href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
    h("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), KEPT_FOR);
    tell(`${name} is saved: mineproof check-certificate checks it.`);
  } catch (error) {
    tell(error.message, { tone: "bad" });
  }
}
