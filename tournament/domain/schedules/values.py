"""The values of a plan: its rounds, tables and deals, and what counting them came to.

Players of a plan are numbers from 0; who has which number is for the draw to say.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A table of a round: `places` are numbers in the order of the seats, `deals` those played
    there, from 1 on.
    """

    table: int
    places: tuple[int, ...]
    deals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A round of a plan: its tables from the first on, and who sits out."""

    tables: tuple[Sitting, ...]
    out: tuple[int, ...] = ()

    def with_places(self, places: Iterable[Sequence[int]]) -> Self:
        """The same tables, each with these places."""
        tables = zip(self.tables, places, strict=True)
        return replace(
            self, tables=tuple(replace(table, places=tuple(seated)) for table, seated in tables)
        )


def build_round(tables: Iterable[Sequence[int]], out: Iterable[int] = ()) -> PlannedRound:
    """A round at these tables, numbered from 1 on, and who sits out."""
    return PlannedRound(
        tables=tuple(
            Sitting(table=number, places=tuple(places))
            for number, places in enumerate(tables, start=1)
        ),
        out=tuple(out),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A schedule of `size` players, named by its `construction` as in `bose-cameron 13`.

    `partners`: those in the first and third seat of a table of four play together, as do the second
    and the fourth. `most_met` and `most_partnered` are what the construction promises of every two,
    None where it promises nothing. `moves` says by how many tables each group moves up after a
    round, () where there is no such rule; `groups` says who is in which. `shares_deals`: tables may
    play the same deals in a round and hand them round. `rover` is the number that plays in the
    place of another each round, of the first that sits out then; None where there is none.
    """

    size: int
    construction: str
    rounds: tuple[PlannedRound, ...]
    partners: bool = False
    most_met: int | None = None
    most_partnered: int | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    moves: tuple[int, ...] = ()
    shares_deals: bool = False
    rover: int | None = None

    @property
    def sittings(self) -> Iterator[Sitting]:
        """The tables of all rounds."""
        for each in self.rounds:
            yield from each.tables

    def find_displaced(self, number: int) -> int | None:
        """In whose place the rover plays in round `number`, None where it plays in nobody's."""
        if self.rover is None or number > len(self.rounds):
            return None
        return next((out for out in self.rounds[number - 1].out if out != self.rover), None)


type Counts = Mapping[int, int]  # how often -> for how many pairs, players or deals


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The counts of a plan.

    Each is a table from how often to how many pairs, players (of `sit_outs`) or deals
    (played this often) it holds for. `meetings` are at a table in whatever seats,
    `partners` and `opponents` tell them apart if there are partners, `left` says how
    often one had the other on the left at tables of four; `never_met` are the pairs
    that never share a table. `table_sizes` has, if tables differ in size, for each size
    how often -> how many players sit at such.
    """

    meetings: Counts
    partners: Counts
    opponents: Counts
    left: Counts
    sit_outs: Counts
    deals: Counts
    never_met: tuple[tuple[int, int], ...]
    table_sizes: Mapping[int, Counts] = field(default_factory=dict)
