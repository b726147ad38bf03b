"""Every tie-break in every format by every scale: after no round, between rounds, with byes,
withdrawals, forfeits and penalties the standings can be told.
"""

from dataclasses import replace
from typing import Literal

import pytest

from tests.tournament.domain.standings.played_formats import an_event, rounds_of, settings
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.stages import cut_of, whole_standings
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import Bye, Round, Stage, Takes, Tournament


@pytest.mark.parametrize(("name", "scale"), settings())
def test_every_tie_break_has_a_value_for_everybody_at_every_moment(name: str, scale: str) -> None:
    moments = list(rounds_of(an_event(name, scale)))
    for event in moments:
        alone = [(each,) for each in TIE_BREAKS] if event is moments[-1] else []
        for tie_breaks in (*alone, tuple(TIE_BREAKS)):
            stage = replace(event.stage, tie_breaks=tie_breaks)
            table = standings(replace(event, stage=stage))
            assert {row.entry for row in table.rows} == {entry.id for entry in event.entries}
            for row in table.rows:
                assert tuple(each for each, _value in row.tie_breaks) == tie_breaks


@pytest.mark.parametrize("tie_break", sorted(TIE_BREAKS))
@pytest.mark.parametrize("elimination", ["single", "double"])
def test_a_knock_out_after_another_stage_is_told_with_every_tie_break(
    tie_break: str, elimination: Literal["single", "double"]
) -> None:
    first = an_event("round robin", "match", tie_breaks=(tie_break,))
    *_before, played = rounds_of(first)
    final = Stage(kind="knockout", tie_breaks=(tie_break,), takes=Takes(top=4))
    final = replace(final, knockout=replace(final.knockout, elimination=elimination))
    event = replace(played, stages=(played.stage, final))
    assert len(cut_of(event, 2).entries) == 4
    assert len(whole_standings(event).rows) == len(event.entries)
    drawn = replace(event, rounds=(*event.rounds, Round(stage=2)))
    assert len(whole_standings(drawn).rows) == len(event.entries)


def test_direct_encounter_in_a_knock_out_says_how_those_who_share_a_place_met() -> None:
    *_rounds, played = rounds_of(an_event("knockout", "match", tie_breaks=("direct_encounter",)))
    for row in standings(played).rows:
        assert dict(row.tie_breaks)["direct_encounter"] == 0, "those who share a place never met"


def test_an_event_of_byes_alone_is_told() -> None:
    event: Tournament = an_event("swiss", "match", tie_breaks=tuple(TIE_BREAKS))
    byes = tuple(Bye(entry=entry.id, kind="half") for entry in event.entries)
    assert standings(replace(event, rounds=(Round(byes=byes),) * 2)).rows
