// A phone that reaches nothing shows what it keeps as codes; another reads them by photo or camera and sends them instead, with
// the same commands, so that no act counts twice when the first comes back.

const page = document.getElementById("handover");
const here = { salon: page.dataset.salon, outbox: page.dataset.outbox };
const part = (name) => page.querySelector(`[data-part=${name}]`);

// Of the things that may stand here one does; "" for none.
function say(group, name) {
  for (const each of page.querySelectorAll(`[data-${group}]`)) each.hidden = each.dataset[group] !== name;
}

// The phone that gives

let texts = [];
let shown = 0;
let painted = "";

async function give() {
  let entries;
  try {
    entries = await outboxStore.kept();
  } catch {
    return say("gives", "nothing-kept-here");
  }
  const ours = entries.filter(({ address }) => address === here.outbox);
  const elsewhere = new Set(entries.filter(({ address }) => address !== here.outbox).map(({ address }) => address));
  part("elsewhere").hidden = !elsewhere.size;
  const now = JSON.stringify(ours.map(({ command }) => command));
  if (now === painted) return undefined;
  painted = now;
  if (!ours.length) return say("gives", "all-sent");
  if (ours.length > handoverCodes.MOST_ENTRIES || !globalThis.CompressionStream) return say("gives", "not-here");
  texts = await handoverCodes.codes({ ...here, entries: ours });
  part("acts").textContent = ours.length;
  part("first").textContent = ours[0].words;
  part("last").textContent = ours.at(-1).words;
  shown = 0;
  say("gives", "codes");
  return draw();
}

async function draw() {
  const { generate } = await import(page.dataset.drawing);
  generate(texts[shown]).toCanvas(part("code"), { on: [0, 0, 0], off: [255, 255, 255] });
  const [number, of] = [shown + 1, texts.length];
  part("code").setAttribute("aria-label", page.dataset.codeOf.replace("{number}", number).replace("{of}", of));
  for (const each of page.querySelectorAll("[data-number]")) each.textContent = number;
  for (const each of page.querySelectorAll("[data-of]")) each.textContent = of;
  part("steps").hidden = of === 1;
  part("previous").disabled = number === 1;
  part("next").disabled = number === of;
}

function step(by) {
  shown = Math.min(texts.length - 1, Math.max(0, shown + by));
  draw();
}

part("previous").addEventListener("click", () => step(-1));
part("next").addEventListener("click", () => step(1));

// The phone that takes over

const read = new Map(); // checksum → pieces by number
let queue;

let reading;
function reader() {
  reading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: page.dataset.reading });
    script.addEventListener("load", () => resolve(globalThis.jsQR));
    script.addEventListener("error", () => {
      reading = undefined;
      reject(new Error("no reader"));
    });
    document.head.append(script);
  });
  return reading;
}

// The text of a code in this picture, looked for at several sizes: a fine code needs a fine picture, a blurred one a coarse one.
async function textIn(picture, width, height, sizes) {
  const read = await reader();
  const canvas = document.createElement("canvas");
  for (const most of sizes) {
    const scale = Math.min(1, most / Math.max(width, height));
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const drawn = canvas.getContext("2d", { willReadFrequently: true });
    drawn.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const pixels = drawn.getImageData(0, 0, canvas.width, canvas.height);
    const found = read(pixels.data, pixels.width, pixels.height);
    if (found?.data) return found.data;
    if (scale === 1) break;
  }
  return null;
}

async function readPhoto(file) {
  say("takes", "reading");
  let text;
  try {
    const picture = await createImageBitmap(file);
    text = await textIn(picture, picture.width, picture.height, [1600, 1000, 2600]);
    picture.close();
  } catch (error) {
    return say("takes", error.message === "no reader" ? "no-reader" : "unreadable");
  }
  return text === null ? say("takes", "unreadable") : take(text);
}

