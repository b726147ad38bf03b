"""The Swiss draw against networkx on generated events: nobody meets twice while it can be avoided,
byes are fair, nothing better exists.
"""

import pytest

from tests.tournament.domain.pairing.generated import an_event, rounds_played
from tests.tournament.domain.pairing.reference import Reference, can_all_meet_anew
from tournament.domain.pairing.values import Draw

EVENTS = 2_000
TOGETHER = 20  # events a test
COMPARED = 60  # up to so many entries every draw is compared
LARGER = (
    20  # one in so many events has more entries, and a draw of its third round or later compared
)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, EVENTS, TOGETHER))
def test_no_draw_is_better(first: int) -> None:
    check_events(first)


def test_no_draw_is_better_in_a_few_events() -> None:
    check_events(0, few=6)


def check_events(first: int, *, few: int = TOGETHER) -> None:
    """Every draw of up to 60 entries is compared; one event in twenty has more, and one draw of
    more, after two rounds, is compared too.
    """
    for seed in range(first, first + few):
        larger = seed % LARGER == 0
        compared = 0
        for tournament, drawn in rounds_played(
            an_event(seed, least=COMPARED + 30 if larger else 5)
        ):
            reference = Reference(tournament)
            check_fair(reference, drawn)
            small = len(reference.playing) <= COMPARED
            if small or (larger and drawn.round > 2 and not compared):
                compared += not small
                assert reference.cost(drawn) == reference.least_cost(), (seed, drawn.round)
        assert compared == larger


def check_fair(reference: Reference, drawn: Draw) -> None:
    """Everybody is in once; rematches and the bye are as few and as low as they can be."""
    seated = [entry for table in drawn.tables for entry in table.entries]
    assert sorted([*seated, *drawn.byes]) == sorted(reference.playing)
    assert len(drawn.byes) == len(reference.playing) % 2
    rematches, _, byes_before, above_lowest, *_ = reference.cost(drawn)
    assert rematches == 0 or not can_all_meet_anew(reference), "a rematch could be avoided"
    assert bool(rematches) == any(reason.tier == "rematch" for reason in drawn.broken)
    if drawn.byes:
        fewest = min(reference.byes[entry] for entry in reference.playing)
        assert byes_before == fewest or not can_all_meet_anew(
            reference, *without_byes(reference, fewest)
        ), "a second bye"
        lowest = min(
            reference.bye(entry)[3]
            for entry in reference.playing
            if reference.byes[entry] == byes_before
        )
        assert (
            above_lowest == lowest
            or rematches
            or not can_all_meet_anew(reference, *at(reference, lowest, byes_before))
        )


def without_byes(reference: Reference, fewest: int) -> list[str]:
    return [entry for entry in reference.playing if reference.byes[entry] == fewest]


def at(reference: Reference, place: int, byes: int) -> list[str]:
    return [entry for entry in without_byes(reference, byes) if reference.bye(entry)[3] == place]
