"""Results of a patience: the output of `manage.py score`, and a deal as a record holds
it.
"""

from scoring.game import ResultTable
from scoring.patience.deal import SEATS, STOCK
from scoring.patience.events import LengthsCounted
from scoring.patience.state import ClosedHand, Hand, HandResult, State
from scoring.rulings import write_rulings
from scoring.shape import JsonObject
from scoring.side_results import SideResult

BUILDING = ("order_of_precedence.card_built", "order_of_precedence.lengths_counted")


def result(state: State) -> JsonObject:
    """The game's result as a JSON value: each deal, and the cards built in all (O6)."""
    hands = [hand_result(closed.hand, closed.result) for closed in state.done]
    return {"id": state.record, "game": "order_of_precedence", "hands": hands, "score": state.score}


def hand_result(hand: Hand, closed: HandResult) -> JsonObject:
    """One deal's result as a JSON value."""
    return {
        "number": hand.opened.number,
        "built": closed.built,
        "foundations": list(closed.lengths),
        "passes": closed.passes,
        "won": closed.built == STOCK,
        "seconds": closed.seconds,
    }


def explain(closed: HandResult) -> JsonObject:
    """Each foundation's part of what was built, and rulings: the lines add up to the deal's points
    (O6).
    """
    lines: list[JsonObject] = [
        {"what": "foundation", "rule": "O3", "foundation": place, "points": length}
        for place, length in enumerate(closed.lengths, 1)
    ]
    if closed.adjusted:
        lines.append({"what": "ruling", "rule": "Infractions", "points": closed.adjusted})
    return {"lines": lines, "points": closed.built + closed.adjusted}


def sides(hand: JsonObject) -> list[SideResult]:
    """Return the result of a deal for its player: cards built, with the rulings (O6)."""
    return [SideResult(seat, points=hand["why"]["points"]) for seat in SEATS]


def numbers(state: State) -> dict[str, list[list[JsonObject]]]:
    """Explain the score, deal by deal: lines as `Game.numbers` has them (O6)."""
    return {
        "score.A": [
            [
                line | {"amount": line["points"], **_behind(line)}
                for line in explain(closed.result)["lines"]
            ]
            for closed in state.done
        ]
    }


def _behind(line: JsonObject) -> JsonObject:
    if line["what"] == "ruling":
        return {"amount": line["points"], "facts": ("ruling.points_adjusted",), "of": ()}
    kings = ("order_of_precedence.king_set",) if line["foundation"] == 1 else ()
    return {"amount": line["points"], "facts": (*kings, *BUILDING), "of": (line["foundation"],)}


def result_table(result: JsonObject) -> ResultTable:
    """A result as people read it: a row for each deal, then the cards built in all."""
    built = sum(hand["built"] for hand in result["hands"])
    ruled = (f"Rulings: {result['score'] - built:+}.",) if result["score"] != built else ()
    return ResultTable(
        columns=("", "built", "foundations", "passes", "out", "time"),
        rows=tuple(_row(hand) for hand in result["hands"]),
        sums=(*ruled, f"Built in all: {result['score']}."),
    )


def _row(hand: JsonObject) -> tuple[str, ...]:
    lengths = " ".join(map(str, hand["foundations"]))
    out = "yes" if hand["won"] else "–"
    return (
        str(hand["number"]),
        str(hand["built"]),
        lengths,
        str(hand["passes"]),
        out,
        _clock(hand["seconds"]),
    )


def _clock(seconds: int | None) -> str:
    return "–" if seconds is None else f"{seconds // 60}:{seconds % 60:02}"


def write_sheet(closed: ClosedHand) -> JsonObject:
    """A deal as a canonical record holds it: its moves where they are all there, else its
    lengths.
    """
    hand, opened = closed.hand, closed.hand.opened
    extras = {
        "players": dict(opened.players),
        "rulings": rulings_of(hand),
        "note": opened.note,
        "at": opened.at,
        "stock": list(opened.stock),
    }
    sheet: JsonObject = {key: value for key, value in extras.items() if value}
    if isinstance(hand.end, LengthsCounted):
        sheet |= {"built": list(hand.end.lengths), "passes": hand.end.passes}
    else:
        sheet |= {"stock": _stock(hand), "moves": hand.deal.moves.split()}
    seconds = closed.result.seconds
    return sheet if seconds is None else sheet | {"seconds": seconds}


def rulings_of(hand: Hand) -> list[JsonObject]:
    """The rulings of a deal as a record holds them."""
    return write_rulings(hand.rulings, (), {})


def _stock(hand: Hand) -> list[str]:
    """The order of the stock; a King that was taken out of an unknown one may as well have been its
    first card (O1).
    """
    if hand.opened.stock:
        return list(hand.opened.stock)
    return [*([hand.king] if hand.king else []), *hand.deal.out]
