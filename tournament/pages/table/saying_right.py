"""What a pad asks right after a hand: whether it is recorded right, of those who did not
enter it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.confirmation import CONFIRMED, ENTERED, side_of
from tournament.accounts.permissions import Act, Visitor
from tournament.domain.house.confirmation import TAP
from tournament.queries.confirmation_rows import ConfirmedHand, confirmed
from tournament.queries.table import TableGame
from tournament.streams.correction_period import house_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """What was said of the hand that closed last, and the `seats` that may still say it is right,
    `by_tap` or by PIN.
    """

    hand: ConfirmedHand
    seats: Sequence[str]
    by_tap: bool


def right_of(at: TableGame, visitor: Visitor) -> Right | None:
    """None while a hand is open, where nobody else plays, and once the hand is disputed or the game
    final.
    """
    if (
        at.table["hand"] is not None
        or not at.table["hands"]
        or len(at.players) < 2
        or not visitor.may(Act.CONFIRM)
    ):
        return None
    found = confirmed(at)
    hand = found.hands[-1]
    if found.final or hand.state not in (ENTERED, CONFIRMED):
        return None
    seats = [seat for seat in at.players if side_of(at.game, seat) in hand.waits_for]
    return Right(
        hand=hand, seats=seats, by_tap=bool(seats) and house_of(at.row.salon).confirming == TAP
    )
