// The hand sheet's conveniences: contracts add up, one number gives the other, another line for a meld.

const number = (id) => {
  const input = document.getElementById(id) ?? document.querySelector(`[name="${id}:number"]`);
  return /^\d+$/.test(input?.value ?? "") ? Number(input.value) : null;
};

function addUp() {
  for (const sum of document.querySelectorAll("[data-sum]")) {
    const parts = sum.dataset.sum.split(" ").map(number);
    sum.textContent = parts.includes(null) ? "–" : parts.reduce((one, other) => one + other);
  }
  for (const key of document.querySelectorAll("[data-sets]")) key.ariaPressed = String(numberOf(key).value === key.dataset.sets);
}

const numberOf = (key) => key.closest(".numbers").querySelector("input");

// A number by one tap.
document.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-sets]");
  if (!key) return;
  numberOf(key).value = key.dataset.sets;
  numberOf(key).dispatchEvent(new Event("input", { bubbles: true }));
});

const shared = () => [...document.querySelectorAll("[data-rest]")];

// What is left of the whole is the other side's.
function fillRest(input) {
  const other = shared().find((each) => each !== input);
  const left = Number(input.dataset.rest) - Number(input.value);
  if (/^\d+$/.test(input.value) && left >= 0) other.value = left;
}

document.addEventListener("input", ({ target }) => {
  if (target.dataset.rest) fillRest(target);
  addUp();
}, true);

// Who keeps out wins no trick.
document.addEventListener("change", ({ target }) => {
  if (!target.dataset.out) return;
  const tricks = document.getElementById(target.dataset.out);
  if (target.value === "out" && !tricks.value) tricks.value = 0;
  else if (target.value !== "out" && tricks.value === "0") tricks.value = "";
});


document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-more]");
  if (!button) return;
  const lines = [...document.querySelectorAll(`#${button.dataset.more} [data-spare][hidden]`)];
  lines[0].hidden = false;
  lines[0].querySelector("select").focus();
  if (lines.length === 1) button.hidden = true;
});

// The cards of a meld by taps: one deck for all lines, which writes what is chosen into the field of its line.
const deckParts = () => document.querySelector("template[data-deck]")?.content;
const meldFields = () => [...document.querySelectorAll("[data-line] input[name$='.cards:list']")];
const writtenIn = ({ value }) => value.toUpperCase().split(/[\s,]+/).filter(Boolean).map((card) => card.replace(/^10/, "T"));

function openDeck(button) {
  const [line, open] = [button.closest("[data-line]"), document.querySelector(".carddeck")];
  const closes = open?.previousElementSibling === line;
  open?.remove();
  for (const each of document.querySelectorAll("[data-opens-deck]")) each.ariaExpanded = String(each === button && !closes);
  meldFields().forEach(showFaces);
  if (closes) return;
  const deck = deckParts().firstElementChild.cloneNode(true);
  const field = line.querySelector("input");
  const written = writtenIn(field);
  const taken = deck.hasAttribute("data-once") ? meldFields().filter((each) => each !== field).flatMap(writtenIn) : [];
  for (const key of deck.querySelectorAll("input")) key.setAttribute("form", "deck"); // of no form, so that it is never sent
  for (const card of deck.querySelectorAll("[data-card]")) {
    card.checked = written.includes(card.value);
    card.disabled = taken.includes(card.value) && !card.checked;
  }
  const suit = deck.querySelector(`[data-suit="${CSS.escape(written[0]?.slice(-1) ?? "V")}"]`);
  if (suit) suit.checked = true;
  line.after(deck);
}

function writeCards(deck) {
  const field = deck.previousElementSibling.querySelector("input");
  const cards = [...deck.querySelectorAll("[data-card]")];
  const others = writtenIn(field).filter((each) => !cards.some(({ value }) => value === each));
  field.value = [...others, ...cards.filter(({ checked }) => checked).map(({ value }) => value)].join(" ");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// The cards that a line names, as cards.
function showFaces(field) {
  const row = field.closest("[data-line]").querySelector("[data-faces]");
  const found = writtenIn(field).map((card) => deckParts()?.querySelector(`[data-card="${CSS.escape(card)}"]`));
  row.replaceChildren(...found.filter(Boolean).map(faceOf));
  row.hidden = !row.children.length && !row.matches(":has(+ [aria-expanded=true])"); // its place is kept, so that no key moves
}

function faceOf(input) {
  const [face, rank] = [document.createElement("span"), document.createElement("span")];
  const suit = deckParts().querySelector(`[data-suit="${input.value.slice(-1)}"] + span svg`);
  face.className = "card card--meld";
  face.role = "img";
  face.ariaLabel = input.parentElement.querySelector(".vh").textContent.trim();
  rank.textContent = input.nextElementSibling.textContent.trim();
  face.append(rank, suit.cloneNode(true));
  return face;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-opens-deck]");
  if (button) openDeck(button);
});
document.addEventListener("change", ({ target }) => target.matches(".carddeck [data-card]") && writeCards(target.closest(".carddeck")));
document.addEventListener("input", ({ target }) => target.matches("[data-line] input[name$='.cards:list']") && showFaces(target));

// Once a sheet has come: spare lines wait, and what was typed before this script had come counts too.
function prepareSheet() {
  for (const spare of document.querySelectorAll("[data-spare]")) spare.hidden = true;
  const before = shared().filter(({ value }) => value);
  if (before.length === 1) fillRest(before[0]);
  meldFields().forEach(showFaces);
  addUp();
}

prepareSheet();
