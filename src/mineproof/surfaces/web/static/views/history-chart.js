// Two small charts of a history: the chance lost in each game, and the luck of all games so far.

import { h, svg } from "../dom.js";

const [WIDE, HIGH] = [420, 120];
const PLOT = { left: 44, right: 414, top: 10, foot: 108 };
const MOST = 60; // games, the newest

function frame(label, ticks, y, marks) {
  return svg(
    "svg",
    { class: "history-chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    ...ticks.flatMap(([value, text]) => [
      svg("path", { class: "rule", d: `M${PLOT.left} ${y(value)}H${PLOT.right}` }),
      svg("text", { class: "tick", x: PLOT.left - 6, y: y(value) + 4 }, text),
    ]),
    ...marks,
  );
}

const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;

/** The charts of a timeline (see history-figures.js); null of fewer than two games. */
export function charts(timeline) {
  const games = timeline.slice(-MOST);
  if (games.length < 2) return null;
  const x = (at) => +(PLOT.left + ((at + 0.5) / games.length) * (PLOT.right - PLOT.left)).toFixed(1);
  return h(
    "div",
    { class: "history-charts" },
    h("section", {}, h("h3", {}, "Chance lost in each game"), lostChart(games, x)),
    h("section", {}, h("h3", {}, "Luck so far, in guesses"), luckChart(games, x)),
    h("p", { class: "hint" }, `The last ${games.length} games that count, the newest on the right; games lost in red.`),
  );
}

function lostChart(games, x) {
  const most = Math.max(0.1, Math.min(1, Math.max(...games.map(({ lost }) => lost))));
  const y = (share) => +(PLOT.foot - (Math.min(share, most) / most) * (PLOT.foot - PLOT.top)).toFixed(1);
  const width = Math.min((0.72 * (PLOT.right - PLOT.left)) / games.length, 18);
  const bars = games.map(({ lost, state }, at) =>
    svg("rect", {
      class: `bar-${state}`,
      x: +(x(at) - width / 2).toFixed(1),
      y: Math.min(y(lost), PLOT.foot - 1.5),
      width: +width.toFixed(1),
      height: Math.max(PLOT.foot - y(lost), 1.5),
      rx: 1.5,
    }),
  );
  const last = games.slice(-10);
  const of = (some) => ((100 * some.reduce((sum, { lost }) => sum + lost, 0)) / some.length).toFixed(1);
  const label = `Chance lost in each game: ${of(games)} % on average, ${of(last)} % in the last ${last.length}.`;
  return frame(label, [[0, "0"], [most, `${Math.round(100 * most)} %`]], y, bars);
}

function luckChart(games, x) {
  const most = Math.max(1, ...games.map(({ luck }) => Math.abs(luck)));
  const middle = (PLOT.top + PLOT.foot) / 2;
  const y = (luck) => +(middle - (luck / most) * (middle - PLOT.top)).toFixed(1);
  const line = games.map(({ luck }, at) => `${at ? "L" : "M"}${x(at)} ${y(luck)}`).join("");
  const label = `Luck: ${signed(games.at(-1).luck)} guesses against what was to be expected.`;
  return frame(label, [[most, signed(most)], [0, "0"], [-most, signed(-most)]], y, [
    svg("path", { class: "luck-line", d: line }),
  ]);
}

export { signed };
