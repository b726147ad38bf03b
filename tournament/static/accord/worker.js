// The worker of a salon that speaks HTTPS, answered at /worker.js: what a table needs without the server is kept while there is
// one, and what a phone asked to be told is shown. Files that are named by their content never change, so the kept one will do; the pages of a table are asked for anew and
// kept ones stand in for no answer. All else goes to the server alone. Another set of files makes another store of them.

const STORE = `accord-${VERSION}`; // the version of the files stands before this in the answer
const SECONDS = 4; // until a kept page stands in for a slow answer
const NAMED_BY_CONTENT = /^\/static\/.*\.[0-9a-f]{12}\.\w+$/;
const PAGE_RULES = /^(\/salons\/[^/]+)?\/page-rules\/[^/]+\/[^/]+$/; // each address is of one content, too
const SHELL = /^(\/salons\/[^/]+)?\/tables\/[^/]+\/(pack|handover)\/$/;
const LINK = /^(\/salons\/[^/]+)?\/t\/[^/]+\/$/;
const PAD = /^((?:\/salons\/[^/]+)?\/tables\/[^/]+\/)(?:sheet\/|games\/[^/]+\/)?$/;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(tidied().then(() => self.clients.claim())));

// Kept pages stay over a new version until they are asked for again: their files do, too.
async function tidied() {
  const old = (await caches.keys()).filter((name) => name.startsWith("accord-") && name !== STORE);
  for (const name of old.slice(0, -1)) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (NAMED_BY_CONTENT.test(pathname) || PAGE_RULES.test(pathname)) event.respondWith(fileOf(request));
  else if (SHELL.test(pathname)) event.respondWith(shellOf(request, pathname));
  else if (request.mode === "navigate" && PAD.test(pathname)) event.respondWith(padOf(request, PAD.exec(pathname)[1]));
  else if (LINK.test(pathname)) event.respondWith(linkOf(request, pathname));
});

async function fileOf(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(request.url, answer).catch(() => undefined); // no room on this phone
  return answer;
}

async function shellOf(request, pathname) {
  const asked = fetch(request).then(async (answer) => {
    if (answer.ok && !answer.redirected) await keep(pathname, answer);
    else if ([403, 404].includes(answer.status) || answer.redirected) await forgotten(pathname);
    return answer;
  });
  const late = new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  try {
    return (await Promise.race([asked, late])) ?? (await kept(pathname)) ?? (await asked);
  } catch (silence) {
    const page = await kept(pathname);
    if (page) return page;
    throw silence;
  }
}

async function padOf(request, table) {
  try {
    return await fetch(request);
  } catch (silence) {
    const page = await kept(`${table}pack/`);
    if (page) return page;
    throw silence;
  }
}

// A table's link, which its slip shows: the way to its pad, once it has led there.
async function linkOf(request, pathname) {
  try {
    const answer = await fetch(request);
    const { pathname: there } = new URL(answer.url || request.url);
    if (request.mode !== "navigate" && answer.redirected && PAD.test(there)) await keep(pathname, Response.redirect(answer.url));
    return answer;
  } catch (silence) {
    const way = await kept(pathname);
    if (way) return way;
    throw silence;
  }
}

const keep = async (key, answer) => (await caches.open(STORE)).put(key, answer.clone());
const kept = (pathname) => caches.match(pathname, { ignoreVary: true });

async function forgotten(pathname) {
  for (const name of await caches.keys()) await (await caches.open(name)).delete(pathname, { ignoreVary: true });
}

// A worker that shows what a phone is told belongs to one entry's own page alone: its scope is the address of that page.
self.addEventListener("push", (event) => {
  const { title, body, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(ownPage(self.registration.scope));
});

async function ownPage(address) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = open.find(({ url }) => url.startsWith(address));
  return shown ? shown.focus() : clients.openWindow(address);
}
