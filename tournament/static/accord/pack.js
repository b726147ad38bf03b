// A table goes on by hand sheets while it hears of nobody: which hand is next follows from the page as it was kept and from what
// this phone kept since; each hand is one entry of the outbox, after sums that need no rules, or by the rules where they are on this
// phone (rules.js).

const SOON = 4000; // milliseconds: so often the page looks whether the server answers again
const WRITTEN = 300; // milliseconds after which what is being written is looked at
const JUDGED = 3000; // milliseconds that a hand waits for the rules before sums take it
const AT_ONCE = 1500; // milliseconds for which the page waits for a newer one before it shows the sheet it has
const ALWAYS = new Set(["sheet", "totals", "throw-ins"]); // acts that end their hand
const UNDO = "retractions";
const AGAIN = new Set(["misdeals", UNDO]); // after these, what stood of the hand stands no more

const hasRules = typeof pageRules !== "undefined"; // whether this page can have them

let gameHere = readGame();
let begun = false;
let shownHand = ""; // the hand whose sheet stands there

// What the page was made with; `packed` is the hand that its sheet of now is of, `begun` what the rules need of the game, `since`
// what of this phone was recorded after it.
function readGame() {
  const written = document.getElementById("packgame");
  if (!written) return null;
  const found = JSON.parse(written.textContent);
  return { ...found, packed: found.hand, begun: document.getElementById("packbegun")?.textContent, since: [] };
}

const addressHere = () => document.getElementById("packsheet").dataset.outbox;
const ours = () => outbox.state.entries.filter(({ stream }) => stream === gameHere.game);

// Where the game is after these entries: {hand, dealer, trump}, null where only the table knows who deals; `trail` is where it was
// before each of them, to which an undo returns.
function after(entries, { hand, dealer, trump, trail = [], dealers, trumps, tricks }) {
  let at = { hand, dealer, trump, trail };
  for (const entry of entries) {
    if (entry.collection === UNDO) {
      at = { ...(at.trail.at(-1) ?? at), trail: at.trail.slice(0, -1) };
      continue;
    }
    const said = new URLSearchParams(entry.body);
    const before = [...at.trail, { hand: at.hand, dealer: at.dealer, trump: at.trump }];
    at = { ...at, dealer: at.dealer ?? said.get("dealer"), trump: at.trump ?? said.get("trump"), trail: before };
    if ((entry.place.hand ?? at.hand) < at.hand || !endsHand(entry, tricks)) continue;
    at = { hand: at.hand + 1, dealer: dealers[at.dealer] ?? null, trump: trumps[at.trump] ?? null, trail: before };
  }
  return at;
}

function endsHand({ collection, place, body, ends }, tricks) {
  if (ends || ALWAYS.has(collection)) return true;
  if (collection === "contracts") return !/(^|&)(soloist|declarer)=/.test(body); // nobody bid
  if (collection === "defences") return decodeURIComponent(body).split("=out").length === 3; // both keep out: nothing is played
  return (collection === "winners" || collection === "tricks") && place.trick === tricks;
}

// Whether the sheet of the hand that was open is still its sheet: what stands fixed there stands.
const isAsPacked = ({ hand }) => hand === gameHere.packed && !ours().some(({ collection }) => AGAIN.has(collection));

