// A weak network: says how old the page is, keeps a report until it can be sent, and registers the worker that
// opens the last seen pages without a network (only over HTTPS or on localhost; elsewhere the rest works alone).
(() => {
  "use strict";
  const bar = document.getElementById("network");
  if (!bar) return;
  const RETRY_MS = 15000;
  const TOLD_MS = 60000;
  const age = bar.querySelector("[data-age-line]");
  const list = bar.querySelector("[data-reports]");
  const body = document.body;
  const words = (name, more = {}) =>
    Object.entries(more).reduce((text, [key, value]) => text.replace(`{${key}}`, value), bar.dataset[name] || "");

  // --- how old it is
  let seen = body.dataset.kept ? new Date(body.dataset.kept) : new Date();
  const time = (moment) => {
    const clock = { hour: "2-digit", minute: "2-digit" };
    const isToday = moment.toDateString() === new Date().toDateString();
    const day = isToday ? {} : { day: "numeric", month: "short" };
    return new Intl.DateTimeFormat(document.documentElement.lang || "en", { ...day, ...clock, hourCycle: "h23" }).format(moment);
  };
  const old = () => {
    age.textContent = words("age", { time: time(seen) });
    age.hidden = false;
  };
  const fresh = () => {
    seen = new Date();
    age.hidden = true;
  };
  if (body.dataset.kept || !navigator.onLine) old();
  document.addEventListener("tandem:fresh", fresh);
  document.addEventListener("tandem:offline", old);
  window.addEventListener("offline", old);

  // --- reports that wait
  const here = location.pathname.match(/^\/me\/\d+/)?.[0];
  const sums = (report) => {
    const told = Object.fromEntries(report.fields);
    const counts = [told.ours, told.theirs, Number(told.draws) ? told.draws : ""].filter(Boolean);
    return counts.length > 1 ? counts.join("–") : "";
  };
  const line = (report) => {
    const row = document.createElement("p");
    row.className = `notice ${{ kept: "warning", sent: "success", refused: "error" }[report.state]}`;
    const said = words(report.state, { report: sums(report) }).replace(/\s+/g, " ").trim();
    row.textContent = report.state === "refused" && !report.said ? words("lost") : [said, report.said].filter(Boolean).join(" ");
    return row;
  };
  const show = async () => {
    if (!here) return;
    const mine = (await self.outbox.all()).filter((one) => one.action.startsWith(`${here}/`));
    list.replaceChildren(...mine.sort((a, b) => a.at - b.at).map(line));
    // What became of a report is told for a minute, past a reload, to somebody who looks.
    for (const one of document.hidden ? [] : mine) {
      if (one.state === "kept") continue;
      if (!one.told) await self.outbox.keep({ ...one, told: Date.now() });
      else if (Date.now() - one.told > TOLD_MS) await self.outbox.forget(one.deed);
    }
    return mine;
  };
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(deliver, RETRY_MS);
  };
  const deliver = async () => {
    clearTimeout(timer);
    if (!here) return;
    const before = (await self.outbox.all()).filter((one) => one.state === "kept");
    if (!before.length) return;
    const done = await self.outbox.sendAll();
    await show();
    if (!done) later();
    else if ((await self.outbox.all()).some((one) => one.state === "sent" && before.some((was) => was.deed === one.deed))) location.reload();
    else document.dispatchEvent(new Event("tandem:ask"));
  };
  // What cannot wait is not sent into nothing, where the browser would show a page of its own.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (navigator.onLine || form.method !== "post" || form.matches("[data-keeps]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    age.textContent = words("needs");
    age.hidden = false;
    bar.scrollIntoView({ block: "start" });
  }, true);

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-keeps]") || !self.indexedDB || !self.outbox) return;
    event.preventDefault();
    const sent = new FormData(form, event.submitter);
    // A page that was kept may hold an id that was used when it was new.
    if (body.dataset.kept || !sent.get("deed")) sent.set("deed", self.outbox.newDeed());
    const button = event.submitter || form.querySelector("button");
    if (button) button.disabled = true;
    const report = {
      deed: String(sent.get("deed")),
      action: new URL(form.action).pathname,
      fields: [...sent].map(([name, value]) => [name, String(value)]),
      at: Date.now(),
      state: "kept",
    };
    let now;
    try {
      now = await self.outbox.hand(report);
    } catch {
      form.submit(); // no room, or a private window: sent as any form is
      return;
    }
    if (now.state === "kept") {
      navigator.serviceWorker?.ready?.then((worker) => worker.sync?.register("tandem-reports")).catch(() => {});
      later();
    }
    await show();
    if (now.state === "sent") {
      location.reload();
      return;
    }
    if (button) button.disabled = now.state === "kept";
    document.dispatchEvent(new Event("tandem:ask"));
    bar.scrollIntoView({ block: "start" });
  });
  window.addEventListener("online", deliver);
  if (self.indexedDB && self.outbox) show().then(deliver).catch(() => {});

  // --- the page that stands in for one that was never seen
  const known = document.querySelector("[data-kept-pages]");
  const listed = async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const one of (await cache.keys()).reverse()) {
        const { pathname, search } = new URL(one.url);
        if (!/^\/(t|me)\//.test(pathname)) continue;
        const page = new DOMParser().parseFromString(await (await cache.match(one)).text(), "text/html");
        const row = document.createElement("li");
        const link = document.createElement("a");
        link.href = pathname + search;
        link.textContent = page.title.replace(" · Tandem", "");
        row.append(link);
        known.append(row);
      }
    }
  };
  if (known && self.caches) listed().catch(() => {});

  // --- the worker, and the offer to install
  const worker = window.isSecureContext && navigator.serviceWorker;
  if (!worker) return;
  const offer = document.createElement("link");
  offer.rel = "manifest";
  offer.href = `${bar.dataset.manifest}?at=${encodeURIComponent(location.pathname)}`;
  offer.crossOrigin = "use-credentials";
  document.head.append(offer);
  worker.addEventListener("message", (event) => { if (event.data === "reports") show().then(deliver); });
  const wasControlled = Boolean(worker.controller);
  worker.register("/sw.js").then(() => worker.ready).then((ready) => {
    // The page that brought the worker was fetched before it: it is kept, too.
    if (!wasControlled && !body.dataset.kept) ready.active.postMessage({ keep: location.href });
  }).catch(() => {});
})();
