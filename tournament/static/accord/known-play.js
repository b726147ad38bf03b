// What a table takes next where the rules aren't on this phone, as far as that is plain: bids, winners and totals of a game of two
// sides from hand to hand; in other games what is left of a hand in play. The answer has the shape of `offers` (scoring/page_door.py),
// null where only the rules know; cards always need them.

const knownPlay = (() => {
  const SEATS = ["N", "E", "S", "W"];
  const TRICKS = 13;
  const OPENING = ["bids", "contracts"]; // what may open a hand by the way
  const sideOf = (seat) => ("NS".includes(seat) ? "NS" : "EW");
  const otherSide = { NS: "EW", EW: "NS" };
  const partnerOf = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];
  const count = (list, wanted) => list.filter((each) => each === wanted).length;

  // at: where the game is (pack.js), dealers: who deals after whom, that is who sits to the left.
  function offers(game, at, kept, tried) {
    if (game.asksChips || at.dealer === undefined) return null;
    const found = at.over ? { table: { stage: "over", score: at.points?.score ?? {} } } : game.points ? ofSides(game, at) : inPlay(game, at, kept);
    if (!found) return null;
    const { table, collections = {}, mayAct = () => true, trick } = found;
    const undo = kept.length ? { last: kept.at(-1).command } : null;
    return {
      before: { table: { hand: null, ...table, undo }, hands: [], lines: [] },
      place: { hand: at.hand, ...(trick ? { trick } : {}) },
      collections,
      tried: tried.map((act) => (act.collection in collections || OPENING.includes(act.collection)) && judged(act, mayAct, table, trick, game)),
      offer: null,
    };
  }

  function judged({ collection, body }, mayAct, table, trick, { tricks }) {
    const ends = collection === "totals" || (collection === "winners" && trick === tricks);
    return mayAct(collection, new URLSearchParams(body)) ? { taken: { ends } } : { taken: null };
  }

  function ofSides({ dealers }, { hand, dealer, trump, points, open }) {
    if (!open || !points?.score) return null;
    const { score } = points;
    const house = points.by_side ? { contracts: "side" } : {};
    if (!open.isOpen) {
      const table = { ...house, stage: "opening", score, next: { number: hand, dealer, trump, redealt: false } };
      return { table, collections: { hands: {} } };
    }
    if (!dealer || !trump) return null;
    const [first, made] = [dealers[dealer], Object.entries(open.bids).filter(([, bid]) => bid !== null && bid !== undefined)];
    const bids = Object.fromEntries(made);
    const { contracts } = open;
    const side = [sideOf(first), otherSide[sideOf(first)]].find((each) => (contracts[each] ?? null) === null);
    if (points.by_side && side) {
      const table = { ...house, stage: "bids", score, hand: { number: hand, dealer, trump, named: contracts, to_name: side } };
      return { table, collections: { contracts: { side } }, mayAct: (collection) => collection === "contracts" };
    }
    if (!points.by_side && made.length < 4) {
      let bidder = first;
      while (bidder in bids) bidder = dealers[bidder];
      const most = TRICKS - (bids[partnerOf(bidder)] ?? 0);
      const table = { stage: "bids", score, hand: { number: hand, dealer, trump, bids, bidder } };
      const mayAct = (collection, said) => collection === "bids" && Number(said.get("tricks:number")) <= most;
      return { table, collections: { bids: { seat: bidder } }, mayAct };
    }
    const { winners } = open;
    const won = Object.fromEntries(SEATS.map((seat) => [seat, count(winners, seat)]));
    const tricks = { NS: won.N + won.S, EW: won.E + won.W };
    const trick = winners.length + 1;
    const table = { stage: "play", score, hand: { number: hand, dealer, trump, bids, winners, won, tricks, trick, leader: winners.at(-1) ?? first } };
    return { table, collections: { winners: {}, totals: {} }, mayAct: (collection, said) => collection !== "totals" || holds(said, tricks), trick };
  }

  // Totals that leave no side fewer tricks than it has won.
  function holds(said, tricks) {
    const total = new URLSearchParams(said.getAll("fields").join("&"));
    return Object.entries(tricks).every(([side, won]) => Number(total.get(`${side}:number`)) >= won);
  }

  // The hand that was in play when the page was made, after the winners that were kept since.
  function inPlay({ play }, { hand }, kept) {
    if (!play || hand !== play.hand.number || kept.some(({ collection }) => collection !== "winners")) return null;
    const now = { ...play.hand, tricks: { ...play.hand.tricks } };
    for (const { body } of kept) {
      const seat = new URLSearchParams(body).get("seat");
      now.tricks[seat] += 1;
      now.trick += 1;
    }
    return { table: { stage: "play", score: play.score, hand: now }, collections: Object.fromEntries(play.takes.map((each) => [each, {}])), trick: now.trick };
  }

  return { offers, sideOf };
})();
