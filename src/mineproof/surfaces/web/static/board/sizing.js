// The size of a board in its stage: fitted, zoomed about a point, scrolled until a cell is seen.

const RIM = 0.24; // around the board, in radii of a cell
const LARGEST = 52; // px, the widest cell that fitting makes
const SMALLEST = { fine: 22, coarse: 32 };
const ZOOMED = { least: 12, most: 96 }; // px, the cells that zooming makes
const SMALL = 26; // px: narrower cells are drawn plainer

/** The rim of a board, and the box of its drawing with it: {rim, x, y, width, height}. */
export function frameOf({ radius, box: [x, y, width, height] }) {
  const rim = radius * RIM;
  return { rim, x: x - rim, y: y - rim, width: width + 2 * rim, height: height + 2 * rim };
}

export class Sizing {
  /** `root` is the drawing within `stage`; `smallest` is the least size of a fitted cell, if any. */
  constructor(root, stage, smallest) {
    this.root = root;
    this.stage = stage;
    this.smallest = smallest;
    this.geometry = null;
    this._size = null; // px a cell; null is fitted
  }

  /** Fit a board; without one, the board that is there into the stage as it is now. */
  fit(geometry = this.geometry) {
    this.geometry = geometry;
    if (!geometry) return;
    const { radius } = geometry;
    const { width, height } = frameOf(geometry);
    const style = getComputedStyle(this.stage);
    const room = [
      this.stage.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
      this.stage.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    ];
    const whole = Math.min(room[0] / width, room[1] / height) * 2 * radius;
    const fitted = Math.min(Math.max(whole, this._usual()), LARGEST);
    // Whole pixels keep the lines of a square board crisp.
    this._pixels = this._size ?? (fitted > 16 ? Math.floor(fitted) : fitted);
    this._scale = this._pixels / (2 * radius);
    this.root.setAttribute("width", +(width * this._scale).toFixed(2));
    this.root.setAttribute("height", +(height * this._scale).toFixed(2));
    this.stage.classList.toggle("small-cells", this._pixels < SMALL);
  }

  /** Larger or smaller by a factor about a point of the stage, or fitted to it. */
  zoom(by, about = null) {
    const before = this._scale;
    const { least, most } = ZOOMED;
    this._size = by === "fit" ? null : Math.min(Math.max(this._pixels * by, least), most);
    this.fit();
    const { stage } = this;
    const [x, y] = about ?? [stage.clientWidth / 2, stage.clientHeight / 2];
    const ratio = this._scale / before;
    stage.scrollLeft = (stage.scrollLeft + x) * ratio - x;
    stage.scrollTop = (stage.scrollTop + y) * ratio - y;
  }

  /** Scroll the stage, and it alone, until a tile is seen. */
  seek(tile) {
    const { stage } = this;
    const room = stage.getBoundingClientRect();
    const place = tile.getBoundingClientRect();
    stage.scrollLeft += beyond(place.left, place.right, room.left, room.right);
    stage.scrollTop += beyond(place.top, place.bottom, room.top, room.bottom);
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
