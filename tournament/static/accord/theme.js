// A page that was kept for someone else, or for someone who has signed out since, shows nothing and asks the server again. A page
// that was asked for again comes from the server itself.
const { whose: keptFor } = document.documentElement.dataset;
const isAskedAgain = performance.getEntriesByType("navigation")[0]?.type === "reload";
if (keptFor && !isAskedAgain && !document.cookie.split(/[;.] ?/).includes(`whose=${keptFor}`)) {
  document.documentElement.hidden = true;
  document.documentElement.toggleAttribute("data-leaving", true);
  location.reload();
}

// Day or night as this browser last chose; run before the first paint so that nothing flashes. Without it the system decides.
const root = document.documentElement;

function remembered() {
  try {
    return localStorage.getItem("theme") || "system";
  } catch {
    return "system"; // a browser that stores nothing still switches for this page
  }
}

function remember(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // nothing to do: the choice holds until the page is left
  }
}

function show(theme) {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

show(remembered());

document.addEventListener("DOMContentLoaded", () => {
  for (const choice of document.querySelectorAll("input[name=theme]")) choice.checked = choice.value === remembered();
});

document.addEventListener("change", ({ target }) => {
  if (target.name !== "theme") return;
  remember(target.value);
  show(target.value);
});
