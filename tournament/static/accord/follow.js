// A pad that lies idle looks again by itself and shows what another phone recorded, but never while somebody is entering here.

const thisPad = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
let seenAt; // how often this pad had changed when it began to look

const changed = (field) => {
  if (field.name === "deck-suit" || field.type === "hidden") return false;
  if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.matches("select")) return [...field.options].some((each) => each.selected !== each.defaultSelected) && field.selectedIndex > 0;
  return field.value !== field.defaultValue;
};

const isDrafted = () => [...new URLSearchParams(location.search).keys()].some((key) => key !== "by");

// Cards of a trick on the table, a pile being counted, a text half written.
function isEntering() {
  const drafted = isDrafted();
  const fields = [...document.querySelectorAll("#pad :is(input, select, textarea)")];
  return drafted || fields.some(changed) || Boolean(document.querySelector("#pad details[open] :is(input, select, textarea)"));
}

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (!target.matches("[data-follows]")) return;
  seenAt = changes;
  detail.path = location.pathname + location.search;
  detail.headers["Prefer"] = "wait=6";
  detail.parameters["tab"] = thisPad;
  if (thePad()) detail.headers["Accord-Game"] = thePad().dataset.game;
  detail.headers["If-None-Match"] = target.matches("[data-free]") ? '"free"' : thePad().dataset.shown;
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!follows(detail)) return;
  const { status } = detail.xhr;
  const busy = sending || unsent || looking || waiting.length || seenAt !== changes;
  if (status !== 200 || busy || isEntering()) detail.shouldSwap = false;
  if (status === 200 && !busy && isEntering() && !document.getElementById("meanwhile")) note("meanwhile", "");
});

// What the server recalled of the last visit stands in the address, too.
const address = thePad()?.dataset.address;
const wasOpened = location.search === "?open"; // by the page that is kept under the table's address
if (wasOpened || (address && !location.search)) history.replaceState(history.state, "", location.pathname + (address ? `?${address}` : ""));

// A page that isn't seen may be thrown away by the phone and opened anew by its address, perhaps without the server: then it has the
// one that this browser keeps. What the pad asks by is put back when it is seen, and the server recalls it, too.
let heldSearch = "";

document.addEventListener("visibilitychange", () => {
  const isKept = document.querySelector("#shell[data-reopens]");
  if (document.hidden && isKept && location.search && !isDrafted()) {
    heldSearch = location.search;
    history.replaceState(history.state, "", location.pathname);
  } else if (!document.hidden && heldSearch) {
    if (!location.search) history.replaceState(history.state, "", location.pathname + heldSearch);
    heldSearch = "";
  }
});
