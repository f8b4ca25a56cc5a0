// The button opens the browser's own print dialog.
(() => {
  "use strict";
  const button = document.getElementById("print");
  if (button) button.addEventListener("click", () => window.print());
})();