function showSheet() {
  if (!begun) return;
  const place = document.getElementById("packsheet");
  const { trail: _, ...coming } = after(ours(), gameHere);
  const sheet = isAsPacked(coming) ? "now" : "coming";
  const key = JSON.stringify({ game: gameHere.game, sheet, ...coming });
  if (key === shownHand) return;
  if (shownHand && JSON.parse(shownHand).game === gameHere.game && isWritten()) return; // what is being written stays
  shownHand = key;
  const source = document.querySelector(`[data-sheet="${sheet}"]`);
  place.replaceChildren(source.content.cloneNode(true));
  const head = document.querySelector("[data-head]").content.firstElementChild.cloneNode(true);
  head.querySelector("[data-number]").textContent = coming.hand;
  const turn = document.querySelector(`[data-turn="${coming.dealer ?? ""} ${coming.trump ?? ""}"]`);
  if (turn) head.querySelector("[data-who]").append(turn.content.cloneNode(true));
  place.querySelector(".head").replaceWith(head);
  const keeps = place.querySelector("[data-keep]");
  keeps.replaceChildren(document.querySelector("[data-words]:is(template)").content.cloneNode(true));
  keeps.querySelector("[data-number]").textContent = coming.hand;
  const form = place.querySelector("form");
  form.removeAttribute("action");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    keepHand(form, coming);
  });
  prepareSheet();
  lookAtSheet();
}

const isWritten = () =>
  [...document.querySelectorAll("#packsheet :is(input:not([type=hidden]), select)")].some((field) =>
    /radio|checkbox/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue && field.value !== "",
  );

// The fields of a form that say something, as `name=value`; a choice that says more stands for itself.
const saidBy = (form) =>
  [...new FormData(form)].filter(([, value]) => value.trim()).map(([name, value]) => (name === "fields" ? value : `${name}=${value}`));

// The sums that don't hold, as the page words them.
function wrongSums(form) {
  const said = saidBy(form);
  const sums = document.querySelector("[data-sums]").content;
  return [...sums.querySelectorAll("li")].filter((sum) => !holds(sum, form, said)).map((sum) => sum.textContent.trim());
}

function holds({ dataset }, form, said) {
  const isSaid = (beginnings) => beginnings.split(" ").some((beginning) => said.some((each) => each.startsWith(beginning)));
  if (dataset.unless && isSaid(dataset.unless)) return true;
  if (dataset.where && !form.querySelector(`[name="${dataset.where}"]`)) return true;
  if (dataset.said) return isSaid(dataset.said);
  const written = dataset.check.split(" ").map((name) => said.find((each) => each.startsWith(`${name}:`))?.split("=")[1]);
  if (written.includes(undefined)) return dataset.needed === undefined;
  const numbers = written.map((text) => Number(text.trim().replace(",", ".")));
  const sum = numbers.reduce((one, other) => one + other);
  return (
    numbers.every((each) => each >= 0 && (dataset.each === undefined || each <= Number(dataset.each)) && Number.isInteger(2 * each)) &&
    (dataset.total === undefined || sum === Number(dataset.total)) &&
    (dataset.least === undefined || sum >= Number(dataset.least)) &&
    (dataset.most === undefined || sum <= Number(dataset.most)) &&
    (dataset.whole === undefined || Number.isInteger(sum))
  );
}

