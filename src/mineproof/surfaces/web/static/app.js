// The shell: which view is shown (from the address), the theme, the settings, and what all views
// share.
//
// A view is a module `views/NAME.js` with `mount(root, context)`, called once with its <section>;
// it returns {enter(params), leave()}: `params` is a URLSearchParams of what follows the view's
// name in the address (`#/watch?board=expert`). Views other than Play are loaded when first asked
// for. `context`:
//   navigate(view, params)   go to a view, with an object of parameters
//   address(view, params)    write the address without entering the view anew
//   announce(text)           say it to a screen reader, politely
//   game                     the number of the game last played, for Review (null before)

import { h, sign } from "./dom.js";
import { applyLook, settings } from "./settings.js";
import * as play from "./views/play.js";

const VIEWS = ["play", "analyse", "review", "watch"];
const TITLES = { play: "Play", analyse: "Analyse", review: "Review", watch: "Watch" };
const SUN = "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM12 2v2.4M12 19.6V22M2 12h2.4M19.6 12H22M4.9 4.9l1.7 1.7M17.4 17.4l1.7 1.7M19.1 4.9l-1.7 1.7M6.6 17.4l-1.7 1.7";
const MOON = "M20 14.2A8.2 8.2 0 1 1 9.8 4a6.6 6.6 0 0 0 10.2 10.2Z";
const HALF = "M12 3.2a8.8 8.8 0 1 0 0 17.6 8.8 8.8 0 0 0 0-17.6ZM12 3.2v17.6M12 7l5.5-1M12 11h8.6M12 15h8.2M12 19h5";
const GEAR = "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8ZM9 14.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8Z";

applyLook();

const main = document.getElementById("views");
const announcer = document.getElementById("announcer");
const loaded = new Map(); // name -> {section, view}
let current = null;

const hash = (view, params = {}) => {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
};

const context = {
  game: null,
  navigate(view, params) {
    const wanted = hash(view, params);
    if (location.hash === wanted) route();
    else location.hash = wanted;
  },
  address(view, params) {
    if (current === view) history.replaceState(null, "", hash(view, params));
  },
  announce(text) {
    // The same words again are news only if the text differs.
    announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
  },
};

async function load(name) {
  if (loaded.has(name)) return loaded.get(name);
  const section = h("section", { class: `view view-${name}`, "aria-label": TITLES[name], hidden: true });
  const entry = { section, view: { enter() {}, leave() {} } };
  loaded.set(name, entry);
  main.append(section);
  try {
    const module = name === "play" ? play : await import(`./views/${name}.js`);
    entry.view = module.mount(section, context);
  } catch (error) {
    console.error(error);
    section.append(h("p", { class: "notice" }, `${TITLES[name]} could not be loaded.`));
  }
  return entry;
}

async function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const name = VIEWS.includes(path) ? path : "play";
  const entry = await load(name);
  if (current && current !== name) {
    const before = loaded.get(current);
    before.section.hidden = true;
    before.view.leave();
  }
  current = name;
  entry.section.hidden = false;
  document.title = `${TITLES[name]} · mineproof coach`;
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  entry.view.enter(new URLSearchParams(query));
}

function themeButton() {
  const button = document.getElementById("theme");
  const order = ["auto", "light", "dark"];
  const draw = () => {
    const theme = settings.get("theme");
    button.replaceChildren(sign({ auto: HALF, light: SUN, dark: MOON }[theme]));
    const name = theme === "auto" ? "as the system" : theme;
    button.setAttribute("aria-label", `Theme: ${name}`);
    button.title = `Theme: ${name}`;
  };
  button.addEventListener("click", () => {
    settings.set("theme", order[(order.indexOf(settings.get("theme")) + 1) % order.length]);
  });
  settings.watch((key) => {
    if (key === "theme") draw();
  });
  draw();
}

themeButton();
const settingsButton = document.getElementById("settings");
settingsButton.append(sign(GEAR));
settingsButton.title = "Keys and settings";
settingsButton.addEventListener("click", async () => (await import("./settings-dialog.js")).openSettings());
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (main.querySelector(".view:not([hidden]) [role=gridcell][tabindex='0']") ?? main).focus();
});
addEventListener("hashchange", route);
route();
