// A board, or another page, that looks again by itself: it sends the version it shows, leaves the page alone when nothing changed,
// and says since when it has heard nothing.

const live = () => document.querySelector("[data-etag]");
const offline = document.getElementById("offline");

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (target === live()) detail.headers["If-None-Match"] = target.dataset.etag;
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status === 304) detail.shouldSwap = false;
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!offline) return; // a pad says by itself when there is no answer
  const heard = detail.xhr.status === 200 || detail.xhr.status === 304;
  offline.hidden = heard;
  if (heard) offline.querySelector("time").textContent = new Date().toLocaleTimeString(document.documentElement.lang);
});
