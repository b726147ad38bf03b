"""Card points, the contract and the bonus of a hand (S8 to S11). Card points are doubled
throughout.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.errors import RuleViolation, sentence
from scoring.events import PointsAdjusted, TricksAdjusted
from scoring.sabacc.cards import ALL_POINTS, PLACE, cards_of, points_of
from scoring.sabacc.state import HOLDING, Bonus, Hand

NEEDED = 2 * 46
BONUS_NAMES = {
    "idiot": "Idiot at the end",
    "magician": "Magician at the end",
    "slam": "Slam",
    "grand_slam": "Grand Slam",
}
# The share of the Ante Pot, in quarters (S11).
QUARTERS = {"idiot": 1, "magician": 2, "slam": 3, "grand_slam": 4}
AT_THE_END = {"0": "idiot", "-1": "magician"}
SLAM_LOSES = 3


class Outcome(NamedTuple):
    """A hand that was played out: the declarer's points (rulings included), whether it is made, and
    who earned which bonus.
    """

    points: int
    made: bool
    bonus: tuple[str, str] | None


def points_text(points: int) -> str:
    """Doubled card points as people write them: `45.5`."""
    return f"{points / 2:.1f}".removesuffix(".0")


def plain(points: int) -> int | float:
    """Doubled card points as a number of JSON."""
    return points / 2 if points % 2 else points // 2


def outcome(hand: Hand) -> Outcome:
    """Return the outcome of a hand with a declarer. Raises RuleViolation `bad_total` for
    rulings that can't be.
    """
    assert hand.declarer is not None
    points = count_declarer_points(hand) + count_adjusted_points(hand)
    return Outcome(points, points >= NEEDED, find_earned_bonus(hand))


def count_declarer_points(hand: Hand) -> int:
    """The declarer's card points as written down or played, before rulings (S8)."""
    return hand.counted[0] if hand.counted is not None else piles(hand)[0]


def piles(hand: Hand) -> tuple[int, int]:
    """Card points that the declarer and the defenders have for certain so far, talon and aside
    included where known.
    """
    own, other = (points_of(cards) for cards in find_known_piles(hand))
    if len(hand.play.cards) < HOLDING[len(hand.accounts)]:
        return own, other
    return (
        (own, ALL_POINTS - own) if hand.contract == "guard_against" else (ALL_POINTS - other, other)
    )


def find_known_piles(hand: Hand) -> tuple[list[str], list[str]]:
    """The cards that the declarer and the defenders have for certain so far, talon and aside
    included where known.
    """
    own: list[str] = []
    other: list[str] = []
    for seat, cards in zip(hand.play.winners, hand.play.cards, strict=False):
        (own if seat == hand.declarer else other).extend(cards)
    (other if hand.contract == "guard_against" else own).extend(cards_of(hand.play.out))
    return own, other


def count_adjusted_points(hand: Hand) -> int:
    """Points given to the declarer or taken by rulings; those of a defender change no contract."""
    return sum(
        ruling.points
        for ruling in hand.adjusted
        if isinstance(ruling, PointsAdjusted) and ruling.side == hand.declarer
    )


def tricks_won(hand: Hand) -> dict[str, int]:
    """Tricks by seat as played, before rulings."""
    return {seat: hand.play.winners.count(seat) for seat in hand.accounts}


def count_adjusted_tricks(hand: Hand) -> Mapping[str, int]:
    """Tricks by seat that count, rulings included. Raises RuleViolation `bad_total` below 0 or
    above all of them.
    """
    won, ruled = tricks_won(hand), count_ruled_tricks(hand)
    won = {seat: tricks + ruled[seat] for seat, tricks in won.items()}
    all_tricks = HOLDING[len(won)]
    for seat, tricks in won.items():
        if not 0 <= tricks <= all_tricks:
            message = sentence(
                "the ruling leaves %(seat)s with %(tricks)s tricks; a player has 0 to "
                "%(all_tricks)s",
                seat=seat,
                tricks=tricks,
                all_tricks=all_tricks,
            )
            raise RuleViolation("bad_total", message, rule="S11", path="rulings")
    return won


def count_ruled_tricks(hand: Hand) -> dict[str, int]:
    """Tricks that rulings gave to each seat, less those they took."""
    ruled = dict.fromkeys(hand.accounts, 0)
    for ruling in hand.adjusted:
        if isinstance(ruling, TricksAdjusted):
            for seat, tricks in ((ruling.source, -ruling.tricks), (ruling.target, ruling.tricks)):
                if seat:
                    ruled[seat] += tricks
    return ruled


def find_earned_bonus(hand: Hand) -> tuple[str, str] | None:
    """The highest bonus of the hand and the seat it belongs to (S11). Raises as
    `count_adjusted_tricks`.
    """
    if hand.counted is not None:
        _, kind, seat = hand.counted
        return (kind, seat) if kind is not None and seat is not None else None
    all_tricks = HOLDING[len(hand.accounts)]
    for seat, tricks in count_adjusted_tricks(hand).items():
        if tricks >= all_tricks - SLAM_LOSES:
            return ("grand_slam" if tricks == all_tricks else "slam"), seat
    return _at_the_end(hand)


def _at_the_end(hand: Hand) -> tuple[str, str] | None:
    kind = AT_THE_END.get(max(hand.play.cards[-1], key=PLACE.__getitem__))
    return (kind, hand.play.winners[-1]) if kind is not None else None


def bonus_of(hand: Hand, earned: tuple[str, str] | None, in_pot: int) -> Bonus | None:
    """The bonus with its chips: a share of the Ante Pot as it stood after the antes, no more than a
    ruling left `in_pot` (S11).
    """
    if earned is None:
        return None
    kind, seat = earned
    return Bonus(kind, seat, min(hand.anted * QUARTERS[kind] // 4, in_pot))
