// The course of Learn: patterns one after the other, then puzzles by level.

import { h } from "../dom.js";
import { CLEAN, solvedHow, solvedOf } from "../learn-progress.js";

/** What follows "#/learn?" for a puzzle: its chapter and its number from 1. */
export const paramsOf = ({ key, value }, at) => ({ [key]: value, n: at + 1 });
const hrefOf = (chapter, at) => `#/learn?${new URLSearchParams(paramsOf(chapter, at))}`;

/** The chapters of the server's lessons, each {key, value, name, title, explanation, picture, puzzles}. */
export function chaptersOf({ patterns, levels }) {
  return [
    ...patterns.map((pattern) => ({ key: "pattern", value: pattern.name, ...pattern })),
    ...levels.map(({ level, puzzles }) => ({
      key: "level",
      value: String(level),
      name: `Level ${level}`,
      title: "all patterns, mixed",
      explanation: null,
      picture: null,
      puzzles,
    })),
  ];
}

/** The first puzzle of a chapter that is not solved; the first where all are. */
export const firstOpen = ({ puzzles }) => Math.max(0, puzzles.findIndex((name) => !solvedHow(name)));

/** Where an address leads: {chapter, at}. What it does not say, or says wrong, is where to go on. */
export function placeIn(chapters, params) {
  const asked = ["pattern", "level"].find((key) => params.has(key));
  const found = chapters.find(({ key, value }) => key === asked && value === params.get(key));
  const chapter = found ?? chapters.find(({ puzzles }) => solvedOf(puzzles) < puzzles.length) ?? chapters[0];
  const number = Number(params.get("n"));
  const there = found && Number.isInteger(number) && number >= 1 && number <= chapter.puzzles.length;
  return { chapter, at: there ? number - 1 : firstOpen(chapter) };
}

/** What comes after a puzzle; null after the last. */
export function after(chapters, { chapter, at }) {
  if (at + 1 < chapter.puzzles.length) return { chapter, at: at + 1 };
  const next = chapters[chapters.indexOf(chapter) + 1];
  return next ? { chapter: next, at: firstOpen(next) } : null;
}

const STATES = ["", "solved with help", "solved without a slip"];
const MARKS = ["", "✓", "★"];

/** The puzzles of a chapter as numbers that lead to them. */
export function numbersOf({ chapter, at }) {
  return h(
    "ol",
    { class: "puzzle-numbers", "aria-label": `Puzzles of ${chapter.name}` },
    ...chapter.puzzles.map((name, index) => {
      const how = solvedHow(name);
      const label = `Puzzle ${index + 1}${how ? `, ${STATES[how]}` : ""}`;
      const current = index === at ? "step" : null;
      return h(
        "li",
        {},
        h("a", { href: hrefOf(chapter, index), "data-solved": how, "aria-label": label, "aria-current": current, title: label }, MARKS[how] || String(index + 1)),
      );
    }),
  );
}

/** All chapters with how much of each is solved. */
export function contents(chapters, here) {
  const item = (chapter) => {
    const { puzzles, name, title } = chapter;
    const done = solvedOf(puzzles);
    const clean = puzzles.filter((one) => solvedHow(one) === CLEAN).length;
    return h(
      "li",
      {},
      h(
        "a",
        { href: hrefOf(chapter, firstOpen(chapter)), "aria-current": chapter === here ? "true" : null, "data-done": done === puzzles.length },
        h("span", { class: "chapter-name" }, name.charAt(0).toUpperCase() + name.slice(1)),
        h("span", { class: "chapter-title" }, title),
        h("span", { class: "chapter-done", title: `${clean} without a slip` }, `${done} / ${puzzles.length}`),
      ),
    );
  };
  const part = (title, key) => {
    const mine = chapters.filter((chapter) => chapter.key === key);
    return [h("h3", {}, title), h("ul", { class: "chapters" }, ...mine.map(item))];
  };
  return [...part("Patterns", "pattern"), ...part("Puzzles by level", "level")];
}
