// What the site adds to the coach's page: how far the engine is, and the service worker, which keeps
// everything for the next visit and for a browser that is offline.

import { engine } from "./engine.js";
import { load } from "./small.js";

function bar() {
  const done = document.createElement("span");
  const box = document.createElement("div");
  box.className = "engine-progress";
  box.setAttribute("role", "progressbar");
  box.setAttribute("aria-label", "Loading the engine");
  box.setAttribute("aria-valuemin", "0");
  box.setAttribute("aria-valuemax", "100");
  const words = document.createElement("span");
  words.className = "engine-words";
  box.append(done, words);
  document.body.append(box);
  engine.watch(() => {
    const percent = Math.floor(100 * engine.progress);
    box.setAttribute("aria-valuenow", percent);
    done.style.width = `${percent}%`;
    words.textContent = engine.started ? "" : `Loading the coach: ${percent} %. You can play meanwhile; proofs and reviews come with it.`;
    document.documentElement.dataset.engine = engine.loaded ? "loaded" : engine.started ? "ready" : "loading";
    if (engine.loaded) box.remove();
  });
}

bar();
// The small core comes first: the network is not shared with Python until the board can be played.
load().then(() => engine.ready()).catch(() => {});

if ("serviceWorker" in navigator) {
  const keep = () => navigator.serviceWorker.register("service-worker.js", { updateViaCache: "none" }).catch((error) => console.error(error));
  // The first visit's downloads come first; a later one is served by it already.
  if (navigator.serviceWorker.controller) keep();
  else engine.watch(() => engine.loaded && keep());
}
