"""A rover: at a Mitchell of an odd number of pairs one plays each round in the place of another
E–W pair (F6). Laws over all sizes that have one.
"""

from collections import Counter
from dataclasses import replace

import pytest

from scoring.errors import NotationError, RuleViolation
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.planned import Planned, planned
from tournament.domain.pairing.schedule import schedule
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.reading import read_stage
from tournament.domain.standings.values import Bye, Entry, Movement, Round, SeatedTable, Stage
from tournament.domain.standings.values import Tournament as Pairs
from tournament.domain.standings.writing import write_stage

SIZES = range(7, 30, 2)
ROUND_LESS = {7: 2, 19: 8}  # no rover gets through all their rounds
DIGEST = "968e7176b29b1ddc1f1b43d64e03feb6529bfe5697fb34bc0dd00d3db5b85c42"


def of_pairs(
    count: int, *, winners: int = 1, rover: bool = True, rounds: int | None = None
) -> Pairs:
    """A Mitchell before its first round, with all rounds that a rover gets through, or so many."""
    movement = Movement(winners=winners, rover=rover, deals_a_round=1)
    return Pairs(
        id="pairs",
        name="Pairs",
        game="precedence",
        seed=7,
        stage=Stage(kind="movement", rounds=rounds or ROUND_LESS.get(count), movement=movement),
        entries=tuple(
            Entry(id=str(number), name=str(number), players=(f"p{number}", f"q{number}"))
            for number in range(1, count + 1)
        ),
    )


def after(played: Pairs, drawn: Draw) -> Pairs:
    """The tournament with a round as it was drawn, excused from results."""
    tables = tuple(
        SeatedTable(table=each.table, entries=each.entries, deals=each.deals, excused=True)
        for each in drawn.tables
    )
    byes = tuple(Bye(entry=entry) for entry in drawn.byes)
    return replace(played, rounds=(*played.rounds, Round(tables=tables, byes=byes)))


def whole(played: Pairs) -> Pairs:
    """The tournament with all rounds that are left."""
    for _round in range(len(played.rounds), len(planned(played).plan.rounds)):
        played = after(played, draw(played))
    return played


def is_fair(played: Pairs) -> bool:
    """Whether nobody has met anybody or played a deal twice."""
    tables = [table for each in played.rounds for table in each.tables]
    met = Counter(frozenset(table.entries) for table in tables)
    dealt = Counter(
        (entry, deal) for table in tables for entry in table.entries for deal in table.deals
    )
    return max(met.values()) == max(dealt.values()) == 1


def without(played: Pairs, entry: str, *, after_round: int) -> Pairs:
    """The tournament that an entry leaves after a round."""
    return replace(
        played,
        entries=tuple(
            replace(each, withdrawn_after=after_round) if each.id == entry else each
            for each in played.entries
        ),
    )


def rover_of(mitchell: Planned) -> str:
    assert mitchell.plan.rover is not None
    return mitchell.numbers[mitchell.plan.rover]


