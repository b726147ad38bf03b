// What a table needs without the server is asked for while there is one: its pages and all that they name. Over HTTPS a worker
// keeps them; without it the browser's own cache does, as long as it likes.
const shell = document.getElementById("shell").dataset;

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok || answer.redirected) return;
  noteKept(address);
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  const named = [...found.querySelectorAll("link[rel=stylesheet], link[rel=preload], script[src], [data-drawing]")];
  for (const each of named) await fetch(each.getAttribute("href") ?? each.getAttribute("src") ?? each.dataset.drawing).catch(() => undefined);
}

// The table's own address and that of its slip: kept as ways to the pad, or to the pack where nobody answers. The worker does so
// by itself with the first.
async function keepWays() {
  const headers = { "Accord-Keeps": "1" };
  const answer = await fetch(shell.pad, { cache: "reload", headers });
  const text = await answer.text();
  const door = new DOMParser().parseFromString(text, "text/html").documentElement;
  if (!answer.ok || !door.dataset.link) return;
  noteKept(shell.pad);
  for (const script of door.querySelectorAll("script[src]")) await fetch(script.getAttribute("src"));
  noteKept(door.dataset.link);
  await fetch(door.dataset.link, { cache: "reload", headers });
  document.getElementById("shell").dataset.reopens = shell.pad;
}

// The worker stands between this page and the server from now on; a browser that allows none goes on without it.
async function withWorker(workers) {
  const stands = new Promise((resolve) => {
    workers.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, 10000);
  });
  try {
    await workers.register(shell.worker, { scope: "/" });
    if (!workers.controller) await stands;
  } catch {
    // The certificate is not trusted, or the browser is told to keep nothing.
  }
}

async function prepared() {
  const workers = navigator.serviceWorker;
  if (workers && location.protocol === "https:") await withWorker(workers);
  else for (const each of (await workers?.getRegistrations()) ?? []) await each.unregister();
  // Without a worker pack-ahead.js has the browser keep the pack.
  const wanted = shell.pages.split(" ").filter((address) => workers?.controller || !address.endsWith("/pack/"));
  for (const address of wanted) await fetched(address);
  if (shell.pad) await keepWays();
}

const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 2000));
addEventListener("load", () => idle(() => prepared().catch(() => undefined)));
