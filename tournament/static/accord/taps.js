// What is tapped on a pad is kept first, goes out one tap after the other and counts once; what had no answer is named, stays
// kept and goes out again (outbox.js). A pad that lies idle looks again by itself. Every form works without this.

const AGAIN = 4000; // milliseconds until what had no answer goes out again, where nothing can be kept
const TOLD = 2500; // milliseconds for which something is told that needs nothing done
const GONE = new Set([502, 503, 504]); // a proxy says that nobody is there: as if there were no answer

let tapped = { said: "", name: "", kind: "" }; // the last tap that was let through
let sending; // the tap under way: what it says, and its request
let unsent; // the tap that had no answer
let waiting = []; // the keys tapped meanwhile, in their order
let told = ""; // what the badge tells for a moment
let tellingEnds;
let changes = 0; // how often this pad has changed
let looking = false; // the pad is on its way again after what was kept has gone out
let stale = false; // it should be, and isn't yet
const entered = new Map(); // what was entered since the tap under way, by field

const thePad = () => document.getElementById("pad");
const actionOf = (button) => button.form?.getAttribute("action")?.replace(/\?.*/, "") ?? "";
const nameOf = (key) =>
  key.dataset.card ?? (key.matches("a") ? key.getAttribute("href") : `${actionOf(key)} ${key.name} ${key.value}`);
const kindOf = (key) => (key.dataset.card ? "card" : key.matches("a") ? "link" : actionOf(key));
const questions = () => new Set([...thePad().querySelectorAll(".key")].map(kindOf));
const goesOut = (key) => !key.closest("[hx-boost=false], [data-follows]") && (key.matches("a[href]") || (key.type === "submit" && key.form));

// What a key says, with the place where it was said: "West, trick 8".
function saidBy(key) {
  const named = key.dataset.said ?? key.getAttribute("aria-label");
  const copy = key.cloneNode(true);
  for (const part of copy.querySelectorAll("small, svg, [hidden]")) part.remove();
  const said = (named ?? copy.textContent).replace(/\s+/g, " ").trim();
  const place = key.matches(".key") ? document.getElementById("ask")?.dataset.place : "";
  return place ? `${said}, ${place}` : said;
}

// The badge in the head: all sent, sending, so many not sent, counted once.
function show() {
  const kept = outbox.waiting().length || (unsent ? 1 : 0);
  const state = kept ? "unsent" : told || (sending ? "sending" : "all");
  for (const each of document.querySelectorAll("#sent [data-state]")) each.hidden = each.dataset.state !== state;
  const count = document.querySelector("#sent [data-count]");
  if (count) count.textContent = waiting.length ? ` ${waiting.length + 1}` : "";
  const unsentCount = document.querySelector("#sent [data-kept]");
  if (unsentCount) unsentCount.textContent = kept;
}

function tell(state) {
  told = state;
  clearTimeout(tellingEnds);
  tellingEnds = setTimeout(() => tell(""), TOLD);
  show();
}

// A note in the flow of the question: it covers no key, and goes with the next answer.
function note(id, said) {
  document.getElementById(id)?.remove();
  const made = document.getElementById(`${id}-note`).content.firstElementChild.cloneNode(true);
  const place = made.querySelector("[data-said]");
  if (place && said) place.textContent = said;
  else if (place) place.parentElement.remove();
  thePad().querySelector(".padact")?.prepend(made);
  showBySheets();
  made.scrollIntoView({ block: "nearest" });
  return made;
}

const held = (name) => [...thePad().querySelectorAll(".key:not(:disabled)")].find((key) => nameOf(key) === name);

// The next tap that waits, on the question that stands there now.
function next() {
  const tap = waiting.shift();
  if (!tap) return show();
  const key = held(tap.name);
  if (key) return key.click();
  note("dropped", [tap, ...waiting].map((each) => each.said).join("; "));
  waiting = [];
  show();
}

const keyAt = (target) => target.closest?.("#pad :is(button, a)");

touches.watch((target) => (keyAt(target) ? nameOf(keyAt(target)) : ""));

