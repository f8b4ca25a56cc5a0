// Filters the rows of a list while a name is typed; the form does the same without script.
(() => {
  "use strict";
  const folded = (text) => text.normalize("NFC").toLocaleLowerCase().replace(/\s+/g, " ").trim();
  const filter = (field) => {
    const list = document.getElementById(field.dataset.filters);
    const words = folded(field.value);
    let left = 0;
    for (const row of list ? list.querySelectorAll("[data-find]") : []) {
      const hit = folded(row.textContent).includes(words);
      row.hidden = !hit;
      left += hit;
    }
    const note = document.getElementById(`${field.dataset.filters}-none`);
    if (note) note.hidden = left > 0;
  };
  const fields = document.querySelectorAll("[data-filters]");
  for (const field of fields) {
    field.addEventListener("input", () => filter(field));
  }
  document.addEventListener("tandem:fresh", () => fields.forEach((field) => field.value && filter(field)));
})();
