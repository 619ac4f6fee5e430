// Filters the table of all rules by stage, severity, kind, topic and words.

const form = document.getElementById("rule-filter");
const table = form?.parentElement.querySelector("table");
if (form && table) {
  const rows = Array.from(table.tBodies[0].rows, (row) => {
    const [rule, name, stage, severity, kinds, fault] = Array.from(row.cells, (cell) => cell.textContent.trim());
    const words = `${rule} ${name} ${fault}`.toLowerCase();
    return { row, stage, severity, kinds: kinds.split(/,\s*/), topic: rule.slice(0, 3), words };
  });
  const choices = { stage: "stage", severity: "severity", kind: "kinds", topic: "topic" };
  for (const [name, field] of Object.entries(choices)) {
    const values = new Set(rows.flatMap((row) => row[field]).filter((value) => value !== ""));
    form.elements[name].append(...[...values].sort().map((value) => new Option(value, value)));
  }
  const show = () => {
    const wanted = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, words, ...rule } of rows) {
      const fits =
        wanted.every((word) => words.includes(word)) &&
        Object.entries(choices).every(([name, field]) => {
          const value = form.elements[name].value;
          return value === "" || [rule[field]].flat().includes(value);
        });
      row.hidden = !fits;
      shown += fits;
    }
    form.elements.count.value = `${shown} of ${rows.length}`;
    const state = new URLSearchParams(Array.from(new FormData(form)).filter(([, value]) => value !== ""));
    history.replaceState(null, "", state.size > 0 ? `#${state}` : location.pathname);
  };
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}
