// The shell: which view is shown (from the address), the theme, the settings, and what all views
// share.
//
// A view is a module `views/NAME.js` with `mount(root, context)`, called once with its <section>; it
// returns {enter(params, state), leave()}. It exports PARAMS, the names in its address; `params` is a
// URLSearchParams of what follows its name there (`#/watch?board=expert`). Views other than Play are
// loaded when first asked for. `context`:
//   navigate(view, params, state)    go to a view; `enter` gets the state
//   address(view, params, {push, ...state})  write the address; with `push` the browser's Back
//                            comes back to what was before, and `enter` gets its state again
//   announce(text)           say it to a screen reader, politely
//   tell(text, {tone, act, forMs})  one line over the page, or none (null): see toast.js
//   game                     the number of the game last played, for Review (null before)

import { connection } from "./api.js";
import { atFirstTouch, h, sign } from "./dom.js";
import { applyLook, settings } from "./settings.js";
import { WORDS, answers } from "./transport.js";
import * as play from "./views/play.js";

const TITLES = { play: "Play", learn: "Learn", analyse: "Analyse", review: "Review", watch: "Watch", history: "History" };
const SUN = "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM12 2v2.4M12 19.6V22M2 12h2.4M19.6 12H22M4.9 4.9l1.7 1.7M17.4 17.4l1.7 1.7M19.1 4.9l-1.7 1.7M6.6 17.4l-1.7 1.7";
const MOON = "M20 14.2A8.2 8.2 0 1 1 9.8 4a6.6 6.6 0 0 0 10.2 10.2Z";
const HALF = "M12 3.2a8.8 8.8 0 1 0 0 17.6 8.8 8.8 0 0 0 0-17.6ZM12 3.2v17.6M12 7l5.5-1M12 11h8.6M12 15h8.2M12 19h5";
const GEAR = "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8ZM9 14.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8Z";

applyLook();

const main = document.getElementById("views");
const announcer = document.getElementById("announcer");
let toast = null; // a promise of the Toast
const loaded = new Map(); // name -> {section, view}
let current = null;
let routing = null;

const hash = (view, params = {}) => {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
};

/** The address taken apart: the path as written, the view it leads to, and the query. */
function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { path, name: Object.hasOwn(TITLES, path) ? path : "play", query };
}

const context = {
  game: null,
  navigate(view, params, state = null) {
    const to = hash(view, params);
    if (location.hash !== to) history.pushState(state, "", to);
    else history.replaceState(state, "", to);
    route();
  },
  address(view, params, { push = false, ...state } = {}) {
    if (current !== view || readAddress().name !== view) return; // it was left, or is about to be
    const to = hash(view, params);
    if (push && location.hash !== to) history.pushState(state, "", to);
    else history.replaceState(state, "", to);
  },
  tell(text, options) {
    plainLine.remove();
    if (toast || text !== null) loadToast().then((made) => made.say(text, options), () => sayPlainly(text));
  },
  announce(text) {
    // The same words again are news only if the text differs.
    announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
  },
};

/** Shown when even the toast cannot be loaded, because the server is away. */
const plainLine = h("p", { class: "notice", role: "alert" });

function sayPlainly(text) {
  plainLine.textContent = text;
  if (text) main.before(plainLine);
}

let toasts = 0; // attempts to load it

function loadToast() {
  toast ??= import(`./toast.js?${(toasts += 1)}`).then(({ Toast }) => new Toast());
  toast.catch(() => (toast = null)); // it is tried again with the next word
  return toast;
}

/** The view of a name. If its files fail to load, it is tried again once the server answers. */
function load(name) {
  if (loaded.has(name)) return loaded.get(name);
  const section = h("section", { class: `view view-${name}`, "aria-label": TITLES[name], hidden: true });
  const entry = { section, view: null };
  loaded.set(name, entry);
  main.append(section);
  entry.mounted = mount(name, entry);
  return entry;
}

let attempts = 0; // to load a view again

async function mount(name, entry) {
  for (let first = true, again = ""; !entry.view; first = false, again = `?again=${(attempts += 1)}`) {
    try {
      // Browsers remember by its address that a module failed: another query is another attempt.
      const module = name === "play" ? play : await import(`./views/${name}.js${again}`);
      entry.section.replaceChildren();
      entry.view = module.mount(entry.section, context);
      entry.params = module.PARAMS;
    } catch (error) {
      if (await answers()) {
        if (first) continue;
        console.error(error);
        giveUp(name, entry);
        return;
      }
      entry.section.replaceChildren(h("p", { class: "notice" }, WORDS.later(TITLES[name])));
      if (readAddress().name === name) present(name, entry);
      await connection.back();
    }
  }
}

/** The files of a view fail though the server answers: say so. The next visit tries again. */
function giveUp(name, entry) {
  const again = h("button", { type: "button", class: "button", onclick: () => location.reload() }, "Load the page again");
  entry.section.replaceChildren(h("p", { class: "notice" }, `${TITLES[name]} could not be loaded. `, again));
  entry.view = {
    enter() {},
    leave() {
      loaded.delete(name);
      entry.section.remove();
    },
  };
}

async function route() {
  const { path, name, query } = readAddress();
  const here = (routing = Symbol("route"));
  const { state } = history;
  if (current) context.tell(null);
  const entry = load(name);
  await entry.mounted;
  if (routing !== here) return; // another was asked for meanwhile
  present(name, entry);
  const params = new URLSearchParams(query);
  const unknown = [...new Set(params.keys())].filter((key) => entry.params && !entry.params.includes(key));
  await entry.view.enter(params, state);
  if (path && name !== path) context.tell(`There is no view “${path.slice(0, 40)}”: this is Play.`, { tone: "bad" });
  else if (unknown.length) {
    const say = (made) => context.tell(made.unknownWords(unknown, TITLES[name], entry.params), { tone: "bad" });
    loadToast().then(say, () => {});
  }
}

/** Show a view instead of the one before. */
function present(name, entry) {
  if (current && current !== name) {
    const before = loaded.get(current);
    before.section.hidden = true;
    before.view?.leave();
  }
  current = name;
  entry.section.hidden = false;
  document.title = `${TITLES[name]} · mineproof coach`;
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function themeButton() {
  const button = document.getElementById("theme");
  const order = ["auto", "light", "dark"];
  const draw = () => {
    const theme = settings.get("theme");
    button.replaceChildren(sign({ auto: HALF, light: SUN, dark: MOON }[theme]));
    const name = theme === "auto" ? "system" : theme;
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
async function openSettings(options) {
  if (!(await answers())) await connection.back();
  (await import("./settings-dialog.js")).openSettings(options);
}
settingsButton.addEventListener("click", () => openSettings());
// On the window: a board that uses the key comes first.
addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  if (event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, dialog")) return;
  event.preventDefault();
  openSettings({ keys: true });
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (main.querySelector(".view:not([hidden]) [role=gridcell][tabindex='0']") ?? main).focus();
});
connection.watch((away) => {
  context.tell(away ? WORDS.away : null, { tone: "bad", name: "connection" });
  if (!away) context.announce(WORDS.back);
});
addEventListener("hashchange", route);
route();
atFirstTouch(() => loadToast().catch(() => {})); // it must be there when the server is away
