// Fetches the page anew when the tournament has a new version, and puts in what changed.
// With the event stream within seconds, without it every 10 to 20 s, less often while nobody answers; without
// script the page is as it was sent.
(() => {
  "use strict";
  const POLL_MS = 20000;
  const SPREAD_MS = 3000; // two thousand phones do not come at once
  const MOST_PAUSES = 6;
  const MOST_AGAIN = 5;
  const GONE = [403, 404, 410];
  const slug = document.body.dataset.live;
  if (!slug) return;
  let version = document.body.dataset.version || "";
  let wanted = 0; // the newest version that the stream told of
  let waiting = false;
  let streaming = false;
  let failed = 0; // how often nobody answered since somebody did
  let again = 0; // how often the answer was older than the message

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
      if (GONE.includes(answer.status)) {
        location.reload(); // the page is nobody's any more, and says so itself
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      failed = 0;
      show(await answer.text());
    } catch {
      // Offline: the page stays as it is, says how old it is, and the next turn tries again.
      failed += 1;
      document.dispatchEvent(new Event("tandem:offline"));
      return;
    }
    // An answer that was on its way before the message is older than the message.
    if (Number(version) < wanted && again < MOST_AGAIN) soon(1000 * 2 ** again++);
  };

  const spread = () => Math.random() * Number(document.body.dataset.spread ?? SPREAD_MS);
  const soon = (after = 0) => {
    if (waiting) return;
    waiting = true;
    setTimeout(refresh, after + spread());
  };

  const listen = () => {
    const stream = new EventSource(`/live/${slug}`);
    stream.onopen = () => { streaming = true; };
    stream.onerror = () => {
      streaming = false;
      if (stream.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      stream.close();
      setTimeout(listen, POLL_MS + Math.random() * POLL_MS);
    };
    stream.onmessage = (event) => {
      if (event.data === version) return;
      wanted = Math.max(wanted, Number(event.data) || 0);
      again = 0;
      soon();
    };
  };
  if ("EventSource" in window) listen();

  const poll = () => {
    setTimeout(() => {
      if (!streaming && !document.hidden) soon();
      poll();
    }, POLL_MS * Math.min(2 ** failed, MOST_PAUSES) * (0.5 + Math.random() / 2));
  };
  poll();
  document.addEventListener("tandem:ask", refresh);
  window.addEventListener("online", () => soon());
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !streaming) soon(); });
  if (document.body.dataset.kept) soon(); // it came from the browser's store: perhaps there is a newer one
})();
