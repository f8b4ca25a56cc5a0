// The service worker: the last seen pages without a network, reports that wait, and push messages.
// /sw.js tells `self.tandem` (version and files) and loads this.
(() => {
  "use strict";
  const PATIENCE_MS = 3000;
  const MOST_PAGES = 60;
  const NAME = `tandem-${self.tandem.version}`;
  const OFFLINE = "/offline/";
  // Pages for everybody, and a player's own page on his own device; nothing else is ever kept.
  const KEPT = [/^\/$/, /^\/t\/[-\w]+\/(?!screen\/|embed\/|files\/|sign-up\/)/, /^\/me\/\d+\/?$/, /^\/rules\//];
  const SHOWN = /^\/(t|me|rules)\//;
  const GONE = [401, 403, 404, 410];

  const isPage = (url) => KEPT.some((one) => one.test(url.pathname)) && !url.searchParams.has("q");
  const isFile = (url) => url.pathname.startsWith("/static/");

  const stamped = async (answer) => {
    const headers = new Headers(answer.headers);
    for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
    headers.set("X-Kept-At", new Date().toISOString());
    return new Response(await answer.blob(), { status: 200, headers });
  };

  const trimmed = async (cache) => {
    const pages = (await cache.keys()).filter((one) => isPage(new URL(one.url)));
    for (const one of pages.slice(0, Math.max(0, pages.length - MOST_PAGES))) await cache.delete(one);
  };

  const gone = async (cache, address) => {
    const { pathname } = new URL(address);
    const own = pathname.match(/^\/me\/\d+/)?.[0];
    for (const one of await cache.keys()) {
      const known = new URL(one.url).pathname;
      if (known === pathname || own && (known === own || known.startsWith(`${own}/`))) await cache.delete(one);
    }
  };

  const keep = async (address, answer) => {
    const cache = await caches.open(NAME);
    if (GONE.includes(answer.status)) {
      await gone(cache, address);
    } else if (answer.status === 200 && !answer.redirected && answer.type === "basic") {
      await cache.delete(address); // the newest stands last
      await cache.put(address, await stamped(answer.clone()));
      await trimmed(cache);
    }
  };

  const known = async (address) => {
    const cache = await caches.open(NAME);
    return cache.match(address, { ignoreVary: true });
  };

  // The page says itself how old it is.
  const dated = async (answer) => {
    if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) return answer;
    const text = await answer.text();
    const body = text.replace("<body", `<body data-kept="${answer.headers.get("X-Kept-At")}"`);
    return new Response(body, { status: 200, headers: answer.headers });
  };

  // A page that says what can be opened without a network.
  const instead = async (error) => {
    const page = await known(new URL(OFFLINE, location.href).href);
    if (!page) throw error;
    return page;
  };

  const asked = (event, address) => {
    const answer = fetch(event.request);
    event.waitUntil(answer.then((one) => keep(address, one.clone())).catch(() => {}));
    return answer;
  };

  const firstOf = async (event, address) => {
    const network = asked(event, address);
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    const answer = await Promise.race([network, late]).catch(() => undefined);
    if (answer) return answer;
    const kept = await known(address);
    if (kept) return dated(kept);
    return network.catch((error) => {
      if (event.request.mode !== "navigate") throw error;
      return instead(error);
    });
  };

  self.addEventListener("install", (event) => {
    const all = async () => {
      const cache = await caches.open(NAME);
      await Promise.all([OFFLINE, ...self.tandem.files].map(async (path) => {
        const answer = await fetch(path, { credentials: "same-origin" });
        if (answer.ok) await cache.put(new URL(path, location.href).href, await stamped(answer));
      }));
      await self.skipWaiting();
    };
    event.waitUntil(all());
  });

  self.addEventListener("activate", (event) => {
    const tidy = async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith("tandem-") && name !== NAME);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    };
    event.waitUntil(tidy());
  });

  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    url.hash = "";
    if (request.mode === "navigate") {
      if (isPage(url)) event.respondWith(firstOf(event, url.href));
      else if (SHOWN.test(url.pathname)) event.respondWith(fetch(request).catch((error) => instead(error)));
    } else if (isFile(url)) {
      if (!request.headers.has("range")) event.respondWith(firstOf(event, url.href));
    } else if (isPage(url)) {
      event.respondWith(asked(event, url.href)); // the page asks for news: an old answer would be none
    }
  });

  self.addEventListener("message", (event) => {
    const url = event.data?.keep && new URL(event.data.keep);
    if (!url || url.origin !== location.origin || !isPage(url)) return;
    url.hash = "";
    event.waitUntil(fetch(url.href, { credentials: "same-origin" }).then((answer) => keep(url.href, answer)).catch(() => {}));
  });

  // --- reports that wait
  self.addEventListener("sync", (event) => {
    if (event.tag !== "tandem-reports") return;
    const deliver = async () => {
      const done = await self.outbox.sendAll();
      for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage("reports");
      if (!done) throw new Error("not all sent"); // the browser tries again
    };
    event.waitUntil(deliver());
  });

  // --- push messages
  self.addEventListener("push", (event) => {
    let told = {};
    try {
      told = event.data.json();
    } catch {
      return;
    }
    const { title, body, tag, url } = told;
    event.waitUntil(self.registration.showNotification(String(title || "Tandem"), {
      body, tag, data: { url }, icon: self.tandem.icon, renotify: Boolean(tag),
    }));
  });

  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const asked = new URL(event.notification.data?.url || "/", location.href);
    const target = asked.origin === location.origin ? asked.href : location.origin;
    const open = async () => {
      const pages = await self.clients.matchAll({ type: "window" });
      const own = pages.find((page) => /^\/me\/\d+/.test(new URL(page.url).pathname));
      const same = pages.find((page) => page.url === target);
      return own || same ? (own || same).focus() : self.clients.openWindow(target);
    };
    event.waitUntil(open());
  });
})();
