// The moves of a reviewed game: how each was judged, as rows of a list, and a chart of risks.

import { percent } from "../board/heat.js";
import { h, svg } from "../dom.js";

/** How a move is judged, as a sign and as a word: never by colour alone. */
const JUDGED = {
  good: ["✓", "good"],
  forced: ["□", "forced"],
  inaccuracy: ["?!", "inaccuracy"],
  blunder: ["??", "blunder"],
};
const ACTIONS = { open: "opens", flag: "flags", unflag: "takes the flag off", chord: "opens around" };

export const judged = (move) => JUDGED[move.kind] ?? ["–", "not counted"];

/** A chance that is whole only where it is certain. */
export const chance = (value) => `${percent(value, value === 0 || value === 1)} %`;

export const isMistake = (move) => move.kind === "blunder" || move.kind === "inaccuracy";

/** The moves as rows of a list. */
export function rows(moves, names) {
  return moves.map((move) => {
    const [mark, word] = judged(move);
    const what = `${ACTIONS[move.action]} ${names[move.cell]}`;
    const risk = move.risk === null ? "" : `, risk ${chance(move.risk)}`;
    const lost = move.lost > 0 ? `, lost ${chance(move.lost)}` : "";
    return {
      kind: move.kind ?? "unknown",
      mark,
      what,
      word,
      aside: move.lost > 0 ? `−${chance(move.lost)}` : "",
      label: `Move ${move.n} ${what}: ${word}${risk}${lost}`,
    };
  });
}

const [WIDE, HIGH] = [308, 116];
const PLOT = { left: 36, right: 298, top: 22, foot: 98 };
const NEAR = 12; // a click so near to a blunder means it

/** The chart: the risk of every move, and the chance of still being alive after it. */
export class Chart {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.count = 0;
    this.blunders = [];
    this.svg = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
    this.root = h(
      "section",
      { class: "card chart-card", "aria-label": "Risk over the moves" },
      this.svg,
      h(
        "p",
        { class: "hint chart-legend", "aria-hidden": "true" },
        h("span", { class: "key-bar" }, "risk taken"),
        h("span", { class: "key-line" }, "still alive"),
        h("span", { class: "key-dash" }, "by least risk"),
      ),
    );
    this.svg.addEventListener("click", (event) => {
      if (!this.count) return;
      const edge = this.svg.getBoundingClientRect();
      const x = ((event.clientX - edge.left) / edge.width) * WIDE;
      const share = (x - PLOT.left) / (PLOT.right - PLOT.left);
      const off = (n) => Math.abs(this._x(n) - x);
      const near = this.blunders.filter((n) => off(n) <= NEAR).sort((one, two) => off(one) - off(two));
      this.onChoose(near[0] ?? Math.min(Math.max(Math.ceil(share * this.count), 1), this.count));
    });
  }

  show(moves) {
    this.count = moves.length;
    const y = (share) => PLOT.foot - share * (PLOT.foot - PLOT.top);
    const alive = survival(moves, "risk");
    const best = survival(moves, "best_risk");
    const width = Math.max(Math.min((0.7 * (PLOT.right - PLOT.left)) / Math.max(moves.length, 1), 12), 1.5);
    const bars = moves.filter((move) => move.risk > 0).flatMap((move) => {
      const x = this._x(move.n);
      const top = Math.min(y(move.risk), PLOT.foot - 1.5);
      const bar = svg("rect", {
        class: `bar-${move.kind}`,
        x: +(x - width / 2).toFixed(2),
        y: +top.toFixed(2),
        width: +width.toFixed(2),
        height: +(PLOT.foot - top).toFixed(2),
        rx: Math.min(width / 4, 2),
      });
      if (move.kind !== "blunder") return [bar];
      const at = Math.max(top - 11, 10);
      return [
        bar,
        svg("circle", { class: "bar-spot", cx: x, cy: at, r: 9.5, onclick: (event) => this._pick(event, move.n) }),
        svg("text", { class: "bar-mark", x, y: at + 4 }, "??"),
      ];
    });
    this.cursor = svg("path", { class: "cursor" });
    this.svg.replaceChildren(
      ...[0, 0.5, 1].flatMap((share) => [
        svg("path", { class: "rule", d: `M${PLOT.left} ${y(share)}H${PLOT.right}` }),
        svg("text", { class: "tick", x: PLOT.left - 5, y: y(share) + 3.5 }, share === 1 ? "100 %" : `${100 * share}`),
      ]),
      this.cursor,
      ...bars,
      svg("path", { class: "alive-best", d: this._steps(best, y) }),
      svg("path", { class: "alive", d: this._steps(alive, y) }),
      svg("text", { class: "tick first", x: PLOT.left, y: HIGH - 4 }, "1"),
      svg("text", { class: "tick", x: PLOT.right, y: HIGH - 4 }, moves.length ? `move ${moves.length}` : ""),
    );
    const blunders = moves.filter((move) => move.kind === "blunder").map((move) => move.n);
    this.blunders = blunders;
    this.svg.setAttribute(
      "aria-label",
      `By the risks taken, the chance of still being alive fell to ${chance(alive.at(-1))}` +
        ` over ${moves.length} moves; by the least risk each time it would be ${chance(best.at(-1))}.` +
        (blunders.length ? ` Blunders: moves ${blunders.join(", ")}.` : " No blunders."),
    );
  }

  /** A blunder is hit anywhere on its mark, also where moves stand close together. */
  _pick(event, n) {
    event.stopPropagation();
    this.onChoose(n);
  }

  choose(n) {
    const x = this._x(n);
    this.cursor?.setAttribute("d", n ? `M${x} ${PLOT.top - 4}V${PLOT.foot}` : "");
  }

  _x(n) {
    return +(PLOT.left + ((n - 0.5) / Math.max(this.count, 1)) * (PLOT.right - PLOT.left)).toFixed(2);
  }

  _steps(values, y) {
    return values.reduce(
      (path, value, n) => (n ? `${path}H${this._x(n)}V${y(value).toFixed(2)}` : `M${PLOT.left} ${y(value).toFixed(2)}`),
      "",
    ) + `H${PLOT.right}`;
  }
}

/** The chance that none of the moves so far opened a mine. */
function survival(moves, risk) {
  const values = [1];
  for (const move of moves) values.push(values.at(-1) * (1 - (move[risk] ?? 0)));
  return values;
}
