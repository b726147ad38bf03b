"""The points of an entry are the sum of what the page that explains them says, now and as of any
step, each with its entry of the log.
"""

import re

import pytest
from django.test import Client

from tests.tournament.api.calling import anyone_calls, owner_calls
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tests.tournament.pages.history.test_history import words
from tests.tournament.projections.test_standings_then import called, played_to_the_end
from tournament.accounts.permissions import Role, Visitor
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.penalties import CancelPenalty, GivePenalty
from tournament.domain.tournament.results import ClearTable, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Salon, Tournament
from tournament.queries.standing_points import StandingPoints, standing_points
from tournament.queries.tournament import directed
from tournament.queries.tournament_as_of import after
from tournament.recording.tournaments import start_linked_game
from tournament.salons.public_names import Audience
from tournament.streams.acts import moments_of

SCALES = {
    "match": Scale(),
    "margin": Scale(kind="margin", bye=1200, steps=(1000, 4000, 9000)),
    "points": Scale(kind="points", bye=20000),
    "matchpoints": Scale(kind="matchpoints", bye=5000),
}


def an_evening(salon: Salon, scale: Scale) -> Tournament:
    """Five pairs: a bye, a typed result put right, a game, a forfeit, points taken and
    given back.
    """
    row = in_round_1(
        salon, 5, Stage(kind="swiss", rounds=3, scale=scale, tie_breaks=("buchholz", "wins"))
    )
    row = does(row, result(1, 100, 250))
    game = start_linked_game(
        salon,
        row.pk,
        round=1,
        table=2,
        label="4",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    called(played_to_the_end(game, [("N", 7, 6)]))
    row = does(
        row,
        ClearTable(round=1, table=1, reason="the wrong way round"),
        result(1, 250, 100),
        CloseRound(round=1),
    )
    penalties = [
        GivePenalty(entry=entry, points=points, after_round=1, reason="late", by="Mara")
        for entry, points in (("1", -50), ("2", 100))
    ]
    row = does(
        row,
        *penalties,
        CancelPenalty(number=2, reason="the wrong pair"),
        DrawRound(round=2),
        PublishRound(round=2),
    )
    absent = directed(row, Audience.SALON).state.rounds[1].tables[0].entries[0]
    return does(row, ForfeitTable(round=2, table=1, absent=(absent,)), result(2, 199, 121, round=2))


def accounts(row: Tournament, version: int) -> list[StandingPoints]:
    """Everybody's points as of a version, explained."""
    at, visitor = (
        directed(row, Audience.SALON),
        Visitor(salon=row.salon, role=Role.OWNER, actor="user:1"),
    )
    moments = [
        moment for moment in moments_of(row.salon.log_id, row.pk) if moment.last.version <= version
    ]
    picture = after(visitor, at, moments[-1], moments[-1].last.position)
    return [
        standing_points(at, picture, moments, each.entry, linked=True)
        for each in picture.standings.rows
    ]


@pytest.mark.parametrize("scale", SCALES)
def test_the_lines_add_up_to_the_points_of_everybody_at_every_step(
    salon: Salon, scale: str
) -> None:
    row = an_evening(salon, SCALES[scale])

    for version in range(1, row.version + 1):
        for found in accounts(row, version):
            assert sum(line.amount for line in found.lines) == found.standing.points
            assert all(line.facts for line in found.lines), version


def test_each_line_leads_to_the_entry_that_gave_it(salon: Salon) -> None:
    row = an_evening(salon, SCALES["match"])

    behind = {
        fact.moment.entry.name
        for found in accounts(row, row.version)
        for line in found.lines
        for fact in line.facts
    }
    assert behind == {
        "result_entered",
        "table_forfeited",
        "game_linked",
        "round_drawn",
        "penalty_given",
    }
    stored = {
        moment.entry.stored.position: moment.entry for moment in moments_of(salon.log_id, row.pk)
    }
    for found in accounts(row, row.version):
        for line in found.lines:
            (fact,) = line.facts
            assert stored[fact.position].taken_back is None
            assert getattr(fact.fact, "round", line.round) == line.round


def test_a_number_of_the_standings_opens_its_page(salon: Salon) -> None:
    row, owner = an_evening(salon, SCALES["match"]), owner_of(salon)
    for address in (
        f"/tournaments/{row.pk}/history/",
        f"/tournaments/{row.pk}/history/?at={row.version - 3}",
    ):
        links = re.findall(
            r'href="([^"]+/points/\?at=\d+)"><b>([^<]+)</b>', owner.get(address).text
        )
        assert len(links) == 5
        for link, points in links:
            assert f": {points} points" in words(owner.get(link).text)
    page = words(owner.get(f"/tournaments/{row.pk}/entries/1/points/").text)
    assert "Taken by the director" in page
    assert "late" in page


def test_anyone_sees_the_sum_without_the_entries_and_nothing_of_silent_rounds(salon: Salon) -> None:
    row = does(an_evening(salon, SCALES["match"]), BeginSilence(from_round=2))
    address = f"/tournaments/{row.pk}/entries/1/points/"

    assert "From one line of the log" in words(owner_of(salon).get(address).text)
    room = words(Client().get(address).text)
    assert "From one line of the log" not in room
    assert "Round 2 against" not in room
    assert "Later rounds are silent" in room
    assert owner_of(salon).get(f"/tournaments/{row.pk}/entries/99/points/").status_code == 404


def test_the_api_explains_them_the_same(salon: Salon) -> None:
    row = an_evening(salon, SCALES["margin"])
    caller = owner_calls(salon)

    for found in accounts(row, row.version - 2):
        told = caller.get(
            f"tournaments/{row.pk}/entries/{found.standing.entry}/points/", at=row.version - 2
        ).value
        assert (
            told["total"]
            == found.standing.points / 100
            == sum(term["amount"] for term in told["terms"])
        )
        assert [term["events"] for term in told["terms"]] == [
            [fact.position for fact in line.facts] for line in found.lines
        ]
    told = anyone_calls(salon).get(f"tournaments/{row.pk}/entries/1/points/", at=3).value
    assert {str(term["events"]) for term in told["terms"]} == {"[]"}
    assert told["after_round"] == 2
    assert caller.get(f"tournaments/{row.pk}/entries/1/points/", at=10**6).status == 404
