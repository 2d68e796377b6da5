// A text saved as a file.

import { h } from "./dom.js";

const KEPT_FOR = 1000; // ms: by then the browser has taken it

export function saveText(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_FOR);
}
