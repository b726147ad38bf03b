"""Round 1 of a Swiss by rating: the first against the last, or the upper half against the lower; a
round robin numbered by rating.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest

from scoring.errors import NotationError
from tournament.domain.pairing.berger import berger_round
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.seeding import pairs_by_seed
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Entry, Round, Stage, Tournament
from tournament.domain.standings.writing import write_tournament


def tournament(ratings: list[int | None], seeding: str = "fold", **stage: Any) -> Tournament:
    kind = "round_robin" if seeding == "rating" else "swiss"
    entries = tuple(
        Entry(id=str(n), name=str(n), players=(f"p{n}",), rating=rating)
        for n, rating in enumerate(ratings, 1)
    )
    more: dict[str, Any] = {"rounds": 5} if kind == "swiss" else {}
    return Tournament(
        id="t",
        name="t",
        game="precedence",
        seed=7,
        stage=Stage(kind=kind, seeding=seeding, **more, **stage),
        entries=entries,
    )


def met(of: Tournament) -> set[frozenset[str]]:
    return {frozenset(table.entries) for table in draw(of).tables}


def pairs(*written: str) -> set[frozenset[str]]:
    return {frozenset(each.split("-")) for each in written}


RATINGS = [1200, 1800, None, 1500, 1650, 1500]  # in order of rating: 2 5 4 6 1 3


def test_the_first_meets_the_last_or_the_first_of_the_lower_half() -> None:
    assert met(tournament(RATINGS, "fold")) == pairs("2-3", "5-1", "4-6")
    assert met(tournament(RATINGS, "slide")) == pairs("2-6", "5-1", "4-3")


def test_the_last_by_rating_sits_out_and_both_reasons_are_told() -> None:
    drawn = draw(tournament([1200, 1800, 1500]))

    assert drawn.byes == ("1",)
    assert [reason.numbers for reason in drawn.byes_why[0]] == [(3, 3)]
    assert drawn.tables[0].why[0].tier == "seeds"
    places = dict(zip(drawn.tables[0].entries, drawn.tables[0].why[0].numbers[1:], strict=True))
    assert places == {"2": 1, "3": 2}, "the numbers are in the order of the names"


def test_only_the_first_round_goes_by_rating_and_without_the_option_none() -> None:
    by_lot = tournament(RATINGS, "lot")
    assert draw(by_lot).digest != draw(tournament(RATINGS, "fold")).digest
    second = draw(replace(tournament(RATINGS), rounds=(Round(),)))
    assert all(reason.tier != "seeds" for table in second.tables for reason in table.why)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("seeding", ["fold", "slide"])
def test_clubs_apart_are_the_nearest_to_it_without_one_club_at_a_table(
    seed: int, seeding: str
) -> None:
    """The oracle tries every pairing."""
    chance = Random(seed)
    size = chance.choice((4, 6, 8))
    seeds = [Contender(entry=str(place), club=chance.choice("ABC")) for place in range(size)]
    wanted = [
        size - 1 - place if seeding == "fold" else (place + size // 2) % size
        for place in range(size)
    ]

    def cost(of: Iterable[Sequence[int]]) -> tuple[int, int]:
        clubs = sum(seeds[one].club == seeds[two].club for one, two in of)
        return clubs, sum((wanted[one] - two) ** 2 for one, two in of)

    found, out = pairs_by_seed(seeds, seeding, clubs_apart=True)

    every = {
        tuple(sorted(tuple(sorted(order[at : at + 2])) for at in range(0, size, 2)))
        for order in permutations(range(size))
    }
    best = min(cost(each) for each in every)
    assert out is None
    assert (
        cost(found) == best
        or cost(found)[0]
        == 0
        == cost([(one, two) for one, two in enumerate(wanted) if one < two])[0]
    )


def test_many_of_one_club_are_paired_in_a_moment() -> None:
    seeds = [Contender(entry=str(place), club="A" if place % 3 else "B") for place in range(600)]

    found, _out = pairs_by_seed(seeds, "fold", clubs_apart=True)

    assert len({place for pair in found for place in pair}) == 600


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_round_robin_is_numbered_by_rating(number: int) -> None:
    of, order = tournament(RATINGS, "rating"), ["2", "5", "4", "6", "1", "3"]

    drawn = draw(of, number)

    assert [table.entries for table in drawn.tables] == [
        (order[one - 1], order[two - 1]) for one, two in berger_round(6, number)
    ]


def test_a_file_says_it_and_one_that_does_not_is_drawn_as_ever() -> None:
    of = tournament(RATINGS, "slide")
    written = write_tournament(of)
    assert written["stage"]["seeding"] == "slide"
    assert read_tournament(written) == of
    assert "seeding" not in write_tournament(tournament(RATINGS, "lot"))["stage"]
    with pytest.raises(NotationError) as refused:
        read_tournament(written | {"stage": {"kind": "round_robin", "seeding": "slide"}})
    assert refused.value.path == "stage.seeding"
