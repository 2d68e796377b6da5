// What the server refuses, in the words of the forms of this page.

import { sentence } from "../dom.js";

const BOARD = "Write a name such as expert, or a shape, its size and its mines, such as hex:9x9/12.";

const KNOWN = [
  [/^(\d+) mines on (\d+) cells/, ([mines, cells]) => `${mines} mines on ${cells} cells are too many: at most one on each cell.`],
  [
    /^(\d+) mines do not fit on (\d+) cells .*; accepted: at most (\d+)$/,
    ([mines, cells, most]) => `${mines} mines on ${cells} cells leave no room for the first click: at most ${most}.`,
  ],
  [/^unknown board ''/, () => BOARD],
  [/^unknown board '(.*)'; known/s, ([name]) => `There is no board “${name}”. ${BOARD}`],
  [/^unknown board '(.*)'; did you mean (.*)\?$/s, ([name, near]) => `There is no board “${name}”: did you mean ${near}?`],
  [/^unknown topology '(.*)'; did you mean (.*)\?$/s, ([name, near]) => `There is no shape “${name}”: did you mean ${near}?`],
  [/^unknown topology '(.*)'; known/s, ([name]) => `There is no shape “${name}”. ${BOARD}`],
  [/^(\w+) size (\S+) has a side of 0/, ([shape, size]) => `${shape} ${size} has a side of 0: each has at least 1.`],
  [/^(\w+) size '(.*)' cannot be read; accepted: such as (.*)$/s, ([shape, size, such]) => `“${size}” is no size of ${shape}: write such as ${such}.`],
  [/^board '(.*)' names no mines/s, ([name]) => `“${name}” names no mines: add them, such as ${name}/10.`],
  [/^the board has (\d+) cells; the coach accepts at most (\d+)$/, ([cells, most]) => `The board has ${cells} cells: at most ${most}.`],
  [/^mines '(.*)' cannot be read/s, ([mines]) => `“${mines}” is no number of mines: write such as 99, or 20% for a share of the cells.`],
  [/^first-click '(.*)' is unknown|^field first_click is '(.*?)';/s, ([one, two]) => `There is no first click “${one ?? two}”: it is any, safe or opening.`],
  [/^unknown clue channel '(.*)'; (?:known|did you mean)/s, ([name]) => `There are no clues “${name}”: they are exact, withheld:0.2, optimistic or cautious.`],
  [/^the probability of withheld '(.*)' is/s, ([share]) => `“${share}” is no share of clues withheld: write such as withheld:0.2, from 0 to 1.`],
  [
    /^line 1: header '(.*)' names no topology/s,
    ([header]) => `“${header}” begins no position: the first line names the board, such as square 9x9 mines=10, and each line after it a row.`,
  ],
];

/** Characters that the server writes as \\U0001f600 and the like, as they are. */
const unescaped = (text) =>
  text.replace(/\\U([0-9a-f]{8})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/g, (all, ...codes) => {
    const code = Number.parseInt(codes.find(Boolean), 16);
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** A refusal in one line for those who filled in the form. */
export function inWords(message) {
  for (const [pattern, words] of KNOWN) {
    const found = pattern.exec(message);
    if (found) return unescaped(words(found.slice(1)));
  }
  return sentence(unescaped(message));
}