document.addEventListener(
  "click",
  (event) => {
    const key = keyAt(event.target);
    if (!key || key.disabled || !goesOut(key)) return;
    const name = nameOf(key);
    const judged = touches.judge(event, name);
    const tap = { said: saidBy(key), name, kind: kindOf(key) };
    if (judged === "counts" && !sending && !unsent) {
      tapped = tap;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (judged !== "counts") return judged === "twice" ? tell("once") : undefined;
    if (unsent) return document.getElementById("unsent")?.scrollIntoView({ block: "nearest" });
    if (!key.matches(".key")) return;
    waiting.push(tap);
    show();
  },
  true,
);

document.addEventListener("input", ({ target }) => {
  const { id, name, type, value, checked } = target; // the field itself forgets it when another of its name comes
  if (sending && target.closest("#pad")) entered.set(id || `${name}=${value}`, { id, name, type, value, checked });
  const form = target.closest("[data-counts]"); // what it comes to isn't known yet, so nothing can be recorded
  if (form) for (const button of document.querySelectorAll(`#${form.dataset.counts} .btn--act`)) button.disabled = true;
});

// What was entered while a tap was under way stands in the fields that came with its answer.
function enterAgain() {
  for (const field of entered.values()) {
    const same = [...thePad().querySelectorAll(`[name="${CSS.escape(field.name)}"]`)];
    const now = same.find((each) => each.id === field.id && (!/radio|checkbox/.test(field.type) || each.value === field.value));
    if (!now || now.disabled) continue;
    if (/radio|checkbox/.test(field.type)) now.checked = field.checked;
    else now.value = field.value;
    now.closest("details")?.setAttribute("open", "");
  }
  entered.clear();
}

const follows = ({ requestConfig }) => requestConfig.elt.matches("[data-follows]");
const isTap = ({ detail }) => detail.target?.id === "pad" && !follows(detail) && !looking;

// What a form says, as it is kept; nothing where it says no act, or a PIN, which is never kept.
function entryOf({ elt, verb, path, triggeringEvent }) {
  if (verb !== "post" || !elt.matches("form") || !elt.elements.command || !thePad().dataset.outbox) return null; // practice keeps nothing
  const [fields, key] = [new FormData(elt), triggeringEvent?.submitter];
  if (key?.name) fields.append(key.name, key.value);
  if (fields.has("pin") && fields.get("pin")) return null;
  const take = (name) => [fields.get(name), fields.delete(name)][0];
  take("csrfmiddlewaretoken");
  const command = take("command");
  const version = Number(take("version"));
  const place = Object.fromEntries(["hand", "trick"].map((name) => [name, take(name)]).filter(([, said]) => said));
  for (const name of Object.keys(place)) place[name] = Number(place[name]);
  return {
    command, version, place, stream: fields.get("game"), collection: path.replace(/\?.*/, "").split("/").at(-2),
    body: new URLSearchParams(fields).toString(), address: thePad().dataset.outbox, words: tapped.said,
    ...(key?.hasAttribute("data-ends") ? { ends: true } : {}),
  };
}

// Kept first, sent second. One that comes behind others isn't sent by itself.
document.addEventListener("htmx:confirm", (event) => {
  const { detail } = event;
  const entry = detail.target?.id === "pad" && !sending ? entryOf(detail) : null;
  if (!entry) return;
  event.preventDefault();
  sending = { ...tapped, entry };
  outbox.taken(entry.command);
  outboxStore.keep(entry).then(
    (kept) => {
      sending = { ...tapped, entry: kept };
      if (kept.after === null) return detail.issueRequest(true);
      return isNotSent();
    },
    () => {
      outbox.given(entry.command);
      sending = undefined; // as it is where nothing can be kept: named, and sent again by this page alone
      note("nokeep", "");
      detail.issueRequest(true);
    },
  );
});

// What goes out is what was kept, whatever stands in the fields by now.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { entry } = sending ?? {};
  if (!entry || detail.target?.id !== "pad" || detail.verb !== "post") return;
  const token = detail.parameters.csrfmiddlewaretoken;
  for (const name of [...detail.formData.keys()]) detail.formData.delete(name);
  for (const [name, value] of new URLSearchParams(entry.body)) detail.formData.append(name, value);
  const said = { csrfmiddlewaretoken: token, command: entry.command, version: entry.version, ...entry.place };
  for (const [name, value] of Object.entries(said)) detail.formData.append(name, value);
});

// A page of a guest network is no answer, nor is one to another tap.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = event.detail;
  if (event.detail.target?.id === "pad" && xhr.status === 200 && !xhr.responseText.includes('id="pad"') && !xhr.getResponseHeader("HX-Refresh")) {
    event.preventDefault();
    if (isTap(event)) notSent(event);
    return;
  }
  const { entry } = isTap(event) ? (sending ?? {}) : {};
  if (!entry) return;
  if (xhr.getResponseHeader("Accord-Command") === entry.command) {
    outboxStore.dropped(entry.command, xhr.status < 400 ? "sent" : "refused").catch(() => undefined).then(() => outbox.given(entry.command));
    return;
  }
  event.preventDefault();
  isNotSent();
});

document.addEventListener("htmx:beforeSend", (event) => {
  if (!isTap(event)) return;
  const { verb, path, formData } = event.detail.requestConfig;
  sending = sending?.entry ? sending : (unsent ?? { ...tapped, verb, path, formData });
  unsent = undefined;
  entered.clear();
  thePad().classList.remove("pad--unsent");
  thePad().classList.add("pad--sending");
  show();
});

let askedBefore = new Set(); // the kinds of question that stood there before this one

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id !== "pad" || !detail.shouldSwap) return;
  askedBefore = questions();
  if (!follows(detail)) changes += 1;
});

