// The card of See, in Play and in Analyse: which overlay, the best move, the scale and a note.

import { h } from "../dom.js";

const KINDS = [
  ["none", "Off"],
  ["sure", "Certain"],
  ["mine", "Mine chance"],
  ["win", "Win chance"],
];

/**
 * `name` is that of the radio buttons, `kind` and `best` are the first choices; `seen(kind)` and
 * `lit(best)` are called when the player chooses. Returns the elements: root, inputs, best, legend, note.
 */
export function seeCard({ name, kind, best, seen, lit }) {
  const inputs = KINDS.map(([value]) =>
    h("input", { type: "radio", name, value, checked: kind === value, onchange: () => seen(value) }),
  );
  const box = h("input", { type: "checkbox", checked: best, onchange: () => lit(box.checked) });
  const legend = h(
    "div",
    { class: "legend", "aria-hidden": "true" },
    h("span", {}, "0"),
    h("span", { class: "scale" }),
    h("span", {}, "100 %"),
  );
  const note = h("p", { class: "hint see-note" });
  const root = h(
    "section",
    { class: "card see", "aria-label": "See" },
    h(
      "div",
      { class: "card-head" },
      h("h2", {}, "See"),
      h("label", { class: "check" }, box, h("span", {}, "Best move")),
    ),
    h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "unseen" }, "Overlay"),
      ...KINDS.map(([, words], index) => h("label", {}, inputs[index], words)),
    ),
    legend,
    note,
  );
  return { root, inputs, best: box, legend, note };
}
