// A table goes on by hand sheets while it hears of nobody: which hand is next follows from the page as it was kept and from what
// this phone kept since; each hand is one entry of the outbox, after sums that need no rules, or by the rules where they are on this
// phone (rules.js).

const SOON = 4000; // milliseconds: so often the page looks whether the server answers again
const WRITTEN = 300; // milliseconds after which what is being written is looked at
const JUDGED = 3000; // milliseconds that a hand waits for the rules before sums take it
const AT_ONCE = 1500; // milliseconds for which the page waits for a newer one before it shows the sheet it has
const ALWAYS = new Set(["sheet", "totals", "throw-ins"]); // acts that end their hand
const [UNDO, GAMES, ENDINGS] = ["retractions", "games", "endings"];
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

const NAME = /\ue000(.+?)\ue001/g; // who sits at a seat, as the page's templates have it (offline_pack.py)
let withNames = []; // [text or attribute, as it was written] of what says a name

// Where the page says who sits where: all that its templates have.
function findNames(part) {
  const nodes = document.createNodeIterator(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    for (const each of node.attributes ?? [node]) if (each.nodeValue?.match(NAME)) withNames.push([each, each.nodeValue]);
    if (node.content) findNames(node.content);
  }
}

// The page's templates name those who sit at the table in this game.
function writeNames() {
  for (const [each, written] of withNames) each.nodeValue = written.replace(NAME, (_, seat) => gameHere.names[seat] ?? seat);
}

function nameAll() {
  withNames = [];
  findNames(document.getElementById("packed"));
  writeNames();
}

if (gameHere) nameAll();

const addressHere = () => document.getElementById("packsheet").dataset.outbox;
let changing = null; // the kept sheet that is being changed
const begunHere = new Map(); // the acts by which this phone began games and that it has sent, by the game that each follows

const waitsHere = () => outbox.state.entries.filter(({ stream }) => stream === gameHere.game);
const ours = () => waitsHere().filter(({ collection }) => collection !== GAMES);

// Where the game is after these entries: {hand, dealer, trump}, null where only the table knows who deals; what the sides have by
// `points` and what is known of the `open` hand, whether one `isOpen` and whether it is `over`; `trail` is where it was before each of them, to which an
// undo returns.
function after(entries, { hand, dealer, trump, points, open, isOpen, over, trail = [], last, dealers, trumps, tricks }) {
  let at = { hand, dealer, trump, points, open, isOpen, over, trail };
  for (const entry of entries) {
    const { trail: earlier, ...here } = at;
    if (entry.collection === UNDO) {
      at = { ...(earlier.at(-1) ?? { ...here, open: null, over: false }), trail: earlier.slice(0, -1) };
      continue;
    }
    const said = new URLSearchParams(entry.body);
    at = { ...at, dealer: at.dealer ?? said.get("dealer"), trump: at.trump ?? said.get("trump"), trail: [...earlier, here] };
    if (entry.collection === ENDINGS) {
      Object.assign(at, { isOpen: false, over: true });
      continue;
    }
    at.isOpen = true;
    if (points) at.open = handPoints.afterEntry(at.open, entry);
    if ((entry.place.hand ?? at.hand) < at.hand || !endsHand(entry, tricks)) continue;
    at = { ...at, hand: at.hand + 1, isOpen: false, dealer: dealers[at.dealer] ?? null, trump: trumps[at.trump] ?? null };
    if (points) Object.assign(at, { points: handPoints.afterHand(at.points, at.open), open: handPoints.opened() });
    at.over = (last && at.hand > last) || Boolean(points && handPoints.isOver(at.points));
  }
  return at;
}

// The act by which this phone began a game after another one, kept or sent; undefined where it began none.
const followerOf = (game) => outbox.state.entries.find(({ collection, awaits }) => collection === GAMES && awaits === game) ?? begunHere.get(game);

// The acts by which this phone began games after that of the page, the last of them last.
function gamesSince(game) {
  const found = [];
  for (let next = followerOf(game); next && !found.includes(next); next = followerOf(next.stream)) found.push(next);
  return found;
}

