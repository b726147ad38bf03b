// An entry's own page asks to have this phone told while it is closed: only where the browser can, and only by the button. Each
// such page has a worker of its own, so that one phone may be told of several entries and leave off with any.
const told = document.getElementById("told");
const page = new URL(location.pathname, location.href).href;
const workers = navigator.serviceWorker;

function says(what) {
  for (const each of told.querySelectorAll("[data-says]")) each.hidden = !each.dataset.says.split(" ").includes(what);
  told.hidden = false;
}

const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

async function own() {
  const found = await workers.getRegistration(location.pathname);
  return found?.scope === page ? found : undefined;
}

async function subscribed() {
  return (await (await own())?.pushManager.getSubscription()) ?? undefined;
}

async function active(registration) {
  const coming = registration.installing ?? registration.waiting;
  if (registration.active || !coming) return;
  await new Promise((resolve) => coming.addEventListener("statechange", () => coming.state === "activated" && resolve()));
}

async function sent(subscription, what) {
  const form = new FormData(told.querySelector("form"));
  const { endpoint, keys } = subscription.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys, what })) form.set(name, value);
  return fetch(told.querySelector("form").action, { method: "POST", body: form });
}

// What the browser keeps is taken back, too, where the salon doesn't take it.
async function kept(subscription) {
  const answer = await sent(subscription, "tell");
  if (answer.ok) return says("on");
  await subscription.unsubscribe();
  if (answer.status !== 422) return says("failed");
  document.getElementById("told-why").textContent = await answer.text();
  return says("failed");
}

async function tell() {
  if ((await Notification.requestPermission()) !== "granted") return says(Notification.permission === "denied" ? "denied" : "off");
  const registration = await workers.register(told.dataset.worker, { scope: location.pathname });
  await active(registration);
  return kept(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(told.dataset.key) }));
}

async function stop() {
  const subscription = await subscribed();
  if (subscription) {
    await sent(subscription, "stop").catch(() => undefined); // the push service lets the salon know as well
    await subscription.unsubscribe();
  }
  await (await own())?.unregister();
  says("off");
}

// A phone that was told before says so again: its address may be another by now, and the salon may have let go of it.
async function look() {
  if (!isSecureContext) return says("plain");
  if (!workers || !("PushManager" in globalThis) || !("Notification" in globalThis)) return undefined;
  const before = await subscribed();
  if (before && base64url(before.options.applicationServerKey) === told.dataset.key) return kept(before);
  await before?.unsubscribe();
  return says(Notification.permission === "denied" ? "denied" : "off");
}

told.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const pressed = event.submitter;
  pressed.disabled = true;
  const done = pressed.name === "what" ? stop() : tell();
  done.catch(() => says("failed")).finally(() => (pressed.disabled = false));
});

look().catch(() => undefined);
