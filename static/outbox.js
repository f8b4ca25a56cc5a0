// Reports that could not be sent: kept in the browser, sent when the network returns. Page and worker share it.
// Each carries the id of its deed, so that the server counts it once however often it arrives.
self.outbox = (() => {
  "use strict";
  const PATIENCE_MS = 8000;
  const MOST_DAYS = 3;

  const opened = () => new Promise((resolve, reject) => {
    const asked = indexedDB.open("tandem", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("reports", { keyPath: "deed" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

  const store = async (mode, act) => {
    const database = await opened();
    try {
      return await new Promise((resolve, reject) => {
        const change = database.transaction("reports", mode);
        const asked = act(change.objectStore("reports"));
        change.oncomplete = () => resolve(asked.result);
        change.onerror = change.onabort = () => reject(change.error);
      });
    } finally {
      database.close();
    }
  };

  const all = () => store("readonly", (rows) => rows.getAll());
  const keep = (report) => store("readwrite", (rows) => rows.put(report));
  const forget = (deed) => store("readwrite", (rows) => rows.delete(deed));

  // What became of a report: kept (nobody answered), sent (it counts) or refused (with the sentence why).
  const send = async (report) => {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const answer = await fetch(report.action, {
        method: "POST",
        headers: { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(report.fields).toString(),
        credentials: "same-origin",
        signal: patience.signal,
      });
      if (answer.status >= 500 || answer.status === 429 || answer.redirected) return { ...report, state: "kept" };
      const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
      const told = isJson ? await answer.json() : { ok: false, said: "" };
      return { ...report, state: told.ok ? "sent" : "refused", said: told.said };
    } catch {
      return { ...report, state: "kept" };
    } finally {
      clearTimeout(timer);
    }
  };

  // Page and worker hear of the network at the same moment: one of them sends.
  const alone = (act) => (navigator.locks ? navigator.locks.request("tandem-reports", act) : act());

  // Kept first, then tried once: whatever happens to the page, the report is not lost.
  const hand = async (report) => {
    await keep(report);
    return alone(async () => {
      const now = await send(report);
      await keep(now);
      return now;
    });
  };

  // Every kept report is tried, oldest first; true when none is left to send.
  const sendAll = () => alone(async () => {
    const waiting = (await all()).filter((one) => one.state === "kept").sort((a, b) => a.at - b.at);
    for (const one of waiting) {
      const known = Date.now() - one.at < MOST_DAYS * 86400000;
      const now = known ? await send(one) : { ...one, state: "refused", said: "" };
      if (now.state === "kept") return false;
      await keep(now);
    }
    return true;
  });

  const newDeed = () =>
    [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  return { all, keep, forget, hand, sendAll, newDeed };
})();
