// The coach's card of a view that shows proofs, and the proofs that it walks through.

import { Voice } from "./voice.js";
import { Why } from "./why.js";

/** `onBegin()` and `onEnd(cell)` are those of Why. Returns {voice, why}. */
export function proofCard(board, { onBegin = () => {}, onEnd }) {
  const voice = new Voice({
    onStep: (by) => why.step(by),
    onClose: () => why.close(),
    onGo: (at) => why.go(at),
    point: (cells) => board.light("point", cells),
  });
  const why = new Why(board, voice, { onBegin, onEnd });
  return { voice, why };
}