function showWrong(form, wrong) {
  form.querySelector("#packwrong")?.remove();
  if (!wrong.length) return;
  const note = document.getElementById("packwrong-note").content.firstElementChild.cloneNode(true);
  note.querySelector("ul").append(...wrong.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  form.prepend(note);
  note.scrollIntoView({ block: "nearest" });
}

// What the rules say of a sheet, after all that this phone knows of; null where they aren't here, or can't say.
const verdictOf = (written) => askRules("sheet", { written });

async function askRules(door, asked) {
  if (!hasRules || !pageRules.isHere()) return null;
  if (!gameHere.begun) {
    pageRules.say("behind");
    return null;
  }
  const plain = ({ collection, body, place }) => ({ collection, body, hand: place.hand ?? null });
  const question = { recorded: gameHere.since.map(plain), version: gameHere.version, kept: ours().map(plain), ...asked };
  try {
    const answer = await pageRules.ask(door, gameHere.begun, JSON.stringify(question));
    if (answer.astray) pageRules.say(answer.astray.problem ? "astray" : "behind", answer.astray.hand ?? "");
    else pageRules.say("here");
    return answer.astray ? null : answer;
  } catch {
    return null;
  }
}

let looking;

// While a sheet is written it says what it comes to.
function lookAtSheet() {
  clearTimeout(looking);
  if (hasRules) looking = setTimeout(showVerdict, WRITTEN);
}

async function showVerdict() {
  const form = document.querySelector("#packsheet form");
  if (!form || !begun) return;
  const written = bodyOf(form);
  const answer = await verdictOf(written);
  if (!form.isConnected || bodyOf(form) !== written) return; // it is looked at again
  if (answer) pageVerdict.show(form, answer, isWritten());
  else pageVerdict.clear(form);
}

function bodyOf(form) {
  const fields = new FormData(form);
  for (const name of ["csrfmiddlewaretoken", "command", "version", "hand", "trick"]) fields.delete(name);
  fields.set("game", gameHere.game);
  return new URLSearchParams(fields).toString();
}

let deciding = false; // a second tap waits for what the first comes to

async function keepHand(form, coming) {
  if (deciding) return;
  deciding = true;
  try {
    const body = bodyOf(form);
    const hand = { ...coming, behind: ours().at(-1)?.command }; // as the rules are told
    const late = new Promise((resolve) => setTimeout(resolve, JUDGED, null));
    const answer = await Promise.race([verdictOf(body), late]);
    if (answer) pageVerdict.show(form, answer, true);
    if (answer?.missing) document.getElementById("packresult")?.scrollIntoView({ block: "nearest" });
    if (answer?.problem) pageVerdict.askAnyway(form, answer.problem, () => keepWhole(form, hand, body, "nobody"));
    else if (answer?.after) await keepWhole(form, hand, body, "rules");
    else if (!answer) await keepBySums(form, hand, body);
  } finally {
    deciding = false;
  }
}

async function keepBySums(form, hand, body) {
  const wrong = wrongSums(form);
  showWrong(form, wrong);
  if (!wrong.length) await keepWhole(form, hand, body, "sums");
}

// Keep the hand; `by` says what has taken it: the rules, sums alone, or nobody.
async function keepWhole(form, { hand, behind }, body, by) {
  const words = document.querySelector("#packsheet h1").textContent.replace(/\s+/g, " ").trim();
  const entry = {
    stream: gameHere.game, collection: "sheet", body, version: gameHere.version,
    place: { hand }, address: addressHere(), words, behind,
  };
  document.getElementById("packlost").hidden = true;
  try {
    await outboxStore.keep(entry);
  } catch {
    document.getElementById("packlost").hidden = false;
    return;
  }
  const kept = document.getElementById("packkept");
  kept.querySelector("[data-words]").textContent = words;
  for (const each of kept.querySelectorAll("[data-by]")) each.hidden = each.dataset.by !== by;
  kept.hidden = false;
  form.reset();
  await outbox.look();
  showSheet();
  document.querySelector("#packsheet h1").focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: "instant" });
  outbox.now();
}

function showBadge() {
  const count = outbox.waiting().length;
  for (const each of document.querySelectorAll("#sent [data-state]")) each.hidden = each.dataset.state !== (count ? "unsent" : "all");
  document.querySelector("#sent [data-kept]").textContent = count;
}

async function lookForServer() {
  await lookOnce();
  setTimeout(lookForServer, SOON);
}

// Once the server answers, the page as it is now takes the place of the one that was kept, and hands go out.
async function lookOnce() {
  let here = false;
  try {
    const page = await pageNow("no-store");
    here = Boolean(page?.querySelector("#packed, [data-no-sheets]"));
    if (page?.getElementById("packed")) await takePage(page);
  } catch {
    // Not yet.
  }
  for (const each of document.querySelectorAll("[data-says=away]")) each.hidden = here;
  for (const each of document.querySelectorAll("[data-says=back]")) each.hidden = !here;
  if (here) outbox.wake();
  lookAtSheet();
}

