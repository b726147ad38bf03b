"""Tricks that count, and whether the contract was made (R13)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation, sentence
from scoring.preference.contracts import MISERES, NEEDED
from scoring.preference.state import SEAT_NAMES, SEATS, Hand
from scoring.preference.tricks import TRICKS


def tricks_taken(hand: Hand) -> dict[str, int]:
    """Tricks so far by seat, as played or counted, before rulings."""
    if hand.counted is not None:
        return dict(zip(SEATS, hand.counted, strict=True))
    winners = hand.play.winners
    return {seat: winners.count(seat) for seat in SEATS}


def is_played(hand: Hand) -> bool:
    """Whether the hand comes to tricks: it has a contract, and not both defenders keep out (R9)."""
    return bool(hand.contract) and list((hand.defence or {}).values()) != ["out", "out"]


def count_adjusted_tricks(hand: Hand) -> dict[str, int] | None:
    """Tricks that count, by seat, rulings included; None where none are played. Raises
    RuleViolation `bad_total` below 0 or above 10.
    """
    if not is_played(hand):
        return None
    taken = tricks_taken(hand)
    for ruling in hand.adjusted:
        if ruling.source:
            taken[ruling.source] -= ruling.tricks
        if ruling.target:
            taken[ruling.target] += ruling.tricks
    for seat, tricks in taken.items():
        if not 0 <= tricks <= TRICKS:
            message = sentence(
                "the ruling leaves %(seat)s with %(tricks)s tricks; a seat has 0 to 10",
                seat=SEAT_NAMES[seat],
                tricks=tricks,
            )
            raise RuleViolation("bad_total", message, rule="Infractions", path="rulings")
    return taken


def is_made(hand: Hand) -> bool | None:
    """Whether the soloist made the contract; None in a thrown-in deal. Raises as
    `count_adjusted_tricks`.

    A ruling on tricks counts in `no_trump` too: six in a row and six that count are needed.
    """
    if not hand.contract:
        return None
    taken = count_adjusted_tricks(hand)
    if taken is None:
        return True
    tricks = taken[hand.soloist]
    if hand.contract in MISERES:
        return tricks == 0
    return tricks >= NEEDED and (hand.contract != "no_trump" or bool(in_succession(hand)))


def in_succession(hand: Hand) -> bool | None:
    """Whether the soloist won six tricks in a row, as played or as written down with the totals."""
    if hand.counted is not None:
        return hand.in_succession
    return longest_row(hand.play.winners, hand.soloist)[0] >= NEEDED


def longest_row(winners: Sequence[str], soloist: str) -> tuple[int, int]:
    """The soloist's longest row of tricks, and the row that the last tricks make."""
    longest = row = 0
    for winner in winners:
        row = row + 1 if winner == soloist else 0
        longest = max(longest, row)
    return longest, row


def may_be_said(hand: Hand, tricks: int, said: bool) -> bool:
    """Whether it can be `said` of six in a row with so many tricks of the soloist in all."""
    try:
        check_succession(hand, tricks, said)
    except RuleViolation:
        return False
    return True


def check_succession(hand: Hand, tricks: int, said: bool | None) -> None:
    """Raise RuleViolation `bad_total` when what is `said` of six in a row can't be with so many
    tricks of the soloist in all.
    """
    longest, row = longest_row(hand.play.winners, hand.soloist)
    more = tricks - hand.play.winners.count(hand.soloist)
    others = TRICKS - len(hand.play.winners) - more
    most = max(longest, row + more)
    # The least is below six when the tricks to come can be cut into rows of at most five, the first
    # going on from `row`.
    may_be_false = longest < NEEDED and more <= (NEEDED - 1 - row) + (NEEDED - 1) * others
    if said and most < NEEDED:
        message = sentence(
            "six in succession can't be with %(tricks)s tricks as recorded; %(most)s in a "
            "row are the most",
            tricks=tricks,
            most=most,
        )
        raise RuleViolation("bad_total", message, rule="R13", path="in_succession")
    if said is False and not may_be_false:
        message = sentence(
            "with %(tricks)s tricks as recorded six were in succession", tricks=tricks
        )
        raise RuleViolation("bad_total", message, rule="R13", path="in_succession")
