// The rules on this phone, where somebody has taken them: what a sheet comes to by the code that scores on the server, in a worker
// (rules-worker.js). Whatever goes wrong with it, the page goes on by its sums.

const pageRules = (() => {
  const HERE = "rules-here"; // the cookie of a phone that has taken them: the page brings what was recorded, too
  const YEAR = 365 * 24 * 60 * 60; // seconds
  const PATIENCE = 20000; // milliseconds for one answer: a phone that takes longer has given up on its worker

  const panel = document.getElementById("packrules");
  const { worker: script, python, archive } = panel.dataset;
  const files = JSON.parse(document.getElementById("packrules-files").textContent);
  const listeners = new Set();
  const waiting = new Map(); // what was asked, by number
  let worker; // while there is one
  let isHere = false;
  let asked = 0;

  function show(state) {
    for (const each of panel.querySelectorAll("[data-state]")) each.hidden = each.dataset.state !== state;
    for (const each of document.querySelectorAll("[data-without-rules]")) each.hidden = state === "here";
  }

  function remember(seconds) {
    document.cookie = `${HERE}=1; path=/; max-age=${seconds}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  }

  const isRemembered = () => document.cookie.split("; ").some((each) => each.startsWith(`${HERE}=`));

  // Whether the browser has these files and need not ask for them.
  async function has(addresses) {
    const held = addresses.map(async (address) => {
      const answer = await fetch(address, { cache: "only-if-cached", mode: "same-origin" });
      await answer.body?.cancel();
      return answer.ok;
    });
    return (await Promise.all(held.map((each) => each.catch(() => false)))).every(Boolean);
  }

  function take() {
    if (worker) return;
    show("fetching");
    remember(YEAR);
    listeners.forEach((listener) => listener());
    try {
      worker = new Worker(script, { type: "module" });
    } catch {
      failed();
      return;
    }
    const all = Object.values(files).reduce((one, other) => one + other, 0);
    const bar = panel.querySelector("progress");
    let came = 0;
    worker.onerror = failed;
    worker.onmessage = ({ data }) => {
      if (data.came) bar.value = Math.min(1, (came += data.came) / all);
      else if (data.starting) show("starting");
      else if (data.here) began();
      else if (data.ask) answered(data);
      else failed();
    };
    worker.postMessage({ take: { python, files: Object.keys(files), rules: archive } });
  }

  function began() {
    isHere = true;
    show("here");
    listeners.forEach((listener) => listener());
  }

  function answered({ ask, text, failed: reason }) {
    const asking = waiting.get(ask);
    waiting.delete(ask);
    if (!asking) return;
    clearTimeout(asking.late);
    if (reason) asking.reject(new Error(reason));
    else asking.resolve(JSON.parse(text));
  }

  function failed() {
    worker?.terminate();
    worker = undefined;
    isHere = false;
    for (const { late, reject } of waiting.values()) {
      clearTimeout(late);
      reject(new Error("the worker has gone"));
    }
    waiting.clear();
    show("failed");
    listeners.forEach((listener) => listener());
  }

  // What a function of the door answers to these texts. Rejects where the rules aren't here, or have gone.
  function ask(door, ...texts) {
    if (!isHere) return Promise.reject(new Error("the rules aren't here"));
    asked += 1;
    const number = asked;
    return new Promise((resolve, reject) => {
      waiting.set(number, { resolve, reject, late: setTimeout(failed, PATIENCE) });
      worker.postMessage({ ask: number, door, texts });
    });
  }

  // "The rules are here", or in how far what they say of this table isn't: `behind`, `astray` with the hand.
  function say(state, hand = "") {
    if (!isHere) return;
    panel.querySelector("[data-state=astray] [data-number]").textContent = hand;
    show(state);
  }

  panel.addEventListener("click", ({ target }) => target.closest("[data-take]") && take());
  if (isRemembered()) has(Object.keys(files)).then((all) => all && take());

  return { ask, say, isHere: () => isHere, whenChanged: (listener) => listeners.add(listener) };
})();
