"""From a game's facts to what the ledger stores: bodies, times, and a transfer for every chip that
moved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from ledger.drafts import AccountRef, Draft, TransferDraft
from scoring.chips import OUTSIDE
from scoring.common_state import GameState
from scoring.errors import NotationError
from scoring.events import ChipsMoved
from scoring.game import AnyGame
from tournament.streams.codec import encode, find_stored_name
from tournament.streams.folds import Folded
from tournament.streams.types import StreamType

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# What a number in JSON holds exactly: the microseconds to the year 2255, and back to 1684.
GREATEST = 2**53 - 1


def drafts_of(
    stream: str,
    after: Folded,
    events: Sequence[object],
    *,
    now: int,
    times: Sequence[int | None] | None = None,
) -> list[Draft]:
    """The events that led to this fold as drafts; they occurred `now` (microseconds UTC), or when
    their hand says it was played.

    `times` are those of the events of a correction: None for what occurs now, else when what is
    stated anew was played. Raises NotationError for a hand played at a time that can't be stored.
    """
    in_game = not isinstance(after.kind, StreamType)
    accounts = accounts_of(after.game, after.state) if in_game else NO_ACCOUNTS
    told = None
    drafts = []
    for event, time in zip(events, times or [now] * len(events), strict=True):
        name, schema = find_stored_name(event)
        if in_game and hasattr(event, "at"):
            told = microseconds(event.at) if event.at else None
        occurred_at = now if time is None else time if told is None else told
        transfer = accounts.transfer(event) if isinstance(event, ChipsMoved) else None
        drafts.append(Draft(stream, name, schema, occurred_at, encode(event), transfer))
    return drafts


@dataclass(frozen=True, slots=True)
class Accounts:
    """The chip accounts of one game: players' by seat, those of substitutes, pots, the bank and
    other games.
    """

    players: Mapping[str, str]
    overdraft: bool
    pots: frozenset[str]
    met: dict[str, AccountRef] = field(default_factory=dict)

    def transfer(self, event: ChipsMoved) -> TransferDraft:
        """The move of chips as a transfer between two accounts."""
        return TransferDraft(
            self.account(event.source), self.account(event.target), event.chips, event.reverses
        )

    def account(self, key: str) -> AccountRef:
        """The account under this key: whose it is, and whether it may go below 0."""
        if key not in self.met:
            self.met[key] = self._account(key)
        return self.met[key]

    def _account(self, key: str) -> AccountRef:
        if key in OUTSIDE:
            return AccountRef(key=key, overdraft=True)
        if key in self.pots:
            return AccountRef(key=key)
        seat, _, substitute = key.partition(":")
        return AccountRef(key=key, owner=substitute or self.players[seat], overdraft=self.overdraft)


NO_ACCOUNTS = Accounts({}, overdraft=False, pots=frozenset())  # chips move in games alone


def accounts_of(game: AnyGame, state: GameState) -> Accounts:
    """The accounts of a game in this state."""
    return Accounts(state.players, game.may_overdraw(state), frozenset(game.pot_names))


def microseconds(at: str) -> int:
    """An ISO time with its offset in microseconds UTC. Raises NotationError for one too far away to
    be stored.
    """
    count = (datetime.fromisoformat(at) - EPOCH) // MICROSECOND
    if abs(count) > GREATEST:
        raise NotationError("a time between the years 1685 and 2254 is expected here", path="at")
    return count
