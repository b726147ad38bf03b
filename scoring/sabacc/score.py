"""Card points, the contract and the bonus of a hand (S8 to S11). Card points are doubled throughout."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from scoring.errors import RuleViolation, sentence
from scoring.events import PointsAdjusted, TricksAdjusted
from scoring.sabacc.cards import ALL_POINTS, BIT, CARDS, PLACE, WORTH, cards_of, points_of
from scoring.sabacc.seats import HOLDING, INDEX, TALON
from scoring.sabacc.state import Bonus, Hand

NEEDED = 2 * 46
BONUS_NAMES = {"idiot": "Idiot at the end", "magician": "Magician at the end", "slam": "Slam", "grand_slam": "Grand Slam"}
# The share of the Ante Pot, in quarters (S11).
QUARTERS = {"idiot": 1, "magician": 2, "slam": 3, "grand_slam": 4}
AT_THE_END = {"0": "idiot", "-1": "magician"}
SLAM_LOSES = 3

# The most card points that so many cards can have.
MOST_IN = (0, *accumulate(sorted(WORTH.values(), reverse=True)))


class Outcome(NamedTuple):
    """A hand that was played out: the declarer's points (rulings included), whether it is made, and who earned which bonus."""

    points: int
    made: bool
    bonus: tuple[str, str] | None


def shown(points: int) -> str:
    """Doubled card points as people write them: `45.5`."""
    return f"{points / 2:.1f}".removesuffix(".0")


def plain(points: int) -> int | float:
    """Doubled card points as a number of JSON."""
    return points / 2 if points % 2 else points // 2


def outcome(hand: Hand) -> Outcome:
    """What a hand with a declarer came to. Raises RuleViolation `bad_total` for rulings that can't be."""
    assert hand.declarer is not None
    points = counted_points(hand) + adjusted_points(hand)
    return Outcome(points, points >= NEEDED, earned_bonus(hand))


def counted_points(hand: Hand) -> int:
    """The declarer's card points as written down or played, before rulings (S8)."""
    return hand.counted[0] if hand.counted is not None else piles(hand)[0]


def piles(hand: Hand) -> tuple[int, int]:
    """Card points that the declarer and the defenders have for certain so far, talon and aside included where known."""
    declarer, tricks = hand.declarer, list(zip(hand.play.winners, hand.play.cards, strict=False))
    own = points_of(card for seat, cards in tricks if seat == declarer for card in cards)
    other = points_of(card for seat, cards in tricks if seat != declarer for card in cards)
    complete = len(hand.play.cards) == HOLDING[len(hand.accounts)]
    apart = ALL_POINTS - own - other if complete else points_of(cards_of(hand.play.out))
    return (own, other + apart) if hand.contract == "guard_against" else (own + apart, other)


def adjusted_points(hand: Hand) -> int:
    """Points given to the declarer or taken by rulings; those of a defender change no contract."""
    return sum(ruling.points for ruling in hand.adjusted if isinstance(ruling, PointsAdjusted) and ruling.side == hand.declarer)


def tricks_won(hand: Hand) -> dict[str, int]:
    """Tricks by seat as played, before rulings."""
    return {seat: hand.play.winners.count(seat) for seat in hand.accounts}


def adjusted_tricks(hand: Hand) -> Mapping[str, int]:
    """Tricks by seat that count, rulings included. Raises RuleViolation `bad_total` below 0 or above all of them."""
    won = tricks_won(hand)
    all_tricks = HOLDING[len(won)]
    for ruling in hand.adjusted:
        if isinstance(ruling, TricksAdjusted):
            for seat, tricks in ((ruling.source, -ruling.tricks), (ruling.target, ruling.tricks)):
                if seat:
                    won[seat] += tricks
    for seat, tricks in won.items():
        if not 0 <= tricks <= all_tricks:
            message = sentence(
                "the ruling leaves %(seat)s with %(tricks)s tricks; a player has 0 to %(all_tricks)s",
                seat=seat,
                tricks=tricks,
                all_tricks=all_tricks,
            )
            raise RuleViolation("bad_total", rule="S11", message=message, path="rulings")
    return won


def earned_bonus(hand: Hand) -> tuple[str, str] | None:
    """The highest bonus of the hand and the seat it belongs to (S11). Raises as `adjusted_tricks`."""
    if hand.counted is not None:
        _, kind, seat = hand.counted
        return (kind, seat) if kind is not None and seat is not None else None
    all_tricks = HOLDING[len(hand.accounts)]
    for seat, tricks in adjusted_tricks(hand).items():
        if tricks >= all_tricks - SLAM_LOSES:
            return ("grand_slam" if tricks == all_tricks else "slam"), seat
    return _at_the_end(hand)


def _at_the_end(hand: Hand) -> tuple[str, str] | None:
    kind = AT_THE_END.get(max(hand.play.cards[-1], key=PLACE.__getitem__))
    return (kind, hand.play.winners[-1]) if kind is not None else None


