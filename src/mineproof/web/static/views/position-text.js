// A position as the short text: its header taken apart, and its rows, so that the page can write
// the text of any position on the same board without asking the server.

const WORDS = { hidden: ".", none: "#" };

/** The header and the rows of a short text, as the server writes it. */
export class PositionText {
  constructor(short) {
    const [header, ...lines] = short.replace(/\n+$/, "").split("\n");
    const [topology, shape, ...words] = header.split(" ");
    this.topology = topology;
    this.shape = shape;
    this.mines = null; // a number; null where the total is unknown
    this.density = null; // a text such as 0.2, where it is
    this.words = []; // rules besides
    for (const word of words) {
      const [key, value] = word.split("=", 2);
      if (key === "mines") this.mines = value === "unknown" ? null : Number(value);
      else if (key === "density") this.density = value;
      else this.words.push(word);
    }
    let cell = 0;
    // Cells are numbered along the rows; a place without one has no number.
    this.rows = lines.map((line) =>
      (line.includes(" ") ? line.split(" ") : [...line]).map((mark) => (mark === WORDS.none ? null : cell++)),
    );
  }

  get header() {
    const total = this.mines === null ? `mines=unknown density=${this.density ?? "0.5"}` : `mines=${this.mines}`;
    return [this.topology, this.shape, total, ...this.words].join(" ");
  }

  /** The text of what is shown, given as one entry per cell. */
  write(shown) {
    const joint = shown.some((one) => typeof one === "number" && one > 9) ? " " : "";
    const rows = this.rows.map((row) =>
      row.map((cell) => (cell === null ? WORDS.none : String(shown[cell] ?? WORDS.hidden))).join(joint),
    );
    return `${[this.header, ...rows].join("\n")}\n`;
  }

  copy() {
    const other = Object.create(PositionText.prototype);
    return Object.assign(other, this);
  }
}
