// Positions in and out of Analyse: text to copy or to edit, files to drop or to save, empty
// boards, and examples.

import * as api from "../api.js";
import { h, sign } from "../dom.js";
import { BoardChoice, inWords } from "./board-forms.js";

export const EXAMPLES = [
  [
    "In the middle of a game",
    `square 9x9 mines=10
1.1000000
111000011
00122102.
012..213.
01.......
12.......
.........
.........
.........`,
  ],
  [
    "1-2-1 along a wall",
    `square 4x5 mines=4
.....
.....
12121
00000`,
  ],
  [
    "Two cells, one mine: a guess",
    `square 4x4 mines=3
.100
.310
FF10
2210`,
  ],
  [
    "An impossible position",
    `square 9x9 mines=10
...201.10
...311110
....31000
.1...1000
..3221000
..1000000
..1000000
..1000000
..1000000`,
  ],
  [
    "Only the total decides",
    `square 4x5 mines=6
.4.4.
FFFFF
23332
00000`,
  ],
  [
    "Hexagons",
    `hex 8x8 mines=10
........
........
111.....
1112....
1.2.....
01112...
000012..
00001...`,
  ],
];

const MOST = 64 * 1024; // characters of a text, as the server reads them
const PAUSE = 250; // ms without a key before a text being written is read
const NOTATIONS = [
  ["short", "Short", "position.txt"],
  ["board", ".board", "position.board"],
  ["mine", ".mine", "position.mine"],
  ["emoji", "Emoji", "position.txt"],
  ["link", "Link", "position.txt"],
];
const COPY = "M9 9h10v11H9ZM5 15V4h10";
const SAVE = "M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14";
const OPEN = "M3.5 18.5v-13h6l2 2.5h9v10.5Z";

export class PositionExchange {
  /**
   * `read(ask, push)` takes in a position that `ask(signal)` fetches, as one that Back comes back from
   * or not; it resolves to null, or to why it was refused. `say(text)` is one line for people,
   * `warn(text)` one that is seen wherever they are; `look()` brings the position into sight.
   */
  constructor({ read, say, warn, look }) {
    this.warn = warn;
    this.look = look;
    this.read = read;
    this.say = say;
    this.to = "short";
    this.short = "";
    this.written = "";
    this._build();
  }

  _build() {
    this.text = h("textarea", {
      class: "position-text",
      rows: 8,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      wrap: "off",
      "aria-label": "The position as text",
      "aria-describedby": "position-problem",
      oninput: () => this._onType(),
      onblur: () => this._rewrite(),
    });
    this.problem = h("p", { class: "problem exchange-problem", id: "position-problem", role: "status" });
    this.file = h("input", {
      type: "file",
      hidden: true,
      "aria-label": "A file with a position",
      accept: ".txt,.board,.mine,text/plain",
      onchange: () => {
        const [file] = this.file.files;
        if (file) this.open(file);
        this.file.value = "";
      },
    });
    const button = (path, label, act) =>
      h("button", { type: "button", class: "button", onclick: act }, sign(path), label);
    this.root = h(
      "section",
      { class: "card exchange", "aria-label": "Text" },
      h("div", { class: "card-head" }, h("h2", {}, "Text")),
      h(
        "fieldset",
        { class: "segments" },
        h("legend", { class: "unseen" }, "Notation"),
        ...NOTATIONS.map(([key, name]) =>
          h(
            "label",
            {},
            h("input", { type: "radio", name: "notation", value: key, checked: key === "short", onchange: () => this._choose(key) }),
            name,
          ),
        ),
      ),
      this.text,
      this.problem,
      h(
        "div",
        { class: "actions" },
        button(COPY, "Copy", () => this._copy()),
        button(SAVE, "Save", () => this._save()),
        button(OPEN, "Open…", () => this.file.click()),
        this.file,
      ),
      h("p", { class: "hint" }, "Write or paste here, or drop a file anywhere: short text, .board, .mine."),
    );
    this.choice = new BoardChoice();
    this.refused = h("p", { class: "problem", role: "alert", hidden: true });
    this.example = h(
      "select",
      { "aria-label": "Example" },
      h("option", { value: "" }, "Choose…"),
      ...EXAMPLES.map(([name], index) => h("option", { value: index }, name)),
    );
    this.example.addEventListener("change", async () => {
      if (this.example.value === "") return;
      const [, text] = EXAMPLES[Number(this.example.value)];
      this.example.value = "";
      await this.paste(text);
      this.look();
    });
    this.fresh = h(
      "form",
      { class: "card new-position", "aria-label": "Another position" },
      h("h2", {}, "Another position"),
      this.choice.root,
      this.refused,
      h("button", { type: "submit", class: "button wide" }, "Empty board"),
      h("label", { class: "field-row" }, "Example", this.example),
    );
    this.fresh.addEventListener("submit", async (event) => {
      event.preventDefault();
      const board = this.choice.value;
      this._refuse(await this.read((signal) => api.emptyPosition(board, signal), true));
    });
  }

