"""What a table is worth, in words, whatever the scale."""

from dataclasses import replace

import pytest

from tests.tournament.domain.standings.played_formats import an_event, rounds_of, settings
from tournament.domain.standings.scales import bye_worth
from tournament.domain.standings.stages import terms_of_rounds
from tournament.domain.standings.values import DEAL_SCALES, SCALE_KINDS, Scale, Stage
from tournament.domain.tournament.counting import results_of
from tournament.domain.tournament.state import TableState
from tournament.queries.scale_words import (
    bye_words,
    forfeit_words,
    own_bye_words,
    scale_words,
)
from tournament.queries.standing_points import SCALES


@pytest.mark.parametrize("kind", SCALE_KINDS)
def test_every_scale_says_how_points_come_about_and_what_sitting_out_brings(kind: str) -> None:
    words = scale_words(Scale(kind=kind, bye=50, steps=(100, 200)))

    own_mean = "Sitting out counts as the mean of what an entry plays, so it changes nothing."
    assert words.endswith(own_mean if kind in DEAL_SCALES else "Sitting out counts 0.5.")
    assert "%" not in words
    assert kind == "match" or kind in SCALES


@pytest.mark.parametrize("kind", ["match", "chips", "points"])
def test_where_tables_have_several_sizes_the_rule_that_evens_them_out_is_said(kind: str) -> None:
    plain, evened = (scale_words(Scale(kind=kind, opponents=most)) for most in (0, 4))

    assert "every size" in evened
    assert "every size" not in plain


@pytest.mark.parametrize(("name", "scale"), settings())
def test_who_sits_out_is_told_the_points_that_count_in_the_standings(name: str, scale: str) -> None:
    event = list(rounds_of(an_event(name, scale)))[-1]
    terms = terms_of_rounds(event)
    for number, each in enumerate(event.rounds, start=1):
        for bye in each.byes:
            words = bye_words(event.stage.scale, bye), own_bye_words(event.stage.scale, bye)
            worth = bye_worth(event.stage.scale, bye)
            if worth is None:
                alone = replace(event, rounds=(each,))
                assert terms_of_rounds(alone)[bye.entry] == {1: 0}
                assert all("mean" in each or "percentage" in each for each in words)
                continue
            assert terms[bye.entry][number] in (worth, 0)
            assert all(
                ("no points" if not worth else f"{worth / 100:g} point") in each for each in words
            )


@pytest.mark.parametrize("kind", SCALE_KINDS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_who_came_to_a_forfeited_table_is_told_what_results_give_there(
    kind: str, size: int
) -> None:
    stage = Stage(scale=Scale(kind=kind, win=300, bye=70, steps=(100, 200)))
    table = TableState(
        table=1, entries=tuple("abcd"[:size]), absent=("a",), results=(), forfeit=False
    )
    (_gone, *came) = results_of(table, {}, stage)
    words = forfeit_words(stage.scale, size)
    if "own mean" in words:
        assert kind in DEAL_SCALES
    else:
        assert {result.points for result in came} == {300 if kind == "match" and size == 2 else 70}
        assert f"gets {(came[0].points or 0) / 100:g} points" in words
