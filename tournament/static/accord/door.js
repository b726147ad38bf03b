// Checking in at the door: a tap changes its own line, the page stays where it is, and the next line waits for Enter.

const doorList = () => document.getElementById("listed-entries");
const lineOf = (element) => element?.closest?.("#listed-entries > li");
const toCheckIn = (line) => line?.querySelector("form[action*='/check-ins/'] button");

// Where the focus goes once this line has changed: to the next one that can be checked in, unless somebody has gone elsewhere.
let tapped = null;

document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
  const line = lineOf(target);
  if (!line) return;
  tapped = { id: line.id, next: line.nextElementSibling?.id, byKey: detail.elt.querySelector("button").matches(":focus-visible") };
});

// The answer leads elsewhere, or this browser may not do that any more: show the page that says so.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (lineOf(target) && [204, 401, 403, 404].includes(detail.xhr.status)) location.reload();
});

function nextToCheckIn(id, next) {
  const lines = [...(doorList()?.children ?? [])];
  const at = lines.findIndex((line) => line.id === next || line.id === id);
  return [...lines.slice(Math.max(at, 0)), ...lines].map(toCheckIn).find(Boolean);
}

document.addEventListener("htmx:afterSettle", () => {
  const active = document.activeElement;
  if (!tapped || (active && active !== document.body)) return;
  const button = nextToCheckIn(tapped.id, tapped.next);
  button?.focus({ preventScroll: !tapped.byKey });
  tapped = null;
});

// Nothing came back: the line says so, and its button is still there.
document.addEventListener("htmx:sendError", ({ target }) => {
  const line = lineOf(target);
  if (!line || line.querySelector(".lost")) return;
  const words = document.createElement("span");
  words.className = "sub lost bad";
  words.setAttribute("role", "alert");
  words.textContent = doorList().dataset.lost;
  line.querySelector("div").append(words);
});
