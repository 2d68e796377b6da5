// What moves on a board, for less than a second: cells that open, a flag, a win, a loss. Nothing moves
// for those who asked their system, or the settings, for less motion.

import { stylesheet, svg } from "../dom.js";
import { calm, settings } from "../settings.js";

await stylesheet("motion.css");

const EASE = "cubic-bezier(.2, .7, .3, 1)";
const MANY = 1500; // cells: more are not animated

const still = (board) => calm() || !settings.get("motion") || document.hidden || !board.root.animate;

/**
 * A part that moves and is then gone. It is drawn above the board, apart from it: while it moves, the
 * board itself is not painted again, and where the drawing fades as a `whole` nothing is.
 */
function passing(board, part, frames, duration, whole = false) {
  const { root } = board;
  const sheet = svg("svg", { class: "effect", "aria-hidden": "true", viewBox: root.getAttribute("viewBox") }, part);
  for (const side of ["width", "height"]) sheet.setAttribute(side, root.getAttribute(side));
  root.after(sheet);
  const moving = (whole ? sheet : part).animate(frames, { duration, easing: EASE, fill: "forwards" });
  moving.onfinish = moving.oncancel = () => sheet.remove();
}

/** An area that was covered a moment ago: its cover fades. A single number is there at once. */
export function opened(board, cells) {
  if (still(board) || cells.length < 2 || cells.length > MANY) return;
  const cover = svg("path", { class: "cover", d: cells.map((cell) => board.outline(cell)).join("") });
  passing(board, cover, [{ opacity: 0.85 }, { opacity: 0 }], 240, true);
}

/** A flag that was set: it drops onto its cell. */
export function flagged(board, cell) {
  if (still(board)) return;
  const flag = board.group(cell).querySelector(".sign-flag");
  const fall = 0.5 * board.geometry.radius;
  flag?.animate([{ translate: `0 ${-fall}px`, opacity: 0 }, { translate: "0 0", opacity: 1 }], {
    duration: 140,
    easing: EASE,
  });
}

/** The mine that was hit: a wave goes out from it, and the board shakes. */
export function lost(board, cell) {
  if (still(board)) return;
  if (cell !== undefined) {
    const [cx, cy] = board.geometry.centres[cell];
    const { radius } = board.geometry;
    const wave = svg("circle", { class: "wave", cx, cy, r: radius, "stroke-width": radius * 0.5 });
    passing(board, wave, [{ r: `${radius}px`, opacity: 0.9 }, { r: `${7 * radius}px`, opacity: 0 }], 520);
  }
  const way = [0, -5, 4, -3, 2, 0].map((x) => ({ translate: `${x}px 0` }));
  board.root.animate(way, { duration: 300 });
}

/** A board that is cleared: light passes over it. */
export function won(board) {
  if (still(board)) return;
  const [x, y, width, height] = board.geometry.box;
  const beam = svg("rect", { class: "beam", x: x - 0.4 * width, y, width: 0.4 * width, height });
  const far = 1.4 * width;
  passing(board, beam, [{ translate: "0 0" }, { translate: `${far}px 0` }], 900);
}
