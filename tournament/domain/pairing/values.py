"""The values of a draw: who can be paired, which tables came out, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.domain.standings.values import Seats


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """An entry that is to be seated in the next round, with all that its pairing depends on.

    `points` are hundredths, adjustments included, and `virtual`, those of them that acceleration
    lends for this draw; `met` says how often each opponent was met at a
    table; `byes` how often it got the points of a win without playing; `floated` is 1 when it met a
    higher score in the last round, -1 a lower one or a bye, else 0; `balance` how much oftener it
    sat in the first seats of a table than in the second; `rank` its place in the standings before
    the draw.
    """

    entry: str
    points: int = 0
    club: str | None = None
    met: Mapping[str, int] = field(default_factory=dict)
    byes: int = 0
    floated: int = 0
    balance: int = 0
    rank: int = 0
    virtual: int = 0


def same_club(one: Contender, two: Contender) -> bool:
    """Whether two are of one club."""
    return one.club is not None and one.club == two.club


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What one aim of the draw came to at a table: `cost` 0 is kept, more is how far it had to give
    way.

    `numbers` are what the cost comes from, in the order of the seats: how often they met, then in
    which rounds (`rematch`), both scores in hundredths, then how much of each is lent by
    acceleration where any is (`score_difference`), 1 or -1 for each that meets a higher or lower
    score again (`repeated_float`), both balances of seats (`seat_balance`), how many have a lower
    score (`bye_above`), how many of the same score stand lower (`bye_place`), round, entries, both
    places in the list, and in which round they were to meet (`berger`); how many are seeded, and
    the places of these in their order (`seeds`), the first and the last deal of a table of one
    (`same_deals`), the number of the rover and of whom it displaces, the rover's alone where that
    is nobody (`rover`).
    """

    tier: str
    cost: int
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NextBest:
    """The best that an exchange of opponents with one other table would give (`other_table` None:
    with who sits out).

    `entries` are who would meet instead; `tier` is the first aim that would be kept worse, by
    `more`; with `tier` "lots" both are as good, and the lot decided.
    """

    entries: tuple[str, str]
    other_table: int | None
    tier: str
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable(Seats):
    """A table of the next round: its entries in the order of the seats, who deals first, and why
    they meet; the deals played there, and which match of a knock-out it is.
    """

    why: tuple[Reason, ...] = ()
    next_best: NextBest | None = None


type Counts = tuple[tuple[int, int], ...]  # (how often, for how many) pairs, in order


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What the verifier counted in the plan of a stage for `size` entries and so many rounds: the
    proof of a draw, as `schedules.values.Proof` has it.

    `never_met` names the pairs that never share a table where they are few; `moves` says by how
    many tables each group of the plan moves up after a round. `table_sizes` are the sizes of
    tables, where they differ, each with how often, for how many entries.
    """

    size: int
    rounds: int
    meetings: Counts = ()
    partners: Counts = ()
    opponents: Counts = ()
    left: Counts = ()
    sit_outs: Counts = ()
    deals: Counts = ()
    never_met: tuple[tuple[str, str], ...] = ()
    moves: tuple[int, ...] = ()
    table_sizes: tuple[tuple[int, Counts], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The draw of a round. `broken` names the aims no draw of these entries can keep, with how far
    this one is off, `totals` what the whole draw comes to in every aim; `byes_why` says in the same
    order as `byes` why they sit out, where a choice was made.

    `digest` is a SHA-256 of the input, the seed and the engine's version in hexadecimal digits: the
    same gives the same draw. A round of a plan names its `construction`, and what the verifier
    `counted` in it.
    """

    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[str, ...]
    broken: tuple[Reason, ...]
    engine: str
    digest: str
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    totals: tuple[Reason, ...] = ()
    construction: str = ""
    counted: Counted | None = None