  /** The position has changed: write its text, unless somebody is writing there. */
  show(short) {
    this.short = short;
    if (document.activeElement === this.text) return;
    this._rewrite();
  }

  /** Read a file that was dropped or chosen. */
  async open(file) {
    if (file.size > MOST) {
      this.warn(`${file.name} has ${Math.ceil(file.size / 1024)} kB; at most 64 kB are read.`);
      return;
    }
    await this.paste(await file.text());
  }

  /** Read a text that was pasted or dropped. */
  async paste(text) {
    const refused = await this._take(text, true);
    this.warn(refused);
    if (!refused) this._complain(null);
  }

  /** Take in a text; why it was refused, or null. */
  async _take(text, push = false) {
    if (text.length > MOST) return `The text has ${text.length} characters; at most ${MOST} are read.`;
    return this.read((signal) => api.position(text, signal), push);
  }

  /** What is wrong with the form for another board, beside it. */
  _refuse(text) {
    this.refused.textContent = text ?? "";
    this.refused.hidden = !text;
    if (text) this.refused.scrollIntoView({ block: "nearest" });
  }

  _onType() {
    clearTimeout(this._timer);
    const text = this.text.value;
    this._timer = setTimeout(async () => {
      if (text.trim() && text !== this.written) this._complain(await this._take(text));
    }, PAUSE);
  }

  async _rewrite() {
    if (this.problem.textContent && this.text.value.trim() && this._asked === this.short) return;
    this._asked = this.short;
    const text = await this._text();
    if (text === null || document.activeElement === this.text) return;
    this.written = this.text.value = text;
  }

  /** The position in the chosen notation; null if that notation cannot express it. */
  async _text() {
    if (this.to === "short") {
      this._complain(null);
      return this.short;
    }
    const { short, to } = this;
    try {
      const { text } = await api.positionExport(short, to);
      if (short !== this.short || to !== this.to) return null;
      this._complain(null);
      return text;
    } catch (error) {
      if (short === this.short && to === this.to) {
        this.written = this.text.value = "";
        this._complain(inWords(error.message));
      }
      return null;
    }
  }

  _choose(key) {
    this.to = key;
    this._asked = null;
    this._rewrite();
  }

  async _copy() {
    const text = await this._text();
    if (text === null) return;
    try {
      await navigator.clipboard.writeText(text);
      this.say("The text is copied.");
    } catch {
      this.text.focus();
      this.text.select();
      this.say("The text is selected: copy it with Ctrl and C.");
    }
  }

  async _save() {
    const text = await this._text();
    if (text === null) return;
    const [, , name] = NOTATIONS.find(([key]) => key === this.to);
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    h("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
    this.say(`Saved as ${name}.`);
  }

  _complain(text) {
    this.problem.textContent = text ?? "";
    this.text.setAttribute("aria-invalid", Boolean(text));
    if (text) this.problem.scrollIntoView({ block: "nearest" });
  }
}
