// What a move looks and sounds like in Play, and the figures below the board, if they are wanted: none of
// it is waited for. What moves does so for less than a second, and not at all for those who asked their
// system, or the settings, for less motion.

import { h, svg } from "../dom.js";
import { calm, settings } from "../settings.js";
import * as sound from "../sound.js";

const EASE = "cubic-bezier(.2, .7, .3, 1)";
const MANY = 1500; // cells: more are not animated

export class MoveEffects {
  constructor(board, match) {
    this.board = board;
    this.match = match;
    this.figures = null;
  }

  /** Clicks, 3BV and efficiency, if they are wanted. */
  count() {
    if (!this.figures && !settings.get("figures")) return;
    if (!this.figures) this.board.stage.after((this.figures = new LiveFigures(this.match)).root);
    this.figures.show(this.board);
  }

  /** A move, once it is drawn. */
  follow(reply, action, cell) {
    if (action === "undo") return;
    const { board } = this;
    const { state } = this.match;
    if (action === "flag") {
      if (board.shown[cell] === "F") dropFlag(board, cell);
      sound.play(board.shown[cell] === "F" ? "flag" : "unflag");
      return;
    }
    const opened = reply.changed.filter(([, shown]) => typeof shown === "number" || shown === "?");
    uncover(board, opened.map(([changed]) => changed));
    if (state === "won") beam(board);
    if (state === "lost") shake(board, board.shown.indexOf("*"));
    sound.play(state === "won" || state === "lost" ? state : opened.length > 1 ? "area" : "open");
  }
}

// -- motion --

const isStill = (board) => calm() || !settings.get("motion") || document.hidden || !board.root.animate;

/**
 * Animate a part once, then remove it. It is drawn in an SVG of its own above the board, so that the board
 * is not painted again while it moves; fading the SVG as a `whole` paints nothing again.
 */
function animateOnce(board, part, frames, duration, whole = false) {
  const { root } = board;
  const sheet = svg("svg", { class: "effect", "aria-hidden": "true", viewBox: root.getAttribute("viewBox") }, part);
  for (const side of ["width", "height"]) sheet.setAttribute(side, root.getAttribute(side));
  root.after(sheet);
  const moving = (whole ? sheet : part).animate(frames, { duration, easing: EASE, fill: "forwards" });
  moving.onfinish = moving.oncancel = () => sheet.remove();
}

/** An area that was covered a moment ago: its cover fades. A single number is there at once. */
function uncover(board, cells) {
  if (isStill(board) || cells.length < 2 || cells.length > MANY) return;
  const cover = svg("path", { class: "cover", d: cells.map((cell) => board.outline(cell)).join("") });
  animateOnce(board, cover, [{ opacity: 0.85 }, { opacity: 0 }], 240, true);
}

/** A flag that was set: it drops onto its cell. */
function dropFlag(board, cell) {
  if (isStill(board)) return;
  const flag = board.group(cell).querySelector(".sign-flag");
  const fall = 0.5 * board.geometry.radius;
  flag?.animate([{ translate: `0 ${-fall}px`, opacity: 0 }, { translate: "0 0", opacity: 1 }], {
    duration: 140,
    easing: EASE,
  });
}

/** The mine that was hit: a wave goes out from it, and the board shakes. */
function shake(board, cell) {
  if (isStill(board)) return;
  if (cell !== undefined) {
    const [cx, cy] = board.geometry.centres[cell];
    const { radius } = board.geometry;
    const wave = svg("circle", { class: "wave", cx, cy, r: radius, "stroke-width": radius * 0.5 });
    animateOnce(board, wave, [{ r: `${radius}px`, opacity: 0.9 }, { r: `${7 * radius}px`, opacity: 0 }], 520);
  }
  const way = [0, -5, 4, -3, 2, 0].map((x) => ({ translate: `${x}px 0` }));
  board.root.animate(way, { duration: 300 });
}

/** A board that is cleared: light passes over it. */
function beam(board) {
  if (isStill(board)) return;
  const [x, y, width, height] = board.geometry.box;
  const light = svg("rect", { class: "beam", x: x - 0.4 * width, y, width: 0.4 * width, height });
  const far = 1.4 * width;
  animateOnce(board, light, [{ translate: "0 0" }, { translate: `${far}px 0` }], 900);
}

// -- figures of a running game: clicks, the 3BV that is done, efficiency --

/**
 * The 3BV of what is open: areas, and numbers beside none. A number beside an area that is still
 * hidden counts until the area is opened: nobody can know before.
 */
function threeBv(shown, neighbours) {
  const area = new Set();
  let count = 0;
  shown.forEach((mark, cell) => {
    if (mark !== 0 || area.has(cell)) return;
    count += 1;
    const rest = [cell];
    area.add(cell);
    while (rest.length) {
      for (const near of neighbours[rest.pop()]) {
        if (area.has(near)) continue;
        area.add(near);
        if (shown[near] === 0) rest.push(near);
      }
    }
  });
  return count + shown.filter((mark, cell) => typeof mark === "number" && mark > 0 && !area.has(cell)).length;
}

class LiveFigures {
  constructor(match) {
    this.match = match;
    this.root = h("p", { class: "live-figures", hidden: true });
  }

  show(board) {
    const wanted = settings.get("figures");
    this.root.hidden = !wanted;
    if (!wanted || !this.match.kept || !board.description) return;
    const { clicks, clues, three_bv } = this.match.kept;
    const parts = [`Clicks ${clicks}`];
    if (clues === "exact") {
      const done = threeBv(board.shown, board.description.neighbours);
      parts.push(`3BV ${done}${three_bv === null ? "" : ` of ${three_bv}`}`);
      if (clicks) parts.push(`efficiency ${((100 * done) / clicks).toFixed(0)} %`);
      if (this.match.seconds > 1) parts.push(`${(done / this.match.seconds).toFixed(2)} 3BV/s`);
    }
    this.root.textContent = parts.join(" · ");
  }
}
