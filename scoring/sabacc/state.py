"""Seats A B C D E clockwise, of which three to five are taken; all goes counterclockwise. And what
a game of Contract Sabacc has come to: immutable values that `evolve` makes anew with each fact.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring import events
from scoring.sabacc.events import Event
from scoring.sabacc.rules import Rules

ALL = ("A", "B", "C", "D", "E")
SEATINGS = (ALL[:3], ALL[:4], ALL)
SEAT_NAMES = {seat: f"Seat {seat}" for seat in ALL}
INDEX = {seat: place for place, seat in enumerate(ALL)}

# By number of players: cards each, and so tricks; cards in the talon (S2).
HOLDING = {3: 24, 4: 18, 5: 15}
TALON = {3: 6, 4: 6, 5: 3}
NOT_LACKING = (0,) * 25


def _counterclockwise(seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    backwards = seats[::-1]
    return {seat: backwards[place:] + backwards[:place] for place, seat in enumerate(backwards)}


# By number of players: all seats counterclockwise from each, and who sits at each one's right and
# left.
ROUND = {len(seats): _counterclockwise(seats) for seats in SEATINGS}
RIGHT = {
    players: {seat: order[1] for seat, order in rounds.items()} for players, rounds in ROUND.items()
}
LEFT = {
    players: {seat: order[-1] for seat, order in rounds.items()}
    for players, rounds in ROUND.items()
}


class Play(NamedTuple):
    """The tricks of the open hand, and what they tell.

    Sets of cards are bits. `held` goes by seat where the deal is known. `out` are cards that nobody
    plays (an unseen talon, cards set aside), `taken_up` those that only the declarer can have (the
    talon of take, push and guard). `loose` are cards of the declarer's of which nobody wrote
    whether they were set aside. `lacking[5 * seat + suit]` is the trick in which the seat showed
    that it had none left (0: it never did).
    """

    leader: str
    cards: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    played: int = 0
    held: tuple[int, ...] | None = None
    out: int = 0
    taken_up: int = 0
    loose: int = 0
    declarer: str | None = None
    lacking: tuple[int, ...] = NOT_LACKING

    @property
    def trick(self) -> int:
        """The number of the next trick, from 1."""
        return len(self.winners) + 1


class Hand(NamedTuple):
    """One dealing: who dealt, the calls, the contract, the play so far, and the chips it moved.

    `first` calls first; `accounts` gives for each seat the account of whoever sits there. `moves`
    are the chips this hand moved, `ante_pot` is what lay in the Ante Pot before. `settled` when the
    bidding is over; then `contract` is None where nobody bid. `counted` are the points (doubled)
    and bonus written down. What most events change stands first.
    """

    play: Play
    moves: tuple[events.ChipsMoved, ...]
    number: int
    dealer: str
    first: str
    accounts: Mapping[str, str]
    players: tuple[tuple[str, str], ...] = ()
    at: str | None = None
    note: str | None = None
    ante_pot: int = 0
    excuses: frozenset[str] = frozenset()
    calls: tuple[tuple[str, str], ...] = ()
    settled: bool = False
    declarer: str | None = None
    contract: str | None = None
    deal: tuple[tuple[str, ...], ...] | None = None
    talon: tuple[str, ...] | None = None
    aside: tuple[str, ...] | None = None
    counted: tuple[int, str | None, str | None] | None = None
    accepted: frozenset[tuple[int, str]] = frozenset()
    adjusted: tuple[events.TricksAdjusted | events.PointsAdjusted, ...] = ()
    rulings: tuple[Event, ...] = ()

    @property
    def anted(self) -> int:
        """The Ante Pot as it stood after the antes."""
        return self.ante_pot + sum(move.chips for move in self.moves if move.why == "ante")

    @property
    def first_leader(self) -> str:
        """The seat that leads the first trick, or would: the player at the dealer's right
        (S7).
        """
        return RIGHT[len(self.accounts)][self.dealer]

    @property
    def in_play(self) -> tuple[str, ...]:
        """The seats counterclockwise from the first leader: the order in which odd chips
        are given.
        """
        return ROUND[len(self.accounts)][self.first_leader]


class Bonus(NamedTuple):
    """A bonus out of the Ante Pot: its kind, the seat that earned it, its chips (S11)."""

    kind: str
    seat: str
    chips: int


class HandResult(NamedTuple):
    """A closed hand: the declarer's points (doubled, rulings included; None when void), and what
    was left in the Ante Pot.
    """

    points: int | None
    made: bool | None
    bonus: Bonus | None
    ante_pot: int
    wagered: int


class ClosedHand(NamedTuple):
    """A hand that is over."""

    hand: Hand
    result: HandResult


class State(NamedTuple):
    """A game after `version` events. `trail` holds what `Undo` may return to, oldest first, each
    without a trail.

    `act` is what the last act began with; `opening_pot` is what an earlier game left for this one,
    `taken` what a later one took of what this one left (S13); the other fields as in
    `scoring.common_state`. What nearly every event changes stands first: the rest is then copied
    as one slice.
    """

    version: int
    hand: Hand | None
    act: Event | None
    trail: tuple["State", ...]
    balances: Mapping[str, int]
    moves: tuple[tuple[int, events.ChipsMoved], ...]
    record: str
    rules: Rules
    players: Mapping[str, str]
    table: str | None
    played_on: str | None
    note: str | None
    bought: Mapping[str, int]
    done: tuple[ClosedHand, ...] = ()
    closed: events.GameClosed | None = None
    opened: int = 0
    opening_pot: events.OpeningPot | None = None
    taken: events.PotTaken | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of this game, clockwise."""
        return tuple(self.players)

    @property
    def results(self) -> tuple[ClosedHand, ...]:
        """The hands that are over, void ones included (S4)."""
        return self.done

    @property
    def played(self) -> int:
        """Number of hands that are over, void ones included (S4)."""
        return len(self.done)
