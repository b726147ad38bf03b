"""Tables of three to five by score."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import pytest

from tournament.domain.pairing.pod_seating import ScoreSeating, seat_by_score
from tournament.domain.pairing.values import Contender
from tournament.domain.schedules.pod_sizes import table_sizes


@dataclass(kw_only=True)
class Event:
    """Players who are seated round after round, and score at random."""

    size: int
    sizes: tuple[int, ...]
    seed: int
    clubs: int = 0
    points: Counter[str] = field(default_factory=Counter)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    short: Counter[str] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)

    def contenders(self) -> list[Contender]:
        entries = [str(number) for number in range(self.size)]
        return [
            Contender(
                entry=one,
                points=self.points[one],
                club=str(number % self.clubs) if self.clubs else None,
                met={two: self.met[one, two] for two in entries if self.met[one, two]},
                byes=self.byes[one],
            )
            for number, one in enumerate(entries)
        ]

    def drawn(self, number: int) -> ScoreSeating:
        return seat_by_score(
            self.contenders(),
            table_sizes(self.size, self.sizes, may_sit_out=True),
            seed=self.seed,
            number=number,
            short=self.short,
            clubs_apart=self.clubs > 0,
        )

    def played(self, seating: ScoreSeating) -> None:
        chance = Random(f"{self.seed} {sum(self.points.values())}")
        largest = max(len(table.entries) for table in seating.tables)
        for table in seating.tables:
            for one, two in combinations(table.entries, 2):
                self.met[one, two] += 1
                self.met[two, one] += 1
            if len(table.entries) < largest:
                self.short.update(table.entries)
            for place, entry in enumerate(chance.sample(table.entries, len(table.entries))):
                self.points[entry] += 100 * place
        self.byes.update(seating.out)


@pytest.mark.parametrize(
    ("size", "sizes", "rounds"),
    [
        *((31, (5, 4), 4), (40, (3,), 6), (18, (4, 3), 3)),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in ((200, (4,), 8), (100, (5, 4, 3), 5))
        ),
    ],
)
def test_nobody_meets_twice_while_there_are_so_many_others(
    size: int, sizes: tuple[int, ...], rounds: int
) -> None:
    event = Event(size=size, sizes=sizes, seed=3)
    for number in range(1, rounds + 1):
        seating = event.drawn(number)
        seated = [entry for table in seating.tables for entry in table.entries]
        assert sorted([*seated, *seating.out]) == sorted(map(str, range(size)))
        assert sorted(len(table.entries) for table in seating.tables) == sorted(
            table_sizes(size, sizes, may_sit_out=True)
        )
        event.played(seating)
        assert seating.repeats == 0
    assert max(event.met.values()) == 1


def test_scores_at_a_table_are_near_each_other() -> None:
    event = Event(size=120, sizes=(4,), seed=5)
    for number in range(1, 6):
        seating = event.drawn(number)
        spreads = [table.spread for table in seating.tables]
        widest = max(event.points.values(), default=0) - min(event.points.values(), default=0)
        assert sum(spreads) / len(spreads) <= widest / 10
        event.played(seating)


def test_each_table_says_what_it_costs() -> None:
    event = Event(size=13, sizes=(4, 3), seed=2, clubs=3)
    for number in range(1, 7):
        seating = event.drawn(number)
        of = {player.entry: player for player in event.contenders()}
        for table in seating.tables:
            players = [of[entry] for entry in table.entries]
            pairs = list(combinations(players, 2))
            points = [player.points for player in players]
            assert table.repeats == sum(one.met.get(two.entry, 0) for one, two in pairs)
            assert table.spread == max(points) - min(points)
            assert table.of_one_club == sum(one.club == two.club for one, two in pairs)
        assert [table.table for table in seating.tables] == [1, 2, 3, 4]
        tops = [max(of[entry].points for entry in table.entries) for table in seating.tables]
        assert tops == sorted(tops, reverse=True)
        assert seating.repeats == sum(table.repeats for table in seating.tables)
        event.played(seating)
    assert seating.repeats > 0, "six rounds of 13 players can't all be new"


def test_short_tables_and_sitting_out_go_round() -> None:
    event = Event(size=39, sizes=(4,), seed=4)
    for number in range(1, 6):
        event.played(event.drawn(number))
    assert max(event.byes.values()) == 1
    assert sum(event.byes.values()) == 15

    event = Event(size=39, sizes=(4, 3), seed=4)
    for number in range(1, 8):
        event.played(event.drawn(number))
    assert max(event.short.values()) == 1


def test_the_lowest_of_those_who_sat_out_least_often_sits_out() -> None:
    contenders = [
        Contender(entry=str(number), points=100 * number, byes=int(number < 2))
        for number in range(7)
    ]

    seating = seat_by_score(contenders, (3, 3), seed=1, number=4)

    assert seating.out == ("2",)


def test_clubs_are_kept_apart_where_it_is_asked_for() -> None:
    def of_one_club(*, apart: bool) -> int:
        event = Event(size=48, sizes=(4,), seed=6, clubs=12)
        seating = seat_by_score(event.contenders(), (4,) * 12, seed=6, number=1, clubs_apart=apart)
        return sum(table.of_one_club for table in seating.tables)

    assert of_one_club(apart=True) == 0
    assert of_one_club(apart=False) > 0


def test_the_same_gives_the_same_and_another_seed_another() -> None:
    event = Event(size=40, sizes=(4,), seed=1)

    assert event.drawn(1) == event.drawn(1)
    assert event.drawn(1) != Event(size=40, sizes=(4,), seed=2).drawn(1)
    contenders = event.contenders()
    assert seat_by_score(contenders, (4,) * 10, seed=1, number=1) == seat_by_score(
        contenders[::-1], (4,) * 10, seed=1, number=1
    )
