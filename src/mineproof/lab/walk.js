// Walks through the steps of a game. Each frame holds the cells that changed since the one before.
const frames = JSON.parse(document.getElementById("frames").textContent);
const board = document.querySelector(".board");
const svg = board.querySelector("svg");
const cells = [...svg.querySelectorAll("g")];
const texts = [...document.querySelectorAll("#steps li")];
const slider = document.getElementById("step");
const last = frames.length - 1;
const sizes = cells.map((cell) => Number(cell.querySelector("text").getAttribute("font-size")));
const names = cells.map((cell) => cell.querySelector("title").textContent.split(":")[0]);
let shown = -1;

function paint([cell, ground, text, colour, words]) {
  const group = cells[cell];
  const label = group.querySelector("text");
  group.querySelector("polygon").setAttribute("fill", ground);
  group.querySelector("title").textContent = `${names[cell]}: ${words}`;
  label.textContent = text;
  label.setAttribute("fill", colour);
  label.setAttribute("font-size", text.length < 2 ? sizes[cell] : 0.72 * sizes[cell]);
}

function mark(cell, on) {
  if (cell === null || cell === undefined) return;
  cells[cell].querySelector("polygon").classList.toggle("mark", on);
  if (!on) return;
  svg.append(cells[cell]);
  // Where the board is wider than the screen, the cell is brought into sight; the page stays.
  const [inner, outer] = [cells[cell].getBoundingClientRect(), board.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right) {
    board.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    board.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

function show(wanted) {
  const number = Math.min(Math.max(wanted, 0), last);
  if (number === shown) return;
  if (shown >= 0) {
    mark(frames[shown].move, false);
    texts[shown].removeAttribute("aria-current");
  }
  for (let at = number < shown ? 0 : shown + 1; at <= number; at++) frames[at].cells.forEach(paint);
  shown = number;
  mark(frames[number].move, true);
  texts[number].setAttribute("aria-current", "step");
  const [said, known] = texts[number].querySelectorAll("p");
  document.getElementById("said").textContent = said.textContent;
  document.getElementById("known").textContent = known.textContent;
  document.getElementById("number").textContent = Math.min(number, last - 1);
  svg.querySelector("title").textContent = said.textContent;
  slider.value = number;
  slider.setAttribute("aria-valuetext", said.textContent);
  document.getElementById("first").disabled = document.getElementById("back").disabled = number === 0;
  document.getElementById("next").disabled = document.getElementById("last").disabled = number === last;
}

const moves = { first: () => 0, back: () => shown - 1, next: () => shown + 1, last: () => last };
for (const [name, to] of Object.entries(moves)) {
  document.getElementById(name).addEventListener("click", () => show(to()));
}
slider.addEventListener("input", () => show(Number(slider.value)));
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
  event.preventDefault();
  show(moves[keys[event.key]]());
});
show(0);
