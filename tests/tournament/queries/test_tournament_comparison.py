"""Any two moments of a tournament side by side, each by its entry, by the time recorded or by the
time played.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

import pytest
from django.test import Client

from ledger.reading import head_of
from tests.tournament.helpers.evenings import (
    does,
    in_round_1,
    result,
    standings_now,
    start_first_table,
)
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import scorer_at
from tournament.accounts.permissions import Role, Visitor
from tournament.api.as_of import plain
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Salon, Tournament
from tournament.queries.comparison import Group
from tournament.queries.number_format import hundredths
from tournament.queries.tournament import load_tournament
from tournament.queries.tournament_as_of import tournament_as_of
from tournament.queries.tournament_comparison import compare_pictures
from tournament.salons.public_names import Audience
from tournament.streams.acts import moments_of


def groups(
    row: Tournament, one: str, other: str, clock: str = "recorded"
) -> dict[str, dict[str, tuple[str, str]]]:
    """Both moments as the director sees them: by the titles of the groups what each line says."""
    visitor, at = (
        Visitor(salon=row.salon, role=Role.OWNER, actor="user:1"),
        load_tournament(row, Audience.SALON),
    )
    moments = moments_of(row.salon.log_id, row.pk)
    pictures = [tournament_as_of(visitor, at, moments, typed, clock) for typed in (one, other)]
    return by_title(list(compare_pictures(visitor, at, *pictures)))


def by_title(found: Sequence[Group]) -> dict[str, dict[str, tuple[str, str]]]:
    return {
        group.title: {line.label: (plain(line.one), plain(line.other)) for line in group.rows}
        for group in found
    }


def stood(row: Tournament) -> dict[str, str]:
    """Rank, points and tie-breaks of everybody at this moment, as a page of now has them."""
    names = load_tournament(row, Audience.SALON).entries
    return {
        names[each.entry]: f"Rank {each.rank}, points {hundredths(each.points)} "
        + " · ".join(
            f"{TIE_BREAKS[name].title}: {hundredths(value)}" for name, value in each.tie_breaks
        )
        for each in standings_now(row).rows
    }


def test_any_two_moments_have_what_every_page_showed_at_each(salon: Salon) -> None:
    """The oracle is what was worked out when it was so."""
    row, seen = in_round_1(salon), {}
    acts: list[list[Any]] = [
        [result(1, 100, 250)],
        [GivePenalty(entry="1", points=-50, after_round=1, reason="late", by="Mara")],
        [result(1, 262, 187), result(2, 200, 260), CloseRound(round=1)],
        [DrawRound(round=2), PublishRound(round=2)],
    ]
    for each in acts:
        row = does(row, *each)
        seen[str(head_of(salon.log_id).position)] = stood(row)

    for one, other in combinations_with_replacement(seen, 2):
        told = groups(row, one, other)
        assert told["Standings"] == {
            name: (seen[one][name], seen[other][name]) for name in seen[one]
        }
        assert ("Round 2" in told) == (other == list(seen)[-1])
        if one == other:
            assert all(
                before == after for lines in told.values() for before, after in lines.values()
            )
    assert len({str(each) for each in seen.values()}) == 3


def test_by_the_time_recorded_a_result_is_what_was_typed_and_by_the_time_played_what_it_was(
    salon: Salon,
) -> None:
    row = does(in_round_1(salon), result(1, 100, 250))
    wrong, typed = head_of(salon.log_id).position, moments_of(salon.log_id, row.pk)[-1].last
    row = does(
        row, ClearTable(round=1, table=1, reason="typed at the wrong table"), result(1, 262, 187)
    )
    (table, *_others) = groups(row, "", "")["Round 1"]

    assert groups(row, str(wrong), "")["Round 1"][table] == ("100 : 250", "262 : 187")
    by_then = tournament_as_of(
        Visitor(salon=salon, role=Role.OWNER),
        load_tournament(row, Audience.SALON),
        moments_of(salon.log_id, row.pk),
        "2100-01-01 10:00",
        "played",
    )
    assert by_then.then.state.rounds[0].tables[0].results[0].score == 26200
    assert typed.recorded_at <= moments_of(salon.log_id, row.pk)[-1].last.recorded_at
    assert groups(row, "2100-01-01 10:00", "", "played")["Round 1"][table] == (
        "262 : 187",
        "262 : 187",
    )


def test_a_table_that_plays_and_one_that_waits_are_told_apart(salon: Salon) -> None:
    row = in_round_1(salon)
    start_first_table(salon, row)

    assert {two for _one, two in groups(row, "1", "")["Round 1"].values()} == {
        "playing",
        "no result yet",
    }


def test_the_page_marks_what_differs(owner: Client, salon: Salon) -> None:
    row = does(in_round_1(salon), result(1, 100, 250))
    before = head_of(salon.log_id).position
    row = does(row, result(2, 200, 260))

    page = owner.get(f"/tournaments/{row.pk}/comparison/", {"one": str(before), "other": ""}).text

    assert "lines differ; they are marked." in words(page)
    assert "no result yet 200 : 260" in words(page)
    assert (
        f'href="/tournaments/{row.pk}/comparison/'
        in owner.get(f"/tournaments/{row.pk}/history/").text
    )
    assert "Nothing differs." in words(owner.get(f"/tournaments/{row.pk}/comparison/").text)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("one=noon", "neither a time"),
        ("other=99999", "There is no line"),
        ("one=2020-01-01 10:00", "Nothing of this tournament was"),
    ],
)
def test_a_moment_that_there_is_not_is_refused_beside_its_field(
    owner: Client, salon: Salon, query: str, said: str
) -> None:
    name = query.partition("=")[0]
    answer = owner.get(f"/tournaments/{in_round_1(salon).pk}/comparison/?{query}")

    assert answer.status_code == 400
    assert said in words(answer.text)
    assert f'aria-describedby="{name}-error"' in answer.text


def test_silent_rounds_are_silent_at_both_moments(owner: Client, salon: Salon) -> None:
    row = does(in_round_1(salon), result(1, 100, 250), BeginSilence(from_round=1))
    address = f"/tournaments/{row.pk}/comparison/?one={head_of(salon.log_id).position - 1}"

    room = words(scorer_at(salon, "4").get(address).text)
    assert "100 : 250" not in room
    assert "silent silent" in room
    assert "100 : 250 100 : 250" in words(owner.get(address).text)


def test_a_draw_that_is_not_published_is_the_directors(owner: Client, salon: Salon) -> None:
    row = does(
        in_round_1(salon),
        result(1, 250, 180),
        result(2, 200, 260),
        CloseRound(round=1),
        DrawRound(round=2),
    )
    address = f"/tournaments/{row.pk}/comparison/"

    assert "Round 2" in words(owner.get(address).text)
    assert "Round 2" not in words(scorer_at(salon, "4").get(address).text)
