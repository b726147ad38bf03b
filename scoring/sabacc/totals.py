"""Points and bonus of a hand by totals, weighed whole: some number of tricks must bring both (S8,
S11). Points are doubled.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scoring.errors import RuleViolation, sentence
from scoring.legal import refusal_of
from scoring.sabacc import score
from scoring.sabacc.auction import WITH_TALON
from scoring.sabacc.cards import ALL_POINTS, BIT, IN_PACK, WORTH, WORTHS
from scoring.sabacc.state import HOLDING, INDEX, TALON, Hand

NO_BONUS = ("", "")
PLAIN = tuple(kind for kind in WORTHS if kind != "honours")


class Room(NamedTuple):
    """Least and greatest number of cards of each kind in the declarer's pile, whatever the
    number of tricks.

    `plain` is how many of them are no honours at least: nobody sets an honour aside (S6).
    """

    least: Mapping[str, int]
    most: Mapping[str, int]
    plain: int


def check_counted(points: int, bonus: tuple[str, str] | None, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for points and a bonus that this hand can't have come to
    together (S8, S11).
    """
    if not 0 <= points <= ALL_POINTS:
        raise RuleViolation(
            "bad_total",
            "%(shown)s are no card points; there are 91 in all",
            rule="S8",
            path="points",
            shown=score.points_text(points),
        )
    _check_won_already(points, hand)
    if len(hand.accounts) == 4 and points % 2:
        message = sentence(
            "with four players every pile has an even number of cards, so its points are "
            "whole, not %(shown)s",
            shown=score.points_text(points),
        )
        raise RuleViolation("bad_total", message, rule="S8", path="points")
    _check_bonus(bonus, hand)
    possible = [points for each in points_by_tricks(bonus, hand) for points in each]
    if points not in possible:
        raise _impossible(points, bonus, hand, max(possible, default=0))


def _check_won_already(points: int, hand: Hand) -> None:
    own, other = score.piles(hand)
    if points < own:
        message = sentence(
            "%(declarer)s has %(points)s card points as recorded, so not %(given)s in all",
            declarer=hand.declarer,
            points=score.points_text(own),
            given=score.points_text(points),
        )
        raise RuleViolation("bad_total", message, rule="S8", path="points")
    if ALL_POINTS - points < other:
        message = sentence(
            "the defenders have %(points)s card points as recorded, so %(declarer)s can't "
            "have %(given)s of 91",
            points=score.points_text(other),
            declarer=hand.declarer,
            given=score.points_text(points),
        )
        raise RuleViolation("bad_total", message, rule="S8", path="points")


def _impossible(points: int, bonus: tuple[str, str] | None, hand: Hand, most: int) -> RuleViolation:
    """Why these points can't be with this bonus, or without one."""
    slams = [(kind, hand.declarer or "") for kind in ("slam", "grand_slam")]
    if bonus is None and any(
        points in each for slam in slams for each in points_by_tricks(slam, hand)
    ):
        message = sentence(
            "%(declarer)s has %(most)s card points at most without a bonus; %(points)s are "
            "a Slam or a Grand Slam, which the bonus says",
            declarer=hand.declarer,
            most=score.points_text(most),
            points=score.points_text(points),
        )
        return RuleViolation("bad_total", message, rule="S11", path="bonus")
    message = sentence(
        "%(declarer)s can't have %(points)s card points: no number of tricks comes to "
        "that, talon or aside counted",
        declarer=hand.declarer,
        points=score.points_text(points),
    )
    if bonus is not None:
        message = sentence(
            "%(declarer)s can't have %(points)s card points with a %(bonus)s of %(seat)s: "
            "no number of tricks comes to that, talon or aside counted",
            declarer=hand.declarer,
            points=score.points_text(points),
            bonus=score.BONUS_NAMES[bonus[0]],
            seat=bonus[1],
        )
    return RuleViolation("bad_total", message, rule="S8", path="points")


def declarers_tricks(bonus: tuple[str, str] | None, hand: Hand) -> range:
    """Return the numbers of tricks the declarer may have in all, by the tricks recorded,
    those that were ruled, and the bonus said.
    """
    declarer, players = hand.declarer or "", len(hand.accounts)
    least, most = _tricks_by_seat(bonus, hand)
    if any(least[seat] > most[seat] for seat in least):
        return range(0)
    others = [seat for seat in least if seat != declarer]
    lowest = HOLDING[players] - sum(most[seat] for seat in others)
    highest = HOLDING[players] - sum(least[seat] for seat in others)
    return range(max(least[declarer], lowest), min(most[declarer], highest) + 1)


def _tricks_by_seat(
    bonus: tuple[str, str] | None, hand: Hand
) -> tuple[dict[str, int], dict[str, int]]:
    """The fewest and the most tricks that each seat may have in all; only the highest bonus of a
    hand is said.
    """
    kind, winner = bonus or NO_BONUS
    all_tricks, won, ruled = (
        HOLDING[len(hand.accounts)],
        score.tricks_won(hand),
        score.count_ruled_tricks(hand),
    )
    least, left = dict(won), all_tricks - len(hand.play.winners)
    most = {seat: tricks + left for seat, tricks in won.items()}
    if kind == "grand_slam":
        least[winner] = max(least[winner], all_tricks - ruled[winner])
    elif kind == "slam":
        least[winner] = max(least[winner], all_tricks - score.SLAM_LOSES - ruled[winner])
        most[winner] = min(most[winner], all_tricks - 1 - ruled[winner])
    else:
        most = {
            seat: min(tricks, all_tricks - score.SLAM_LOSES - 1 - ruled[seat])
            for seat, tricks in most.items()
        }
        least |= {winner: least[winner] + 1} if winner else {}  # the last trick
    return least, most


