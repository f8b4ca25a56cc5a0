// Turns the wall's pages: every page stands long enough to be found and read, then comes the next.
(() => {
  "use strict";
  const STAY_MS = 8500;
  const wall = document.getElementById("wall");
  const told = document.getElementById("wall-page");
  if (!wall) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let page = 0;
  const width = () => {
    const rows = document.getElementById("wall-rows");
    const gap = parseFloat(getComputedStyle(rows).columnGap) || 0;
    return rows.clientWidth + gap;
  };
  const pages = () => {
    const last = document.querySelector("#wall-rows > li:last-child");
    if (!last) return 1;
    const rows = document.getElementById("wall-rows").getBoundingClientRect();
    return Math.floor((last.getBoundingClientRect().left - rows.left + 1) / width()) + 1;
  };
  const show = (count) => {
    // Keeping the last page whole needs room behind it, so the list itself is moved.
    const rows = document.getElementById("wall-rows");
    rows.style.transition = calm.matches ? "none" : "transform 0.6s";
    rows.style.transform = `translateX(${-page * width()}px)`;
    const text = count > 1 ? (told.dataset.words || "{page} of {count}").replace("{page}", page + 1).replace("{count}", count) : "";
    if (told.textContent !== text) told.textContent = text;
  };
  const turn = () => {
    const count = pages();
    page = (page + 1) % count;
    show(count);
  };
  const stay = () => {
    const count = pages();
    page = Math.min(page, count - 1);
    show(count);
  };
  stay();
  setInterval(turn, STAY_MS);
  window.addEventListener("resize", stay);
  document.addEventListener("tandem:fresh", stay);
})();
