// A screen on the wall: it asks every few seconds what is on, shows that, and says since when it has heard nothing. The server
// decides what is on, so a projector that was asleep, or whose clock is wrong, goes on where it should.
"use strict";

const OFTEN = 5_000; // milliseconds between two looks
const PATIENCE = 10_000; // for one answer
const SELDOM = 15_000; // between two looks while nobody answers
const OLD = 20_000; // without an answer it says how old it is
const ASLEEP = 4_000; // a second that took so long was slept through

const USUAL = 177; // how wide a screen of 16:9 is, in hundredths of its height

const wall = () => document.getElementById("wall");
const written = (seconds) => {
  const whole = Math.abs(seconds);
  return `${seconds < 0 ? "\u2212" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

let heard = performance.now(); // when what is shown was made, by a clock that nobody sets
let failed = 0;
let next = 0;
let looking = false;
let ticked = Date.now();

function put(fresh) {
  heard = performance.now();
  failed = 0;
  if (fresh.dataset.madeBy !== wall().dataset.madeBy) location.reload(); // another version is served
  else wall().replaceWith(document.adoptNode(fresh));
}

// Lists are broken into lines for 16:9; a screen that is narrower says so.
function address() {
  const here = new URL(location.href);
  const width = Math.floor((innerWidth / innerHeight) * 100);
  if (width < USUAL) here.searchParams.set("wide", width);
  return here.href;
}

async function look() {
  if (looking) return;
  looking = true;
  clearTimeout(next);
  try {
    const answer = await fetch(address(), { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("wall");
    if (!fresh) throw new Error("this is no screen");
    put(fresh);
  } catch {
    failed += 1;
  }
  looking = false;
  const soon = Math.min(Number(wall().dataset.left) * 1000, OFTEN);
  next = setTimeout(look, failed ? Math.min(2 ** failed * 1000, SELDOM) * (0.8 + 0.4 * Math.random()) : soon);
  tick();
}

function tick() {
  const since = performance.now() - heard;
  for (const clock of document.querySelectorAll("[data-seconds]")) {
    const left = Number(clock.dataset.seconds) - Math.round(since / 1000);
    clock.textContent = written(left);
    clock.classList.toggle("over", left < 0);
  }
  for (const note of document.querySelectorAll("[data-old]")) note.hidden = failed < 2 && since < OLD;
}

function everySecond() {
  const slept = Math.abs(Date.now() - ticked) > ASLEEP;
  ticked = Date.now();
  if (slept) look();
  tick();
}

// Where the browser lets a page, the machine before the wall stays awake.
const stayAwake = () => navigator.wakeLock?.request("screen").catch(() => {});

setInterval(everySecond, 1000);
for (const woken of ["online", "pageshow", "resize"]) addEventListener(woken, look);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  stayAwake();
  look();
});
stayAwake();
