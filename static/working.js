// While something on the page is at work, the page is asked for anew, the slower the longer it takes.
(() => {
  "use strict";
  const FIRST_MS = 700;
  const LAST_MS = 4000;
  let pause = FIRST_MS;
  const ask = () => {
    if (!document.querySelector("[data-working]")) return;
    if (!document.hidden) {
      if (document.body.dataset.live) document.dispatchEvent(new Event("tandem:ask"));
      else location.reload();
    }
    pause = Math.min(pause * 1.15, LAST_MS);
    setTimeout(ask, pause);
  };
  setTimeout(ask, pause);
})();
