// What the rules say of the sheet that stands there, beside it and at the fields that it is about.
const pageVerdict = (() => {
  const MINUS = "\u2212";
  const number = (value) => {
    const [whole, half] = String(Math.abs(value)).split(".");
    return (value < 0 ? MINUS : "") + whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0") + (half ? `.${half}` : "");
  };
  const signed = (value) => (value > 0 ? "+" : "") + number(value);
  const copy = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

  function fillProblem(place, { message, rule }) {
    place.querySelector("[data-message]").textContent = message.charAt(0).toUpperCase() + message.slice(1);
    const link = place.querySelector("[data-rule]");
    if (link) cite(link, rule);
  }

  function cite(link, rule = "") {
    link.hidden = !rule;
    link.textContent = rule;
    link.hash = /^[A-Z]\d+$/.test(rule) ? rule : rule.toLowerCase().replaceAll(" ", "-");
    return link;
  }

  function fillScores(place, { score }) {
    for (const each of place.querySelectorAll("[data-score]")) each.textContent = number(score[each.dataset.score]);
  }

  function fillHand(place, { table, hands, lines }) {
    fillScores(place, table);
    const { points, chips } = hands[0]?.result ?? {};
    for (const each of place.querySelectorAll("[data-gain]")) {
      const gain = points?.[each.dataset.gain] ?? chips?.[each.dataset.gain];
      each.textContent = gain === undefined ? "" : signed(gain);
    }
    place.querySelector("dl").replaceChildren(...(lines[0] ?? []).flatMap(explained));
    place.querySelector("[data-over]").hidden = table.stage !== "over";
  }

  // What the last of these hands came to, and why.
  function lastHand({ table, hands, lines }) {
    const part = copy("packresult-note").querySelector("[data-part=after]");
    part.hidden = false;
    fillHand(part, { table, hands: hands.slice(-1), lines: lines.slice(-1) });
    return part;
  }

  // One line of why a hand came to what it came to: whose, what, by which rule, how much.
  function explained(line) {
    const words = document.getElementById("packlines").content;
    const source = words.querySelector(`[data-what="${line.what}"]`) ?? words.querySelector('[data-what=""]');
    if (!source) return [];
    const what = source.cloneNode(true);
    for (const each of what.querySelectorAll("[data-at]")) each.textContent = number(line[each.dataset.at]);
    const term = document.createElement("dt");
    const side = words.querySelector(`[data-side="${line.side}"]`);
    if (side) term.append(Object.assign(document.createElement("small"), { textContent: side.textContent }));
    term.append(what, " ", cite(words.querySelector("[data-rule]").cloneNode(true), line.rule));
    const amount = line.points ?? line.chips;
    const count = document.createElement("dd");
    if (amount !== undefined) count.textContent = "plain" in source.dataset ? number(amount) : signed(amount);
    return [term, count];
  }

  // The result of a sheet, made once: beside it, on a phone between the last field and the button.
  function resultOf(form) {
    const there = document.getElementById("packresult");
    if (there) return there;
    const aside = copy("packresult-note");
    const isWide = matchMedia("(min-width: 48rem)").matches;
    aside.querySelector("details").open = isWide;
    if (isWide) form.parentElement.append(aside);
    else form.querySelector("[data-keep]").closest(".row").before(aside);
    return aside;
  }

  const painted = new WeakMap(); // what each result says: said again it would be read out again

  function show(form, answer, isBegun) {
    const aside = resultOf(form);
    const now = JSON.stringify([answer, isBegun]);
    if (painted.get(aside) === now) return;
    painted.set(aside, now);
    const { before, after, problem, missing } = answer;
    const shown = { after, problem, missing: missing ?? (after || problem ? undefined : {}), before: before?.hands.length ? before : undefined };
    for (const each of aside.querySelectorAll("[data-part]")) each.hidden = !shown[each.dataset.part];
    if (after) fillHand(aside.querySelector("[data-part=after]"), after);
    fillProblem(aside.querySelector("[data-part=problem]"), problem ?? { message: "" });
    const lacking = aside.querySelector("[data-part=missing]");
    fillProblem(lacking, isBegun && missing ? missing : { message: "" });
    lacking.querySelector("[data-nothing]").hidden = Boolean(isBegun && missing);
    if (before) {
      const part = aside.querySelector("[data-part=before]");
      fillScores(part, before.table);
      part.querySelector("[data-one]").hidden = before.hands.length !== 1;
      part.querySelector("[data-many]").hidden = before.hands.length === 1;
      part.querySelector("[data-number]").textContent = before.hands.length;
    }
    markField(form, problem);
    const refused = document.getElementById("packrefused");
    if (refused && refused.querySelector("[data-message]").textContent !== aside.querySelector("[data-part=problem] [data-message]").textContent)
      refused.remove();
    aside.hidden = Boolean(document.getElementById("packrefused")); // what stands there says the same
  }

  // The fields that a problem is about, and why, in the part of the sheet where they stand.
  function markField(form, problem) {
    form.querySelector("#packfield")?.remove();
    for (const each of form.querySelectorAll("[data-refused]")) {
      each.removeAttribute("aria-invalid");
      each.removeAttribute("aria-describedby");
      each.removeAttribute("data-refused");
    }
    if (!problem?.field) return;
    const named = (path) => [...form.elements].filter(({ name }) => name && (name.split(":")[0] === path || name.startsWith(`${path}.`)));
    const exact = named(problem.field);
    const fields = exact.length ? exact : named(problem.field.split(".")[0]);
    const part = fields.find((each) => each.type !== "hidden")?.closest("fieldset");
    if (!part) return;
    const note = copy("packfield-note");
    fillProblem(note, problem);
    part.querySelector("legend").after(note);
    for (const each of fields) {
      each.setAttribute("aria-invalid", "true");
      each.setAttribute("aria-describedby", "packfield");
      each.dataset.refused = "";
    }
  }

  // Nothing is said of this sheet any more.
  function clear(form) {
    markField(form);
    for (const id of ["packresult", "packrefused"]) document.getElementById(id)?.remove();
  }

  // The question whether a hand that a rule refuses is kept all the same.
  function askAnyway(form, problem, keepAnyway) {
    form.querySelector("#packrefused")?.remove();
    const note = copy("packrefused-note");
    fillProblem(note, problem);
    note.querySelector("[data-anyway]").addEventListener("click", keepAnyway);
    form.querySelector("[data-keep]").closest(".row").before(note);
    document.getElementById("packresult").hidden = true;
    note.scrollIntoView({ block: "nearest" });
  }

  return { show, clear, askAnyway, fillProblem, lastHand, number };
})();
