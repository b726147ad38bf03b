"""Results of a game of Preference: the output of `manage.py score`, and a hand as a
record holds it.
"""

from scoring.balances import by_seat, flow, net_chips, with_most_chips
from scoring.game import ResultTable
from scoring.openings import write_opening
from scoring.preference.contracts import CONTRACT_NAMES, may_keep_out
from scoring.preference.payments import POT
from scoring.preference.rules import Rules
from scoring.preference.state import SEATS, ClosedHand, Hand, HandResult, State
from scoring.shape import JsonObject


def result(state: State) -> JsonObject:
    """The game's result as a JSON value: hands, net chips by seat, the pot (game-records.md)."""
    return {
        "id": state.record,
        "game": "preference",
        "finished": state.closed is not None,
        "winners": with_most_chips(state),
        "hands": [hand_result(closed.hand, closed.result) for closed in state.done],
        "chips": net_chips(state),
        "pots": {POT: state.balances.get(POT, 0)},
    }


def hand_result(hand: Hand, closed: HandResult) -> JsonObject:
    """One hand's result as a JSON value; chips are the hand's net by seat, before the sharing at
    the game's end.
    """
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "soloist": hand.soloist or None,
        "contract": hand.contract or None,
        "made": closed.made,
        "tricks": dict(zip(SEATS, closed.tricks, strict=True))
        if closed.tricks is not None
        else None,
        "chips": flow_of(hand),
        "pot": closed.pot,
    }


def flow_of(hand: Hand) -> dict[str, int]:
    """Chips won or lost in a hand by seat of the game: a substitute's are those of the seat they
    played for.
    """
    return by_seat(flow(hand.moves), SEATS)


def result_table(result: JsonObject) -> ResultTable:
    """A result as people read it: a row for each hand, then chips and the pot."""
    ended = f"Won by {' and '.join(result['winners'])}." if result["finished"] else "Not finished."
    chips = ", ".join(f"{seat} {chips:+}" for seat, chips in result["chips"].items())
    return ResultTable(
        columns=(
            "",
            "deals",
            "soloist",
            "contract",
            "",
            *(cell for seat in SEATS for cell in (seat, "")),
            "pot",
        ),
        rows=tuple(_row(hand) for hand in result["hands"]),
        sums=(ended, f"Chips: {chips}. Pot {result['pots'][POT]}."),
    )


def _row(hand: JsonObject) -> tuple[str, ...]:
    named = CONTRACT_NAMES[hand["contract"]] if hand["contract"] else "thrown in"
    made = {True: "made", False: "failed", None: ""}[hand["made"]]
    cells = []
    for seat in SEATS:
        tricks = str(hand["tricks"][seat]) if hand["tricks"] is not None else "–"
        cells += [tricks, f"{hand['chips'][seat]:+}"]
    return (
        str(hand["number"]),
        hand["dealer"],
        hand["soloist"] or "–",
        named,
        made,
        *cells,
        str(hand["pot"]),
    )


def write_sheet(closed: ClosedHand, rules: Rules) -> JsonObject:
    """A hand as a canonical record holds it: the finest detail that was written down, nothing
    twice.
    """
    hand = closed.hand
    sheet: JsonObject = {"dealer": hand.dealer} | write_opening(hand)
    sheet |= {"calls": [list(call) for call in hand.calls]} if hand.calls else {}
    sheet |= {"soloist": hand.soloist or None, "contract": hand.contract or None}
    if not hand.contract:
        return sheet | _write_deal(hand)
    if may_keep_out(hand.contract, rules):
        sheet["defenders"] = dict(hand.defence or {})
    return sheet | _write_deal(hand) | _write_play(hand)


def _write_deal(hand: Hand) -> JsonObject:
    if hand.deal is None:
        return {}
    deal = {seat: list(cards) for seat, cards in zip(SEATS, hand.deal.holdings, strict=False)}
    written = {"deal": deal, "widow": list(hand.deal.widow), "discards": list(hand.deal.discards)}
    return {key: cards for key, cards in written.items() if cards}


def _write_play(hand: Hand) -> JsonObject:
    play: JsonObject = {}
    if hand.play.cards:
        play["plays"] = [list(cards) for cards in hand.play.cards]
    if len(hand.play.winners) > len(hand.play.cards):
        play["winners"] = list(hand.play.winners)
    if hand.counted is not None:
        play["tricks"] = dict(zip(SEATS, hand.counted, strict=True))
    if hand.in_succession is not None:
        play["in_succession"] = hand.in_succession
    return play