// Whether this text was a piece of a queue: what is still missing is said, and a whole queue is shown before it is taken.
async function take(text) {
  const piece = handoverCodes.pieceOf(text);
  if (!piece) return say("takes", "another-code");
  const pieces = read.get(piece.checksum) ?? new Map();
  if ([...pieces.values()].some(({ of }) => of !== piece.of)) pieces.clear();
  read.set(piece.checksum, pieces.set(piece.number, piece));
  const missing = Array.from({ length: piece.of }, (_, place) => place + 1).filter((number) => !pieces.has(number));
  if (missing.length) {
    part("got").textContent = [...pieces.keys()].sort((one, other) => one - other).join(", ");
    part("missing").textContent = missing.join(", ");
    return say("takes", "missing");
  }
  stopCamera();
  try {
    queue = await handoverCodes.queueOf(pieces.values());
  } catch {
    read.delete(piece.checksum);
    return say("takes", "damaged");
  }
  return offer();
}

// What these acts would record: as the server's rules say it, or where it can't be asked, as their forms do. What the giving phone
// says about them is shown nowhere: it could say anything.
async function meaningOf(entries) {
  try {
    const { token } = await (await fetch(here.outbox, { headers: { Accept: "application/json" } })).json();
    const acts = entries.map(({ command, collection, body, place }) => ({ command, collection, body, place }));
    const form = new URLSearchParams({ preview: "1", acts: JSON.stringify(acts), csrfmiddlewaretoken: token });
    const answer = await fetch(here.outbox, { method: "POST", body: form });
    const { words } = await answer.json();
    if (answer.ok && words.length === entries.length) return { by: "rules", words };
  } catch {
    // It is out of reach.
  }
  return { by: "form", words: entries.map(asWritten) };
}

function asWritten({ collection, body }) {
  const fields = [...new URLSearchParams(body)].filter(([name]) => name !== "game");
  return `${collection}: ${fields.map(([name, value]) => `${name.split(":")[0]} ${value}`).join(", ")}`;
}

async function offer() {
  if (queue.salon !== here.salon || queue.outbox !== here.outbox) {
    part("other-table").href = queue.salon === here.salon ? queue.outbox.replace(/outbox\/$/, "handover/") : "/";
    return say("takes", "other-table");
  }
  const kept = new Set((await outboxStore.kept()).map(({ command }) => command));
  const over = new Set((await outboxStore.journal()).map(({ command }) => command));
  const fresh = queue.entries.filter(({ command }) => !kept.has(command) && !over.has(command));
  if (!fresh.length) return say("takes", "already");
  const meant = await meaningOf(fresh);
  part("offered").textContent = fresh.length;
  part("list").replaceChildren(...meant.words.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  part("as-written").hidden = meant.by === "rules";
  say("takes", "whole");
  return part("adopt").focus();
}

part("adopt").addEventListener("click", async () => {
  try {
    part("taken").textContent = await outboxStore.adopt(queue.entries);
  } catch {
    return say("takes", "keeps-nothing");
  }
  read.clear();
  say("takes", "taken");
  part("pad").focus();
  return outbox.now();
});

// What is kept stays kept, whichever page shows it.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-leaves]")) document.documentElement.toggleAttribute("data-leaving", true);
});

part("leave").addEventListener("click", () => {
  read.clear();
  say("takes", "");
  part("photo").focus();
});

part("photo").addEventListener("change", async ({ target }) => {
  for (const file of target.files) await readPhoto(file);
  target.value = "";
});

// By camera, where the browser lets a page look through it: over HTTPS.

let camera;

function stopCamera() {
  for (const track of camera?.getTracks() ?? []) track.stop();
  camera = undefined;
  part("video").hidden = true;
  part("camera").setAttribute("aria-pressed", "false");
}

async function look() {
  const video = part("video");
  while (camera) {
    const text = video.videoWidth ? await textIn(video, video.videoWidth, video.videoHeight, [1200]) : null;
    if (text !== null && camera) await take(text);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

part("camera").hidden = !(globalThis.isSecureContext && navigator.mediaDevices?.getUserMedia);
part("camera").addEventListener("click", async () => {
  if (camera) return stopCamera();
  try {
    await reader();
    camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 } } });
  } catch (error) {
    return say("takes", error.message === "no reader" ? "no-reader" : "no-camera");
  }
  part("camera").setAttribute("aria-pressed", "true");
  part("video").srcObject = camera;
  part("video").hidden = false;
  await part("video").play();
  return look();
});
addEventListener("pagehide", stopCamera);

document.addEventListener("outbox:changed", ({ detail }) => {
  const left = detail.entries.filter(({ address }) => address === here.outbox).length;
  part("left").textContent = left;
  give();
});
give();
