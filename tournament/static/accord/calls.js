// Calls for the director: they count on while the page is open, the page looks again by itself, its title says how many wait,
// and a new one sounds where that is switched on.
"use strict";

{
  const REMINDER = 60_000; // so often a call that nobody takes up sounds again, in milliseconds
  const TONES = [
    [880, 0],
    [660, 0.22],
  ]; // hertz, and after how many seconds

  const queue = () => document.getElementById("calls");
  const looksAgain = (element) => element.id === "calls" || element.id === "call";

  document.addEventListener("htmx:configRequest", ({ target, detail }) => {
    if (looksAgain(target) && detail.verb === "get") detail.headers["If-None-Match"] = target.dataset.shown;
  });

  document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
    if (looksAgain(target) && detail.xhr.status === 304) detail.shouldSwap = false;
  });

  document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
    const note = document.getElementById("calls-offline");
    if (note && (looksAgain(target) || target.closest("#calls"))) note.hidden = detail.xhr.status >= 200 && detail.xhr.status < 500;
  });

  // --- ages: the server said how many seconds each had waited when it was made
  const began = new WeakMap();

  function tick() {
    for (const age of document.querySelectorAll("[data-age]")) {
      if (!began.has(age)) began.set(age, performance.now() - Number(age.dataset.age) * 1000);
      const seconds = Math.floor((performance.now() - began.get(age)) / 1000);
      age.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    }
  }

  // --- sound: off until somebody switches it on; a browser lets a page sound only after a tap or a key
  const SOUND = "call-sound";
  const button = document.getElementById("call-sound");
  let sound; // the AudioContext, made by the first tap or key after it is switched on
  let isOn = remembered();

  function remembered() {
    try {
      return localStorage.getItem(SOUND) === "on";
    } catch {
      return false;
    }
  }

  function remember(value) {
    try {
      localStorage.setItem(SOUND, value ? "on" : "off");
    } catch {
      // nothing to do: the choice holds until the page is left
    }
  }

  function ring() {
    if (!isOn || !sound || sound.state !== "running") return;
    for (const [hertz, after] of TONES) {
      const [tone, volume] = [sound.createOscillator(), sound.createGain()];
      const begins = sound.currentTime + after;
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, begins);
      volume.gain.exponentialRampToValueAtTime(0.3, begins + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, begins + 0.2);
      tone.connect(volume).connect(sound.destination);
      tone.start(begins);
      tone.stop(begins + 0.21);
    }
  }

  function showSound() {
    if (!button) return;
    button.setAttribute("aria-pressed", String(isOn));
    button.querySelector("[data-on]").hidden = !isOn;
    button.querySelector("[data-off]").hidden = isOn;
    document.getElementById("call-sound-waits").hidden = !isOn || sound?.state === "running";
  }

  async function wake() {
    if (!isOn || !window.AudioContext) return;
    sound ??= new AudioContext();
    try {
      await sound.resume();
    } catch {
      // the browser still refuses: the line below the button goes on saying so
    }
    showSound();
  }

  button?.addEventListener("click", async () => {
    isOn = !isOn;
    remember(isOn);
    await wake();
    showSound();
    ring();
  });
  for (const gesture of ["pointerup", "keyup"]) document.addEventListener(gesture, wake);

  // --- what is new
  const title = document.title;
  let known = new Set(calling().map(({ dataset }) => dataset.call));
  let rangAt = performance.now();

  function calling() {
    return [...document.querySelectorAll("#calls [data-call]")];
  }

  function look() {
    if (!queue()) return;
    const waiting = calling();
    document.title = waiting.length ? `(${waiting.length}) ${title}` : title;
    const fresh = waiting.filter(({ dataset }) => !known.has(dataset.call));
    known = new Set(waiting.map(({ dataset }) => dataset.call));
    const said = document.getElementById("call-said");
    if (fresh.length && said) said.textContent = fresh.map((each) => each.querySelector("[data-said]").textContent.trim()).join(". ");
    const alone = waiting.some((each) => "alone" in each.dataset);
    if (fresh.length || (alone && performance.now() - rangAt >= REMINDER)) {
      rangAt = performance.now();
      ring();
    }
  }

  document.addEventListener("htmx:afterSwap", () => {
    tick();
    look();
  });
  showSound();
  tick();
  look();
  setInterval(() => {
    tick();
    look();
  }, 1000);
}
