// Subscribes this browser to push messages. It needs a service worker of the site and a secure address; without
// either the page says so and shows no button.
(() => {
  "use strict";
  const form = document.querySelector("form[data-push]");
  if (!form) return;
  const said = form.querySelector("[data-push-said]");
  const on = form.querySelector("[data-push-on]");
  const off = form.querySelector("[data-push-off]");
  const words = (name) => form.querySelector(`[data-push-words="${name}"]`).content.textContent;

  const bytes = (text) => {
    const base = text.replace(/-/g, "+").replace(/_/g, "/");
    return Uint8Array.from(atob(base + "=".repeat((4 - base.length % 4) % 4)), (letter) => letter.charCodeAt(0));
  };

  const tell = async (body) => {
    const answer = await fetch(form.dataset.push, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-CSRFToken": form.querySelector("[name=csrfmiddlewaretoken]").value,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(String(answer.status));
  };

  const show = (subscription) => {
    said.textContent = words(subscription ? "on" : "off");
    on.hidden = Boolean(subscription);
    off.hidden = !subscription;
  };

  const begin = async () => {
    if (!window.isSecureContext || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
    const worker = await navigator.serviceWorker.getRegistration();
    if (!worker) return;
    if (Notification.permission === "denied") {
      said.textContent = words("denied");
      return;
    }
    const found = await worker.pushManager.getSubscription();
    if (found) await tell(found.toJSON());
    show(found);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      on.disabled = off.disabled = true;
      try {
        const now = await worker.pushManager.getSubscription();
        if (now) {
          await tell({ endpoint: now.endpoint, ends: true });
          await now.unsubscribe();
          show(null);
        } else if (await Notification.requestPermission() === "granted") {
          const made = await worker.pushManager.subscribe({
            userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key),
          });
          await tell(made.toJSON());
          show(made);
        } else {
          said.textContent = words("denied");
        }
      } catch {
        said.textContent = words("failed");
      }
      on.disabled = off.disabled = false;
    });
  };

  begin().catch(() => {});
})();
