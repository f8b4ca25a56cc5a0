// Fetches the page anew when the tournament has a new version, and puts in what changed.
// With the event stream within seconds, without it every 20 s; without script the page is as it was sent.
(() => {
  "use strict";
  const POLL_MS = 20000;
  const SPREAD_MS = 3000;
  const slug = document.body.dataset.live;
  if (!slug) return;
  let version = document.body.dataset.version || "";
  let waiting = false;
  let streaming = false;

  // An eager region waits only for somebody who types; a button in it keeps the focus by its id.
  const inUse = (region) => {
    const active = document.activeElement;
    if (region.dataset.region === "eager") return region.contains(active) && active.matches("input") && Boolean(active.value);
    return region.contains(active) && active !== document.body || Boolean(region.querySelector("details[open]"));
  };

  const typing = () =>
    [...document.querySelectorAll("main input, main textarea")].some((field) =>
      field.type !== "hidden" && field.type !== "checkbox" && field.type !== "radio" && field.value !== field.defaultValue);

  const flash = (element) => {
    element.classList.remove("changed");
    void element.offsetWidth;
    element.classList.add("changed");
  };

  const patch = (region, fresh) => {
    if (region.innerHTML === fresh.innerHTML) return;
    const before = new Map([...region.querySelectorAll("[id]")].map((row) => [row.id, row.outerHTML]));
    const focused = region.contains(document.activeElement) ? document.activeElement.id : "";
    region.innerHTML = fresh.innerHTML;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    for (const row of region.querySelectorAll("[id]")) {
      const was = before.get(row.id);
      if (was !== undefined && was !== row.outerHTML) flash(row);
    }
  };

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    version = page.body.dataset.version || version;
    if (page.body.dataset.shape !== document.body.dataset.shape && !typing()) {
      // Another state has other parts: patching the old ones would leave a page of two states.
      location.reload();
      return;
    }
    for (const region of document.querySelectorAll("[data-region]")) {
      const fresh = page.getElementById(region.id);
      if (fresh && !inUse(region)) patch(region, fresh);
    }
    document.dispatchEvent(new Event("tandem:fresh"));
  };
  document.addEventListener("tandem:page", (event) => show(event.detail));

  const refresh = async () => {
    waiting = false;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
      if (answer.ok) show(await answer.text());
    } catch {
      // Offline: the page stays as it is, and the next turn tries again.
    }
  };

  const soon = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(refresh, Math.random() * Number(document.body.dataset.spread ?? SPREAD_MS));
  };

  if ("EventSource" in window) {
    const stream = new EventSource(`/live/${slug}`);
    stream.onopen = () => { streaming = true; };
    stream.onerror = () => { streaming = false; if (stream.readyState === 2) stream.close(); };
    stream.onmessage = (event) => {
      if (event.data === version) return;
      // The number may come with a name before it; only another one means news.
      soon();
    };
  }
  setInterval(() => { if (!streaming && !document.hidden) soon(); }, POLL_MS);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !streaming) soon(); });
})();
