// Forms of whole pages that are kept before they are sent: a hand from its sheet, a second entry, a word about hands.
// What is refused is sent again as the form it is, and its page says why.

const PATIENT = 6000; // milliseconds until the page says that it is kept

// What a form adds to, by its address; "" for one that is sent as it always was.
function collectionOf(form) {
  const parts = new URL(form.getAttribute("action") ?? "", location.href).pathname.split("/").filter(Boolean);
  if (parts.at(-1) === "second-entry") return `second-entry-${parts.at(-2)}`;
  return ["sheet", "confirmations", "disputes"].includes(parts.at(-1)) ? parts.at(-1) : "";
}

// What a form says, as it is kept; nothing where it says a PIN.
function keptForm(form, place, collection, submitter) {
  const fields = new FormData(form);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  if (!fields.get("command") || fields.get("pin")) return null;
  const said = (name) => [fields.get(name), fields.delete(name)][0];
  said("csrfmiddlewaretoken");
  said("trick");
  const [command, version, hand] = [said("command"), Number(said("version")), Number(said("hand") ?? 0)];
  const button = submitter ?? form.querySelector("button");
  return {
    command, version, collection, stream: fields.get("game"), address: place.dataset.outbox,
    place: hand && collection === "sheet" ? { hand } : {}, body: new URLSearchParams(fields).toString(),
    words: button?.textContent.replace(/\s+/g, " ").trim() ?? "",
  };
}

// What the server says of this command, however late.
const answerTo = (command) =>
  new Promise((resolve) => {
    document.addEventListener("outbox:answered", ({ detail }) => {
      const answer = detail.find((each) => each.command === command);
      if (answer) resolve(answer);
    });
  });

document.addEventListener("outbox:changed", showUnsent);

function leave(address) {
  document.documentElement.toggleAttribute("data-leaving", true);
  location.assign(address);
}

// The form as it is, with the button that sent it.
function submitted(form, submitter) {
  document.documentElement.toggleAttribute("data-leaving", true);
  const { name, value } = submitter ?? {};
  if (name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  form.submit();
}

function sayKept(form) {
  document.getElementById("keptnote")?.remove();
  const note = document.getElementById("kept-note").content.firstElementChild.cloneNode(true);
  form.prepend(note);
  note.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const place = form.closest("[data-kept-forms]");
  const collection = place && !submitter?.hasAttribute("formaction") ? collectionOf(form) : "";
  const entry = collection ? keptForm(form, place, collection, submitter) : null;
  if (!entry || event.defaultPrevented) return;
  event.preventDefault();
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const answered = answerTo(entry.command);
  try {
    await outboxStore.keep(entry);
  } catch {
    return submitted(form, submitter); // nothing is kept here: as it always was
  }
  outbox.now();
  const saying = setTimeout(() => sayKept(form), PATIENT);
  const { state } = await answered;
  clearTimeout(saying);
  if (state !== "refused") return leave(place.dataset.next);
  await outboxStore.dropped(entry.command, "refused");
  submitted(form, submitter);
});
