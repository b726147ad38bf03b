// While there is a connection, a pad has the browser keep the page by which its table goes on without one, anew for each hand and
// each part of it, and for each act where the phone has the rules (rules.js); and notes where the game was.

const PACK_AFTER = 1500; // milliseconds: what is tapped comes first

let packedFor = "";
let packIsKept = false;
let packing;
let forgottenFor = ""; // the game for which those before it were forgotten

const bySheets = () => document.querySelectorAll("[data-by-sheets]");
const showBySheets = () => bySheets().forEach((link) => (link.hidden = !packIsKept));

function lookAhead() {
  const pad = document.getElementById("pad");
  if (!pad?.dataset.pack) return;
  showBySheets();
  const { game, version, hand, stage, pack, outbox: address } = pad.dataset;
  noteGame({ stream: game, address, version: Number(version), hand: Number(hand) });
  if (pad.hasAttribute("data-final")) forget(game);
  const hasRules = document.cookie.split("; ").includes("rules-here=1");
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
    await Promise.all(filesOf(new DOMParser().parseFromString(page, "text/html")).map((file) => fetch(file)));
    packedFor = wanted;
    document.documentElement.dataset.packed = wanted;
    showBySheets();
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
lookAhead();
