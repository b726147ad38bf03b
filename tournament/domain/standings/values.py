"""The values of a tournament: entries, what a stage asks, tables, results, byes and rounds
(tournaments.md).

Standing points are whole hundredths everywhere: 250 is two and a half. So are scores, for half
points exist there too.
"""

from dataclasses import dataclass, field

HUNDREDTHS = 100  # one point
STAGE_KINDS = ("swiss", "round_robin", "movement", "rotating", "pods", "knockout", "duplicate")
SCALE_KINDS = ("match", "margin", "points", "chips", "built", "matchpoints")
BYE_KINDS = ("pairing", "full", "half", "zero")
BYES_TO = ("lowest_placed", "lowest_score")
ENGINES = (
    "accord pairing 1",
    "accord pairing 2",
)  # that draws name, the newest last; what one gave once it gives for ever

BY_LOT, FOLD, SLIDE, BY_RATING = "lot", "fold", "slide", "rating"
# How the first round is drawn, or the list of a round robin numbered; the first of each kind unless
# a stage says otherwise.
SEEDINGS = {"swiss": (BY_LOT, FOLD, SLIDE), "round_robin": (BY_LOT, BY_RATING)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Who takes part: a player, a pair or a solo.

    It plays from round `joined_in` to round `withdrawn_after` (None: to the end; 0: it withdrew
    before the first), except in the rounds it is `away`, which it asked for. `earlier` are (last
    round, players) pairs of those who played for it before somebody was replaced, in order;
    `entered` those it was entered with, () where they are the first of these.
    """

    id: str
    name: str
    players: tuple[str, ...]
    rating: int | None = None
    club: str | None = None
    joined_in: int = 1
    withdrawn_after: int | None = None
    away: tuple[int, ...] = ()
    earlier: tuple[tuple[int, tuple[str, ...]], ...] = ()
    entered: tuple[str, ...] = ()

    def players_in(self, number: int) -> tuple[str, ...]:
        """Who plays for it in round `number`."""
        return next((players for last, players in self.earlier if number <= last), self.players)

    @property
    def everybody(self) -> set[str]:
        """All who have ever played for it, or were to."""
        return {
            player for players in (self.players, *dict(self.earlier).values()) for player in players
        }

    def is_in(self, number: int) -> bool:
        """Whether it takes part in round `number`, away or not."""
        return self.joined_in <= number and (
            self.withdrawn_after is None or number <= self.withdrawn_after
        )

    def plays_in(self, number: int) -> bool:
        """Whether it is to be seated in round `number`."""
        return self.is_in(number) and number not in self.away


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one entry reached at a table. `points` are standing points where they are given and not
    counted by the scale.

    `points` and `score` are hundredths; the others whole numbers. None: not written down.
    """

    points: int | None = None
    score: int | None = None
    chips: int | None = None
    tricks: int | None = None
    audits: int | None = None
    excess: int | None = None
    built: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable:
    """A table of a round: who sits there in the order of the seats, and what each reached in the
    same order.

    `results` is empty while they are missing; `forfeit`: nobody played, the points are awarded;
    `excused`: the director lets the tournament go on without this result; `hands`: how many were
    played, where that is known.
    """

    table: int
    entries: tuple[str, ...]
    results: tuple[Result, ...] = ()
    forfeit: bool = False
    excused: bool = False
    hands: int | None = None
    dealer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """A round without a table: `pairing` (the odd one out), `full`, `half` or `zero` (asked for, or
    absent).

    `points` are hundredths; None: as the scale says.
    """

    entry: str
    kind: str = "pairing"
    points: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: its tables and byes. An entry that takes part and is in neither was absent: a
    `zero` bye.
    """

    tables: tuple[SeatedTable, ...] = ()
    byes: tuple[Bye, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How a table's game turns into standing points, in hundredths.

    `win`, `draw` and `loss` belong to `match`; `steps` to `margin`: each difference of score
    (hundredths) that is reached moves one point from the loser to the winner, both beginning with
    one point a step. `bye` is what the odd one out gets.
    """

    kind: str = "match"
    win: int = 100
    draw: int = 50
    loss: int = 0
    bye: int = 100
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One part of a tournament: its format, length, scale and tie-breaks in the order they count.

    `rounds` is None where the format says how many there are. `clubs_apart`: entries of one club
    meet only when it can't be avoided. `double`: a round robin in which everybody meets twice.
    `bye_to`: of the lowest score in a Swiss the lowest placed sits out, or (lowest_score) whoever
    leaves the others the best draw. `seeding`: round 1 of a Swiss is drawn by lot, or by rating,
    the first against the last (fold) or the upper half against the lower (slide); a round robin is
    numbered as entered (lot), or by rating.
    """

    kind: str = "swiss"
    rounds: int | None = None
    scale: Scale = field(default_factory=Scale)
    tie_breaks: tuple[str, ...] = ()
    clubs_apart: bool = False
    double: bool = False
    bye_to: str = "lowest_placed"
    seeding: str = BY_LOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Points (hundredths, a penalty below 0) that the director gave to or took from an entry, after
    round `after_round`.
    """

    entry: str
    points: int
    reason: str
    by: str
    after_round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament as far as pairing and standings are concerned. `seed` is what all its lots are
    drawn from.

    `engine` draws its next round, the newest by default; `draw_seed` gives the lots of that round
    where they were drawn again.
    """

    id: str
    name: str
    game: str
    seed: int
    stage: Stage
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    engine: str = ENGINES[-1]
    draw_seed: int | None = None

    @property
    def lots_seed(self) -> int:
        """What the lots of the next round are drawn from."""
        return self.seed if self.draw_seed is None else self.draw_seed
