// The mines of a position in Analyse: a number, or the chance of a mine in each cell.

import { h } from "../dom.js";

export class Total {
  /** `onSet(mines | null, density | null)` is called. */
  constructor(onSet) {
    this.onSet = onSet;
    this.mines = h("input", { type: "number", min: 0, max: 9999, inputmode: "numeric", "aria-label": "Mines on the board" });
    this.known = h("input", { type: "checkbox", checked: true });
    this.density = h("input", { type: "number", min: 0.1, max: 99.9, step: "any", inputmode: "decimal", "aria-label": "Mine chance of a cell, per cent" });
    this.left = h("span", { class: "chip" });
    this.knownRow = h("label", { class: "field-row" }, "Mines", h("span", { class: "inputs" }, this.left, this.mines));
    this.densityRow = h("label", { class: "field-row" }, "Mine chance of a cell", h("span", { class: "inputs" }, this.density, "%"));
    this.root = h(
      "section",
      { class: "card total", "aria-label": "Mines" },
      this.knownRow,
      this.densityRow,
      h("label", { class: "check" }, this.known, h("span", {}, "Known")),
    );
    this._show();
    this.mines.addEventListener("input", () => this._tell());
    this.density.addEventListener("input", () => this._tell());
    this.known.addEventListener("change", () => {
      this._show();
      this._tell();
    });
  }

  _tell() {
    if (!this.known.checked) {
      const share = Number(this.density.value) / 100;
      if (share > 0 && share < 1) this.onSet(null, String(+share.toFixed(6)));
    } else if (/^\d{1,5}$/.test(this.mines.value)) {
      this.onSet(Number(this.mines.value), null);
    }
  }

  /** Show the mines of a position, and how many are not flagged yet. */
  set(text, shown) {
    const flagged = shown.filter((mark) => mark === "F" || mark === "*").length;
    if (text.mines !== null) {
      if (document.activeElement !== this.mines) this.mines.value = text.mines;
      this.left.textContent = `${text.mines - flagged} left`;
      this.known.checked = true;
    } else {
      this.known.checked = false;
      const share = shareOf(text.density);
      if (document.activeElement !== this.density) this.density.value = share === null ? "" : +(100 * share).toFixed(4);
    }
    if (!this.mines.value) this.mines.value = Math.round(shown.length / 5);
    if (!this.density.value && text.mines !== null) this.density.value = 20;
    this._show();
  }

  _show() {
    this.knownRow.hidden = !this.known.checked;
    this.densityRow.hidden = this.known.checked;
  }
}

/** The share that a density's text gives: 0.2, 1/5 or 20%; null for the uniform one. */
function shareOf(text) {
  const [top, bottom] = text.replace("%", "").split("/").map(Number);
  const share = bottom ? top / bottom : top;
  if (!Number.isFinite(share)) return null;
  return text.endsWith("%") ? share / 100 : share;
}
