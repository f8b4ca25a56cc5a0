// Counts down to the end of the round by the server's time, which in a demo may run faster than here.
(() => {
  "use strict";
  let seen = { at: Date.now(), shown: Date.now(), speed: 1 };
  const now = () => seen.shown + (Date.now() - seen.at) * seen.speed;
  const shown = (ms) => {
    const late = ms < 0;
    const seconds = Math.floor(Math.abs(ms) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return `${late ? "+" : ""}${Math.floor(hours / 24)} d ${hours % 24} h`;
    if (hours >= 3) return `${late ? "+" : ""}${hours} h ${minutes % 60} min`;
    return `${late ? "+" : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const paint = () => {
    for (const clock of document.querySelectorAll("[data-ends]")) {
      const left = Date.parse(clock.dataset.ends) - now();
      const text = shown("stops" in clock.dataset ? Math.max(left, 0) : left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("over", left < 0 && !("stops" in clock.dataset));
    }
  };
  const sync = async () => {
    if (!document.querySelector("[data-ends]") || document.hidden) return;
    try {
      const asked = Date.now();
      const answer = await fetch("/now", { cache: "no-store" });
      const told = Date.parse(await answer.text());
      const speed = Number(answer.headers.get("X-Clock-Speed") ?? 1);
      if (!Number.isNaN(told)) seen = { at: (asked + Date.now()) / 2, shown: told, speed };
    } catch {
      // Offline: the last known time goes on.
    }
    paint();
  };
  sync();
  setInterval(sync, 60000);
  setInterval(paint, 500);
  document.addEventListener("tandem:fresh", () => { paint(); sync(); });
})();
