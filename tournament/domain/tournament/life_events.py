"""The facts of a tournament but for its rounds: how it is played, who takes part, and points given.
Points are hundredths.

Persons stand by their ids, `reason` and `by` by the digests of what was written.
"""

from dataclasses import dataclass, field

from tournament.domain.standings.values import Stage
from tournament.domain.tournament.conditions import Conditions


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened:
    """A tournament was set up as a draft. `record` is its id as a file, `seed` what all its lots
    are drawn from.
    """

    record: str
    name: str
    game: str
    seed: int
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChanged:
    """Name, stage and conditions were set anew before the first round."""

    name: str
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSet:
    """From now on the tournament counts for the ratings of its players, or doesn't."""

    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChosen:
    """From now on this is the tournament's short address; those it had before lead there too."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeBegun:
    """The tournament is one to practise with: its players are nobody, and it counts for no rating
    and in no season.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEntered:
    """The tournament went on to `phase` (draft, registration, running, finished, archived), or back
    with a reason.
    """

    phase: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMade:
    """A player, pair or solo takes part from round `joined_in`; `players` are (place, player)
    pairs.
    """

    entry: str
    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None
    joined_in: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleNoted:
    """Somebody came alone and waits for a partner; `players` is the one (place, player) pair."""

    number: int
    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleLeft:
    """Who waited for a partner waits no longer."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCheckedIn:
    """Somebody at the door confirmed that the entry is here."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInCancelled:
    """The entry is not here after all."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn:
    """The entry plays no round after `after_round`."""

    entry: str
    after_round: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReturned:
    """A withdrawn entry plays again from round `in_round`; the rounds between it was absent."""

    entry: str
    in_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeAsked:
    """The entry asked not to be seated in a round; `kind` is half or zero."""

    entry: str
    round: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeDropped:
    """The entry plays that round after all."""

    entry: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReplaced:
    """Another person plays at this place of an entry from round `from_round` on: `players` is the
    one (place, player) pair.

    `from_round` None, as it was once stored: from the round that the entry was to play next. After
    round `until_round` (None: never) those play again who would have played without it.
    """

    entry: str
    players: tuple[tuple[str, str], ...]
    reason: str | None = None
    from_round: int | None = None
    until_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven:
    """Points (hundredths; a penalty below 0) that count for an entry from round
    `after_round` on.
    """

    number: int
    entry: str
    points: int
    after_round: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCancelled:
    """A penalty or adjustment counts no longer."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SilenceBegun:
    """Results from this round on stay hidden until the tournament is finished (None: nothing is
    hidden).
    """

    from_round: int | None
