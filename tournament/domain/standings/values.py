"""The values of a tournament: entries, what a stage asks, tables, results, byes and rounds
(tournaments.md).

Standing points are whole hundredths everywhere: 250 is two and a half. So are scores, for half
points exist there too.
"""

from dataclasses import dataclass, field

from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.duplicate import SmallGroups

HUNDREDTHS = 100  # one point
STAGE_KINDS = ("swiss", "round_robin", "movement", "rotating", "pods", "knockout", "duplicate")
SAME_DEALS = ("movement", "duplicate")
DEAL_SCALES = ("matchpoints", "imps", "victory_points")  # deal by deal, where deals are the same
SCALE_KINDS = ("match", "margin", "points", "chips", "built", *DEAL_SCALES)
BYE_KINDS = ("pairing", "full", "half", "zero")
BYES_TO = ("lowest_placed", "lowest_score")
# Engines that draws name, the newest last; what one gave once it gives for ever.
ENGINES = (
    *("accord pairing 1", "accord pairing 2", "accord pairing 3", "accord pairing 4"),
    "accord pairing 5",
)

BY_LOT, FOLD, SLIDE, BY_RATING = "lot", "fold", "slide", "rating"
PLANNED, BY_SCORE = "planned", "score"
MITCHELL, HOWELL = "mitchell", "howell"
SINGLE, DOUBLE = "single", "double"
IN_ORDER = "order"
BRACKETS = ("winners", "losers", "final", "reset", "third")
DIRECTIONS = ("NS", "EW")
MATCHPOINTS, IMPS, BUILT = "matchpoints", "imps", "built"
VICTORY_POINTS = "victory_points"
BY_TIE_BREAKS, BY_LOTS, BY_PLAY_OFF = "tie_breaks", "lots", "play_off"
TIES = (BY_TIE_BREAKS, BY_LOTS, BY_PLAY_OFF)
MOST_MEMBERS = 8  # of a team of which some play
# How the first round is drawn, or the list of a round robin numbered; the first of each kind unless
# a stage says otherwise.
SEEDINGS = {
    "swiss": (BY_LOT, FOLD, SLIDE),
    "round_robin": (BY_LOT, BY_RATING),
    "pods": (BY_LOT, BY_RATING),
    "rotating": (BY_LOT,),
    "movement": (BY_LOT, BY_RATING),
    "knockout": (BY_LOT,),
    "duplicate": (BY_LOT,),
}