@pytest.mark.parametrize("winners", [1, 2])
@pytest.mark.parametrize("count", SIZES)
def test_with_a_rover_all_tables_are_full_and_nobody_sits_out_twice(
    count: int, winners: int
) -> None:
    played = whole(of_pairs(count, winners=winners))

    assert all(len(each.tables) == count // 2 for each in played.rounds)
    assert is_fair(played)
    out = [bye.entry for each in played.rounds for bye in each.byes]
    assert len(out) == len(set(out)) == len(played.rounds)


@pytest.mark.parametrize("count", SIZES)
def test_the_others_play_as_if_there_was_no_rover(count: int) -> None:
    plan = planned(of_pairs(count)).plan
    plain = planned(of_pairs(count - 1, rover=False, rounds=len(plan.rounds))).plan
    assert plan.rover == count - 1

    for number, roved in enumerate(plan.rounds, start=1):
        back = {plan.rover: plan.find_displaced(number)}
        assert [
            (table.deals, tuple(back.get(place, place) for place in table.places))
            for table in roved.tables
        ] == [(table.deals, table.places) for table in plain.rounds[number - 1].tables]


@pytest.mark.parametrize("count", range(6, 31, 2))
def test_where_the_pairs_are_even_there_is_no_rover(count: int) -> None:
    assert schedule(of_pairs(count)) == schedule(of_pairs(count, rover=False))


@pytest.mark.parametrize("count", SIZES)
def test_a_draw_says_in_whose_place_the_rover_plays(count: int) -> None:
    played = of_pairs(count)
    mitchell = planned(played)
    rover = rover_of(mitchell)
    for _each in mitchell.plan.rounds:
        drawn = draw(played)
        (out,), ((why,),) = drawn.byes, drawn.byes_why
        told = [
            table.entries
            for table in drawn.tables
            for reason in table.why
            if reason.tier == "rover"
        ]
        number, *displaced = (mitchell.numbers[place - 1] for place in why.numbers)

        assert (why.tier, why.cost, number) == ("rover", 0, rover)
        assert displaced == ([] if out == rover else [out])
        assert [rover in entries for entries in told] == [True] * len(displaced)
        played = after(played, drawn)


@pytest.mark.parametrize("count", SIZES)
def test_when_the_rover_leaves_whom_it_would_displace_plays_in_its_stead(count: int) -> None:
    begun = after(of_pairs(count), draw(of_pairs(count)))
    rover = rover_of(planned(begun))

    left = whole(without(begun, rover, after_round=1))

    assert not any(each.byes for each in left.rounds[1:])
    assert all(len(each.tables) == count // 2 for each in left.rounds)
    assert is_fair(left)
    assert not any(
        reason.tier == "rover"
        for table in draw(replace(left, rounds=begun.rounds)).tables
        for reason in table.why
    )


@pytest.mark.parametrize("count", SIZES)
def test_who_comes_late_may_be_the_rover_that_left(count: int) -> None:
    begun = after(of_pairs(count), draw(of_pairs(count)))
    rover = rover_of(planned(begun))
    late = Entry(id="late", name="late", players=("p", "q"), joined_in=2)
    left = without(begun, rover, after_round=1)

    drawn = draw(replace(left, entries=(*left.entries, late)))

    assert "late" in {entry for table in drawn.tables for entry in table.entries}
    assert len(drawn.byes) == 1


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (5, "from 3 to 14 tables, not at 2"),
        (31, "from 3 to 14 tables, not at 15"),
        (7, "no way through 3 rounds at 3 tables; with a round less it has"),
        (19, "no way through 9 rounds at 9 tables; with a round less it has"),
    ],
)
def test_where_no_rover_works_it_is_said_what_does(count: int, said: str) -> None:
    stage = Stage(kind="movement", movement=Movement(rover=True))

    with pytest.raises(RuleViolation, match=said):
        planned(replace(of_pairs(count), stage=stage))


def test_a_howell_has_no_rover() -> None:
    given = {"kind": "movement", "movement": "howell", "rover": True}

    with pytest.raises(NotationError, match="the odd pair of a Mitchell") as refused:
        read_stage(given, "stage", "precedence")
    assert refused.value.path == "stage.rover"


def test_a_file_names_a_rover_and_a_regulation_only_where_there_is_one() -> None:
    plain = {"kind": "movement", "movement": "mitchell", "deals_a_round": 2, "winners": 1}
    chosen = plain | {"rover": True, "small_groups": "spread"}

    for given in (plain, chosen):
        written = write_stage(read_stage(given, "stage", "precedence"))
        assert {key: value for key, value in written.items() if key in chosen} == given


def test_a_draw_without_a_rover_keeps_the_digest_that_it_had() -> None:
    """As it was before a Mitchell could have one: what engine 4 gave it gives for ever."""
    drawn = draw(replace(of_pairs(9, rover=False), engine="accord pairing 4"))

    assert drawn.digest == DIGEST
