// Sorts a table by the column whose head is pressed; pressed again, the other way round.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement;
    const body = head.closest("table").tBodies[0];
    const rising = head.getAttribute("aria-sort") !== "ascending";
    const key = (row) => row.cells[head.cellIndex].dataset.key;
    const order = (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === "" || y === "") return (x === "") - (y === "");
      const numbers = !isNaN(x) && !isNaN(y);
      const sign = numbers ? x - y : x.localeCompare(y, "en", { numeric: true });
      return rising ? sign : -sign;
    };
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    body.append(...[...body.rows].sort(order));
  });
}
