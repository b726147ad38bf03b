"""Facts that every game shares: chips that moved, rulings, what closed, what was taken back and
what was corrected.
"""

from dataclasses import dataclass

from scoring.attestations import ATTESTATION_SHAPES, Attestation

NOT_PLAYED = "not_played"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningPot:
    """Chips a game begins with in its pot: the `chips` that an earlier game, whose record
    is `game`, left in its own.
    """

    game: str
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Started[Rules]:
    """Fields of the start of every game: its house `rules`, `players` as (seat, player)
    pairs, and its id as a file, `record`.
    """

    record: str
    rules: Rules
    players: tuple[tuple[str, str], ...]
    table: str | None = None
    played_on: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Fields of the opening of every hand: its `number`, and in `players` only those who
    sit in another's seat.
    """

    number: int
    players: tuple[tuple[str, str], ...] = ()
    at: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsMoved:
    """Chips went from one account of the game to another.

    Accounts: a seat (`N`), a substitute who played for that seat (`N:player`), a pot (`hand`), the
    `bank`, or the `earlier` or `later` game that a pot came from or went to. `reverses` is the
    stream version of the earlier move that this one takes back.
    """

    source: str
    target: str
    chips: int
    why: str
    rule: str
    reverses: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRetracted:
    """Everything from stream version `version` on was taken back, as if it had not been entered."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandClosed:
    """Hand `number` was played out and its pots were paid."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandMisdealt:
    """The hand was dealt wrongly and is dealt again by the same dealer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClosed:
    """The game ended: `played` to its end, `called` when time was up, `abandoned`, or `not_played`
    at all.
    """

    kind: str
    by: str | None = None
    reason: str | None = None

    @property
    def has_result(self) -> bool:
        """Whether somebody won or shared the win: a game that was not played has no result."""
        return self.kind != NOT_PLAYED


@dataclass(frozen=True, slots=True, kw_only=True)
class PotTaken:
    """The `chips` that this game left in its pot are now in that of another game, whose record is
    `game`.
    """

    game: str
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PotReturned:
    """Return of the chips taken from this game's pot, as if they had not been taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandExcused:
    """A director excused the dealer, trump, calling order or missing chips of one hand: `excuses`
    are error codes.
    """

    excuses: tuple[str, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayAccepted:
    """A director accepted what `seat` played to trick `trick` (counted from 1) as it happened."""

    trick: int
    seat: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksAdjusted:
    """A director took `tricks` from one side, gave them to another, or both."""

    source: str | None
    target: str | None
    tricks: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAdjusted:
    """A director added `points` (below 0: took them) to one side alone."""

    side: str
    points: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsRuled:
    """A director moved chips; the move itself follows as `ChipsMoved`."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCorrected:
    """A correction: the next `facts` facts put right what was recorded.

    `what` was corrected: a `hand`, one `inserted` or `removed`, the `seats` of hands, the
    `options`, the `pot` that the game began with, or the game was `reopened`. `first` and `last`
    are the hands it is about, counted from 1 with the misdealt ones; 0 where there are none. A hand
    that was recorded at the wrong table is `removed` from one game and `inserted` into another:
    `game` is the stream of the other one.
    """

    what: str
    first: int
    last: int
    facts: int
    by: str
    reason: str
    game: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartVoided:
    """The hand (or the end of the game) that begins at stream version `opened` counts no longer."""

    opened: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSetAside:
    """The hand (or end) that begins at stream version `opened` comes after the game's new end: it
    is kept as surplus.
    """

    opened: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRestated:
    """The next `facts` facts stand in the place of the start, hand or end that begins at stream
    version `opened`.

    `corrected` when that was what the correction is about, not what follows from it.
    """

    opened: int
    facts: int
    corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartInserted:
    """The next `facts` facts are a hand that was played after the hand (or start) beginning at
    stream version `after`.
    """

    after: int
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsStayed:
    """The chips that moved at stream version `version` stay where they are: here they would move
    again just so.
    """

    version: int


type CourseEvent = (
    GameCorrected | PartVoided | PartSetAside | PartRestated | PartInserted | ChipsStayed
)

type SharedEvent = (
    ChipsMoved
    | EntryRetracted
    | HandClosed
    | HandMisdealt
    | GameClosed
    | PotTaken
    | PotReturned
    | HandExcused
    | PlayAccepted
    | TricksAdjusted
    | PointsAdjusted
    | ChipsRuled
    | CourseEvent
    | Attestation
)

# The stored names, written out: a class may be renamed, a stored name never.
SHARED_SHAPES: dict[tuple[str, int], type[SharedEvent]] = {
    ("chips.moved", 1): ChipsMoved,
    ("entry.retracted", 1): EntryRetracted,
    ("hand.closed", 1): HandClosed,
    ("hand.misdealt", 1): HandMisdealt,
    ("game.closed", 1): GameClosed,
    ("pot.taken", 1): PotTaken,
    ("pot.returned", 1): PotReturned,
    ("ruling.hand_excused", 1): HandExcused,
    ("ruling.play_accepted", 1): PlayAccepted,
    ("ruling.tricks_adjusted", 1): TricksAdjusted,
    ("ruling.points_adjusted", 1): PointsAdjusted,
    ("ruling.chips_moved", 1): ChipsRuled,
    ("game.corrected", 1): GameCorrected,
    ("game.corrected", 2): GameCorrected,
    ("part.voided", 1): PartVoided,
    ("part.set_aside", 1): PartSetAside,
    ("part.restated", 1): PartRestated,
    ("part.inserted", 1): PartInserted,
    ("chips.stayed", 1): ChipsStayed,
    **ATTESTATION_SHAPES,
}
