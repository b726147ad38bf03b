// The pad's keyboard, where the focus goes after a tap, and what to say when a tap did not arrive. Every form works without it.

const TYPING = "input:not([type=radio]):not([type=checkbox]), select, textarea";
const TWICE = 250; // milliseconds: a second tap on the same spot so soon was meant for the first question
const SECOND = 700; // milliseconds to wait for a second character

let swapped = 0;
let begun = "";
let waiting;

const pad = () => document.getElementById("pad");
const find = (attribute, value) => pad()?.querySelector(`[data-${attribute}="${CSS.escape(value)}"]:not(:disabled)`);
const longer = (attribute, text) =>
  [...(pad()?.querySelectorAll(`[data-${attribute}]:not(:disabled)`) ?? [])].some(
    (key) => key.dataset[attribute].length > text.length && key.dataset[attribute].startsWith(text),
  );

function press(key) {
  begun = "";
  clearTimeout(waiting);
  key.click();
}

// What was typed so far means a key, or begins one.
function take(attribute, text) {
  const key = find(attribute, text);
  if (longer(attribute, text)) {
    begun = text;
    waiting = setTimeout(() => (key ? press(key) : (begun = "")), SECOND);
    return true;
  }
  if (key) press(key);
  return Boolean(key);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches(TYPING)) return;
  if (event.key === "?") {
    const keys = document.getElementById("keys");
    if (!keys) return;
    keys.open = !keys.open;
    keys.scrollIntoView({ block: "nearest" });
    return;
  }
  const focused = document.activeElement;
  if (event.key === "Enter" && focused?.matches("a, button, input, summary")) return;
  clearTimeout(waiting);
  if (event.key === "Enter" && begun && find("key", begun)) return press(find("key", begun));
  const before = begun;
  begun = "";
  const card = event.key.toUpperCase();
  const small = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const taken = take("card", before + card) || take("card", card) || take("key", before + small) || take("key", small);
  if (taken) event.preventDefault();
});

// A second tap where the first one just was: the question there has changed.
document.addEventListener(
  "click",
  (event) => {
    if (event.detail > 1 && event.target.closest("#pad button") && performance.now() - swapped < TWICE) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);

const isClock = (event) => event.target.id === "clock"; // it looks again by itself, and is no tap

document.addEventListener("htmx:afterSettle", (event) => {
  if (isClock(event)) return;
  swapped = performance.now();
  document.getElementById("toasts")?.replaceChildren();
  for (const id of ["unsent", "refused"]) document.getElementById(id).hidden = true;
  const active = document.activeElement;
  if (active && active !== document.body) return;
  const wrong = pad().querySelector("[aria-invalid=true]");
  (wrong ?? document.getElementById("ask"))?.focus({ preventScroll: !wrong });
});

for (const [event, id] of [["sendError", "unsent"], ["timeout", "unsent"], ["responseError", "refused"]]) {
  document.addEventListener(`htmx:${event}`, (failed) => {
    if (!isClock(failed)) document.getElementById(id).hidden = false;
  });
}
