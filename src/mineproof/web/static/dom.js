// Elements without HTML text: everything a person or a server wrote goes in as a text node.

import { cellName, rulerText } from "./settings.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element: h("button", {class: "quiet", onclick: go}, "Go"). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A small drawn sign of 24 x 24 for buttons; it is never read aloud. */
export function sign(path) {
  return svg(
    "svg",
    { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: path }),
  );
}

/** Load a view's style sheet once; resolves when it is in force, or has failed twice. */
export function stylesheet(name, again = true) {
  const { href } = new URL(`./css/${name}`, import.meta.url);
  const known = [...document.querySelectorAll('link[rel="stylesheet"]')].find((link) => link.href === href);
  if (known) return Promise.resolve(known);
  const link = h("link", { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((done) => {
    link.addEventListener("load", () => done(link));
    link.addEventListener("error", () => {
      link.remove(); // whoever wants it next asks again
      done(again ? stylesheet(name, false) : link);
    });
  });
}

/** A phrase about cells: `point(cells)` is called when it is pointed at or focused. */
export function phrase(text, cells, point) {
  const on = () => point(cells);
  const off = () => point([]);
  const attributes = { type: "button", class: "phrase", "data-cells": cells.join(" ") };
  return h("button", { ...attributes, onpointerenter: on, onpointerleave: off, onfocus: on, onblur: off, onclick: on }, text);
}

/** A badge that says how reliable the clues are; hidden if all are exact. */
export function doubtBadge() {
  const badge = h("span", { class: "chip doubt", hidden: true });
  badge.show = (clues) => {
    const share = /^withheld:(.*)/.exec(clues ?? "")?.[1];
    badge.hidden = clues === null;
    badge.textContent = share ? `? ${+(100 * share).toFixed(2)} % withheld` : `≈ ${clues ?? ""}`;
    badge.title = share ? "The numbers on the board are true; a cell with ? shows none" : "The numbers on the board may be wrong";
  };
  return badge;
}

/** Text in which the names of cells ("3,5") can be pointed at; `point(cells)` is called. */
export function textWithCells(text, numbers, point) {
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(/\d+(?:,\d+)+/g)) {
    const cell = numbers.get(match[0]);
    if (cell === undefined) continue;
    parts.push(withCellNames(text.slice(last, match.index)), phrase(cellName(match[0]), [cell], point));
    last = match.index + match[0].length;
  }
  parts.push(withCellNames(text.slice(last)));
  return parts;
}

/** A text with its cells named as the player wants it; `numbers` has the names of all cells. */
export const withCellNames = (text, numbers) =>
  text
    .replace(/\d+(?:,\d+)+/g, (name) => (numbers?.has(name) ? cellName(name) : name))
    .replace(/\b(rows?|columns?) (\d+)( to )?(\d+)?/g, (_, axis, from, to = "", last = "") => {
      const named = (number) => number && rulerText(Number(number), axis.startsWith("row"));
      return `${axis} ${named(from)}${to}${named(last)}`;
    });

const failures = new Map(); // what failed to load -> how often

/** Load a module: browsers remember by its address that one failed, so each try after a failure has another. */
export async function retried(name, load) {
  const failed = failures.get(name) ?? 0;
  try {
    return await load(failed ? `?again=${failed}` : "");
  } catch (error) {
    failures.set(name, failed + 1);
    throw error;
  }
}

/** Act once, when the pointer moves, the page is touched or a key is pressed. */
export function atFirstTouch(act) {
  const signs = ["pointermove", "pointerdown", "keydown", "focusin"];
  const once = new AbortController();
  const first = () => {
    once.abort();
    act();
  };
  for (const name of signs) addEventListener(name, first, { signal: once.signal, capture: true });
}

/** A text as a sentence: a capital first, a full stop last. */
export function sentence(text) {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