// The table is at the game that was begun last.
function goToLastGame() {
  const page = readGame();
  const since = gamesSince(page.game);
  const last = since.at(-1)?.stream ?? page.game;
  if (last === gameHere.game) return;
  gameHere = last === page.game ? page : newGame(page, since);
  [changing, shownHand] = [null, ""];
  writeNames();
  document.dispatchEvent(new CustomEvent("pack:changed"));
}

// The last of these games, of the same people by the same rules, before its first hand.
function newGame(page, since) {
  const { version, trump, points, games, moved } = page.again;
  const begun = page.begun && JSON.parse(page.begun);
  const game = since.at(-1).stream;
  const cameFrom = since.reduce(seatsAfter, Object.fromEntries(Object.keys(page.names).map((seat) => [seat, seat])));
  return {
    ...page, game, version, hand: 1, dealer: null, trump, over: false, isOpen: false, packed: null, drawn: new Map([...games, ...moved]).get(game),
    names: Object.fromEntries(Object.entries(cameFrom).map(([seat, origin]) => [seat, page.names[origin]])),
    points: page.points && { ...page.points, ...points }, open: handPoints.opened(),
    begun: begun && JSON.stringify({ ...begun, facts: begun.again, came_from: cameFrom }),
  };
}

// Where everybody sat in the game of the page, by the seat in the game that begins with this act.
function seatsAfter(cameFrom, { body }) {
  const said = new URLSearchParams(body);
  return Object.fromEntries(Object.keys(cameFrom).map((seat) => [seat, cameFrom[said.get(`seats.${seat}`) ?? seat]]));
}

// The next game that can begin here, null where none can: its id, and who is drawn to deal first. `among`: "games" or, at other
// seats, "moved".
function nextGame(among) {
  const page = readGame();
  const used = gamesSince(page.game).map(({ stream }) => stream);
  return page.again?.[among].find(([game]) => !used.includes(game)) ?? null;
}

// Begin the next game, by a button among the `seats` that were chosen, or at the same ones.
async function beginNextGame(button) {
  const seats = [...(button.closest("[data-moves]")?.querySelectorAll("[data-sits]") ?? [])];
  const chosen = seats.map((seat) => [seat, seat.querySelector("select")]);
  const isMoved = chosen.some(([seat, { value }]) => seat.dataset.sits !== value);
  const [game] = nextGame(isMoved ? "moved" : "games") ?? [];
  if (!game) return;
  const said = isMoved ? chosen.map(([seat, { value }]) => [`seats.${seat.dataset.sits}`, value]) : [];
  const body = new URLSearchParams({ game, follows: gameHere.game, ...Object.fromEntries(said) }).toString();
  const sits = isMoved ? chosen.map(([seat, { selectedOptions: [option] }]) => `${inOneLine(seat.querySelector("span"))} ${inOneLine(option)}`) : [];
  const words = [inOneLine(document.querySelector("[data-next-words]").content), ...sits].join(", ");
  try {
    await outboxStore.keep({ stream: game, command: game, collection: GAMES, body, address: addressHere(), words, version: 0, awaits: gameHere.game });
  } catch {
    document.getElementById("packlost").hidden = false;
    return;
  }
  await outbox.look();
  goToLastGame();
  showSheet();
  document.getElementById("packkept").hidden = true;
  (document.querySelector("#packacts:not([hidden]) .ask") ?? document.querySelector("#packsheet h1"))?.focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: "instant" });
  outbox.now();
}

const inOneLine = (part) => part.textContent.replace(/\s+/g, " ").trim();

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-begin-next]");
  if (button) beginNextGame(button);
});

// What was opened at the foot of a phone is seen.
document.addEventListener("toggle", ({ target }) => target.open && target.matches("[data-moves]") && target.scrollIntoView({ block: "start" }), true);

// Whoever is put at a seat leaves the own one to whoever sat there.
document.addEventListener("change", ({ target }) => {
  const seats = [...(target.closest("[data-moves]")?.querySelectorAll("select") ?? [])];
  const other = seats.find((each) => each !== target && each.value === target.value);
  if (other) other.value = [...other.options].map(({ value }) => value).find((value) => seats.every((each) => each.value !== value));
});