document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  if (target.id !== "pad") return;
  const asked = questions();
  const isOtherKind = !sending || ![...askedBefore].some((kind) => asked.has(kind)); // or it came by itself
  touches.shown(target, { isAnswer: Boolean(sending), isOtherKind });
});

document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
  if (target.id === "counted") {
    document.getElementById("unsent")?.remove();
    const [field, holds] = document.getElementById("record").dataset.holds.split(" "); // reckoned while nothing is written there
    if (document.getElementById(field).placeholder) document.getElementById(field).placeholder = holds;
  }
  if (target.id !== "pad") return;
  if (looking) stale = false;
  blocked();
  const answered = sending;
  sending = undefined;
  if (answered) enterAgain();
  const said = document.getElementById("recorded"); // for who doesn't see the pad: what has just been recorded
  if (said && answered?.entry && detail.xhr.status < 400) said.textContent = answered.said;
  if (waiting.length && detail.xhr.status >= 400) note("dropped", waiting.splice(0).map((each) => each.said).join("; "));
  setTimeout(next);
});

document.addEventListener("htmx:oobAfterSwap", show); // a head that has just come says that all is sent

function notSent(event) {
  if (event.detail.requestConfig.elt.matches("[data-counts]")) return note("unsent", "");
  if (isTap(event) && sending) isNotSent();
}

// The tap under way had no answer; one that was kept is the outbox's from now on.
function isNotSent() {
  unsent = sending;
  sending = undefined;
  thePad().classList.remove("pad--sending");
  thePad().classList.add("pad--unsent");
  note("unsent", unsent.said);
  if (unsent.entry) outbox.given(unsent.entry.command).then(outbox.now).then(goOn);
  show();
}

// Once it was tried again in vain, the table goes on without the server, where that is known how (pack-ahead.js).
function goOn() {
  const [kept] = keptHere().slice(-1);
  if (outbox.state.trouble === "line" && kept && keptHere().every(({ state }) => state === "kept")) goOnWithoutServer(kept);
}

// What is kept of this game on this phone: until it has gone out, nothing else does.
const keptHere = () => outbox.waiting().filter(({ stream }) => stream === thePad()?.dataset.game);

function blocked() {
  const kept = keptHere();
  if (!kept.length || sending) return;
  unsent ??= { said: kept.at(-1).words, entry: kept.at(-1) };
  thePad().classList.add("pad--unsent");
  const refused = kept[0].state === "refused"; // the list of what is kept says why
  if (refused) document.getElementById("unsent")?.remove();
  else if (!document.getElementById("unsent")) note("unsent", unsent.said);
}

document.addEventListener("outbox:changed", ({ detail }) => {
  blocked();
  if (unsent?.entry && !sending && !keptHere().length && detail.trouble !== "storage") gone();
  show();
});

// All that was kept is recorded, or given up: the pad as it stands now.
function gone() {
  unsent = undefined;
  document.getElementById("unsent")?.remove();
  thePad().classList.remove("pad--unsent");
  stale = true;
  lookAgain();
}

document.addEventListener("outbox:answered", () => {
  stale = true;
  lookAgain();
});

async function lookAgain() {
  if (!stale || looking || sending || !thePad()) return;
  looking = true;
  const by = new URLSearchParams(location.search).get("by");
  const request = { source: thePad(), target: "#pad", select: "#pad", swap: "outerHTML show:none" };
  try {
    await htmx.ajax("GET", `${location.pathname}?${by ? `by=${encodeURIComponent(by)}` : "open"}`, request);
  } catch {
    // No answer again: it is asked for anew.
  }
  looking = false;
}

document.addEventListener("htmx:sendError", notSent);
document.addEventListener("htmx:timeout", notSent);
document.addEventListener("htmx:responseError", (event) => {
  if (GONE.has(event.detail.xhr.status) || (sending?.entry && isTap(event))) return notSent(event);
  if (!isTap(event)) return;
  sending = undefined;
  waiting = [];
  thePad().classList.remove("pad--sending");
  note("refused", "");
  show();
});

// The same request with the same command: however often it arrives, it counts once.
function sendAgain() {
  const counts = document.querySelector("#unsent") && !unsent && document.querySelector("[data-counts]");
  if (counts) return htmx.trigger(counts, "submit");
  if (stale) lookAgain();
  if (!unsent || sending || unsent.entry) return;
  const { verb, path, formData } = unsent;
  const request = { source: thePad(), target: "#pad", select: "#pad", swap: "outerHTML show:none", values: formData };
  htmx.ajax(verb, path, request).catch(() => show()); // no answer again: it stays unsent, and says so
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-again]")) unsent?.entry ? outbox.now() : sendAgain();
});
window.addEventListener("online", sendAgain);
document.addEventListener("visibilitychange", () => document.hidden || sendAgain());
setInterval(sendAgain, AGAIN);
