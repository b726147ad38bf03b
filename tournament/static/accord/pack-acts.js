// Act by act without the server: what the table takes next stands there as on the pad (offers.html of its game), each tap is asked of
// the rules where they are on this phone, else of what is plain without them (known-play.js), and what they take is one entry of the
// outbox.

const packActs = (() => {
  const REMEMBERED = "pack-way"; // in localStorage: how this phone goes on, by "sheet" or "acts"; in sessionStorage: this page
  const LONG = 60; // characters of what was written, in the words for it
  const OWN = "act-"; // before the ids of what stands here: the sheet has fields of the same names

  const section = document.getElementById("packacts");
  const ways = document.getElementById("packways");
  const find = (selector) => section.querySelector(selector);
  const ofGame = (selector) => document.querySelector(`#packed template${selector}`); // what the page has of this game
  const offers = () => [...document.querySelectorAll("#packed template[data-collection]")];

  if (location.hash === "#on") rememberIn("sessionStorage", "acts"); // from a pad that had no answer
  let way = remembered();
  let known = null; // what the rules said last
  let chosen = ""; // the collection that was chosen among those there are
  let mode = ""; // the one that was chosen last by its button: it stays chosen from hand to hand
  let drafted = []; // cards of the open trick
  let looks = 0;
  let looking; // the last of them
  let isKeeping = false;
  let waiting = []; // keys tapped meanwhile, in their order

  function remembered() {
    try {
      return sessionStorage.getItem(REMEMBERED) ?? localStorage.getItem(REMEMBERED) ?? "sheet";
    } catch {
      return "sheet";
    }
  }

  function rememberIn(storage, value) {
    try {
      globalThis[storage].setItem(REMEMBERED, value);
    } catch {
      // It is chosen anew the next time.
    }
  }

  // What stands at a path of a value: in a list also whether something is in it.
  const at = (value, path) =>
    path.split(".").reduce((part, key) => (Array.isArray(part) && !(key in part) ? part.includes(key) : part?.[key]), value);

  function stands(table, said) {
    const [path, wanted] = said.split("=");
    const value = at(table, path);
    return wanted === undefined ? Boolean(value) && (typeof value !== "object" || Object.keys(value).length > 0) : value === wanted;
  }

  const inOneLine = (text) => text.replace(/\s+/g, " ").trim();
  const wordFor = (kind, code) => ofGame(`[data-value="${CSS.escape((kind ? `${kind} ` : "") + code)}"]`);
  const textOf = (template, code) => (template ? inOneLine(template.content.textContent) : String(code ?? ""));
  const nameOf = (seat) => textOf(ofGame(`[data-name="${CSS.escape(seat ?? "")}"]`), seat);

  // A part of a template as the table has it: what doesn't stand there goes, what it says is written in.
  function bind(part, table) {
    const all = (name) => [...part.querySelectorAll(`[data-${name}]`)];
    for (const each of all("each")) {
      const line = each.firstElementChild;
      const lines = (at(table, each.dataset.each) ?? []).map((item) => bind(line.cloneNode(true), { ...table, each: item }));
      each.replaceChildren(...(lines.length ? lines : [blank(line)]));
    }
    for (const each of all("when")) if (!stands(table, each.dataset.when)) each.remove();
    for (const each of all("unless")) if (stands(table, each.dataset.unless)) each.remove();
    for (const each of all("number")) each.textContent = at(table, each.dataset.number) ?? each.textContent;
    for (const each of all("player")) each.textContent = nameOf(at(table, each.dataset.player));
    for (const each of all("word")) {
      const code = at(table, each.dataset.word);
      each.textContent = textOf(wordFor(each.dataset.kind, code), code);
    }
    for (const each of all("claims")) claim(each, table.hand.tricks);
    for (const each of all("holds")) each.value = at(table, each.dataset.holds) ?? "";
    return part;
  }

  // A line that holds the place of those to come, so that no key moves when the first comes.
  function blank(line) {
    const copy = line.cloneNode(false);
    copy.setAttribute("aria-hidden", "true");
    copy.classList.add("blank");
    return copy;
  }

  // The tricks that are left are all one side's.
  function claim(button, won) {
    const { claims, before, inAll } = button.dataset;
    const played = Object.values(won).reduce((sum, tricks) => sum + tricks, 0);
    const inTheEnd = { ...won, [claims]: won[claims] + Number(inAll) - played };
    button.name = "fields";
    button.value = Object.entries(inTheEnd).map(([side, tricks]) => `${before}${side}:number=${tricks}`).join("&");
    button.disabled = !played;
  }

  // The collection that a form of a question adds to: mostly the one that is asked for.
  const adds = (form) => form.dataset.adds ?? chosen;

  function withOwnIds(part) {
    part.querySelector("h2")?.setAttribute("id", "ask");
    for (const name of ["id", "for", "aria-labelledby", "aria-describedby", "aria-controls"]) {
      for (const each of part.querySelectorAll(`[${name}]`)) each.setAttribute(name, OWN + each.getAttribute(name));
    }
    for (const each of part.querySelectorAll('[name="deck-suit"]')) each.name = `${OWN}deck-suit`;
    return part;
  }

  // What every act of this collection has alike is in each of its forms, and nobody is asked for it.
  function addCommon(part, fields) {
    for (const [name, value] of Object.entries(fields)) {
      for (const each of part.querySelectorAll(`[data-chooses="${CSS.escape(name)}"]`)) each.remove();
      for (const form of part.querySelectorAll("form")) {
        if (form.elements[name]) continue;
        form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
      }
    }
  }

  // Whoever waits for a look waits for the last one: the question stands there then.
  function look() {
    looks += 1;
    return (looking = lookNow(looks));
  }

  const asked = async (question) => (await askRules("offers", question)) ?? askKnown(question);

  async function lookNow(turn) {
    const found = gameHere ? await asked({ tried: [], drafted }) : null;
    if (turn !== looks) return looking;
    known = found;
    showWay();
    if (known && way === "acts") await draw();
    return undefined;
  }

  function showWay() {
    const open = Boolean(known) && offers().length > 0;
    ways.hidden = !open;
    for (const each of ways.querySelectorAll("[data-way]")) {
      if (each.dataset.way === way) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    section.hidden = !open || way !== "acts";
    for (const each of document.querySelectorAll("[data-way-title]")) each.hidden = (each.dataset.wayTitle === "acts") === section.hidden;
    document.getElementById("packsheet").hidden = open && way === "acts";
    placeKept(open && way === "acts" && !outbox.state.entries.some(({ state }) => state === "refused"));
  }

  // What is kept stands under the question, which it would push away act by act, unless something of it has to be decided.
  function placeKept(under) {
    const panel = document.getElementById("kept");
    if (under) section.after(panel);
    else document.getElementById("packed").before(panel);
  }

  let painted = ""; // what stands there: drawn again, what is being written would go

  async function draw() {
    const { before, collections } = known;
    const { table } = before;
    const there = offers().map(({ dataset }) => dataset).filter(({ collection }) => collection in collections);
    if (!there.some(({ collection }) => collection === chosen)) chosen = (there.find(({ collection }) => collection === mode) ?? there[0])?.collection ?? "";
    const key = JSON.stringify([gameHere.game, known.place, table.undo, chosen, drafted, there.map(({ collection }) => collection)]);
    if (key === painted) return;
    painted = key;
    showScores(before);
    showUndo(table);
    showCollections(there);
    const question = find("[data-question]");
    const source = chosen ? offers().find(({ dataset }) => dataset.collection === chosen) : find("template[data-over]");
    const first = gameHere.dealers[table.next?.dealer]; // who speaks first in the hand to come
    const part = withOwnIds(bind(source.content.cloneNode(true), { ...table, first, first_side: knownPlay.sideOf(first) }));
    if (chosen) addCommon(part, collections[chosen]);
    else showNextGame(part);
    if (gameHere.drawn && !table.next?.dealer) showDrawn(part);
    const isOtherKind = question.dataset.kind !== chosen;
    question.dataset.kind = chosen;
    question.replaceChildren(part);
    touches.shown(question, { isAnswer: isKeeping, isOtherKind });
    if (chosen === "tricks") showTrick(question);
    await dashRefused(question, key);
  }

  // In the first hand of a game that began here the dealer was drawn.
  function showDrawn(part) {
    const choice = part.querySelector(`[name="dealer"][value="${gameHere.drawn}"]`);
    if (!choice) return;
    choice.checked = true;
    choice.closest("fieldset").append(drawnInWords(gameHere.drawn));
  }

  // The scores; between hands what the last one that was kept here came to instead.
  function showScores(before) {
    const isOver = !before.table.hand && before.hands.length > 0;
    const sides = ofGame("[data-sides]").content.cloneNode(true);
    for (const each of sides.querySelectorAll("[data-score]")) each.textContent = pageVerdict.number(before.table.score[each.dataset.score]);
    find("[data-scores]").replaceChildren(sides);
    find("[data-scores]").hidden = isOver;
    find("[data-last]").hidden = !isOver;
    if (isOver) find("[data-result]").replaceChildren(pageVerdict.lastHand(before));
  }

  function showUndo({ undo }) {
    const button = find("[data-undo]");
    button.hidden = find("[data-dock]").hidden = !undo;
    const stands = []; // of what is kept here, what wasn't taken back
    for (const entry of ours()) entry.collection === "retractions" ? stands.pop() : stands.push(entry);
    button.querySelector("[data-words]").textContent = stands.length ? `(${stands.at(-1).words})` : "";
  }

  function showCollections(there) {
    const buttons = there.map(({ collection, title }) => {
      const button = find("template[data-way-button]").content.firstElementChild.cloneNode(true);
      button.textContent = title;
      button.dataset.to = collection;
      if (collection === chosen) button.setAttribute("aria-current", "true");
      return button;
    });
    find("[data-collections]").replaceChildren(...buttons);
    find("[data-collections]").hidden = buttons.length < 2;
  }

  // Whose turn it is in a trick, what lies there, and which cards may not follow.
  function showTrick(question) {
    const { offer } = known;
    if (!offer) return;
    if (offer.drafted.length !== drafted.length) drafted = [];
    for (const each of question.querySelectorAll("[data-turn]")) each.hidden = (each.dataset.turn === "leads") !== !drafted.length;
    for (const each of question.querySelectorAll("[data-whose]")) each.textContent = textOf(wordFor("", offer.seat), nameOf(offer.seat));
    const lying = question.querySelector("[data-drafted]");
    lying.classList.toggle("blank", !drafted.length); // its place is kept, so that no key moves
    lying.inert = !drafted.length;
    lying.querySelector("[data-cards]").textContent = drafted.map((card) => saidBy(question.querySelector(`[data-card="${CSS.escape(card)}"]`))).join(", ");
    for (const each of question.querySelectorAll("[data-card]")) each.disabled = each.value in offer.refused;
    showReasons(Object.values(offer.refused));
  }

  // Keys whose act the rules refuse are dashed, each reason is said once; a form with fields is judged when it is sent.
  async function dashRefused(question, key) {
    if (chosen === "tricks") return;
    showReasons([]);
    const keys = [...question.querySelectorAll("form button.key")].filter(({ form }) => !isWrittenIn(form));
    if (!keys.length) return;
    const found = await asked({ tried: keys.map((key) => ({ collection: adds(key.form), body: bodyFor(key.form, key) })), drafted: [] });
    if (key !== painted || !found?.tried) return; // another question stands there
    keys.forEach((key, place) => (key.disabled = !found.tried[place]?.taken));
    showReasons(found.tried.map((tried) => tried?.problem).filter(Boolean));
  }

  const isWrittenIn = (form) => [...form.elements].some(({ type }) => /^(text|radio|checkbox|textarea|select-one)$/.test(type));

  function showReasons(problems) {
    const place = find("[data-reasons]");
    const each = new Map(problems.map((problem) => [problem.message, problem]));
    const lines = [...each.values()].map((problem) => {
      const line = find("template[data-reason]").content.firstElementChild.cloneNode(true);
      pageVerdict.fillProblem(line, problem);
      return line;
    });
    place.querySelector("ul").replaceChildren(...lines);
    place.hidden = !lines.length;
  }

  function bodyFor(form, button) {
    const fields = new FormData(form);
    for (const name of [...fields.keys()]) if (name.startsWith(OWN)) fields.delete(name);
    if (button?.name) fields.append(button.name, button.value);
    fields.append("game", gameHere.game);
    return new URLSearchParams(fields).toString();
  }

  const saidBy = (key) => inOneLine(key.dataset.said ?? key.getAttribute("aria-label") ?? readOut(key));

  // What a part says to whoever doesn't see it, without what only explains it.
  function readOut(part) {
    const copy = part.cloneNode(true);
    for (const each of copy.querySelectorAll("small, svg, [aria-hidden]")) each.remove();
    return copy.textContent;
  }

  // "4, North's bid" or what the button says with what was chosen and the beginning of what was written, as the list of what is kept
  // names it.
  function wordsFor(form, button) {
    const fields = [...form.elements].filter(({ value }) => value);
    const written = fields.filter(({ type }) => /^(text|textarea)$/.test(type)).map(fieldInWords).join(", ");
    const chosen = fields.filter(({ type }) => type === "select-one").map(({ selectedOptions: [option] }) => option.textContent);
    const ticked = fields.filter(({ checked, name }) => checked && !name.startsWith(OWN)).map(({ labels: [label] }) => readOut(label));
    const long = written.length > LONG ? `${written.slice(0, LONG)}…` : written;
    return [saidBy(button), ...ticked, ...chosen, long].filter(Boolean).map(inOneLine).join(", ");
  }

  // Where an act is meant for, as the list of what is kept names it: by the table that the rules know, whatever question stands there.
  function placeFor(collection, table) {
    const source = offers().find(({ dataset }) => dataset.collection === collection)?.content.querySelector("[data-place]");
    if (!source) return "";
    const part = document.createElement("div");
    part.append(source.cloneNode(true));
    return inOneLine(bind(part, table).textContent);
  }

  async function keep(collection, body, said) {
    if (isKeeping) return;
    isKeeping = true;
    const behind = ours().at(-1)?.command; // as the rules are told
    try {
      const found = await asked({ tried: [{ collection, body }], drafted: [] });
      const judged = found?.tried?.[0];
      if (judged && !judged.taken) return void refuse(judged.problem ?? judged.missing);
      if (!judged) return;
      const words = [said, placeFor(collection, found.before.table)].filter(Boolean).join(", ");
      await keepTaken({ collection, body, words, behind, place: found.place, ...(judged.taken.ends ? { ends: true } : {}) });
    } finally {
      isKeeping = false;
      next();
    }
  }

  // The next tap that waits, on the question that stands there now; where its key doesn't stand, it and those behind it are named.
  function next() {
    const tap = waiting.shift();
    if (!tap) return;
    const key = [...section.querySelectorAll(":is(.key[name], .claims .btn):not(:disabled)")].find((each) => keyOf(each) === tap.key);
    if (key) return key.form.requestSubmit(key);
    const note = document.getElementById("packact-dropped");
    note.querySelector("[data-said]").textContent = [tap, ...waiting].map(({ said }) => said).join("; ");
    note.hidden = false;
    waiting = [];
  }

  const keyOf = ({ name, value }) => `${name}=${value}`;

  async function keepTaken(act) {
    document.getElementById("packlost").hidden = true;
    try {
      await outboxStore.keep({ stream: gameHere.game, version: gameHere.version, address: addressHere(), ...act });
    } catch {
      document.getElementById("packlost").hidden = false;
      return;
    }
    drafted = [];
    chosen = act.collection === "retractions" ? "" : chosen;
    await outbox.look();
    await look();
    find("[data-question] h2")?.focus({ preventScroll: true });
    outbox.now();
  }

  function refuse(problem) {
    if (!problem) return;
    const note = document.getElementById("packact-refused");
    note.hidden = false;
    pageVerdict.fillProblem(note, problem);
    note.scrollIntoView({ block: "nearest" });
  }

  async function draft(cards) {
    drafted = cards;
    await look();
    const { offer } = known ?? {};
    if (!offer || offer.seat || drafted.length !== offer.order.length) return;
    const said = find("[data-drafted] [data-cards]").textContent;
    const fields = { "cards:list": drafted.join(" "), game: gameHere.game };
    await keep("tricks", new URLSearchParams(fields).toString(), said);
  }

  function hideNotes() {
    for (const id of ["packact-refused", "packact-dropped"]) document.getElementById(id).hidden = true;
  }

  const keyAt = (target) => target.closest?.("#packacts .key[name]");

  touches.watch((target) => (keyAt(target) ? keyOf(keyAt(target)) : ""));

  section.addEventListener(
    "click",
    (event) => {
      const button = keyAt(event.target);
      if (button && touches.judge(event, keyOf(button)) !== "counts") event.preventDefault();
    },
    true,
  );

  section.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter, target: form } = event;
    if (isKeeping) return void (submitter?.matches(".key, .claims .btn") && waiting.push({ key: keyOf(submitter), said: saidBy(submitter) }));
    hideNotes();
    const wrong = hasRules && pageRules.isHere() ? [] : wrongChecks(form);
    if (wrong.length) refuse({ message: wrong.join(" ") });
    else if (submitter?.dataset.card) draft([...drafted, submitter.dataset.card]);
    else if (submitter) keep(adds(form), bodyFor(form, submitter), wordsFor(form, submitter));
  });

  section.addEventListener("click", ({ target }) => {
    const to = target.closest("[data-to]");
    if (to || target.closest("[data-back], [data-undo]")) hideNotes();
    if (to) {
      [chosen, mode, drafted] = [to.dataset.to, to.dataset.to, []];
      look();
    } else if (target.closest("[data-back]")) draft(drafted.slice(0, -1));
    else if (target.closest("[data-undo]")) undo(target.closest("[data-undo]"));
  });

  // Without the rules what was kept last is given up: nobody has it yet.
  async function undo(button) {
    const { last } = known.before.table.undo;
    if (last) {
      await outboxStore.dropped(last, "given up");
      await outbox.look();
      return look();
    }
    const fields = { "version:number": known.before.table.undo.version, game: gameHere.game };
    keep("retractions", new URLSearchParams(fields).toString(), saidBy(button));
  }

  section.addEventListener("pack:sheet", () => {
    way = "sheet";
    look();
  });

  ways.addEventListener("click", ({ target }) => {
    const to = target.closest("[data-way]");
    if (!to) return;
    way = to.dataset.way;
    for (const storage of ["sessionStorage", "localStorage"]) rememberIn(storage, way);
    look();
  });

  document.addEventListener("outbox:changed", look);
  document.addEventListener("pack:changed", look);
  if (hasRules) pageRules.whenChanged(look);
  look();
})();
