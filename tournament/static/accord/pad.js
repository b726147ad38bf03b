// The pad's keyboard, and where focus and scroll go after a tap. Every form works without it.

const TYPING = "input:not([type=radio]):not([type=checkbox]), select, textarea";
const SECOND = 700; // milliseconds to wait for a second character

let begun = "";
let pausing;

const pad = () => document.getElementById("pad");
const find = (attribute, value) => pad()?.querySelector(`[data-${attribute}="${CSS.escape(value)}"]:not(:disabled)`);
const longer = (attribute, text) =>
  [...(pad()?.querySelectorAll(`[data-${attribute}]:not(:disabled)`) ?? [])].some(
    (key) => key.dataset[attribute].length > text.length && key.dataset[attribute].startsWith(text),
  );

function press(key) {
  begun = "";
  clearTimeout(pausing);
  key.click();
}

// What was typed so far means a key, or begins one.
function take(attribute, text) {
  const key = find(attribute, text);
  if (longer(attribute, text)) {
    begun = text;
    pausing = setTimeout(() => (key ? press(key) : (begun = "")), SECOND);
    return true;
  }
  if (key) press(key);
  return Boolean(key);
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target.matches(TYPING)) return;
  if (event.key === "?") {
    const keys = document.getElementById("keys");
    if (!keys) return;
    keys.open = !keys.open;
    keys.scrollIntoView({ block: "nearest" });
    return;
  }
  const focused = document.activeElement;
  if (event.key === "Enter" && focused?.matches("a, button, input, summary")) return;
  clearTimeout(pausing);
  if (event.key === "Enter" && begun && find("key", begun)) return press(find("key", begun));
  const before = begun;
  begun = "";
  const card = event.key.toUpperCase();
  const small = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const taken = take("card", before + card) || take("card", card) || take("key", before + small) || take("key", small);
  if (taken) event.preventDefault();
});

let openSuit = "";

function isInView(part) {
  const dock = document.querySelector(".dock");
  const end = dock && getComputedStyle(dock).position === "fixed" ? dock.getBoundingClientRect().top : innerHeight;
  const box = part.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= end;
}

// Another question, and it or its one button stands off the screen.
function bringIntoView() {
  const ask = document.getElementById("ask");
  if ([ask, pad().querySelector(".open")].every((part) => !part || isInView(part))) return;
  scrollTo({ top: 0, behavior: "instant" });
  if (ask && !isInView(ask)) ask.scrollIntoView({ block: "start", behavior: "instant" });
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id !== "pad" || !detail.shouldSwap) return;
  openSuit = detail.xhr.status >= 400 ? pad().querySelector("[name=deck-suit]:checked")?.value ?? "" : "";
});

// Of a long row of calls the one that is asked for is in view.
function showCaller() {
  const [row, call] = [pad()?.querySelector(".calls--seq"), pad()?.querySelector(".calls--seq [aria-current]")];
  row?.scrollTo({ left: call ? call.offsetLeft + call.offsetWidth - row.clientWidth : 9999, behavior: "instant" });
}
showCaller();

document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
  if (target.id !== "pad") return;
  showCaller();
  const suit = openSuit && pad().querySelector(`[name=deck-suit][value="${CSS.escape(openSuit)}"]`);
  if (suit) suit.checked = true;
  showPicked();
  if (detail.xhr.status >= 400) pad().querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  const asked = questions();
  if (![...askedBefore].some((kind) => asked.has(kind))) bringIntoView();
  const active = document.activeElement;
  if (follows(detail) || (active && active !== document.body)) return;
  const wrong = pad().querySelector("[aria-invalid=true]");
  (wrong ?? document.getElementById("ask"))?.focus({ preventScroll: !wrong });
});

// A form that is opened shows its button, which would lie under the docked one.
document.addEventListener(
  "toggle",
  ({ target }) => target.open && target.closest("#pad") && target.querySelector("form")?.scrollIntoView({ block: "nearest" }),
  true,
);

// The cards of a meld as they are chosen, each a key that takes it back; and how many are chosen of each suit.
function showPicked() {
  const row = document.querySelector("[data-picked]");
  if (!row) return;
  const picked = [...pad().querySelectorAll(".deck--pick [data-card]:checked")];
  row.replaceChildren(row.querySelector(".hint"), ...picked.map((input) => cardToTakeBack(input, row.dataset.picked)));
  row.querySelector(".hint").hidden = picked.length > 0;
  for (const button of pad().querySelectorAll("[data-least-picked]")) button.disabled = picked.length < Number(button.dataset.leastPicked);
  for (const suit of pad().querySelectorAll("[name=deck-suit]")) {
    const count = picked.filter((input) => input.dataset.card.endsWith(suit.value)).length;
    suit.parentElement.querySelector(".chosen")?.remove();
    if (!count) continue;
    const chosen = Object.assign(document.createElement("b"), { className: "chosen", textContent: count });
    suit.parentElement.append(chosen);
  }
}

function cardToTakeBack(input, words) {
  const [line, button] = [document.createElement("li"), document.createElement("button")];
  const mark = pad().querySelector(`[name=deck-suit][value="${input.dataset.card.slice(-1)}"] + span svg`);
  button.type = "button";
  button.className = "card";
  button.ariaLabel = `${words} ${input.parentElement.querySelector(".vh").textContent}`;
  button.append(Object.assign(document.createElement("span"), { textContent: input.nextElementSibling.textContent }), mark.cloneNode(true));
  button.addEventListener("click", () => {
    input.checked = false;
    showPicked();
    input.focus();
  });
  line.append(button);
  return line;
}

document.addEventListener("change", ({ target }) => {
  if (target.matches(".deck--pick [data-card]")) showPicked();
});
showPicked();

// What was said as the page was opened stands under its title for a while, one after the other.
const saidLong = setInterval(() => {
  const [toast, ...later] = document.querySelectorAll("#toasts .toast");
  toast?.remove();
  if (!later.length) clearInterval(saidLong);
}, 6000);
