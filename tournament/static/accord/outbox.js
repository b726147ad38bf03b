// Sends what is kept on this phone (outbox-store.js): one stream's entries in their order, one request under way, the same
// commands for ever, until the server says of each that it has it. One tab sends, the others show what waits.

const outbox = (() => {
  const WAITS = [1, 2, 4, 8, 15, 30]; // seconds until what had no answer goes out again, ± a fifth
  const TIMEOUT = 10000; // milliseconds
  const RENEWED = 1000; // milliseconds: so often the tab that sends says that it is still there
  const OTHERS = 2000; // milliseconds until a tab looks again whether another one still sends
  const [MOST, LARGEST] = [20, 100000]; // acts, characters of their bodies
  const SENT = ["command", "collection", "body", "after", "version", "place", "typed_at", "by", "handed_over"];
  const NEVER = 1e9; // seconds: it waits until it is called

  const owner = outboxStore.freshCommand();
  const inHand = new Set(); // commands that the page itself sends just now
  let running = false;
  let called = false; // while it ran
  let failures = 0;
  let mayWake = true; // whether it waits for the line, and not because the server asked to
  let timer;
  let token;
  let state = { entries: [], trouble: "" }; // "", "line", "busy" (the server asked to wait), "closed" (this phone may not), "storage"

  const announce = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  function show(trouble = state.trouble) {
    state = { ...state, trouble };
    announce("outbox:changed", state);
  }

  // Before the first look nothing may say that all is sent (pad.css).
  async function look() {
    try {
      state = { ...state, entries: await outboxStore.kept() };
      show(state.trouble === "storage" ? "" : state.trouble);
    } catch {
      state = { ...state, entries: [] };
      show("storage");
    }
    document.documentElement.toggleAttribute("data-outbox", true);
    return state.entries;
  }

  function later(seconds, wakes) {
    clearTimeout(timer);
    mayWake = wakes;
    if (seconds < NEVER) timer = setTimeout(pump, seconds * 1000 * (0.8 + 0.4 * Math.random()));
  }

  // One round: what is kept goes out until nothing more can. Called while it runs, it runs once more.
  async function pump() {
    if (running) return void (called = true);
    running = true;
    clearTimeout(timer);
    let renewing;
    try {
      const waits = (await look()).filter(isToSend);
      if (!waits.length) return void (failures = 0);
      if (!(await outboxStore.leased(owner))) return later(OTHERS / 1000, true);
      renewing = setInterval(() => outboxStore.leased(owner).catch(() => undefined), RENEWED);
      await sendAll();
    } catch {
      show("storage");
      later(WAITS.at(-1), true);
    } finally {
      clearInterval(renewing);
      running = false;
      await look();
      if (called) {
        called = false;
        pump();
      }
    }
  }

  // The first of its stream, or one behind others that go with it; nothing of a game whose table has something before it to send.
  const isToSend = (entry, _, entries) => {
    const first = entries.find((each) => each.stream === entry.stream);
    if (entries.some(({ stream }) => stream === first.awaits)) return false;
    return first.state === "kept" && !inHand.has(first.command) && !outboxStore.isOthers(first) && !outboxStore.isOthers(entry);
  };

  async function sendAll() {
    for (;;) {
      const entries = (await look()).filter(isToSend);
      if (!entries.length) {
        show("");
        failures = 0;
        return outboxStore.released(owner);
      }
      const wait = await send(batchOf(entries));
      if (wait) return later(wait.seconds ?? WAITS[Math.min(failures++, WAITS.length - 1)], wait.wakes);
      failures = 0;
    }
  }

  function batchOf(entries) {
    const { stream, address } = entries[0];
    let characters = 0;
    const batch = [];
    for (const entry of entries.filter((each) => each.stream === stream)) {
      characters += entry.body.length + 300;
      if (entry.address !== address || entry.state !== "kept" || batch.length === MOST) break;
      if (batch.length && characters > LARGEST) break;
      batch.push(entry);
    }
    return batch;
  }

  // Undefined where something was answered, else how long to wait and whether a sign of the line ends that.
  async function send(batch) {
    for (const entry of batch) await outboxStore.note(entry.command, { tries: entry.tries + 1 });
    let answer = await answerTo(batch);
    if (answer?.status === 403 && (await freshToken(batch[0].address))) answer = await answerTo(batch);
    if (!answer) return waitFor("line", { wakes: true });
    if (answer.status === 403) return waitFor("closed", { seconds: WAITS.at(-1), wakes: true });
    if (answer.status === 429 || answer.status >= 500) return waitFor("busy", { seconds: answer.seconds, wakes: false });
    if (!(await take(batch, answer))) return waitFor("line", { wakes: true });
    show("");
    return undefined;
  }

  function waitFor(trouble, wait) {
    show(trouble);
    return wait;
  }

  // What the server says, null for silence: a page of a guest network, half an answer, and nothing at all are all the same.
  async function answerTo(batch) {
    const acts = batch.map((entry) => Object.fromEntries(SENT.map((key) => [key, entry[key] ?? null])));
    const body = new URLSearchParams({ acts: JSON.stringify(acts), sent_at: Date.now(), csrfmiddlewaretoken: tokenHere() });
    try {
      const response = await asked(batch[0].address, { method: "POST", body });
      const status = response.status;
      const named = response.headers.get("Accord-Command");
      if (status === 403 && named === null) return { status };
      if (status === 429 || status >= 500) return { status, seconds: secondsOf(response) };
      if (named === null || ![200, 400].includes(status)) return null;
      const { answers, problem } = await response.json();
      return { status, answers, problem, named: named.split(" ") };
    } catch {
      return null;
    }
  }

  const asked = (address, more) =>
    fetch(address, { redirect: "manual", cache: "no-store", signal: AbortSignal.timeout(TIMEOUT), ...more });

  const tokenHere = () => token ?? document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

  const secondsOf = (response) => {
    const seconds = Number(response.headers.get("Retry-After"));
    return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
  };

  // A page that lay for long, or signed in meanwhile elsewhere, has a token of yesterday.
  async function freshToken(address) {
    try {
      const response = await asked(address, {});
      const fresh = response.ok ? (await response.json()).token : undefined;
      if (!fresh || fresh === token) return false;
      token = fresh;
      return true;
    } catch {
      return false;
    }
  }

  // Whether it was an answer to this: every act it speaks of is ours, in our order, in its head and in its body.
  async function take(batch, { status, answers, problem, named }) {
    if (status === 400) {
      await outboxStore.note(batch[0].command, { state: "refused", problem: { status, words: problem } });
      announce("outbox:answered", [{ command: batch[0].command, state: "refused" }]);
      return true;
    }
    const ours = answers.length && answers.every(({ command }, place) => command === batch[place]?.command && command === named[place]);
    if (!ours) return false;
    for (const answer of answers) {
      if (answer.state === "refused") await outboxStore.note(answer.command, { state: "refused", problem: answer });
      else await outboxStore.dropped(answer.command, "sent");
    }
    await look();
    announce("outbox:answered", answers);
    return true;
  }

  // Something was heard of the server, or the page is looked at again: perhaps the line is back.
  const wake = () => mayWake && !running && state.entries.length && pump();

  function now() {
    mayWake = true;
    return pump();
  }

  // While the page itself sends an entry for the first time, nobody else in this tab does.
  function taken(command) {
    inHand.add(command);
    show();
  }

  function given(command) {
    inHand.delete(command);
    return look();
  }

  // The words for what the page shows: entries of every game that wait, but for the one under way.
  const waiting = () => state.entries.filter(({ command }) => !inHand.has(command));

  outboxStore.onChange(() => running || look());
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => document.hidden || wake());
  document.addEventListener("htmx:afterOnLoad", wake);
  window.addEventListener("pagehide", () => outboxStore.released(owner).catch(() => undefined));
  window.addEventListener("beforeunload", (event) => {
    if (waiting().length && !document.documentElement.hasAttribute("data-leaving")) event.preventDefault();
  });
  // A reload asks the server for the page itself and gets none: opened anew, a page comes from where the browser keeps it.
  document.addEventListener("keydown", (event) => {
    const isReload = event.key === "F5" || (event.key?.toLowerCase() === "r" && (event.ctrlKey || event.metaKey));
    const kept = document.querySelector("[data-reopens]")?.dataset.reopens;
    if (!isReload || event.shiftKey || !kept) return;
    event.preventDefault();
    document.documentElement.toggleAttribute("data-leaving", true); // what waits stays kept
    location.assign(kept);
  });
  pump();

  return { now, wake, look, taken, given, waiting, get state() { return state; } };
})();