// What stands there once the game is over: the way to the next one, where this phone may begin it.
function showOver(place) {
  place.replaceChildren(document.querySelector("template[data-over-here]").content.cloneNode(true));
  showNextGame(place);
}

function showNextGame(place) {
  const next = nextGame("games");
  place.querySelector("[data-next]").hidden = !next;
  place.querySelector("[data-no-next]").hidden = Boolean(next);
  const [, drawn] = next ?? [];
  if (drawn) place.querySelector("[data-drawn]").replaceChildren(drawnInWords(drawn));
}

const drawnInWords = (seat) => document.querySelector(`[data-drawn-seat="${seat}"]`).content.cloneNode(true);

function endsHand({ collection, place, body, ends }, tricks) {
  if (ends || ALWAYS.has(collection)) return true;
  if (collection === "contracts") return !/(^|&)(soloist|declarer|side)=/.test(body); // nobody bid
  if (collection === "defences") return decodeURIComponent(body).split("=out").length === 3; // both keep out: nothing is played
  return (collection === "winners" || collection === "tricks") && place.trick === tricks;
}

// What was kept before the sheet that is being written.
const before = () => (changing ? ours().filter(({ seq }) => seq < changing.seq) : ours());

// Whether the sheet of the hand that was open is still its sheet: what stands fixed there stands.
const isAsPacked = ({ hand }) => hand === gameHere.packed && !before().some(({ collection }) => AGAIN.has(collection));

function showSheet() {
  if (!begun) return;
  const place = document.getElementById("packsheet");
  const { trail: _, points: __, open: ___, ...coming } = after(before(), gameHere);
  const isFirst = gameHere.drawn && coming.hand === 1 && !coming.dealer;
  const sheet = coming.over ? "over" : isFirst ? "first" : isAsPacked(coming) ? "now" : "coming";
  const key = JSON.stringify({ game: gameHere.game, sheet, changing: changing?.command, ...coming });
  if (key === shownHand) return;
  const shown = shownHand && JSON.parse(shownHand);
  if (shown && shown.game === gameHere.game && shown.changing === changing?.command && isWritten()) return; // what is being written stays
  shownHand = key;
  if (coming.over) return showOver(place);
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
  if (isFirst) {
    place.querySelector("[data-who]").prepend(drawnInWords(gameHere.drawn));
    fillSheet(form, new URLSearchParams({ dealer: gameHere.drawn }));
  }
  if (changing) fillSheet(form, changing.body);
  else if (!gameHere.endsItself && !coming.isOpen && coming.hand > 1) showEnding(place);
  prepareSheet();
  lookAtSheet();
}

// A game that has no last hand of its own ends when those at the table say so.
function showEnding(place) {
  place.append(document.querySelector("template[data-ending-here]").content.cloneNode(true));
  place.querySelector("[data-ending]").addEventListener("submit", (event) => {
    event.preventDefault();
    keepEnding(event.target);
  });
}

async function keepEnding(form) {
  const words = inOneLine(document.querySelector("template[data-ending-here]").content.querySelector("summary"));
  const behind = before().at(-1)?.command;
  document.getElementById("packlost").hidden = true;
  try {
    await outboxStore.keep({ stream: gameHere.game, collection: ENDINGS, body: bodyOf(form), version: gameHere.version, address: addressHere(), words, behind });
  } catch {
    document.getElementById("packlost").hidden = false;
    return;
  }
  document.getElementById("packkept").hidden = true;
  await outbox.look();
  showSheet();
  document.querySelector("#packsheet h1").focus({ preventScroll: true });
  outbox.now();
}

// A sheet as it was kept, field by field.
function fillSheet(form, body) {
  for (const [name, value] of new URLSearchParams(body)) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (/radio|checkbox/.test(field.type)) field.checked = field.value === value;
      else field.value = value;
      field.closest("details")?.setAttribute("open", "");
    }
  }
}

