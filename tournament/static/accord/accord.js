// What makes the forms pleasant; every page works without it.

// After a form came back, begin at the first field that needs another look.
document.querySelector("[aria-invalid=true]")?.focus();

// What was wrong with a field is over when something else is written there.
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[aria-invalid]")) return;
  const said = target.getAttribute("aria-describedby");
  for (const field of target.form.querySelectorAll(`[aria-invalid][aria-describedby="${said}"]`)) field.removeAttribute("aria-invalid");
});

// Another game has other seats and house rules: the form anew, with the names and the table that stand in it.
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-anew]")) return;
  const typed = [...new FormData(target.form)].filter(([name, value]) => value && /^(game|table|players\..*)$/.test(name));
  location.assign(`?${new URLSearchParams(typed)}`);
});

// Of a tournament's form only what goes with its game, its format and what deals are compared by: `GAME`, `GAME/FORMAT`,
// `GAME/FORMAT/SCORING`, each stage by its own format. What was chosen and doesn't go any more gives way to the first.
function narrow(form) {
  const value = (name) => form.elements[name]?.value ?? "";
  const game = value("game") || form.dataset.narrows;
  for (const each of form.querySelectorAll("[data-goes]")) {
    const stage = each.closest("[data-stage]")?.dataset.stage ?? "";
    const format = `${game}/${value(stage ? `${stage}kind` : "format")}`;
    const told = [game, format, `${format}/${value(`${stage}duplicate.scoring`)}`];
    each.hidden = each.disabled = !each.dataset.goes.split(" ").some((goes) => told.includes(goes));
  }
  // A tie-break that says nothing by the scale, unless it was set up with it.
  const usual = form.elements.format?.selectedOptions[0]?.dataset.scale || value("duplicate.scoring");
  const first = value("scale") === "usual" ? usual : value("scale");
  for (const each of form.querySelectorAll('[name*="tie_breaks."] option:not([selected])')) {
    const stage = each.closest("[data-stage]")?.dataset.stage;
    const nothing = form.dataset.nothing.split(" ").includes(`${(stage && value(`${stage}scale`)) || first}:${each.value}`);
    if (nothing || !each.dataset.goes) each.hidden = each.disabled = nothing;
  }
  const gone = [...form.querySelectorAll("select")].filter((select) => select.selectedOptions[0]?.disabled);
  for (const select of gone) select.value = select.querySelector("option:enabled")?.value ?? "";
  if (gone.length) narrow(form);
}

// Another game begins with the format that is usual for it.
function chooseUsual(form) {
  const { format, game, rounds } = form.elements;
  const usual = [...format.options].find((option) => option.dataset.usual.split(" ").includes(game.value));
  if (!usual) return;
  usual.disabled = usual.hidden = false;
  format.value = usual.value;
  rounds.value = usual.dataset.rounds;
}

for (const form of document.querySelectorAll("[data-narrows]")) {
  narrow(form);
  form.addEventListener("change", ({ target }) => {
    if (target.name === "game") chooseUsual(form);
    narrow(form);
  });
}

// One less, one more.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (!button) return;
  const input = document.getElementById(button.getAttribute("aria-controls"));
  const { least = -Infinity, most = Infinity } = input.dataset;
  const wanted = (parseInt(input.value, 10) || 0) + Number(button.dataset.step);
  input.value = Math.min(Number(most), Math.max(Number(least), wanted));
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

// Names by their beginning: the server fills the list below the field, arrows and Enter or a tap choose from it.
function prepareNames() {
  for (const input of document.querySelectorAll("[data-suggest]:not([role])")) {
    input.removeAttribute("list"); // the browser's own list is for a page without scripts
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", input.dataset.suggest);
    input.setAttribute("aria-expanded", "false");
  }
}
prepareNames();
document.addEventListener("htmx:afterSettle", prepareNames);

// What was said of the act before is past once the next one is recorded on the same page; its place stays, so that nothing moves.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "post" || !detail.successful) return;
  for (const toast of document.querySelectorAll("main .toast")) toast.classList.add("toast--past");
});

const listOf = (input) => document.getElementById(input.getAttribute("aria-controls"));
const optionsOf = (input) => [...listOf(input).querySelectorAll("[role=option]")];

function openList(input, open) {
  listOf(input).hidden = !open;
  input.setAttribute("aria-expanded", String(open));
  if (!open) input.removeAttribute("aria-activedescendant");
}