// The page as the server has it; asked for with "reload" the browser keeps it, too.
async function pageNow(cache) {
  const response = await fetch(location.pathname, { cache, redirect: "manual", signal: AbortSignal.timeout(10000) });
  return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
}

const contentOf = (page) => ["packgame", "packbegun"].map((id) => page.getElementById(id)?.textContent).join("");
let keptAs = contentOf(document); // what the page says that the browser keeps

// A page that says something else is kept, and taken unless something waits here. What says the same isn't asked for again: a line
// that dies in the answer would leave nothing.
async function takePage(page) {
  await keepFiles(page);
  if (contentOf(page) !== keptAs) {
    page = (await pageNow("reload")) ?? page;
    keptAs = contentOf(page);
  }
  const fresh = page.getElementById("packed");
  if (fresh && !ours().length) {
    if (contentOf(page) === contentOf(document) || isOlder(page)) return;
    document.getElementById("packed").replaceWith(document.adoptNode(fresh));
    gameHere = readGame();
    showSheet();
    document.dispatchEvent(new CustomEvent("pack:changed"));
  } else if (fresh && !gameHere.begun) takeBegun(fresh);
}

// A page that was on its way while what waited here went out knows less than this one.
function isOlder(page) {
  const { game, version } = JSON.parse(page.getElementById("packgame").textContent);
  return game === gameHere.game && version < gameHere.version;
}

let filesAreKept = false;

// The browser has what this page is made of, once: what its templates show is seen later, perhaps without the server.
async function keepFiles(page) {
  if (filesAreKept) return;
  await Promise.all(filesOf(page).map((file) => fetch(file)));
  filesAreKept = true;
}

// What the rules need, of a newer page in whose place this one stays for what waits here.
function takeBegun(fresh) {
  const { game, version } = JSON.parse(fresh.querySelector("#packgame").textContent);
  if (game !== gameHere.game || version !== gameHere.version) return;
  gameHere = { ...gameHere, begun: fresh.querySelector("#packbegun")?.textContent, since: [] };
  document.dispatchEvent(new CustomEvent("pack:changed"));
}

// What the pad showed after this page was kept: the hand that is open by now.
async function catchUp() {
  const seen = await outboxStore.seen(gameHere.game).catch(() => undefined);
  if (!seen || seen.version <= gameHere.version) return;
  gameHere.version = seen.version;
  for (; gameHere.hand < seen.hand; gameHere.hand += 1) {
    gameHere.dealer = gameHere.dealers[gameHere.dealer] ?? null;
    gameHere.trump = gameHere.trumps[gameHere.trump] ?? null;
  }
}

let known = []; // the entries as they were before the last answer

// What is recorded is where the game is, also before the page itself comes anew.
document.addEventListener("outbox:answered", ({ detail }) => {
  for (const { command, state, version } of gameHere ? detail : []) {
    const entry = known.find((each) => each.command === command);
    if (state === "refused" || !entry) continue;
    gameHere = { ...gameHere, ...after([entry], gameHere), version, since: [...gameHere.since, entry] };
    outboxStore.see({ stream: gameHere.game, address: addressHere(), version, hand: gameHere.hand }).catch(() => undefined);
  }
});

document.addEventListener("outbox:changed", () => {
  showBadge();
  if (!gameHere) return;
  if (ours().length) known = [...known.filter(({ command }) => ours().every((each) => each.command !== command)), ...ours()].slice(-100);
  showSheet();
  lookAtSheet();
});

if (gameHere && hasRules) {
  for (const kind of ["input", "change", "click"]) document.getElementById("packsheet").addEventListener(kind, lookAtSheet);
  pageRules.whenChanged(() => (gameHere.begun ? lookAtSheet() : lookOnce()));
}

if (gameHere) {
  const soon = new Promise((resolve) => setTimeout(resolve, AT_ONCE));
  Promise.race([catchUp().then(lookForServer), soon])
    .then(() => outbox.look())
    .then(() => {
      begun = true;
      showSheet();
    });
}