def room_for(bonus: tuple[str, str] | None, hand: Hand) -> Room:
    """Return what the declarer's pile can hold beside what is recorded, when the bonus is
    this one (S6, S8, S11).
    """
    own, other = (
        {kind: _count(cards, worth) for kind, worth in WORTHS.items()}
        for cards in score.find_known_piles(hand)
    )
    most = {kind: IN_PACK[kind] - other[kind] for kind in IN_PACK}
    kind, winner = bonus or NO_BONUS
    plain = sum(own[kind] for kind in PLAIN) + (
        unseen_apart(hand) if hand.contract in WITH_TALON else 0
    )
    if kind in score.AT_THE_END.values():
        own["honours"] += winner == hand.declarer
        most["honours"] -= winner != hand.declarer
    return Room(own, most, plain)


def _count(cards: list[str], worth: int) -> int:
    return sum(WORTH[card] == worth for card in cards)


def unseen_apart(hand: Hand) -> int:
    """Count the cards of talon or aside that belong to the declarer's pile and were not
    written down.
    """
    return 0 if hand.play.out else apart_of(hand.contract or "", len(hand.accounts))


def apart_of(contract: str, players: int) -> int:
    """Return the number of cards of the talon or aside that belong to the declarer's pile
    (S6).
    """
    return 0 if contract == "guard_against" else TALON[players]


def points_by_tricks(bonus: tuple[str, str] | None, hand: Hand) -> Iterator[frozenset[int]]:
    """The points that the declarer can have in all, for each number of tricks: what so many of the
    cards that are still out can come to beside those of the pile that are known (S8).
    """
    room, players = room_for(bonus, hand), len(hand.accounts)
    apart = apart_of(hand.contract or "", players)
    if any(room.most[kind] < room.least[kind] for kind in WORTHS):
        return
    better = tuple(_better_cards(room))
    for tricks in declarers_tricks(bonus, hand):
        cards = tricks * players + apart
        found = frozenset(
            points + WORTHS["others"] * (cards - count)
            for honours, count, points in better
            if honours <= cards - room.plain
            and room.least["others"] <= cards - count <= room.most["others"]
        )
        if found:
            yield found


def _better_cards(room: Room) -> set[tuple[int, int, int]]:
    """Return the combinations a pile can have: the number of honours, the number of cards
    worth more than the least, and their points.
    """
    found = {(0, 0, 0)}
    for kind, worth in WORTHS.items():
        if kind == "others":
            continue
        found = {
            (
                honours + (number if kind == "honours" else 0),
                count + number,
                points + worth * number,
            )
            for honours, count, points in found
            for number in range(room.least[kind], room.most[kind] + 1)
        }
    return found


def may_be_earned(kind: str, seat: str, hand: Hand) -> bool:
    """Whether the tricks recorded so far leave this bonus to that seat (S11)."""
    return refusal_of(_check_bonus, (kind, seat), hand) is None


def may_be_none(hand: Hand) -> bool:
    """Whether the tricks recorded so far can end without a bonus (S11)."""
    return refusal_of(_check_bonus, None, hand) is None


def _check_bonus(bonus: tuple[str, str] | None, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for a bonus, or none, that the tricks recorded so far rule
    out.
    """
    kind, seat = bonus or NO_BONUS
    won, ruled = hand.play.winners, score.count_ruled_tricks(hand)
    all_tricks = HOLDING[len(hand.accounts)]
    if kind in ("slam", "grand_slam"):
        lost, left = len(won) - won.count(seat) - ruled[seat], all_tricks - len(won)
        if lost > (score.SLAM_LOSES if kind == "slam" else 0) or (
            kind == "slam" and not left and not lost
        ):
            message = sentence(
                "%(seat)s lost %(lost)s of the tricks recorded, so it was no %(bonus_names)s",
                seat=seat,
                lost=lost,
                bonus_names=score.BONUS_NAMES[kind],
            )
            raise RuleViolation("bad_total", message, rule="S11", path="bonus")
        return
    slammed = next(
        (
            each
            for each in hand.accounts
            if won.count(each) + ruled[each] >= all_tricks - score.SLAM_LOSES
        ),
        None,
    )
    if slammed is not None:
        message = sentence(
            "%(seat)s has %(tricks)s of %(all)s tricks, which is a Slam or a Grand Slam; "
            "only the highest bonus of a hand is said",
            seat=slammed,
            tricks=won.count(slammed) + ruled[slammed],
            all=all_tricks,
        )
        raise RuleViolation("bad_total", message, rule="S11", path="bonus")
    card = next((card for card, named in score.AT_THE_END.items() if named == kind), None)
    if card is not None:
        _check_last_card(card, seat, hand)


def _check_last_card(card: str, seat: str, hand: Hand) -> None:
    gone = hand.play.played | hand.play.out
    elsewhere = hand.play.held is not None and not hand.play.held[INDEX[seat]] & BIT[card]
    if gone & BIT[card] or elsewhere or (hand.play.taken_up & BIT[card] and seat != hand.declarer):
        message = sentence(
            "%(seat)s can't have won the last trick with %(card)s: it was played, lies "
            "apart or is another's",
            seat=seat,
            card=card,
        )
        raise RuleViolation("bad_total", message, rule="S11", path="bonus")