document.addEventListener("kept:change", ({ detail }) => {
  if (detail.stream !== gameHere?.game) return;
  changing = detail;
  document.getElementById("packkept").hidden = true;
  document.getElementById("packacts")?.dispatchEvent(new CustomEvent("pack:sheet"));
  showSheet();
  document.querySelector("#packsheet h1").focus({ preventScroll: true });
  document.getElementById("packsheet").scrollIntoView({ block: "start" });
});

const isWritten = () =>
  [...document.querySelectorAll("#packsheet form :is(input:not([type=hidden]), select)")].some((field) =>
    /radio|checkbox/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue && field.value !== "",
  );

// What a label says, but for what it says aside: who sits there.
function labelInWords(label) {
  const said = label?.cloneNode(true);
  for (const aside of said?.querySelectorAll("[data-aside]") ?? []) aside.remove();
  return said?.textContent;
}

// What a field is called where it stands, and what is written or chosen in it.
function fieldInWords(field) {
  const chosen = /radio|checkbox/.test(field.type);
  const name = labelInWords(chosen ? field.closest("fieldset")?.querySelector("legend") : field.labels?.[0]) ?? field.getAttribute("aria-label") ?? "";
  const said = chosen ? field.labels?.[0]?.textContent : field.selectedOptions ? field.selectedOptions[0].textContent : field.value;
  return `${name} ${said ?? ""}`.replace(/\s+/g, " ").trim();
}

const saidInWords = (form) =>
  [...form.elements]
    .filter(({ name, type, value, checked }) => name && value?.trim() && !/hidden|submit|button/.test(type) && (checked || !/radio|checkbox/.test(type)))
    .map(fieldInWords)
    .join(", ");

// The fields of a form that say something, as `name=value`; a choice that says more stands for itself.
const saidBy = (form) =>
  [...new FormData(form)].filter(([, value]) => value.trim()).map(([name, value]) => (name === "fields" ? value : `${name}=${value}`));

// The sums that don't hold, as the page words them.
function wrongSums(form) {
  const said = saidBy(form);
  const sums = document.querySelector("[data-sums]").content;
  return [...sums.querySelectorAll("li")].filter((sum) => !holds(sum, form, said)).map((sum) => sum.textContent.trim());
}

// The same of a form that says a part of a hand: of the sums whose fields it has.
function wrongChecks(form) {
  const sums = [...document.querySelector("[data-sums]").content.querySelectorAll("[data-check]")];
  const here = sums.filter(({ dataset }) => dataset.check.split(" ").every((name) => [...form.elements].some((each) => each.name?.startsWith(`${name}:`))));
  return here.filter((sum) => !holds(sum, form, saidBy(form))).map((sum) => sum.textContent.trim());
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
  const question = { recorded: gameHere.since.map(plain), version: gameHere.version, kept: before().map(plain), ...asked };
  try {
    const answer = await pageRules.ask(door, gameHere.begun, JSON.stringify(question));
    if (answer.astray) pageRules.say(answer.astray.problem ? "astray" : "behind", answer.astray.hand ?? "");
    else pageRules.say("here");
    return answer.astray ? null : answer;
  } catch {
    return null;
  }
}

// The same of acts, as far as that is plain without the rules.
const askKnown = ({ tried }) => (gameHere ? knownPlay.offers(gameHere, after(before(), gameHere), before(), tried) : null);

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
    const hand = { ...coming, behind: before().at(-1)?.command }; // as the rules are told
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
  const title = document.querySelector("#packsheet h1").textContent.replace(/\s+/g, " ").trim();
  const words = `${title}: ${saidInWords(form)}`;
  const entry = {
    stream: gameHere.game, collection: "sheet", body, version: gameHere.version,
    place: { hand }, address: addressHere(), words, behind,
  };
  document.getElementById("packlost").hidden = true;
  try {
    const changed = changing ? await outboxStore.rewritten(changing.command, { body, words }) : await outboxStore.keep(entry);
    document.getElementById("packsent").hidden = changed !== null;
  } catch {
    document.getElementById("packlost").hidden = false;
    return;
  }
  const kept = document.getElementById("packkept");
  changing = null;
  kept.querySelector("[data-words]").textContent = title;
  for (const each of kept.querySelectorAll("[data-by]")) each.hidden = each.dataset.by !== by;
  kept.hidden = false;
  form.reset();
  shownHand = "";
  await outbox.look();
  showSheet();
  document.querySelector("#packsheet h1").focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: "instant" });
  outbox.now();
}

