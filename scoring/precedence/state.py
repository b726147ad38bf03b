"""State of a Precedence game: immutable values that `evolve` makes anew with each
fact.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.events import ChipsMoved, GameClosed, PointsAdjusted, TricksAdjusted
from scoring.precedence.events import Event, MeldDeclared
from scoring.precedence.rules import Rules

NOT_LACKING = (0,) * 16
NOTHING_SHOWN = (0, 0, 0, 0)


class Play(NamedTuple):
    """The tricks of the open hand, and what they tell.

    Sets of cards are bits; tuples of four go by seat N E S W. `lacking[4 * seat + suit]` is the
    trick in which the seat did not follow that suit (0: it always did), so that a revoke shows
    without the deal.
    """

    leader: str
    cards: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    played: int = 0
    shown: tuple[int, ...] = NOTHING_SHOWN
    held: tuple[int, ...] | None = None
    lacking: tuple[int, ...] = NOT_LACKING

    @property
    def trick(self) -> int:
        """The number of the next trick, from 1."""
        return len(self.winners) + 1


class Hand(NamedTuple):
    """One dealing: who dealt, what was shown and bid, the play so far, and the chips it moved.

    `accounts` gives for each seat the account of whoever sits there; `moves` are the chips this
    hand moved, the antes of a misdeal before it included. `named` are contracts by the seats of a
    side, where the house has them in place of bids. What most events change stands first.
    """

    play: Play
    moves: tuple[ChipsMoved, ...]
    number: int
    dealer: str
    trump: str
    accounts: Mapping[str, str]
    players: tuple[tuple[str, str], ...]
    at: str | None = None
    note: str | None = None
    excuses: frozenset[str] = frozenset()
    melds: tuple[MeldDeclared, ...] = ()
    bids: Mapping[str, int] = {}
    deal: tuple[tuple[str, ...], ...] | None = None
    counted: tuple[int, int] | None = None
    accepted: frozenset[tuple[int, str]] = frozenset()
    adjusted: tuple[TricksAdjusted | PointsAdjusted, ...] = ()
    rulings: tuple[Event, ...] = ()
    named: Mapping[str, int] = {}


class TeamResult(NamedTuple):
    """Result of one hand for a team; `points` are before audits, `score` and `excess`
    after them.
    """

    contract: int
    tricks: int
    met: bool
    shown_points: int
    meld_points: int
    adjusted_points: int
    points: int
    audits: int
    score: int
    excess: int


class HandResult(NamedTuple):
    """A closed hand: the result of each team, the Hand Pot as it stood, the team it went to, and
    its shares.
    """

    ns: TeamResult
    ew: TeamResult
    pot: int
    pot_to: str | None
    payouts: tuple[tuple[str, int], ...]


class ClosedHand(NamedTuple):
    """A hand that is over; `result` is None after a misdeal."""

    hand: Hand
    result: HandResult | None


class State(NamedTuple):
    """A game after `version` events. `trail` holds what `Undo` may return to, oldest first, each
    without a trail.

    `act` is what the last act began with. `balances` are chips by account, `bought` what the bank
    gave. `moves` are the chips moved since the hand before was opened, with the stream version of
    each. `opened` is the version before the last opening. `done` are the hands that are over,
    `results` those of them that were played out, misdeals apart. What nearly every event changes
    stands first: the rest is then copied as one slice.
    """

    version: int
    hand: Hand | None
    act: Event | None
    trail: tuple["State", ...]
    balances: Mapping[str, int]
    moves: tuple[tuple[int, ChipsMoved], ...]
    record: str
    rules: Rules
    players: Mapping[str, str]
    table: str | None
    played_on: str | None
    note: str | None
    bought: Mapping[str, int]
    score: tuple[int, int] = (0, 0)
    excess: tuple[int, int] = (0, 0)
    done: tuple[ClosedHand, ...] = ()
    results: tuple[ClosedHand, ...] = ()
    closed: GameClosed | None = None
    opened: int = 0

    @property
    def played(self) -> int:
        """Number of hands played out, misdeals apart."""
        return len(self.results)

    @property
    def redealt(self) -> Hand | None:
        """The misdealt hand that must now be dealt again."""
        return self.done[-1].hand if self.done and self.done[-1].result is None else None