def bonus_of(hand: Hand, earned: tuple[str, str] | None, in_pot: int) -> Bonus | None:
    """The bonus with its chips: a share of the Ante Pot as it stood after the antes, no more than a ruling left `in_pot` (S11)."""
    if earned is None:
        return None
    kind, seat = earned
    return Bonus(kind, seat, min(hand.anted * QUARTERS[kind] // 4, in_pot))


def check_counted(points: int, bonus: tuple[str, str] | None, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for points or a bonus that this hand can't have come to (S8, S11)."""
    if not 0 <= points <= ALL_POINTS:
        raise RuleViolation(
            "bad_total",
            rule="S8",
            message=sentence("%(shown)s are no card points; there are 91 in all", shown=shown(points)),
            path="points",
        )
    _check_won_already(points, hand)
    players = len(hand.accounts)
    if players == 4 and points % 2:
        message = sentence(
            "with four players every pile has an even number of cards, so its points are whole, not %(shown)s", shown=shown(points)
        )
        raise RuleViolation("bad_total", rule="S8", message=message, path="points")
    if bonus is not None:
        _check_bonus(*bonus, hand)
    if not any(points in possible for possible in points_by_tricks(bonus, hand)):
        message = sentence(
            "%(declarer)s can't have %(points)s card points: no number of tricks comes to that, talon or aside counted",
            declarer=hand.declarer,
            points=shown(points),
        )
        if bonus is not None:
            message = sentence(
                "%(declarer)s can't have %(points)s card points with a %(bonus)s of %(seat)s: "
                "no number of tricks comes to that, talon or aside counted",
                declarer=hand.declarer,
                points=shown(points),
                bonus=BONUS_NAMES[bonus[0]],
                seat=bonus[1],
            )
        raise RuleViolation("bad_total", rule="S8", message=message, path="points")


def _check_won_already(points: int, hand: Hand) -> None:
    own, other = piles(hand)
    if points < own:
        message = sentence(
            "%(declarer)s has %(points)s card points as recorded, so not %(given)s in all",
            declarer=hand.declarer,
            points=shown(own),
            given=shown(points),
        )
        raise RuleViolation("bad_total", rule="S8", message=message, path="points")
    if ALL_POINTS - points < other:
        message = sentence(
            "the defenders have %(points)s card points as recorded, so %(declarer)s can't have %(given)s of 91",
            points=shown(other),
            declarer=hand.declarer,
            given=shown(points),
        )
        raise RuleViolation("bad_total", rule="S8", message=message, path="points")


def declarers_tricks(bonus: tuple[str, str] | None, hand: Hand) -> range:
    """How many tricks the declarer may have in all, by the tricks recorded and the bonus said."""
    all_tricks, won = HOLDING[len(hand.accounts)], hand.play.winners
    least = won.count(hand.declarer or "")
    most = all_tricks - len(won) + least
    kind, seat = bonus or ("", "")
    if kind == "grand_slam":
        least, most = (max(least, all_tricks), most) if seat == hand.declarer else (least, 0)
    elif kind == "slam" and seat == hand.declarer:
        least, most = max(least, all_tricks - SLAM_LOSES), min(most, all_tricks - 1)
    elif kind == "slam":
        most = min(most, SLAM_LOSES)
    return range(least, most + 1)


def points_by_tricks(bonus: tuple[str, str] | None, hand: Hand) -> Iterator[range]:
    """The points that the declarer can have in all, for each number of tricks: as to parity and to what so many cards can hold (S8)."""
    players = len(hand.accounts)
    apart = 0 if hand.contract == "guard_against" else TALON[players]
    for tricks in declarers_tricks(bonus, hand):
        cards = tricks * players + apart
        others = len(CARDS) - cards
        least, most = max(cards, ALL_POINTS - MOST_IN[others]), min(MOST_IN[cards], ALL_POINTS - others)
        yield range(least + (least - cards) % 2, most + 1, 2)


def may_be_earned(kind: str, seat: str, hand: Hand) -> bool:
    """Whether the tricks recorded so far leave this bonus to that seat (S11)."""
    try:
        _check_bonus(kind, seat, hand)
    except RuleViolation:
        return False
    return True


def _check_bonus(kind: str, seat: str, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for a bonus that the tricks recorded so far rule out."""
    won = hand.play.winners
    lost, left = len(won) - won.count(seat), HOLDING[len(hand.accounts)] - len(won)
    allowed = {"slam": SLAM_LOSES, "grand_slam": 0}.get(kind, len(won))
    if lost > allowed or (kind == "slam" and not left and not lost):
        message = sentence(
            "%(seat)s lost %(lost)s of the tricks recorded, so it was no %(bonus_names)s",
            seat=seat,
            lost=lost,
            bonus_names=BONUS_NAMES[kind],
        )
        raise RuleViolation("bad_total", rule="S11", message=message, path="bonus")
    card = next((card for card, named in AT_THE_END.items() if named == kind), None)
    if card is None:
        return
    gone = hand.play.played | hand.play.out
    elsewhere = hand.play.held is not None and not hand.play.held[INDEX[seat]] & BIT[card]
    if gone & BIT[card] or elsewhere or (hand.play.taken_up & BIT[card] and seat != hand.declarer):
        message = sentence(
            "%(seat)s can't have won the last trick with %(card)s: it was played, lies apart or is another's", seat=seat, card=card
        )
        raise RuleViolation("bad_total", rule="S11", message=message, path="bonus")
