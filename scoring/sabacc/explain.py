"""Why a hand came to what it came to: points, wagers, bonus, each with its rule (S4 to S11)."""

from collections.abc import Iterator

from scoring.sabacc.auction import STAKES
from scoring.sabacc.pots import WAGER, payouts_of
from scoring.sabacc.score import QUARTERS, count_adjusted_points, count_declarer_points, plain
from scoring.sabacc.state import Hand, HandResult
from scoring.shape import JsonObject


def explain(hand: Hand, closed: HandResult) -> JsonObject:
    """The lines behind the declarer's points, how the wagers were shared, and the bonus out of the
    Ante Pot.

    `won_by` are the accounts that wagers went to with their chips, `odd` what could not be shared.
    """
    if hand.declarer is None:
        return {
            "lines": [{"what": "void", "rule": "S4"}],
            "wagers": None,
            "bonus": None,
            "anted": hand.anted,
        }
    return {
        "lines": list(_points(hand)),
        "wagers": _wagers(hand, closed),
        "bonus": _bonus(hand, closed),
        "anted": hand.anted,
    }


def _points(hand: Hand) -> Iterator[JsonObject]:
    yield {
        "what": "counted" if hand.counted is not None else "played",
        "rule": "S8",
        "points": plain(count_declarer_points(hand)),
    }
    adjusted = count_adjusted_points(hand)
    if adjusted:
        yield {"what": "ruling", "rule": "Infractions", "points": plain(adjusted)}


def _wagers(hand: Hand, closed: HandResult) -> JsonObject:
    assert hand.contract is not None
    shares = [move for move in payouts_of(hand) if move.source == WAGER]
    return {
        "rule": "S10",
        "chips": closed.wagered,
        "stake": STAKES[hand.contract],
        "won_by": [
            {"account": move.target, "chips": move.chips} for move in shares if move.why != "odd"
        ],
        "odd": sum(move.chips for move in shares if move.why == "odd"),
    }


def _bonus(hand: Hand, closed: HandResult) -> JsonObject | None:
    if closed.bonus is None:
        return None
    return {
        "rule": "S11",
        **closed.bonus._asdict(),
        "quarters": QUARTERS[closed.bonus.kind],
        "of": hand.anted,
    }
