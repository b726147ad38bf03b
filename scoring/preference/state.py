"""Seats A B C clockwise, each for themselves (R1), and what a Preference game has come to:
immutable values that `evolve` makes anew with each fact.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.events import ChipsMoved, TricksAdjusted
from scoring.preference.cards import PACK
from scoring.preference.events import CardsDealt, Event
from scoring.preference.rules import Rules
from scoring.trick_states import DealtState

SEATS = ("A", "B", "C")
SEAT_NAMES = {"A": "Seat A", "B": "Seat B", "C": "Seat C"}
INDEX = {"A": 0, "B": 1, "C": 2}
LEFT = {"A": "B", "B": "C", "C": "A"}
RIGHT = {"A": "C", "B": "A", "C": "B"}
# The three seats clockwise from each.
ROUND = {seat: SEATS[place:] + SEATS[:place] for place, seat in enumerate(SEATS)}
NOTHING_DENIED = (0, 0, 0)
ANY_CARD = (PACK, PACK, PACK)
UNKNOWN = 32


def defenders_of(soloist: str) -> tuple[str, str]:
    """The two who defend against the soloist, clockwise."""
    return LEFT[soloist], RIGHT[soloist]


class Play(NamedTuple):
    """The tricks of the open hand, and what they tell.

    Sets of cards are bits; tuples of three go by seat A B C. `order` are those who play, clockwise
    from the next leader. `held` are the cards a seat may have, all but `spare` of which it has;
    `denied` those that it showed it hasn't by not following, heading or trumping, so that a breach
    shows without the deal.
    """

    order: tuple[str, ...] = ()
    cards: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    played: int = 0
    held: tuple[int, ...] = ANY_CARD
    denied: tuple[int, ...] = NOTHING_DENIED
    spare: tuple[int, ...] = (UNKNOWN, UNKNOWN, UNKNOWN)

    @property
    def trick(self) -> int:
        """The number of the next trick, from 1."""
        return len(self.winners) + 1


class Hand(NamedTuple):
    """One dealing: who dealt, what was called and named, the play so far, and the chips it moved.

    `accounts` gives for each seat the account of whoever sits there. `soloist` and `contract` are
    "" until they are named; `defence` is None until every defender's choice is known. `moves` are
    the chips this hand moved.
    """

    play: Play
    moves: tuple[ChipsMoved, ...]
    number: int
    dealer: str
    accounts: Mapping[str, str]
    players: tuple[tuple[str, str], ...]
    at: str | None = None
    note: str | None = None
    excuses: frozenset[str] = frozenset()
    calls: tuple[tuple[str, str], ...] = ()
    soloist: str = ""
    contract: str = ""
    defence: Mapping[str, str] | None = None
    deal: CardsDealt | None = None
    counted: tuple[int, ...] | None = None
    in_succession: bool | None = None
    accepted: frozenset[tuple[int, str]] = frozenset()
    adjusted: tuple[TricksAdjusted, ...] = ()
    rulings: tuple[Event, ...] = ()


class HandResult(NamedTuple):
    """A closed hand: whether the contract was made (None: thrown in), tricks A B C (None: not
    played), the pot after it.
    """

    made: bool | None
    tricks: tuple[int, ...] | None
    pot: int


class ClosedHand(NamedTuple):
    """A hand that is over."""

    hand: Hand
    result: HandResult


# A game after `version` events; thrown-in deals are among the hands that are over (R1).
type State = DealtState[Rules, Hand, ClosedHand]