def share_of[Player](line_up: tuple[Player, ...], place: int, tables: int) -> tuple[Player, ...]:
    """The part of a line-up that sits at the table at this place, from 0 on, of a match of so
    many: it names those of the first table, then those of the next.
    """
    size = len(line_up) // tables
    return line_up[place * size : (place + 1) * size] if tables > 1 else line_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A participant: a player, a pair or a solo.

    It plays from round `joined_in` to round `withdrawn_after` (None: to the end; 0: it withdrew
    before the first), except in the rounds it is `away`, which it asked for. `earlier` are (last
    round, players) pairs of those who played for it before somebody was replaced, in order;
    `entered` those it was entered with, () where they are the first of these. `line_ups` are
    (round, players) pairs of who of a team played, in the order of the seats and of the tables of
    its match (F10). `entry_name` is a name of its own, as teams have one, "" where it is called by
    its players. In the stages `left_out`, round robins that it left, its games don't count for
    anybody.
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
    line_ups: tuple[tuple[int, tuple[str, ...]], ...] = ()
    entry_name: str = ""
    left_out: tuple[int, ...] = ()

    def members_in(self, number: int) -> tuple[str, ...]:
        """Return the players who can play for it in round `number`."""
        return next((players for last, players in self.earlier if number <= last), self.players)

    def players_in(self, number: int) -> tuple[str, ...]:
        """Return the players who play for it in round `number`: its line-up, of a team's
        members if that is known.
        """
        return dict(self.line_ups).get(number) or self.members_in(number)

    def players_at(self, number: int, place: int, tables: int) -> tuple[str, ...]:
        """Return the players of its line-up at one table of a match: the one at this place,
        from 0 on, of `tables`.
        """
        line_up = dict(self.line_ups).get(number)
        return share_of(line_up, place, tables) if line_up else self.members_in(number)

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
    """The result of one entry at a table.

    `points` are standing points if they are given and not counted by the scale.
    `points` and `score` are hundredths; the others whole numbers. None: not written
    down.
    """

    points: int | None = None
    score: int | None = None
    chips: int | None = None
    tricks: int | None = None
    audits: int | None = None
    excess: int | None = None
    built: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """The result of a table for a deal that others play, too.

    `scores` in hundredths in the order of the seats, () if it was not played. `awarded`
    is what each side gets instead, in per cent (60 at no fault, 50, 40), () if nothing
    was; `version` tells the forms of a fouled deal apart (F8).
    """

    deal: int
    scores: tuple[int, ...] = ()
    awarded: tuple[int, ...] = ()
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The seating of a table of a round: the entries in the order of the seats, and the
    first dealer.

    `deals` are those played there by number, `match` is the number of a knock-out's
    match in its `bracket`.
    """

    table: int
    entries: tuple[str, ...]
    dealer: str | None = None
    deals: tuple[int, ...] = ()
    match: int | None = None
    bracket: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable(Seats):
    """A table of a round: who sits there in the order of the seats, and what each reached in the
    same order.

    `results` is empty while they are missing; `forfeit`: nobody played, the points are awarded;
    `excused`: the director lets the tournament go on without this result; `hands`: how many were
    played, where that is known. `partners`: of four single players the first and the third play
    together, against the others. `deals` are those played there by number; `match` is the number of
    a knock-out's match in its `bracket`. `boards` are what became of its deals, those not played
    left out. `parts` are the tables of a match that is played at several, of which this is the
    whole (`team_matches`).
    """

    results: tuple[Result, ...] = ()
    forfeit: bool = False
    excused: bool = False
    hands: int | None = None
    partners: bool = False
    boards: tuple[BoardResult, ...] = ()
    parts: tuple["SeatedTable", ...] = ()

    def opponents(self, place: int) -> tuple[str, ...]:
        """Return the opponents of the entry at this place, in the order of the seats."""
        return tuple([self.entries[other] for other in self.opposite(place)])

    def opposite(self, place: int) -> list[int]:
        """The places at which the opponents of the entry at this place sit, in their order."""
        return [
            other
            for other in range(len(self.entries))
            if other != place and not (self.partners and (other - place) % 2 == 0)
        ]

    def partners_of(self, place: int) -> tuple[str, ...]:
        """Return the partners of the entry at this place."""
        return (self.entries[(place + 2) % 4],) if self.partners else ()


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
    """One round: its tables and byes, and of which stage it is. An entry that takes part and is in
    neither was absent: a `zero` bye.
    """

    tables: tuple[SeatedTable, ...] = ()
    byes: tuple[Bye, ...] = ()
    stage: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The standing points of a table's game, in hundredths.

    `win`, `draw` and `loss` belong to `match`; `steps` to `margin`: each difference of
    score (hundredths) that is reached moves one point from the loser to the winner,
    both beginning with one point a step; and to `imps` and `victory_points`: each that
    is reached is worth one IMP, () if they follow from the results themselves (F8).
    `bye` is what the odd one out gets. `opponents` makes tables of different size worth
    the same (0: it doesn't): a match is won by the share of the others left behind,
    chips and game points count as if each had this number of opponents.
    """

    kind: str = "match"
    win: int = 100
    draw: int = 50
    loss: int = 0
    bye: int = 100
    steps: tuple[int, ...] = ()
    opponents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotating:
    """Single players who change partners (formats.md F1, F3): after so many games they move."""

    games_a_sitting: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pods:
    """Tables of three to five, each for themselves (formats.md F2, F4).

    `sizes` are the sizes of tables in order of preference, () as the game has it; `seating` is
    `planned` by a construction, or by `score`.
    """

    sizes: tuple[int, ...] = ()
    seating: str = PLANNED


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """Pairs that play the same deals (formats.md F5, F6): Mitchell or Howell, with one winner or
    one in each direction.

    `rover`: at a Mitchell of an odd number of pairs the last displaces an E–W pair each round,
    instead of having no opponent. `small_groups` says how few results of a fouled deal are counted.
    """

    movement: str = MITCHELL
    deals_a_round: int = 2
    winners: int = 1
    rover: bool = False
    small_groups: SmallGroups = "neuberg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Everybody plays the same deals (formats.md F8). `small_groups` says how few results of a
    fouled deal are counted.
    """

    deals: int = 12
    scoring: str = MATCHPOINTS
    small_groups: SmallGroups = "neuberg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes:
    """A source of the entries of a stage (formats.md F7): `top` entries of an earlier
    stage, `from_stage`, from its place `first` on.

    Equals at an edge are decided by that stage's tie-breaks and then by lot; or, as
    soon as their points are the same (in a knock-out: their places), by lot (`lots`) or
    by playing it off (`play_off`).
    """

    from_stage: int = 1
    top: int = 8
    ties: str = BY_TIE_BREAKS
    first: int = 1

    @property
    def last(self) -> int:
        """The last place that it takes, where nobody has withdrawn or is in already."""
        return self.first + self.top - 1

    @property
    def edges(self) -> tuple[int, ...]:
        """The places after which it makes an edge."""
        return (self.first - 1, self.last) if self.first > 1 else (self.last,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One part of a tournament: its format, length, scale and tie-breaks in the order they count.

    `rounds` is None where the format says how many there are. `clubs_apart`: entries of one club
    meet only when it can't be avoided. `double`: a round robin in which everybody meets twice.
    `bye_to`: of the lowest score in a Swiss the lowest placed sits out, or (lowest_score) whoever
    leaves the others the best draw. `seeding`: round 1 of a Swiss is drawn by lot, or by rating,
    the first against the last (fold) or the upper half against the lower (slide); a round robin is
    numbered as entered (lot), or by rating. `accelerated`: in how many first rounds of a Swiss the
    upper half by rating is drawn with points it doesn't have. `line_up`: an entry is a team of
    which so many play at a table (F10), 0 where all of an entry play; `tables_a_match`: two teams
    meet at so many tables at once. What the other formats ask
    besides stands in the field of their name. Of a stage after a cut, `takes` is where its entries
    come from, and `also` where further ones do, in the order of their seeds.
    """

    kind: str = "swiss"
    rounds: int | None = None
    scale: Scale = field(default_factory=Scale)
    tie_breaks: tuple[str, ...] = ()
    clubs_apart: bool = False
    double: bool = False
    bye_to: str = "lowest_placed"
    seeding: str = BY_LOT
    accelerated: int = 0
    line_up: int = 0
    tables_a_match: int = 1
    rotating: Rotating = field(default_factory=Rotating)
    pods: Pods = field(default_factory=Pods)
    movement: Movement = field(default_factory=Movement)
    knockout: Knockout = field(default_factory=Knockout)
    duplicate: Duplicate = field(default_factory=Duplicate)
    takes: Takes | None = None
    also: tuple[Takes, ...] = ()

    @property
    def players_a_match(self) -> int:
        """The number of a team that play in a round, 0 where all of an entry do."""
        return self.line_up * self.tables_a_match

    @property
    def sources(self) -> tuple[Takes, ...]:
        """The sources of its entries, in the order of their seeds; () for the first stage."""
        return () if self.takes is None else (self.takes, *self.also)

    @property
    def is_planned(self) -> bool:
        """Whether who meets whom is known before anybody has played (C.07, 15.2)."""
        return self.kind in ("round_robin", "rotating", "movement", "duplicate") or (
            self.kind == "pods" and self.pods.seating == PLANNED
        )

    @property
    def has_two_winners(self) -> bool:
        """Whether those N–S and those E–W are ranked apart: they never change places (F5)."""
        chosen = self.movement
        return self.kind == "movement" and chosen.winners == 2 and chosen.movement == MITCHELL

    @property
    def plays_same_deals(self) -> bool:
        """Whether tables play the same deals, so that nobody may hear of one before they have
        played it.
        """
        return self.kind in SAME_DEALS

    @property
    def small_groups(self) -> SmallGroups:
        """By which regulation few results of a fouled deal are counted (F8)."""
        own = self.duplicate if self.kind == "duplicate" else self.movement
        return own.small_groups


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
class Cut:
    """The entries that qualified for a stage, in the order of their seeds there: by the
    standings at that time.
    """

    stage: int
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOff:
    """That entries which were level at an edge of stage `stage` played it off (formats.md F7): the
    `order` in which they came out. `reason` says how it was decided.
    """

    stage: int
    order: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament as far as pairing and standings are concerned. `seed` is what all its lots are
    drawn from.

    `stage` is the only one, or of several `stages` the one that is played now; `cuts` are those
    that were made, `play_offs` those that were played, and the rounds of all stages are numbered
    on. `engine` draws its next round, the
    newest by default; `draw_seed` gives the lots of that round where they were drawn again.
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
    stages: tuple[Stage, ...] = ()
    cuts: tuple[Cut, ...] = ()
    play_offs: tuple[PlayOff, ...] = ()

    def stage_of(self, each: Round) -> Stage:
        """The stage that a round is of."""
        return self.stages[each.stage - 1] if self.stages else self.stage

    @property
    def lots_seed(self) -> int:
        """The seed of the lots of the next round."""
        return self.seed if self.draw_seed is None else self.draw_seed
