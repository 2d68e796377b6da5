// What a move looks and sounds like in Play, and the figures below the board: none of it is waited for.

import { settings } from "../settings.js";

const FIGURES = () => import("./play-figures.js");
const LIVELY = () => Promise.all([import("../board/motion.js"), import("../sound.js")]);

export class Effects {
  constructor(board, match) {
    this.board = board;
    this.match = match;
    this.figures = null;
  }

  /** Load what comes with moves. */
  load() {
    return LIVELY();
  }

  /** Clicks, 3BV and efficiency, if they are wanted. */
  async count() {
    if (!this.figures && !settings.get("figures")) return;
    const { Figures } = await FIGURES();
    if (!this.figures) this.board.stage.after((this.figures = new Figures(this.match)).root);
    this.figures.show(this.board);
  }

  /** A move, once it is drawn. */
  async moved(reply, action, cell) {
    if (action === "undo") return;
    const { board } = this;
    const { state } = this.match;
    const [motion, sound] = await LIVELY().catch(() => []); // the server is away
    if (!motion) return;
    if (action === "flag") {
      if (board.shown[cell] === "F") motion.flagged(board, cell);
      sound.play(board.shown[cell] === "F" ? "flag" : "unflag");
      return;
    }
    const opened = reply.changed.filter(([, shown]) => typeof shown === "number" || shown === "?");
    motion.opened(board, opened.map(([changed]) => changed));
    if (state === "won") motion.won(board);
    if (state === "lost") motion.lost(board, board.shown.indexOf("*"));
    sound.play(state === "won" || state === "lost" ? state : opened.length > 1 ? "area" : "open");
  }
}
