// What is tapped on a pad goes out one tap after the other and counts once; what had no answer is named and goes out again.
// A pad that lies idle looks again by itself. Every form works without this.

const TWICE = 250; // milliseconds: a second tap on the same spot so soon was no second tap
const AGAIN = 4000; // milliseconds until what had no answer goes out again
const TOLD = 2500; // milliseconds for which something is told that needs nothing done
const GONE = new Set([502, 503, 504]); // a proxy says that nobody is there: as if there were no answer

let tapped = { said: "", name: "", kind: "" }; // the last tap that was let through
let touched = { name: "", at: -TWICE };
let sending; // the tap under way: what it says, and its request
let unsent; // the tap that had no answer
let waiting = []; // the keys tapped meanwhile, in their order
let told = ""; // what the badge tells for a moment
let tellingEnds;
let changes = 0; // how often this pad has changed
const entered = new Map(); // what was entered since the tap under way, by field

const thePad = () => document.getElementById("pad");
const actionOf = (button) => button.form?.getAttribute("action")?.replace(/\?.*/, "") ?? "";
const nameOf = (key) =>
  key.dataset.card ?? (key.matches("a") ? key.getAttribute("href") : `${actionOf(key)} ${key.name} ${key.value}`);
const kindOf = (key) => (key.dataset.card ? "card" : key.matches("a") ? "link" : actionOf(key));
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

// The badge in the head: all sent, sending, not sent, counted once.
function show() {
  const state = unsent ? "unsent" : told || (sending ? "sending" : "all");
  for (const each of document.querySelectorAll("#sent [data-state]")) each.hidden = each.dataset.state !== state;
  const count = document.querySelector("#sent [data-count]");
  if (count) count.textContent = waiting.length ? ` ${waiting.length + 1}` : "";
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

document.addEventListener(
  "click",
  (event) => {
    const key = event.target.closest("#pad :is(button, a)");
    if (!key || key.disabled || !goesOut(key)) return;
    const [name, at] = [nameOf(key), performance.now()];
    const twice = event.isTrusted && at - touched.at < TWICE && (name === touched.name || event.detail > 1);
    if (event.isTrusted) touched = { name, at };
    const tap = { said: saidBy(key), name, kind: kindOf(key) };
    if (!twice && !sending && !unsent) {
      tapped = tap;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (twice) return tell("once");
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
const isTap = ({ detail }) => detail.target?.id === "pad" && !follows(detail);

document.addEventListener("htmx:beforeSend", (event) => {
  if (!isTap(event)) return;
  const { verb, path, formData } = event.detail.requestConfig;
  sending = unsent ?? { ...tapped, verb, path, formData };
  unsent = undefined;
  entered.clear();
  thePad().classList.remove("pad--unsent");
  thePad().classList.add("pad--sending");
  show();
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id === "pad" && detail.shouldSwap && !follows(detail)) changes += 1;
});

document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
  if (target.id === "counted") document.getElementById("unsent")?.remove();
  if (target.id !== "pad") return;
  const answered = sending;
  sending = undefined;
  if (answered) enterAgain();
  if (waiting.length && detail.xhr.status >= 400) note("dropped", waiting.splice(0).map((each) => each.said).join("; "));
  setTimeout(next);
});

function notSent(event) {
  if (event.detail.requestConfig.elt.matches("[data-counts]")) return note("unsent", "");
  if (!isTap(event) || !sending) return;
  unsent = sending;
  sending = undefined;
  thePad().classList.replace("pad--sending", "pad--unsent");
  note("unsent", unsent.said);
  show();
}

document.addEventListener("htmx:sendError", notSent);
document.addEventListener("htmx:timeout", notSent);
document.addEventListener("htmx:responseError", (event) => {
  if (GONE.has(event.detail.xhr.status)) return notSent(event);
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
  if (!unsent || sending) return;
  const { verb, path, formData } = unsent;
  const request = { source: thePad(), target: "#pad", select: "#pad", swap: "outerHTML show:none", values: formData };
  htmx.ajax(verb, path, request).catch(() => show()); // no answer again: it stays unsent, and says so
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-again]")) sendAgain();
});
window.addEventListener("online", sendAgain);
document.addEventListener("visibilitychange", () => document.hidden || sendAgain());
setInterval(sendAgain, AGAIN);
