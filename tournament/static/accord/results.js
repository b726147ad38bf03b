// Results from the keyboard: Enter walks from field to field and from table to table, and each table goes out by itself with
// its last number. What is rare here waits for a second Enter. Without this the form is sent whole.

const AGAIN = 4000; // milliseconds until a row that had no answer goes out again
const ONE_IN = 200; // as in domain/standings/rare_results.py
const LEAST = 200;

const form = document.getElementById("results");
const usual = JSON.parse(document.getElementById("usual").textContent);
const unsent = new Map(); // the rows that are on their way: what was typed, by table
let sending = Promise.resolve();

const rows = () => [...form.querySelectorAll(".rrow")];
const inputsIn = (row) => [...row.querySelectorAll("input.input--s")];
const inputs = () => [...form.querySelectorAll("input.input--s")];
const rowOf = (input) => input.closest(".rrow");
const tableOf = (row) => row.id.slice("row-".length);
const typedIn = (row) => inputsIn(row).map((each) => each.value.trim()).join(":");
const hiddenIn = (row, name) => row.querySelector(`[name="tables.t${tableOf(row)}.${name}"]`);
const wantsMore = (row) => "missing" in row.dataset || "asks" in row.dataset;

const numberIn = (input) => Number(input.value.trim().replace(",", ".").replace("\u2212", "-"));
const isNumber = ({ value, dataset }) =>
  (dataset.decimal === undefined ? /^[+\-\u2212]?\d{1,9}$/ : /^[+\-\u2212]?\d{1,9}([.,][05])?$/).test(value.trim());

function say(row, words, kind = "error") {
  const note = document.getElementById(kind).content.firstElementChild.cloneNode(true);
  note.querySelector("span").textContent = words;
  row.querySelector(".rrow__said").replaceChildren(note);
}

function sayNothing(row) {
  row.querySelector(".rrow__said").replaceChildren();
  for (const each of inputsIn(row)) each.removeAttribute("aria-invalid");
}

// The first thing wrong with what is typed in a row, as its field and words; nothing while it is all empty.
function faultIn(row) {
  const fields = inputsIn(row);
  const bad = fields.find((each) => each.value.trim() && !isNumber(each));
  if (bad) return [bad, bad.dataset.decimal === undefined ? form.dataset.whole : form.dataset.decimal];
  const compared = fields.filter((each) => each.dataset.compared);
  const begun = new Set(compared.filter((each) => each.value.trim()).map((each) => each.dataset.compared));
  if (!begun.size && fields.some((each) => each.value.trim())) begun.add(compared[0].dataset.compared);
  const lacking = compared.find((each) => !each.value.trim() && begun.has(each.dataset.compared));
  return lacking && [lacking, form.dataset.lacks];
}

function distances(numbers) {
  const ordered = [...numbers].sort((one, two) => two - one);
  const margin = ordered.length > 1 ? { margin: ordered[0] - ordered[1] } : {};
  return { ...margin, highest: ordered[0], lowest: -ordered.at(-1) };
}

// What is rare in a row for this salon, as a sentence; "" for nothing. The server asks the same.
function rareIn(row) {
  const known = usual[row.dataset.group];
  if (!known || known.among < LEAST) return "";
  const typed = inputsIn(row).filter((each) => each.dataset.compared && each.value.trim());
  for (const together of new Set(typed.map((each) => each.dataset.compared))) {
    const fields = typed.filter((each) => each.dataset.compared === together);
    for (const [kind, far] of Object.entries(distances(fields.map((each) => Math.round(100 * numberIn(each)))))) {
      const reached = known.furthest[kind].filter((each) => each >= far).length;
      if (reached * ONE_IN >= known.among) continue;
      const value = String((kind === "lowest" ? -far : far) / 100).replace("-", "\u2212");
      const words = form.dataset[(reached ? "few" : "nobody") + kind[0].toUpperCase() + kind.slice(1)];
      return words.replace("%(value)s", value).replace("%(reached)s", reached).replace("%(among)s", known.among);
    }
  }
  return "";
}

function goTo(input) {
  input.focus();
  if (input.matches("input")) input.select?.();
}

// Where typing goes on after a row: at the next one that wants something, from the top where there is none below.
function after(row) {
  const all = rows();
  const at = all.indexOf(row);
  const next = [...all.slice(at + 1), ...all.slice(0, at)].find((each) => wantsMore(each) && !unsent.has(tableOf(each)));
  if (!next) return document.querySelector("#lacking a") ?? form.querySelector("button.btn--act");
  const fields = inputsIn(next);
  return fields.find((each) => each.matches("[aria-invalid]")) ?? fields.find((each) => !each.value) ?? fields[0];
}

// Leave a row: whether it was whole, and nothing has to be said once more.
function leave(row, byEnter) {
  if (!inputsIn(row).length || typedIn(row) === row.dataset.sent) return true;
  const empty = !typedIn(row).replaceAll(":", "");
  if (empty && !hiddenIn(row, "was").value) {
    sayNothing(row);
    return true;
  }
  const fault = faultIn(row);
  if (fault) {
    sayNothing(row);
    fault[0].setAttribute("aria-invalid", "true");
    row.dataset.missing = "";
    say(row, fault[1]);
    if (byEnter) goTo(fault[0]);
    return false;
  }
  const [words, sure] = [rareIn(row), hiddenIn(row, "sure")];
  if (words && sure.value !== typedIn(row)) {
    sure.value = byEnter ? typedIn(row) : ""; // who went away with the mouse has not read the question
    sayNothing(row);
    row.dataset.asks = "";
    say(row, words, "asks");
    return false;
  }
  send(row);
  return true;
}

