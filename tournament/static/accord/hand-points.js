// What a hand of two sides brings them, from what was written or tapped of it, so that a page without the rules sees which hand ends
// the game. By the numbers that its game gives (Turns.points); the rules count it anew when it is sent.

const handPoints = (() => {
  const SIDES = { NS: ["N", "S"], EW: ["E", "W"] };
  const SEAT = /^[NESW]$/;

  // The number that a form says at a path, undefined where it says none.
  function numberAt(said, path) {
    const text = said.get(`${path}:number`)?.trim();
    return text && /^\d+$/.test(text) ? Number(text) : undefined;
  }

  // A form's fields, those that a button says under `fields` among them.
  function saidIn(body) {
    const said = new URLSearchParams(body);
    for (const [name, value] of new URLSearchParams(said.getAll("fields").join("&"))) said.append(name, value);
    return said;
  }

  // What is known of a hand before it opens.
  const opened = () => ({ isOpen: false, bids: {}, contracts: {}, melds: [], winners: [], tricks: null });

  // The open hand after an entry; null where its points can't be known without the rules.
  function afterEntry(before, { collection, body }) {
    if (collection === "misdeals") return opened();
    if (!before) return null;
    const hand = { ...before, isOpen: true };
    const said = saidIn(body);
    if ([...said].some(([name, value]) => value && /^(rulings|plays|players)\b/.test(name))) return null;
    if (collection === "hands") return said.get("misdeal:flag") ? null : hand;
    if (collection === "bids") return { ...hand, bids: { ...hand.bids, [said.get("seat")]: numberAt(said, "tricks") } };
    if (collection === "contracts") return { ...hand, contracts: { ...hand.contracts, [said.get("side")]: numberAt(said, "tricks") } };
    if (collection === "winners") return { ...hand, winners: [...hand.winners, said.get("seat")] };
    if (collection === "totals") return { ...hand, tricks: { NS: numberAt(said, "NS"), EW: numberAt(said, "EW") } };
    if (collection === "melds") return { ...hand, melds: [...hand.melds, { seat: said.get("seat"), kind: said.get("kind"), size: sizeOf(said, "") }] };
    if (collection === "sheet") return sheetOf(said);
    return collection === "deals" ? hand : null;
  }

  const sizeOf = (said, path) => said.getAll(`${path}cards:list`).join(" ").split(/[\s,]+/).filter(Boolean).length;

  function sheetOf(said) {
    const bids = Object.fromEntries([..."NESW"].map((seat) => [seat, numberAt(said, `bids.${seat}`)]));
    const contracts = Object.fromEntries(Object.keys(SIDES).map((side) => [side, numberAt(said, `contracts.${side}`)]));
    const winners = Array.from({ length: 13 }, (_, trick) => said.get(`winners.${trick}:trick`) ?? "").filter((seat) => SEAT.test(seat));
    const [NS, EW] = [numberAt(said, "tricks.NS"), numberAt(said, "tricks.EW")];
    const melds = Array.from({ length: 16 }, (_, place) => `melds.${place}.`)
      .map((path) => ({ seat: said.get(`${path}seat`), kind: said.get(`${path}kind`), size: sizeOf(said, path) }))
      .filter(({ seat, size }) => seat && size);
    return { bids, contracts, winners, melds, tricks: NS === undefined || EW === undefined ? null : { NS, EW } };
  }

  // Scores and Excess once this hand is over; null where they aren't known.
  function afterHand({ score, excess, ...numbers }, hand) {
    if (!score || !hand) return { ...numbers, score: null };
    const next = { ...numbers, score: {}, excess: {} };
    for (const [side, seats] of Object.entries(SIDES)) {
      const contract = hand.contracts[side] ?? seats.reduce((sum, seat) => sum + (hand.bids[seat] ?? NaN), 0);
      const won = hand.tricks?.[side] ?? (hand.winners.length === 13 ? hand.winners.filter((seat) => seats.includes(seat)).length : NaN);
      const shown = hand.melds.filter(({ seat }) => seats.includes(seat)).reduce((sum, meld) => sum + meldPoints(numbers, meld), 0);
      if (Number.isNaN(contract + won)) return { ...numbers, score: null };
      const isMade = won >= contract;
      const over = excess[side] + (isMade ? won - contract : 0);
      const audits = over < numbers.audit_at ? 0 : numbers.carry ? Math.floor(over / numbers.audit_at) : 1;
      const points = isMade ? numbers.trick * contract + won - contract + shown : Math.floor(shown / 2) - numbers.trick * contract;
      next.excess[side] = audits ? (numbers.carry ? over % numbers.audit_at : 0) : over;
      next.score[side] = score[side] + points - audits * numbers.audit_points;
    }
    return next;
  }

  const meldPoints = (numbers, { kind, size }) => (kind === "run" && size > 3 ? numbers.long_run : numbers[kind]);

  // Whether these scores end the game.
  const isOver = ({ score, target }) => Boolean(score) && score.NS !== score.EW && Math.max(score.NS, score.EW) >= target;

  return { opened, afterEntry, afterHand, isOver };
})();
