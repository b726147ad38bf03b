// Whether this phone trusts the salon: a picture loads over HTTPS only then. Asked again whenever somebody comes back from the
// settings; who wanted to go elsewhere goes there by itself.
const trusted = document.getElementById("trusted");

function trusts() {
  for (const words of trusted.querySelectorAll("[data-says]")) words.hidden = words.dataset.says !== "now";
  if ("asked" in trusted.dataset) location.replace(trusted.dataset.onward);
}

function ask() {
  if (document.visibilityState === "hidden" || !trusted.querySelector("[data-says=now]").hidden) return;
  const picture = new Image();
  picture.addEventListener("load", trusts);
  picture.src = `${trusted.dataset.probe}?${Date.now()}`;
}

if (trusted.dataset.probe) {
  ask();
  for (const back of ["pageshow", "focus"]) addEventListener(back, ask);
  document.addEventListener("visibilitychange", ask);
}
