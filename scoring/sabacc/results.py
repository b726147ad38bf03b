"""Results of a game of Contract Sabacc: the output of `manage.py score`, and a hand as
a record holds it.
"""

from scoring.balances import by_seat, flow, net_chips, with_most_chips
from scoring.game import ResultTable
from scoring.openings import write_opening
from scoring.rulings import rulings_of as written_rulings_of
from scoring.sabacc.auction import CONTRACT_NAMES
from scoring.sabacc.left_pots import pot_at_the_end
from scoring.sabacc.score import BONUS_NAMES, plain, points_text
from scoring.sabacc.state import ClosedHand, Hand, HandResult, State
from scoring.shape import JsonObject
from scoring.side_results import SideResult, list_declared_results


def result(state: State) -> JsonObject:
    """The game's result as a JSON value: hands, net chips by seat, the Ante Pot (game-records.md).

    What it left in the Ante Pot is its result whether another game took it since or not.
    """
    return {
        "id": state.record,
        "game": "contract_sabacc",
        "finished": state.closed is not None,
        "winners": with_most_chips(state),
        "hands": [hand_result(closed.hand, closed.result, state.seats) for closed in state.done],
        "chips": net_chips(state),
        "pots": {"ante": pot_at_the_end(state)},
    }


def hand_result(hand: Hand, closed: HandResult, seats: tuple[str, ...]) -> JsonObject:
    """One hand's result as a JSON value; chips are the hand's net by seat."""
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "declarer": hand.declarer,
        "contract": hand.contract,
        "points": plain(closed.points) if closed.points is not None else None,
        "made": closed.made,
        "bonus": dict(closed.bonus._asdict()) if closed.bonus is not None else None,
        "chips": by_seat(flow(hand.moves), seats),
        "ante_pot": closed.ante_pot,
    }


def sides(hand: JsonObject) -> list[SideResult]:
    """Return the result of a hand for each seat: the points are the declarer's."""
    result = hand["result"]
    return [
        each._replace(points=result["points"]) if each.side == result["declarer"] else each
        for each in list_declared_results("declarer", hand)
    ]


def result_table(result: JsonObject) -> ResultTable:
    """A result as people read it: a row for each hand, then chips and the Ante Pot."""
    seats = tuple(result["chips"])
    ended = (
        f"Most chips: {' and '.join(result['winners'])}." if result["finished"] else "Not finished."
    )
    chips = ", ".join(f"{seat} {chips:+}" for seat, chips in result["chips"].items())
    return ResultTable(
        columns=("", "deals", "contract", "", "points", "bonus", *seats, "Ante Pot"),
        rows=tuple(_row(hand) for hand in result["hands"]),
        sums=(ended, f"Chips: {chips}. Ante Pot {result['pots']['ante']}."),
    )


def _row(hand: JsonObject) -> tuple[str, ...]:
    chips = (f"{chips:+}" for chips in hand["chips"].values())
    if hand["declarer"] is None:
        return (
            str(hand["number"]),
            hand["dealer"],
            "nobody bid",
            "",
            "",
            "",
            *chips,
            str(hand["ante_pot"]),
        )
    bonus = hand["bonus"]
    return (
        str(hand["number"]),
        hand["dealer"],
        f"{hand['declarer']} {CONTRACT_NAMES[hand['contract']]}",
        "made" if hand["made"] else "failed",
        points_text(round(hand["points"] * 2)),
        f"{BONUS_NAMES[bonus['kind']]} {bonus['seat']} {bonus['chips']}" if bonus else "",
        *chips,
        str(hand["ante_pot"]),
    )


def write_sheet(closed: ClosedHand) -> JsonObject:
    """A hand as a canonical record holds it: the finest detail that was written down, nothing
    twice.
    """
    hand = closed.hand
    sheet: JsonObject = {"dealer": hand.dealer} | write_opening(hand, rulings_of(hand))
    sheet |= {"calls": [[seat, call] for seat, call in hand.calls]} if hand.calls else {}
    return sheet | {"declarer": hand.declarer, "contract": hand.contract} | _write_play(hand)


def _write_play(hand: Hand) -> JsonObject:
    play: JsonObject = {}
    if hand.deal is not None:
        play["deal"] = {
            seat: list(cards) for seat, cards in zip(hand.accounts, hand.deal, strict=True)
        }
    if hand.talon is not None:
        play["talon"] = list(hand.talon)
    if hand.aside is not None:
        play["aside"] = list(hand.aside)
    if hand.play.cards:
        play["plays"] = [list(cards) for cards in hand.play.cards]
    if hand.counted is not None:
        points, kind, seat = hand.counted
        play["points"] = plain(points)
        if kind is not None:
            play["bonus"] = {"kind": kind, "seat": seat}
    return play


def rulings_of(hand: Hand) -> list[JsonObject]:
    """The rulings of a hand as a record holds them."""
    written = written_rulings_of(hand)
    return [
        {**ruling, "points": plain(ruling["points"])} if "points" in ruling else ruling
        for ruling in written
    ]