function markOption(input, option) {
  for (const each of optionsOf(input)) each.setAttribute("aria-selected", String(each === option));
  input.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function takeOption(input, option) {
  input.value = input.dataset.listed = option.dataset.name;
  openList(input, false);
}

function moveMark(input, by) {
  const options = optionsOf(input);
  if (!options.length) return;
  openList(input, true);
  const from = options.findIndex((each) => each.getAttribute("aria-selected") === "true");
  const to = from < 0 && by < 0 ? options.length - 1 : (from + by + options.length) % options.length;
  markOption(input, options[to]);
}

// Enter in a field of a name: the only player who fits is taken; of several one has to be chosen.
function settle(input) {
  const options = optionsOf(input);
  const isKnown = options.some((option) => option.dataset.name === input.value);
  if (isKnown || !options.length) return true;
  if (options.length === 1) {
    takeOption(input, options[0]);
    noteOf(input).textContent = "";
    return true;
  }
  openList(input, true);
  noteOf(input).textContent = listOf(input).querySelector("[data-several]")?.textContent ?? "";
  return false;
}

function goOn(input) {
  if ("stays" in input.dataset) return;
  const next = nextEmptySeat(input);
  if (next) next.focus();
  else input.form?.requestSubmit(input.form.querySelector("button:not([type=button])"));
}

const NAMES_COME = 1500; // milliseconds until Enter waits no longer for the names that fit: the server asks then
let namesFor = null; // the field in which Enter came before them

function waitForNames(input) {
  namesFor = input;
  htmx.trigger(input, "input");
  setTimeout(() => {
    if (namesFor !== input) return;
    namesFor = null;
    goOn(input);
  }, NAMES_COME);
}

function nextEmptySeat(input) {
  if ("stays" in input.dataset) return null;
  const seats = [...document.querySelectorAll("[data-suggest]")];
  const later = [...seats.slice(seats.indexOf(input) + 1), ...seats];
  return later.find((each) => each !== input && !each.value);
}

// Beside the field: whether the name is a new one, or its player sits at a table now.
function noteOf(input) {
  return document.getElementById(`${input.dataset.suggest}-note`) ?? { textContent: "" };
}

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (!target.matches("[data-suggest]")) return;
  detail.parameters = { q: target.value };
});

document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  if (!target.matches("[role=listbox]")) return;
  const input = document.querySelector(`[aria-controls="${target.id}"]`);
  const elsewhere = [...document.querySelectorAll("[data-suggest]")].filter((each) => each !== input).map((each) => each.value);
  for (const option of optionsOf(input)) if (elsewhere.includes(option.dataset.name)) option.remove();
  noteOf(input).textContent = target.querySelector("[data-note]")?.textContent ?? "";
  const toChoose = optionsOf(input).some((option) => option.dataset.name !== input.value);
  input.dataset.listed = detail.requestConfig.parameters.q ?? "";
  if (document.activeElement === input) openList(input, toChoose);
  if (namesFor !== input) return;
  namesFor = null;
  if (settle(input)) goOn(input);
});

document.addEventListener("keydown", (event) => {
  const input = event.target;
  if (!input.matches("[data-suggest]") || event.isComposing) return;
  const marked = optionsOf(input).find((each) => each.getAttribute("aria-selected") === "true");
  const open = !listOf(input).hidden;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") moveMark(input, event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "Escape" && open) openList(input, false);
  else if (event.key === "Enter" && open && marked) {
    takeOption(input, marked);
    nextEmptySeat(input)?.focus();
  } else if (event.key === "Enter" && input.value && input.value === input.defaultValue) goOn(input);
  else if (event.key === "Enter" && input.value && input.dataset.listed !== input.value) waitForNames(input);
  else if (event.key === "Enter" && input.value) {
    if (settle(input)) goOn(input);
  } else return;
  event.preventDefault();
});

// Before the field loses the focus, so that the list is still there to be tapped.
document.addEventListener("pointerdown", (event) => {
  const option = event.target.closest("[role=option]");
  if (!option) return;
  event.preventDefault();
  const input = document.querySelector(`[aria-controls="${option.closest("[role=listbox]").id}"]`);
  takeOption(input, option);
  nextEmptySeat(input)?.focus();
});

