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
}

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

// Once a sheet has come: spare lines wait, and what was typed before this script had come counts too.
function prepareSheet() {
  for (const spare of document.querySelectorAll("[data-spare]")) spare.hidden = true;
  const before = shared().filter(({ value }) => value);
  if (before.length === 1) fillRest(before[0]);
  addUp();
}

prepareSheet();
