// Beside a time of the venue, the visitor's own where his clock shows another one.
(() => {
  "use strict";
  // The English of the pages writes 14:00, as at the venue.
  const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  const words = document.body.dataset.here || "(for you {time})";
  const told = (moment, zone) =>
    new Intl.DateTimeFormat(language, {
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: zone,
    }).format(moment);
  for (const time of document.querySelectorAll("time[data-zone]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    try {
      const here = told(moment);
      if (here === told(moment, time.dataset.zone)) continue;
      const own = document.createElement("span");
      own.className = "own-time";
      own.textContent = ` ${words.replace("{time}", here)}`;
      time.append(own);
    } catch {
      // A browser that does not know the zone shows the time of the venue alone.
    }
  }
})();
