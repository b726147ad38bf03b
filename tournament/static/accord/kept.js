// The list of what this phone keeps: what was refused with both versions and what can be done about it, and what waits behind.

const DAY = 24 * 60 * 60 * 1000; // milliseconds

const panel = document.getElementById("kept");
const cut = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

// "20:14", or the day as well where that isn't today.
function typedAt(entry) {
  const [at, language] = [new Date(entry.typed_at), document.documentElement.lang];
  const time = at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  return at.toDateString() === new Date().toDateString() ? time : `${at.toLocaleDateString(language)}, ${time}`;
}

// What comes behind an entry in its game, and in those begun after it, which wait for it.
function behind(entry, entries) {
  const later = entries.filter(({ awaits }) => awaits === entry.stream);
  const own = entries.filter(({ stream, seq }) => stream === entry.stream && seq > entry.seq);
  return [...own, ...later.flatMap((each) => [each, ...behind(each, entries)])];
}

const beginsGame = ({ collection }) => collection === "games";

// The server said no, or someone else tapped it here.
const isStuck = (entry) => entry.state === "refused" || outboxStore.isOthers(entry);

function lineOf(entry, entries) {
  const line = cut(isStuck(entry) ? "kept-conflict" : "kept-line");
  line.dataset.command = entry.command;
  line.querySelector("[data-words]").textContent = entry.words;
  line.querySelector("[data-typed]").textContent = typedAt(entry);
  const isSheet = entry.collection === "sheet" && !outboxStore.isOthers(entry);
  for (const each of line.querySelectorAll("[data-change]")) each.hidden = !isSheet || !document.getElementById("packsheet");
  const isWhole = isSheet || (beginsGame(entry) && !outboxStore.isOthers(entry));
  for (const each of line.querySelectorAll("[data-withdraw]")) each.hidden = !isWhole || behind(entry, entries).length > 0;
  return line;
}

// Whether what this phone says can still be said on top of what came first: of the hand that is open there by now.
function mayFollow({ collection, place, problem }) {
  if (problem?.version === undefined || problem.finished || problem.follows === false) return false;
  return collection === "sheet" || place.hand === undefined || place.hand === problem.place?.hand;
}

function conflictOf(entry, entries) {
  const line = lineOf(entry, entries);
  const count = behind(entry, entries).length;
  const others = outboxStore.isOthers(entry);
  const { words, meanwhile = [] } = others ? { words: panel.dataset.others } : (entry.problem ?? {});
  line.querySelector("[data-why]").textContent = words ?? "";
  line.querySelector("[data-theirs]").hidden = !meanwhile.length;
  for (const theirs of meanwhile) {
    const said = Object.assign(document.createElement("li"), { textContent: `${theirs.at} ${theirs.who}: ${theirs.words}` });
    line.querySelector("[data-meanwhile]").append(said);
  }
  line.querySelector("[data-after]").hidden = others || !mayFollow(entry);
  line.querySelector("[data-retry]").hidden = others || !beginsGame(entry);
  line.querySelector("[data-drop]").hidden = beginsGame(entry) && count > 0; // what is behind it is of no other game
  line.querySelector("[data-rest]").hidden = !count;
  line.querySelector("[data-drop-all]").hidden = !count;
  line.querySelector("[data-behind]").textContent = count;
  return line;
}

let painted = "";

// While the one tap of a pad waits for the line, the pad's own note says so: the list is for more than that.
function paint({ entries, trouble }) {
  if (!panel) return;
  const waiting = outbox.waiting();
  const refused = waiting.some(isStuck);
  const old = waiting.some(({ typed_at: typed }) => Date.now() - typed > DAY);
  const named = document.getElementById("pad") ? 1 : 0; // the pad's own note names one
  panel.hidden = !(refused || old || trouble === "closed" || waiting.length > named) || !entries.length;
  const now = JSON.stringify([trouble, old, waiting.map(({ command, state }) => [command, state])]);
  if (now === painted) return;
  painted = now;
  for (const each of panel.querySelectorAll("[data-trouble]")) each.hidden = each.dataset.trouble !== trouble;
  panel.querySelector("[data-old]").hidden = !old;
  const lines = waiting.map((entry) => (isStuck(entry) ? conflictOf : lineOf)(entry, entries));
  document.getElementById("kept-list").replaceChildren(...lines);
}

// Whether all that is kept here is sent, on a page of forms (a pad says it of its taps too: taps.js).
function showUnsent() {
  const count = outbox.waiting().length;
  for (const each of document.querySelectorAll("#sent [data-state]")) each.hidden = each.dataset.state !== (count ? "unsent" : "all");
  for (const each of document.querySelectorAll("#sent [data-kept]")) each.textContent = count;
}

document.addEventListener("outbox:changed", ({ detail }) => paint(detail));

document.addEventListener("outbox:answered", ({ detail }) => {
  if (!detail.some(({ state }) => state === "refused") || !panel) return;
  paint(outbox.state);
  document.getElementById("kept-title").focus({ preventScroll: true });
  panel.scrollIntoView({ block: "start" });
});

// The page may be left with these: what is kept stays, and what is led to says so.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-leaves]")) document.documentElement.toggleAttribute("data-leaving", true);
});

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("#kept :is([data-drop], [data-drop-all], [data-withdraw], [data-after], [data-retry], [data-change])");
  if (!button) return;
  const { command } = button.closest("[data-command]").dataset;
  const { entries } = outbox.state;
  const entry = entries.find((each) => each.command === command);
  if (button.matches("[data-change]")) return void document.dispatchEvent(new CustomEvent("kept:change", { detail: entry }));
  button.disabled = true;
  if (button.matches("[data-drop-all]")) for (const each of behind(entry, entries).reverse()) await outboxStore.dropped(each.command, "given up");
  if (button.matches("[data-drop], [data-drop-all], [data-withdraw]")) await outboxStore.dropped(command, "given up");
  else if (button.matches("[data-retry]")) await outboxStore.note(command, { state: "kept", problem: undefined });
  else await outboxStore.replaced(command, entry.problem);
  await outbox.look();
  outbox.now();
});
