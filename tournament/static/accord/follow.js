// A pad that lies idle looks again by itself and shows what another phone recorded, but never while somebody is entering here;
// and its screen stays awake while a game is open.

const thisPad = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
let seenAt; // how often this pad had changed when it began to look

const changed = (field) => {
  if (field.name === "deck-suit" || field.type === "hidden") return false;
  if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.matches("select")) return [...field.options].some((each) => each.selected !== each.defaultSelected) && field.selectedIndex > 0;
  return field.value !== field.defaultValue;
};

// Cards of a trick on the table, a pile being counted, a text half written.
function isEntering() {
  const drafted = [...new URLSearchParams(location.search).keys()].some((key) => key !== "by");
  const fields = [...document.querySelectorAll("#pad :is(input, select, textarea)")];
  return drafted || fields.some(changed) || Boolean(document.querySelector("#pad details[open] :is(input, select, textarea)"));
}

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (!target.matches("[data-follows]")) return;
  seenAt = changes;
  detail.path = location.pathname + location.search;
  detail.headers["Prefer"] = "wait=6";
  detail.parameters["tab"] = thisPad;
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
if (address && !location.search) history.replaceState(history.state, "", `?${address}`);

// Where a browser can: only with a secure connection, and only while the page is seen.
async function stayAwake() {
  if (!navigator.wakeLock || document.hidden || !document.querySelector("#pad [data-open]")) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // The battery is low or the system forbids it; the pad works as before.
  }
}

document.addEventListener("visibilitychange", stayAwake);
stayAwake();
