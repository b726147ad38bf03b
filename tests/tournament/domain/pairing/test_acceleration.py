"""Accelerated rounds: who is lent points, how many and how long; they are drawn by and count
nowhere else.
"""

from dataclasses import replace
from typing import Any

import pytest

from scoring.errors import NotationError
from tests.tournament.domain.pairing.generated import an_event, rounds_played
from tournament.domain.pairing.contenders import contenders, lend_points, upper_half, virtual_points
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.redraw import redrawn
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import ENGINES, Entry, Scale, Stage, Tournament
from tournament.domain.standings.writing import write_tournament


def rated(count: int, accelerated: int, **stage: Any) -> Tournament:
    """Entries of falling rating: 1 is the strongest."""
    entries = tuple(
        Entry(id=str(number), name=str(number), players=(f"p{number}",), rating=3000 - number)
        for number in range(1, count + 1)
    )
    return Tournament(
        id="x",
        name="x",
        game="precedence",
        seed=5,
        stage=Stage(rounds=9, accelerated=accelerated, **stage),
        entries=entries,
    )


@pytest.mark.parametrize(("count", "upper"), [(160, 80), (161, 82), (8, 4), (9, 6), (2, 2), (5, 4)])
def test_the_upper_half_is_twice_a_quarter_of_all_rounded_up(count: int, upper: int) -> None:
    """C.04.7 names 161 players: 82 and 79."""
    assert upper_half(rated(count, 2)) == {str(number) for number in range(1, upper + 1)}


def test_in_nine_rounds_three_lend_a_win_and_two_a_draw() -> None:
    stage = Stage(rounds=9, accelerated=5)

    assert [lend_points(stage, number) for number in range(1, 10)] == [
        100,
        100,
        100,
        50,
        50,
        0,
        0,
        0,
        0,
    ]
    assert lend_points(replace(stage, scale=Scale(win=300, draw=100)), 4) == 150
    assert lend_points(replace(stage, scale=Scale(kind="chips")), 1) == 0


def test_who_comes_later_joins_the_half_that_the_rating_says() -> None:
    late = Entry(id="late", name="late", players=("late",), rating=5000, joined_in=2)
    low = Entry(id="low", name="low", players=("low",), rating=1, joined_in=2)
    tournament = rated(8, 3)
    later = replace(tournament, entries=(*tournament.entries, late, low))

    assert upper_half(later) == upper_half(tournament) | {"late"}
    assert virtual_points(later, 3)["late"] == 50


def test_without_ratings_the_half_goes_by_the_order_of_the_entries() -> None:
    tournament = rated(8, 1)
    unrated = tuple(replace(entry, rating=None) for entry in tournament.entries)

    assert upper_half(replace(tournament, entries=unrated)) == {"1", "2", "3", "4"}


@pytest.mark.parametrize("seeding", ["lot", "fold", "slide"])
def test_in_the_first_accelerated_round_the_halves_meet_among_themselves(seeding: str) -> None:
    drawn = draw(rated(16, 2, seeding=seeding))
    upper = upper_half(rated(16, 2))

    assert all(len(upper.intersection(table.entries)) in (0, 2) for table in drawn.tables)
    assert upper.issuperset(drawn.tables[0].entries)
    if seeding == "fold":
        assert {frozenset(table.entries) for table in drawn.tables[:4]} == {
            frozenset((str(number), str(9 - number))) for number in range(1, 5)
        }


@pytest.mark.parametrize("seeding", ["lot", "fold"])
def test_an_upper_half_that_is_odd_gives_one_to_the_other_and_the_last_sits_out(
    seeding: str,
) -> None:
    tournament = rated(10, 2, seeding=seeding)
    entries = tuple(
        replace(entry, away=(1,)) if entry.id == "3" else entry for entry in tournament.entries
    )
    drawn = draw(replace(tournament, entries=entries))
    upper = upper_half(tournament)

    mixed = [each for each in drawn.tables if len(upper.intersection(each.entries)) == 1]
    assert len(mixed) == 1
    assert not upper.intersection(drawn.byes)
    assert seeding == "lot" or drawn.byes == ("10",)


def test_the_reason_tells_the_points_that_are_lent() -> None:
    drawn = draw(rated(4, 1))
    numbers = {
        reason.numbers
        for table in drawn.tables
        for reason in table.why
        if reason.tier == "score_difference"
    }

    assert numbers == {(100, 100, 100, 100), (0, 0)}


@pytest.mark.parametrize("seed", range(12))
def test_lent_points_are_drawn_by_and_stand_in_no_standings(seed: int) -> None:
    begun = an_event(seed, least=8, most=30)
    begun = replace(begun, stage=replace(begun.stage, accelerated=2))
    *_, (last, _drawn) = rounds_played(begun)
    plain = replace(last, stage=replace(last.stage, accelerated=0))

    assert standings(last) == standings(plain)
    lends = {player.entry: player.virtual for player in contenders(last, 2)}
    own = {player.entry: player.points for player in contenders(plain, 2)}
    for player in contenders(last, 2):
        assert player.points == own[player.entry] + lends[player.entry]
    assert {each > 0 for each in lends.values()} == {True, False}
    assert all(each.same for each in redrawn(last))
    after = contenders(last, 3)
    assert not any(player.virtual for player in after)


def test_the_digest_covers_acceleration_only_where_there_is_any() -> None:
    """The digest of a draw that is not accelerated is what it was before there was acceleration, by
    the engine of then: its name is covered, too.
    """
    plain, one, two = (
        draw(replace(rated(6, count), engine=ENGINES[1])).digest for count in (0, 1, 2)
    )

    assert plain == DIGEST_BEFORE
    assert len({plain, one, two}) == 3


DIGEST_BEFORE = "42c4d65bec9602646527ca15fa0abff16f235965d46d9ffde7d7127da0b07fc6"


def test_acceleration_is_read_and_written_and_belongs_to_a_swiss() -> None:
    tournament = rated(4, 2)
    written = write_tournament(tournament)

    assert written["stage"]["accelerated"] == 2
    assert read_tournament(written) == tournament
    assert "accelerated" not in write_tournament(rated(4, 0))["stage"]
    robin = written | {"stage": {"kind": "round_robin", "accelerated": 1}}
    with pytest.raises(NotationError) as refusal:
        read_tournament(robin)
    assert refusal.value.path == "stage.accelerated"
