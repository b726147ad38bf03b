"""Results of a game of Precedence: the output of `manage.py score`, and a hand as a
record holds it.
"""

from scoring.balances import by_seat, flow, net_chips
from scoring.game import ResultTable
from scoring.openings import write_opening
from scoring.precedence.cards import SUIT_NAMES
from scoring.precedence.pots import ACCORD, HAND, OUTSIDE_HAND
from scoring.precedence.score import tricks_taken, winners_of
from scoring.precedence.seats import SEATS, TEAM_NAMES, TEAMS
from scoring.precedence.state import ClosedHand, Hand, HandResult, State
from scoring.shape import JsonObject
from scoring.side_results import SideResult


def result(state: State) -> JsonObject:
    """The game's result as a JSON value: hands, score, Excess, net chips by seat, pots
    (game-records.md).
    """
    return {
        "id": state.record,
        "game": "precedence",
        "finished": state.closed is not None,
        "winners": winners_of(state),
        "hands": [
            hand_result(closed.hand, closed.result)
            for closed in state.done
            if closed.result is not None
        ],
        "score": _teams(*state.score),
        "excess": _teams(*state.excess),
        "chips": net_chips(state),
        "pots": {"hand": state.balances.get(HAND, 0), "accord": state.balances.get(ACCORD, 0)},
    }


def hand_result(hand: Hand, closed: HandResult) -> JsonObject:
    """One hand's result as a JSON value; chips are the hand's net by seat, Accord Pot apart."""
    ns, ew = closed.ns, closed.ew
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "trump": hand.trump,
        "contracts": _teams(ns.contract, ew.contract),
        "tricks": _teams(ns.tricks, ew.tricks),
        "met": _teams(ns.met, ew.met),
        "meld_points": _teams(ns.meld_points, ew.meld_points),
        "points": _teams(ns.points, ew.points),
        "audits": _teams(ns.audits, ew.audits),
        "score": _teams(ns.score, ew.score),
        "excess": _teams(ns.excess, ew.excess),
        "hand_pot": {"amount": closed.pot, "to": closed.pot_to},
        "chips": by_seat(flow(hand.moves, apart=OUTSIDE_HAND), SEATS),
    }


def sides(hand: JsonObject) -> list[SideResult]:
    """Return the result of a hand for each team, with its Team Contract (P11)."""
    result = hand["result"]
    return [
        SideResult(
            side=team,
            bid=result["contracts"][team],
            made=result["met"][team],
            taken=result["tricks"][team],
            points=result["points"][team],
            excess=result["excess"][team],
            audits=result["audits"][team],
            chips=sum(result["chips"][seat] for seat in team),
        )
        for team in TEAMS
    ]


def result_table(result: JsonObject) -> ResultTable:
    """A result as people read it: a row for each hand, then scores, chips and pots."""
    rows = tuple(_row(hand) for hand in result["hands"])
    ended = (
        f"Won by {' and '.join(TEAM_NAMES[team] for team in result['winners'])}."
        if result["finished"]
        else "Not finished."
    )
    chips = ", ".join(f"{seat} {chips:+}" for seat, chips in result["chips"].items())
    pots = f"Hand Pot {result['pots']['hand']}, Accord Pot {result['pots']['accord']}"
    audited = any(hand["audits"][team] for hand in result["hands"] for team in TEAMS)
    note = ("* after an Imperial Audit.",) if audited else ()
    return ResultTable(
        columns=("", "deals", "trump", "N–S", "", "score", "E–W", "", "score", "pot"),
        rows=rows,
        sums=(*note, ended, f"Chips: {chips}. {pots}."),
    )


def _row(hand: JsonObject) -> tuple[str, ...]:
    pot = f"{hand['hand_pot']['amount']} {hand['hand_pot']['to'] or '–'}"
    cells = [str(hand["number"]), hand["dealer"], SUIT_NAMES[hand["trump"]]]
    for team in TEAMS:
        audit = "*" if hand["audits"][team] else ""
        cells += [
            f"{hand['tricks'][team]} of {hand['contracts'][team]}",
            f"{hand['points'][team]:+}",
            f"{hand['score'][team]}{audit}",
        ]
    return (*cells, pot)


def _teams[T](ns: T, ew: T) -> dict[str, T]:
    return dict(zip(TEAMS, (ns, ew), strict=True))


def write_sheet(closed: ClosedHand) -> JsonObject:
    """A hand as a canonical record holds it: the finest detail that was written down, nothing
    twice.
    """
    hand = closed.hand
    sheet: JsonObject = (
        {"dealer": hand.dealer}
        | ({"trump": hand.trump} if hand.trump else {})
        | write_opening(hand)
    )
    if hand.melds:
        sheet["melds"] = [
            {"seat": meld.seat, "kind": meld.kind, "cards": list(meld.cards)} for meld in hand.melds
        ]
    if hand.bids:
        sheet["bids"] = {seat: hand.bids[seat] for seat in SEATS if seat in hand.bids}
    if hand.named:
        sheet["contracts"] = {team: hand.named[team] for team in TEAMS if team in hand.named}
    misdeal = {"misdeal": True} if closed.result is None else {}
    return sheet | _write_play(hand) | misdeal


def _write_play(hand: Hand) -> JsonObject:
    play: JsonObject = {}
    if hand.deal is not None:
        play["deal"] = {seat: list(cards) for seat, cards in zip(SEATS, hand.deal, strict=True)}
    if hand.play.cards:
        play["plays"] = [list(cards) for cards in hand.play.cards]
    if len(hand.play.winners) > len(hand.play.cards):
        play["winners"] = list(hand.play.winners)
    if hand.counted is not None:
        play["tricks"] = _teams(*tricks_taken(hand))
    return play
