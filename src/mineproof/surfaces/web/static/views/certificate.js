// The certificate of a finished game that needed no guess, saved as a file.

import * as api from "../api.js";
import { h } from "../dom.js";

const KEPT_FOR = 1000; // ms: by then the browser has taken it

/** Save it, and say so: `tell(text, {tone})`. */
export async function saveCertificate(game, { board, seed }, tell) {
  try {
    const { text } = await api.certificate(game);
    const name = `mineproof-${board.replace(/\W+/g, "-")}-${seed}.certificate.json`;
    const href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
    h("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), KEPT_FOR);
    tell(`${name} is saved: mineproof check-certificate checks it.`);
  } catch (error) {
    tell(error.message, { tone: "bad" });
  }
}
