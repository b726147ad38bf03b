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

function lineOf(entry) {
  const line = cut(entry.state === "refused" ? "kept-conflict" : "kept-line");
  line.querySelector("[data-words]").textContent = entry.words;
  line.querySelector("[data-typed]").textContent = typedAt(entry);
  return line;
}

function conflictOf(entry, isFollowed) {
  const line = lineOf(entry);
  const { words, meanwhile = [], version } = entry.problem ?? {};
  line.querySelector("[data-why]").textContent = words ?? "";
  line.querySelector("[data-theirs]").hidden = !meanwhile.length;
  for (const theirs of meanwhile) {
    const said = Object.assign(document.createElement("li"), { textContent: `${theirs.at} ${theirs.who}: ${theirs.words}` });
    line.querySelector("[data-meanwhile]").append(said);
  }
  line.querySelector("[data-after]").hidden = version === undefined;
  line.querySelector("[data-rest]").hidden = !isFollowed;
  line.dataset.command = entry.command;
  return line;
}

let painted = "";

// While the one tap of a pad waits for the line, the pad's own note says so: the list is for more than that.
function paint({ entries, trouble }) {
  if (!panel) return;
  const waiting = outbox.waiting();
  const refused = waiting.some(({ state }) => state === "refused");
  const old = waiting.some(({ typed_at: typed }) => Date.now() - typed > DAY);
  const named = document.getElementById("pad") ? 1 : 0; // the pad's own note names one
  panel.hidden = !(refused || old || trouble === "closed" || waiting.length > named) || !entries.length;
  const now = JSON.stringify([trouble, old, waiting.map(({ command, state }) => [command, state])]);
  if (now === painted) return;
  painted = now;
  for (const each of panel.querySelectorAll("[data-trouble]")) each.hidden = each.dataset.trouble !== trouble;
  panel.querySelector("[data-old]").hidden = !old;
  const lines = waiting.map((entry, place) => (entry.state === "refused" ? conflictOf(entry, place < waiting.length - 1) : lineOf(entry)));
  document.getElementById("kept-list").replaceChildren(...lines);
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
  const button = target.closest("#kept :is([data-drop], [data-after])");
  if (!button) return;
  const { command } = button.closest("[data-command]").dataset;
  const entry = outbox.state.entries.find((each) => each.command === command);
  button.disabled = true;
  if (button.matches("[data-drop]")) await outboxStore.dropped(command, "given up");
  else await outboxStore.replaced(command, entry.problem);
  await outbox.look();
  outbox.now();
});
