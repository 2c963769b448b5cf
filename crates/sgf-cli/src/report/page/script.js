for (const head of document.querySelectorAll(".numbers th")) {
  head.tabIndex = 0;
  head.setAttribute("role", "button");
  const sort = () => {
    const table = head.closest("table"), body = table.tBodies[0];
    const falls = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falls ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.cells[head.cellIndex];
      return cell && cell.dataset.v !== undefined ? Number(cell.dataset.v) : cell ? cell.textContent : "";
    };
    const order = (a, b) =>
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
    const rows = [...body.rows].map((row) => [key(row), row]);
    rows.sort((a, b) => (falls ? -1 : 1) * order(a[0], b[0]));
    body.append(...rows.map(([, row]) => row));
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
  });
}