document.addEventListener("focusout", ({ target }) => {
  if (target.matches("[data-suggest]")) openList(target, false);
});

// A table that is wider than its place shows its rows one under the other, each cell beside the name of its column. The roles
// say again what it is: as blocks its parts would be no table to a screen reader.
const ROLES = { table: "table", caption: "caption", thead: "rowgroup", tbody: "rowgroup", tr: "row", td: "cell" };

function nameCells(table) {
  const columns = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.innerText.trim());
  for (const part of [table, ...table.querySelectorAll("caption, thead, tbody, tr, td, th")]) {
    const isHead = part.localName === "th";
    part.setAttribute("role", isHead ? (part.closest("thead") ? "columnheader" : "rowheader") : ROLES[part.localName]);
  }
  for (const { cells } of [...table.tBodies].flatMap((body) => [...body.rows])) {
    if (cells.length !== columns.length) continue;
    for (const cell of cells) if (cell.localName === "td") cell.dataset.column = columns[cell.cellIndex];
  }
}

function stackRows() {
  for (const table of document.querySelectorAll(".tbl:not(.scroll *)")) {
    table.classList.remove("tbl--rows");
    table.tHead?.classList.remove("vh");
    if (table.offsetWidth <= table.parentElement.clientWidth + 1) continue;
    nameCells(table);
    table.classList.add("tbl--rows");
    table.tHead?.classList.add("vh");
  }
}

if (document.querySelector(".tbl, #pad")) {
  new ResizeObserver(stackRows).observe(document.documentElement);
  document.addEventListener("htmx:afterSettle", stackRows);
  document.addEventListener("toggle", stackRows, true);
}

// Pages of a table that this browser keeps open for whoever holds it, without asking. Who signs out leaves none behind, once the
// server has let them go; what was tapped and not sent stays, for it stands nowhere else.
const KEPT_PAGES = "keptpages";
const SIGNING_OUT = "signingout";
const AGAIN_AFTER = 4000; // milliseconds
const LONGEST_ANSWER = 10000; // milliseconds; the same page may be locked by a request that waits
const keptPages = () => JSON.parse(localStorage.getItem(KEPT_PAGES) ?? "[]");

function noteKept(address) {
  try {
    localStorage.setItem(KEPT_PAGES, JSON.stringify([...new Set([...keptPages(), address])]));
  } catch {
    // A browser that stores nothing keeps no page for long.
  }
}

// Asked for as somebody without a key, anew: the answer takes the place of the page that was kept.
async function forgetPages() {
  const anew = { cache: "reload", credentials: "omit", redirect: "manual" };
  for (const address of keptPages()) await fetch(address, { ...anew, signal: AbortSignal.timeout(LONGEST_ANSWER) });
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    const store = await caches.open(name);
    for (const each of await store.keys()) if (!new URL(each.url).pathname.startsWith("/static/")) await store.delete(each, { ignoreVary: true });
  }
  localStorage.removeItem(KEPT_PAGES);
  sessionStorage.removeItem(SIGNING_OUT);
}

async function signedOut() {
  try {
    if (sessionStorage.getItem(SIGNING_OUT) && !document.querySelector("[data-signs-out]")) await forgetPages();
  } catch {
    setTimeout(signedOut, AGAIN_AFTER); // no answer
  }
}

// How many acts this browser keeps that were not sent (outbox-store.js); none where it has never kept any.
const countUnsent = () =>
  new Promise((resolve) => {
    const opening = globalThis.indexedDB?.open("accord-outbox", 1);
    if (!opening) return resolve(0);
    opening.onupgradeneeded = () => opening.transaction.abort(); // there is none, and none is made
    opening.onerror = opening.onblocked = () => resolve(0);
    opening.onsuccess = () => {
      const asked = opening.result.transaction("entries").objectStore("entries").count();
      asked.onerror = () => resolve(0);
      asked.onsuccess = () => resolve(asked.result);
      opening.result.close();
    };
  });

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-signs-out]") || form.dataset.asked) return;
  event.preventDefault();
  const number = await countUnsent().catch(() => 0);
  if (number && !confirm(form.dataset.unsent.replace("{number}", number))) return;
  form.dataset.asked = "yes";
  document.documentElement.toggleAttribute("data-leaving", true);
  try {
    sessionStorage.setItem(SIGNING_OUT, "1");
  } catch {
    // As above.
  }
  form.submit();
});
signedOut();
