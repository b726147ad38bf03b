// While there is a connection, a pad has the browser keep the page by which its table goes on without one, anew for each hand and
// each part of it, and for each act where the phone has the rules (rules.js); and notes where the game was.

const PACK_AFTER = 1500; // milliseconds: what is tapped comes first
const RULES_AFTER = 5000; // milliseconds after the page was kept
const PATIENCE = 4000; // milliseconds for an answer
const YEAR = 365 * 24 * 60 * 60; // seconds

let packedFor = "";
let packIsKept = false;
let packing;
let forgottenFor = ""; // the game for which those before it were forgotten

const bySheets = () => document.querySelectorAll("[data-by-sheets]");
const showBySheets = () => bySheets().forEach((link) => (link.hidden = !packIsKept));

// Whether the rules are here, or could be.
function showRules() {
  const state = rulesAreHere() ? "here" : isFetching ? "fetching" : "offer";
  for (const each of document.querySelectorAll("#pad [data-rules]")) each.hidden = each.dataset.rules !== state;
}

// A connection that is paid by what it carries, or slow: then nothing big is fetched unasked.
function isMetered() {
  const { saveData, type, effectiveType } = navigator.connection ?? {};
  return Boolean(saveData) || type === "cellular" || /2g|3g/.test(effectiveType ?? "");
}

let isFetching = false;

// The files of the rules, one after the other while nothing else is to do; from then on the page without the server has all it needs.
async function fetchRules(page) {
  const panel = page.getElementById("packrules");
  if (!panel || rulesAreHere() || isFetching || isMetered()) return;
  isFetching = true;
  showRules();
  try {
    await new Promise((resolve) => setTimeout(resolve, RULES_AFTER));
    const files = Object.keys(JSON.parse(page.getElementById("packrules-files").textContent));
    for (const address of [...files, panel.dataset.archive, panel.dataset.worker]) {
      const answer = await fetch(address, { priority: "low" });
      if (!answer.ok) throw new Error(`${answer.status} ${address}`);
      await answer.arrayBuffer();
    }
    document.cookie = `rules-here=1; path=/; max-age=${YEAR}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
    lookAhead(); // the page with what was recorded
  } catch {
    // It is offered.
  }
  isFetching = false;
  showRules();
}

const rulesAreHere = () => document.cookie.split("; ").includes("rules-here=1");

// A tap had no answer, and what is asked next is known without the server: the table goes on where that is asked.
function goOnWithoutServer({ collection, ends }) {
  const { pack, soFar } = document.getElementById("pad").dataset;
  const { open, play } = soFar ? JSON.parse(soFar) : {};
  const isPlain = ["bids", "contracts", "winners", "totals", "hands"].includes(collection) && (open || (play && collection === "winners" && !ends));
  if (!packIsKept || !(isPlain || rulesAreHere())) return;
  document.documentElement.toggleAttribute("data-leaving", true);
  location.assign(`${pack}#on`);
}

// The next game is begun with the server, or where the table goes on without it.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("#pad [data-next-game]");
  if (!link || !packIsKept) return;
  event.preventDefault();
  const { outbox: asks, pack } = document.getElementById("pad").dataset;
  const isThere = await fetch(asks, { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(PATIENCE) }).then(
    ({ status }) => status < 500,
    () => false,
  );
  document.documentElement.toggleAttribute("data-leaving", true);
  location.assign(isThere ? link.href : pack);
});

function lookAhead() {
  const pad = document.getElementById("pad");
  if (!pad?.dataset.pack) return;
  showBySheets();
  showRules();
  const { game, version, hand, stage, pack, outbox: address, soFar } = pad.dataset;
  noteGame({ stream: game, address, version: Number(version), hand: Number(hand), so_far: soFar && JSON.parse(soFar) });
  if (pad.hasAttribute("data-final")) forget(game);
  const hasRules = rulesAreHere();
  const wanted = [game, hand, stage, ...(hasRules ? [version] : [])].join(" ");
  if (wanted === packedFor) return;
  clearTimeout(packing);
  packing = setTimeout(() => packUp(pack, wanted), PACK_AFTER);
}

async function noteGame(row) {
  try {
    await outboxStore.see(row);
    if (forgottenFor !== row.stream) await outboxStore.wipedBefore(row);
    forgottenFor = row.stream;
  } catch {
    // Nothing is kept here.
  }
}

async function packUp(address, wanted) {
  try {
    const response = await fetch(address, { cache: "no-cache", redirect: "manual" });
    const page = response.ok ? await response.text() : "";
    if (!page) return;
    noteKept(address);
    packIsKept = page.includes("packgame");
    const parts = new DOMParser().parseFromString(page, "text/html");
    await Promise.all(filesOf(parts).map((file) => fetch(file)));
    packedFor = wanted;
    document.documentElement.dataset.packed = wanted;
    showBySheets();
    fetchRules(parts);
  } catch {
    // The one that was kept before stays.
  }
}

// What is final needs nothing of this phone any more, unless something here still waits to be decided.
async function forget(game) {
  try {
    if (!(await outboxStore.kept(game)).length) await outboxStore.wiped(game);
  } catch {
    // Nothing is kept here.
  }
}

document.addEventListener("htmx:afterSettle", ({ target }) => target.id === "pad" && lookAhead());
if (document.readyState === "complete") lookAhead();
else addEventListener("load", lookAhead); // what the pad itself needs comes first
