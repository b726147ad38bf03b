// Clocks count on while the page is open; the server said how many seconds were left when it was made.
"use strict";

const shown = (seconds) => {
  const [whole, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
  return `${seconds < 0 ? "\u2212" : ""}${whole}:${String(rest).padStart(2, "0")}`;
};

const ends = new WeakMap(); // a page that looked again has another clock

const tick = () => {
  for (const clock of document.querySelectorAll("[data-left][data-runs]")) {
    if (!ends.has(clock)) ends.set(clock, Date.now() + Number(clock.dataset.left) * 1000);
    const left = Math.round((ends.get(clock) - Date.now()) / 1000);
    const [inTime, over] = clock.nextElementSibling.children;
    clock.textContent = shown(left);
    inTime.hidden = left < 0;
    over.hidden = left >= 0;
  }
};

tick();
setInterval(tick, 1000);
