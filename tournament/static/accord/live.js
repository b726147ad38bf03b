// A board, or another page, that looks again by itself: it sends the version it shows, leaves the page alone when nothing changed,
// and says since when it has heard nothing. Where the server can, it answers once there is news, and is asked again at once.

const live = () => document.querySelector("[data-etag]");
const thisTab = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
const offline = document.getElementById("offline");

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (target !== live()) return;
  detail.headers["If-None-Match"] = target.dataset.etag;
  detail.headers["Prefer"] = "wait=6";
  detail.parameters["tab"] = thisTab;
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const part = live();
  if (part && detail.xhr?.getResponseHeader("Preference-Applied")) htmx.trigger(part, "news");
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