async function lookForServer() {
  await lookOnce();
  setTimeout(lookForServer, SOON);
}

let isAway = false; // the server doesn't answer

// Without HTTPS a reload needs the server, whatever the browser keeps: while it is away the page asks before it goes.
addEventListener("beforeunload", (event) => {
  const isLeaving = document.documentElement.hasAttribute("data-leaving");
  if (isAway && location.protocol === "http:" && !isLeaving) event.preventDefault();
});

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
  isAway = !here;
  for (const each of document.querySelectorAll("[data-says=away]")) each.hidden = here;
  for (const each of document.querySelectorAll("[data-says=back]")) each.hidden = !here;
  if (here) outbox.wake();
  if (here && location.hash === "#on" && !outbox.state.entries.length) backToPad();
  lookAtSheet();
}

// Whoever came from a pad that had no answer is led back to it, unless something is being entered here.
function backToPad() {
  if (isWritten() || document.querySelector("#packacts [data-drafted]:not(.blank)")) return;
  document.documentElement.toggleAttribute("data-leaving", true);
  location.replace(document.querySelector("#padtop a").href);
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
  if (fresh && !waitsHere().length) {
    if (contentOf(page) === contentOf(document) || isOlder(page)) return;
    document.getElementById("packed").replaceWith(document.adoptNode(fresh));
    gameHere = readGame();
    nameAll();
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
  if (seen.so_far) {
    const { points, ...at } = seen.so_far;
    Object.assign(gameHere, at, { points: gameHere.points && { ...gameHere.points, ...points } });
    return;
  }
  if (gameHere.points) Object.assign(gameHere, { points: { ...gameHere.points, score: null }, open: null });
  for (; gameHere.hand < seen.hand; gameHere.hand += 1) {
    gameHere.dealer = gameHere.dealers[gameHere.dealer] ?? null;
    gameHere.trump = gameHere.trumps[gameHere.trump] ?? null;
  }
}

// Which games of this table this phone began and has sent.
async function recallGames() {
  const sent = await outboxStore.journal().catch(() => []);
  for (const entry of sent) if (entry.collection === GAMES && entry.became === "sent") begunHere.set(entry.awaits, entry);
}

let known = []; // the entries as they were before the last answer

// What is recorded is where the game is, also before the page itself comes anew.
document.addEventListener("outbox:answered", ({ detail }) => {
  for (const { command, state, version } of gameHere ? detail : []) {
    const entry = known.find((each) => each.command === command);
    if (state === "refused" || !entry) continue;
    if (entry.collection === GAMES) begunHere.set(entry.awaits, entry);
    if (entry.collection === GAMES || entry.stream !== gameHere.game) continue;
    gameHere = { ...gameHere, ...after([entry], gameHere), version, since: [...gameHere.since, entry] };
    const { hand, dealer, trump, over, open, isOpen, points } = gameHere;
    const soFar = { hand, dealer, trump, over, open, isOpen, points, play: null };
    const row = { stream: gameHere.game, address: addressHere(), version, hand, so_far: soFar };
    outboxStore.see(row).catch(() => undefined);
  }
});

document.addEventListener("outbox:changed", () => {
  showUnsent();
  if (!gameHere) return;
  const { entries } = outbox.state;
  if (entries.length) known = [...known.filter(({ command }) => entries.every((each) => each.command !== command)), ...entries].slice(-100);
  if (begun) goToLastGame();
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
    .then(recallGames)
    .then(() => outbox.look())
    .then(() => {
      begun = true;
      goToLastGame();
      showSheet();
    });
}
