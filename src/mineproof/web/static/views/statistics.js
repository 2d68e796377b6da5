// Statistics of the games that this browser keeps: plain functions of a list of them. Apart from
// history.js, since the end of a game needs them too.

/** A game that was finished and is no practice: those alone count. */
export const counts = (game) => !game.practice && (game.state === "won" || game.state === "lost");

/** 3BV a second of a game that was won; null where there is none. */
export const speedOf = ({ state, three_bv, ms }) =>
  state === "won" && three_bv !== null && ms > 0 ? three_bv / (ms / 1000) : null;

/** The share of clicks that were needed: 3BV for each click of a game that was won. */
export const efficiencyOf = ({ state, three_bv, clicks }) =>
  state === "won" && three_bv !== null && clicks > 0 ? three_bv / clicks : null;

const nonNull = (values) => values.filter((value) => value !== null);
const sum = (values) => values.reduce((all, value) => all + value, 0);
const mean = (values) => (values.length ? sum(values) / values.length : null);

/** The wins in a row until now, and the most there ever were. `games` has the newest first. */
function streaks(games) {
  let [now, longest, ended] = [0, 0, false];
  let run = 0;
  for (const { state } of games) {
    run = state === "won" ? run + 1 : 0;
    longest = Math.max(longest, run);
    ended ||= state !== "won";
    if (!ended) now = run;
  }
  return { now, longest };
}

/** What all the games come to. `games` has the newest first. */
export function summary(games) {
  const counted = games.filter(counts);
  const won = counted.filter(({ state }) => state === "won");
  return {
    games: counted.length,
    won: won.length,
    left: games.filter(({ state, practice }) => state === "running" && !practice).length,
    practice: games.filter(({ practice }) => practice).length,
    streak: streaks(counted),
    ms: sum(counted.map(({ ms }) => ms)),
    lost: mean(nonNull(counted.map(({ lost }) => lost))),
    luck: nonNull(counted.map(({ luck }) => luck)).length ? sum(nonNull(counted.map(({ luck }) => luck))) : null,
    guesses: sum(nonNull(counted.map(({ guesses }) => guesses))),
  };
}

/** What is played: a board and its rules. */
export const settingOf = ({ board, first_click, clues, no_guess, guess_rule }) =>
  JSON.stringify([board, first_click, clues, no_guess, guess_rule]);

/** The same by board and rules, the most played first. Records are of games without help alone. */
export function bySetting(games) {
  const groups = new Map();
  for (const game of games.filter(counts)) {
    const setting = settingOf(game);
    if (!groups.has(setting)) groups.set(setting, []);
    groups.get(setting).push(game);
  }
  const rows = [...groups].map(([setting, played]) => {
    const won = played.filter(({ state }) => state === "won");
    const alone = won.filter(({ helped }) => !helped);
    const { board, first_click, clues, no_guess, guess_rule } = played[0];
    const clicked = won.filter((game) => efficiencyOf(game) !== null);
    return {
      ...{ setting, board, first_click, clues, no_guess, guess_rule },
      games: played.length,
      won: won.length,
      best: alone.length ? Math.min(...alone.map(({ ms }) => ms)) : null,
      speed: alone.length ? Math.max(...alone.map((game) => speedOf(game) ?? 0)) : null,
      efficiency: clicked.length
        ? sum(clicked.map(({ three_bv }) => three_bv)) / sum(clicked.map(({ clicks }) => clicks))
        : null,
    };
  });
  return rows.sort((one, two) => two.games - one.games);
}

/** The games that were reviewed, the oldest first: {lost, luck (the sum so far), state}. */
export function timeline(games) {
  let luck = 0;
  return games
    .filter((game) => counts(game) && game.lost !== null && game.luck !== null)
    .reverse()
    .map((game) => {
      luck += game.luck;
      return { lost: game.lost, luck, state: game.state };
    });
}
