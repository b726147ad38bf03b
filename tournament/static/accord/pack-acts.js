// Act by act without the server, where the rules are on this phone: what the table takes next stands there as on the pad (offers.html
// of its game), each tap is asked of the rules, and what they take is one entry of the outbox.

const packActs = (() => {
  const REMEMBERED = "pack-way"; // in localStorage: how this phone goes on, by "sheet" or "acts"
  const TWICE = 250; // milliseconds: a second tap on the same key so soon was no second tap
  const LONG = 60; // characters of what was written, in the words for it
  const OWN = "act-"; // before the ids of what stands here: the sheet has fields of the same names

  const section = document.getElementById("packacts");
  const ways = document.getElementById("packways");
  const find = (selector) => section.querySelector(selector);
  const ofGame = (selector) => document.querySelector(`#packed template${selector}`); // what the page has of this game
  const offers = () => [...document.querySelectorAll("#packed template[data-collection]")];

  let way = remembered();
  let known = null; // what the rules said last
  let chosen = ""; // the collection that was chosen among those there are
  let drafted = []; // cards of the open trick
  let looks = 0;
  let isKeeping = false;
  let waiting = []; // keys tapped meanwhile, in their order
  let touched = { key: "", at: -TWICE };

  function remembered() {
    try {
      return localStorage.getItem(REMEMBERED) ?? "sheet";
    } catch {
      return "sheet";
    }
  }

  function remember(value) {
    try {
      localStorage.setItem(REMEMBERED, value);
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
      each.replaceChildren(...lines);
      each.hidden = !lines.length;
    }
    for (const each of all("when")) if (!stands(table, each.dataset.when)) each.remove();
    for (const each of all("unless")) if (stands(table, each.dataset.unless)) each.remove();
    for (const each of all("number")) each.textContent = at(table, each.dataset.number) ?? each.textContent;
    for (const each of all("player")) each.textContent = nameOf(at(table, each.dataset.player));
    for (const each of all("word")) {
      const code = at(table, each.dataset.word);
      each.textContent = textOf(wordFor(each.dataset.kind, code), code);
    }
    for (const each of all("holds")) each.value = at(table, each.dataset.holds) ?? "";
    return part;
  }

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

  async function look() {
    looks += 1;
    const turn = looks;
    const found = gameHere ? await askRules("offers", { tried: [], drafted }) : null;
    if (turn !== looks) return;
    known = found;
    showWay();
    if (known && way === "acts") await draw();
  }

  function showWay() {
    const open = Boolean(known) && offers().length > 0;
    ways.hidden = !open;
    for (const each of ways.querySelectorAll("[data-way]")) {
      if (each.dataset.way === way) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    section.hidden = !open || way !== "acts";
    document.getElementById("packsheet").hidden = open && way === "acts";
    placeKept(open && way === "acts" && !outbox.state.entries.some(({ state }) => state === "refused"));
  }

  // What is kept stands under the question, which it would push away act by act, unless something of it has to be decided.
  function placeKept(under) {
    const panel = document.getElementById("kept");
    if (under) section.after(panel);
    else document.getElementById("packrules").before(panel);
  }

  let painted = ""; // what stands there: drawn again, what is being written would go

  async function draw() {
    const { before, collections } = known;
    const { table } = before;
    const there = offers().map(({ dataset }) => dataset).filter(({ collection }) => collection in collections);
    if (!there.some(({ collection }) => collection === chosen)) chosen = there[0]?.collection ?? "";
    const key = JSON.stringify([gameHere.game, known.place, table.undo, chosen, drafted, there.map(({ collection }) => collection)]);
    if (key === painted) return;
    painted = key;
    showScores(before);
    showUndo(table);
    showCollections(there);
    const question = find("[data-question]");
    const source = chosen ? offers().find(({ dataset }) => dataset.collection === chosen) : find("template[data-over]");
    const part = withOwnIds(bind(source.content.cloneNode(true), table));
    if (chosen) addCommon(part, collections[chosen]);
    question.replaceChildren(part);
    if (chosen === "tricks") showTrick(question);
    await dashRefused(question, key);
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
    button.hidden = !undo;
    const last = ours().filter(({ collection }) => collection !== "retractions").at(-1);
    button.querySelector("[data-words]").textContent = last && ours().at(-1) === last ? `(${last.words})` : "";
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
    for (const each of question.querySelectorAll("[data-whose]")) each.textContent = nameOf(offer.seat);
    const lying = question.querySelector("[data-drafted]");
    lying.hidden = !drafted.length;
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
    const found = await askRules("offers", { tried: keys.map((key) => ({ collection: chosen, body: bodyFor(key.form, key) })), drafted: [] });
    if (key !== painted || !found?.tried) return; // another question stands there
    keys.forEach((key, place) => (key.disabled = !found.tried[place].taken));
    showReasons(found.tried.map(({ problem }) => problem).filter(Boolean));
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
    const written = fields.filter(({ type }) => /^(text|textarea)$/.test(type)).map(({ value }) => value).join(" ");
    const chosen = fields.filter(({ type }) => type === "select-one").map(({ selectedOptions: [option] }) => option.textContent);
    const ticked = fields.filter(({ checked, name }) => checked && !name.startsWith(OWN)).map(({ labels: [label] }) => readOut(label));
    const place = find("[data-question] [data-place]")?.textContent;
    const long = written.length > LONG ? `${written.slice(0, LONG)}…` : written;
    return [saidBy(button), ...ticked, ...chosen, long, place].filter(Boolean).map(inOneLine).join(", ");
  }

  async function keep(collection, body, words) {
    if (isKeeping) return;
    isKeeping = true;
    const behind = ours().at(-1)?.command; // as the rules are told
    try {
      const found = await askRules("offers", { tried: [{ collection, body }], drafted: [] });
      const said = found?.tried?.[0];
      if (said && !said.taken) return void refuse(said.problem ?? said.missing);
      if (said) await keepTaken({ collection, body, words, behind, place: found.place, ...(said.taken.ends ? { ends: true } : {}) });
    } finally {
      isKeeping = false;
      next();
    }
  }

  // The next tap that waits, on the question that stands there now; where its key doesn't stand, it and those behind it are named.
  function next() {
    const tap = waiting.shift();
    if (!tap) return;
    const key = [...section.querySelectorAll(".key[name]:not(:disabled)")].find((each) => keyOf(each) === tap.key);
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
    const place = inOneLine(find("[data-question] [data-place]").textContent);
    const fields = { "cards:list": drafted.join(" "), game: gameHere.game };
    await keep("tricks", new URLSearchParams(fields).toString(), `${said}, ${place}`);
  }

  function hideNotes() {
    for (const id of ["packact-refused", "packact-dropped"]) document.getElementById(id).hidden = true;
  }

  section.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest(".key[name]");
      if (!button || !event.isTrusted) return;
      const [key, now] = [keyOf(button), performance.now()];
      const isSecond = now - touched.at < TWICE && (key === touched.key || event.detail > 1);
      touched = { key, at: now };
      if (isSecond) event.preventDefault();
    },
    true,
  );

  section.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter, target: form } = event;
    if (isKeeping) return void (submitter?.matches(".key") && waiting.push({ key: keyOf(submitter), said: saidBy(submitter) }));
    hideNotes();
    if (submitter?.dataset.card) draft([...drafted, submitter.dataset.card]);
    else if (submitter) keep(chosen, bodyFor(form, submitter), wordsFor(form, submitter));
  });

  section.addEventListener("click", ({ target }) => {
    const to = target.closest("[data-to]");
    if (to || target.closest("[data-back], [data-undo]")) hideNotes();
    if (to) {
      [chosen, drafted] = [to.dataset.to, []];
      look();
    } else if (target.closest("[data-back]")) draft(drafted.slice(0, -1));
    else if (target.closest("[data-undo]")) undo(target.closest("[data-undo]"));
  });

  function undo(button) {
    const fields = { "version:number": known.before.table.undo.version, game: gameHere.game };
    keep("retractions", new URLSearchParams(fields).toString(), saidBy(button));
  }

  ways.addEventListener("click", ({ target }) => {
    const to = target.closest("[data-way]");
    if (!to) return;
    way = to.dataset.way;
    remember(way);
    look();
  });

  document.addEventListener("outbox:changed", look);
  document.addEventListener("pack:changed", look);
  pageRules.whenChanged(look);
  look();
})();