function newCommand() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// One row after the other: the same command until there is an answer, so that it counts once.
function send(row) {
  const table = tableOf(row);
  const typed = typedIn(row);
  row.dataset.sent = typed;
  sayNothing(row);
  const body = new FormData();
  for (const name of ["csrfmiddlewaretoken", "version"]) body.set(name, form.elements[name].value);
  body.set("command", newCommand());
  for (const each of row.querySelectorAll("[name]")) if (each.type !== "radio" || each.checked) body.set(each.name, each.value);
  unsent.set(table, typed);
  sending = sending.then(() => deliver(table, typed, body));
}

async function deliver(table, typed, body) {
  for (;;) {
    if (unsent.get(table) !== typed) return; // typed anew meanwhile: that goes out in its place
    const answer = await fetch(form.action, { method: "POST", body, headers: { "Accord-Row": table } }).catch(() => null);
    if (answer && answer.status < 502 && answer.status !== 429) return take(table, typed, answer.status, answer.redirected ? "" : await answer.text());
    say(document.getElementById(`row-${table}`), form.dataset.lost);
    await new Promise((again) => {
      setTimeout(again, AGAIN);
      window.addEventListener("online", again, { once: true });
    });
  }
}

// What the server made of a row. Its fields stay as they are where somebody is typing in them again.
function take(table, typed, status, text) {
  if (unsent.get(table) === typed) unsent.delete(table);
  const row = document.getElementById(`row-${table}`);
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById(`row-${table}`);
  if (!fresh) {
    row.dataset.missing = "";
    delete row.dataset.sent;
    return say(row, form.dataset.refused);
  }
  const now = page.getElementById("lacking");
  if (now.dataset.lacking !== document.getElementById("lacking").dataset.lacking) document.getElementById("lacking").replaceWith(now);
  const wasHere = row.contains(document.activeElement);
  if (wasHere || typedIn(row) !== typed) {
    for (const part of [".rrow__said", ".rrow__state"]) row.querySelector(part).replaceWith(fresh.querySelector(part));
    hiddenIn(row, "was").value = hiddenIn(fresh, "was").value;
    if (status >= 400) delete row.dataset.sent;
    row.toggleAttribute("data-missing", "missing" in fresh.dataset);
    row.removeAttribute("data-asks");
  } else {
    row.replaceWith(fresh);
    fresh.dataset.shown = typedIn(fresh);
    if (status < 400) fresh.dataset.sent = typedIn(fresh);
  }
  const active = document.activeElement;
  const typing = active?.matches("input") && active.value; // whoever types on is not called back
  if (status >= 400 && !typing && !wasHere) goTo(fresh.querySelector("[aria-invalid]") ?? inputsIn(fresh).at(-1));
  else if (active?.matches("button.btn--act")) goTo(after(document.getElementById(`row-${table}`)));
}

form.addEventListener("keydown", (event) => {
  const input = event.target;
  if (!input.matches("input.input--s, .rrow__more input") || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = rowOf(input);
  const own = inputs();
  if (event.key === "Enter" && input.matches(".rrow__more input")) {
    event.preventDefault();
    delete row.dataset.sent;
    if (leave(row, true)) goTo(after(row));
    return;
  }
  const back = event.key === "ArrowUp" || (event.key === "Enter" && event.shiftKey);
  if (!back && event.key !== "Enter" && event.key !== "ArrowDown") return;
  event.preventDefault();
  if (back) return own[own.indexOf(input) - 1] && goTo(own[own.indexOf(input) - 1]);
  if (input.value.trim() && !isNumber(input)) return leave(row, true);
  const next = own[own.indexOf(input) + 1];
  const begun = typedIn(row).replaceAll(":", "");
  if (begun && next && rowOf(next) === row) return goTo(next);
  if (leave(row, true)) goTo(after(row));
});

// Now, not with the first picture as the browser has it: who types at once loses no key.
form.querySelector("[autofocus]")?.focus();

// Who goes on with the mouse or Tab leaves a row as with Enter.
form.addEventListener("focusout", ({ target, relatedTarget }) => {
  if (!target.matches("input.input--s") || !relatedTarget || rowOf(relatedTarget) === rowOf(target)) return;
  if (relatedTarget.closest("button, a")) return; // the whole form is on its way, or the page is left
  leave(rowOf(target), false);
});

form.addEventListener("input", ({ target }) => {
  if (!target.matches("input.input--s")) return;
  const row = rowOf(target);
  delete row.dataset.asks;
  if (row.querySelector(".rrow__said").childElementCount) sayNothing(row);
});

window.addEventListener("beforeunload", (event) => {
  const open = rows().some((row) => inputsIn(row).length && row.dataset.sent !== typedIn(row) && typedIn(row) !== (row.dataset.shown ?? ""));
  if (!("leaves" in form.dataset) && (unsent.size || open)) event.preventDefault();
});
form.addEventListener("submit", () => {
  form.dataset.leaves = "";
  unsent.clear();
});

for (const row of rows()) {
  row.dataset.shown = typedIn(row);
  if (!wantsMore(row)) row.dataset.sent = typedIn(row);
}
document.getElementById("keys")?.removeAttribute("hidden");
