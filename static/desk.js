// Small helps at the desk: the result line is in focus when nothing else is, and names are suggested.
(() => {
  "use strict";
  const line = document.getElementById("result-line");
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target instanceof HTMLElement && target.closest("input, select, textarea, button, a, summary");
    if (line && !typing && /^[0-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) line.focus();
  });
  let asked = 0;
  for (const field of document.querySelectorAll("[data-suggests]")) {
    const list = document.getElementById(field.getAttribute("list"));
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        if (field.value.trim().length < 2) return;
        const mine = ++asked;
        try {
          const answer = await fetch(`${field.dataset.suggests}?q=${encodeURIComponent(field.value)}`);
          const text = answer.ok ? await answer.text() : "";
          if (mine === asked && list) list.innerHTML = text;
        } catch {
          // Without suggestions the name is simply typed.
        }
      }, 150);
    });
  }
})();
// What the result line would enter is shown while it is typed; Enter enters only what was shown.
(() => {
  "use strict";
  const line = document.getElementById("result-line");
  const shown = document.getElementById("line-says");
  if (!line || !shown || !line.dataset.previews) return;
  let asked = 0;
  let timer = 0;
  const seen = () => shown.querySelector("[name=seen]")?.value ?? "";
  const show = async (loud) => {
    const text = line.value.trim();
    const mine = ++asked;
    if (!text) {
      shown.replaceChildren();
      return;
    }
    try {
      const answer = await fetch(`${line.dataset.previews}?line=${encodeURIComponent(text)}`);
      if (!answer.ok || mine !== asked) return;
      shown.innerHTML = await answer.text();
      shown.classList.toggle("typing", !loud);
    } catch {
      // Offline: Enter sends the line, and the page answers with what it means.
    }
  };
  line.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => show(false), 120);
  });
  line.form.addEventListener("submit", (event) => {
    if (seen() === line.value.trim() && line.value.trim()) return;
    event.preventDefault();
    clearTimeout(timer);
    show(true);
  });
})();
