// One line over the page, in sight wherever the page is scrolled: what happened, and a way to undo it.

import { h, sign, stylesheet } from "./dom.js";

await stylesheet("dialogs.css");

const SHUT = "M6 6l12 12M18 6 6 18";

export class Toast {
  constructor() {
    this.text = h("p", { class: "toast-text" });
    this.act = h("button", { type: "button", class: "button", onclick: () => this._do() });
    this.shut = h(
      "button",
      { type: "button", class: "round small", "aria-label": "Close this message", title: "Close this message", onclick: () => this.say(null) },
      sign(SHUT),
    );
    this.box = h("div", { class: "toast", hidden: true }, this.text, this.act, this.shut);
    // A screen reader announces only changes: the empty element must be in the page before.
    this.root = h("div", { class: "toasts", role: "status" }, this.box);
    document.body.append(this.root);
  }

  /**
   * Say a line, or nothing more (null). `tone` is "plain" or "bad"; `act` is [text, function];
   * after `forMs` it goes, unless it is being used. A line under another `name` than that of events is taken
   * back under that name alone.
   */
  say(text, { tone = "plain", act = null, forMs = null, name = "event" } = {}) {
    if (text === null && this.name && this.name !== name) return;
    clearTimeout(this._timer);
    this.name = text === null ? null : name;
    this.box.hidden = text === null;
    if (text === null) return;
    this.root.setAttribute("role", tone === "bad" ? "alert" : "status");
    this.box.dataset.tone = tone;
    this.text.textContent = text;
    this.act.hidden = !act;
    this.act.textContent = act?.[0] ?? "";
    this._act = act?.[1] ?? null;
    if (forMs) this._timer = setTimeout(() => this._fade(), forMs);
  }

  _fade() {
    if (this.box.matches(":hover, :focus-within")) this._timer = setTimeout(() => this._fade(), 2000);
    else this.say(null, { name: this.name });
  }

  _do() {
    const act = this._act;
    this.say(null, { name: this.name });
    act?.();
  }

  /** The line about names in an address that a view does not know; `known` are those it knows. */
  unknownWords(unknown, title, known) {
    const accepted = known.length ? `${title} knows ${known.join(", ")}` : `${title} knows none`;
    const named = unknown.slice(0, 3).map((key) => `“${key.slice(0, 40)}”`);
    if (unknown.length > named.length) named.push(`${unknown.length - named.length} more`);
    const last = named.pop();
    const all = named.length ? `${named.join(", ")} and ${last}` : last;
    return `${all} in the address ${named.length ? "are" : "is"} ignored: ${accepted}.`;
  }
}
