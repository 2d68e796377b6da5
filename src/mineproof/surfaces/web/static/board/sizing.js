// The size of a board in its stage: fitted, zoomed about a point, scrolled until a cell is seen.

const RIM = 0.24; // around the board, in radii of a cell
const LARGEST = 80; // px, the widest cell that fitting makes
const SMALLEST = { fine: 22, coarse: 32 };
const ZOOMED = { least: 12, most: 96 }; // px, the cells that zooming makes
const ENOUGH = 0.85; // of the smallest cells, if all of the board is then seen
const SMALL = 26; // px: narrower cells are drawn plainer

/** The rim of a board, and the box of its drawing with it: {rim, x, y, width, height}. */
export function frameOf({ radius, box: [x, y, width, height] }) {
  const rim = radius * RIM;
  return { rim, x: x - rim, y: y - rim, width: width + 2 * rim, height: height + 2 * rim };
}

export class Sizing {
  /**
   * `root` is the drawing within `stage`, `rulers` stand beside it; `smallest` is the least size of a
   * cell that is fitted unasked, if any.
   */
  constructor(root, stage, rulers, smallest) {
    this.root = root;
    this.stage = stage;
    this.rulers = rulers;
    this.smallest = smallest;
    this.geometry = null;
    this.scrolls = false; // whether some of the board is out of sight
    this._size = null; // px a cell; "whole" for all of the board; null for cells that can be played
  }

  /** Fit a board; without one, the board that is there into the stage as it is now. */
  fit(geometry = this.geometry) {
    this.geometry = geometry;
    if (!geometry) return;
    const { radius } = geometry;
    const frame = frameOf(geometry);
    const room = this._room();
    this._whole = Math.min(room[0] / frame.width, room[1] / frame.height) * 2 * radius;
    const wanted = typeof this._size === "number" ? this._size : this._fitted();
    // Whole pixels keep the lines of a square board crisp.
    this._pixels = wanted > 16 ? Math.floor(wanted) : wanted;
    this._scale = this._pixels / (2 * radius);
    const size = [frame.width * this._scale, frame.height * this._scale];
    this.scrolls = size[0] > room[0] + 1 || size[1] > room[1] + 1;
    this._need(room[0], frame, radius);
    this.root.setAttribute("width", +size[0].toFixed(2));
    this.root.setAttribute("height", +size[1].toFixed(2));
    this.rulers.fit(this._scale, frame);
    this.stage.classList.toggle("small-cells", this._pixels < SMALL);
  }

  /** Larger or smaller by a factor about a point of the stage, or all of the board ("fit"). */
  zoom(by, about = null) {
    const before = this._scale;
    this._size = this._zoomed(by);
    this.fit();
    const { stage } = this;
    const [x, y] = about ?? [stage.clientWidth / 2, stage.clientHeight / 2];
    const ratio = this._scale / before;
    stage.scrollLeft = (stage.scrollLeft + x) * ratio - x;
    stage.scrollTop = (stage.scrollTop + y) * ratio - y;
  }

  /** Scroll the stage, and it alone, until a tile is seen. */
  seek(tile) {
    if (!this.scrolls) return;
    const { stage } = this;
    const [left, top] = this.rulers.breadth;
    const room = stage.getBoundingClientRect();
    const place = tile.getBoundingClientRect();
    stage.scrollLeft += beyond(place.left, place.right, room.left + left, room.right);
    stage.scrollTop += beyond(place.top, place.bottom, room.top + top, room.bottom);
  }

  /** The room of a board in its stage, in px. */
  _room() {
    const style = getComputedStyle(this.stage);
    const [left, top] = this.rulers.breadth;
    return [
      this.stage.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - left,
      this.stage.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom) - top,
    ];
  }

  /** The height that the board would fill at this width: a stage may take no more (upright.css). */
  _need(width, frame, radius) {
    const [wide, usual] = [(width / frame.width) * 2 * radius, this._usual()];
    const pixels = wide > ENOUGH * usual ? Math.floor(Math.min(wide, LARGEST)) : usual;
    const beside = this.rulers.breadth[1] + 2 * parseFloat(getComputedStyle(this.stage).paddingTop);
    const need = Math.ceil((frame.height * pixels) / (2 * radius) + beside);
    // The layers of a cube stand as the stage is: it must not follow them.
    this.stage.style.setProperty("--need", this.geometry.across ? "100dvh" : `${need}px`);
  }

  _fitted() {
    const usual = this._usual();
    // Somewhat smaller cells are better than a board that scrolls by one.
    const least = this._size === "whole" ? 1 : this._whole > ENOUGH * usual ? ENOUGH * usual : usual;
    return Math.min(Math.max(this._whole, least), LARGEST);
  }

  _zoomed(by) {
    if (by === "fit") return "whole";
    // From the whole of a large board the next larger cells are those that can be played.
    if (by > 1 && this._size === "whole" && this._pixels * by < this._usual()) return null;
    return Math.min(Math.max(this._pixels * by, Math.min(ZOOMED.least, this._whole)), ZOOMED.most);
  }

  _usual() {
    const coarse = matchMedia("(pointer: coarse)").matches;
    return this.smallest ?? (coarse ? SMALLEST.coarse : SMALLEST.fine);
  }
}

/** How far from..to lies outside low..high, with a margin of one cell. */
function beyond(from, to, low, high) {
  const spare = to - from;
  if (from - spare < low) return from - spare - low;
  return to + spare > high ? to + spare - high : 0;
}
