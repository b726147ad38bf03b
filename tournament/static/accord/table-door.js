// A table's address as this browser keeps it: the pad where the server answers, else the page by which the table goes on. Whoever
// may not record there any more comes to the table's own link, which asks for the PIN.

const PATIENCE = 4000; // milliseconds for an answer
const AWAY = new Set([502, 503, 504]); // a proxy says that nobody is there
const { pad, pack, asks, link } = document.documentElement.dataset;

async function wayOn() {
  try {
    const answer = await fetch(asks, { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    if (AWAY.has(answer.status)) return pack;
    return answer.ok ? pad : `${link}?open`;
  } catch {
    return pack;
  }
}

// Until it is known where it leads, the page counts as on its way.
const shown = document.body.innerHTML;
document.open();
document.write(shown);
wayOn().then((address) => location.replace(address));
