// A tap on the tracker is sent and shown without leaving the page; without script the form does the same.
(() => {
  "use strict";
  const PAUSES_MS = [0, 1000, 4000];
  let busy = Promise.resolve();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-tap]") || !window.fetch) return;
    event.preventDefault();
    const sent = new FormData(form);
    const button = event.submitter;
    if (button && button.name) sent.set(button.name, button.value);
    // Each tap is a deed of its own, and however often it has to be sent it counts once.
    if (self.outbox) sent.set("deed", self.outbox.newDeed());
    // One after the other, so that two quick taps count twice and in their order.
    busy = busy.then(async () => {
      for (const pause of PAUSES_MS) {
        await new Promise((done) => setTimeout(done, pause));
        try {
          const answer = await fetch(form.action, { method: "POST", body: sent });
          const page = await answer.text();
          for (const field of form.querySelectorAll("input[type=number]")) field.value = "";
          document.dispatchEvent(new CustomEvent("tandem:page", { detail: page }));
          return;
        } catch {
          document.dispatchEvent(new Event("tandem:offline"));
        }
      }
    });
  });
})();
