"""The points of an entry are the sum of what the page that explains them says, now and as of any
step, each with its entry of the log.
"""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.api.calling import anyone_calls, owner_calls
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.playing import a_command, called, played_to_the_end
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import owner_of
from tournament.accounts.permissions import Role, Visitor
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.penalties import CancelPenalty, GivePenalty
from tournament.domain.tournament.results import ClearTable, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Salon, Tournament
from tournament.projections.background import catch_up
from tournament.queries.standing_points import StandingPoints, standing_points
from tournament.queries.tournament import load_tournament
from tournament.queries.tournament_as_of import after, present
from tournament.recording.tournaments import start_linked_game
from tournament.salons.public_names import Audience
from tournament.streams.acts import moments_of
from tournament.tasks import PROJECTIONS

SCALES = {
    "match": Scale(),
    "margin": Scale(kind="margin", bye=1200, steps=(1000, 4000, 9000)),
    "points": Scale(kind="points", bye=20000),
    "matchpoints": Scale(kind="matchpoints", bye=5000),
}


def an_evening(
    salon: Salon, scale: Scale, tie_breaks: tuple[str, ...] = ("buchholz", "direct_encounter")
) -> Tournament:
    """Five pairs: a bye, a typed result put right, a game, a forfeit, points taken and
    given back.
    """
    row = in_round_1(salon, 5, Stage(kind="swiss", rounds=3, scale=scale, tie_breaks=tie_breaks))
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
    absent = load_tournament(row, Audience.SALON).state.rounds[1].tables[0].entries[0]
    return does(row, ForfeitTable(round=2, table=1, absent=(absent,)), result(2, 199, 121, round=2))


def accounts(row: Tournament, version: int) -> list[StandingPoints]:
    """Everybody's points as of a version, explained."""
    at, visitor = (
        load_tournament(row, Audience.SALON),
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
            assert sum(line.amount for line in found.lines) == (found.standing.points or 0)
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
            assert f": {points} point" in words(owner.get(link).text)
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
            == (found.standing.points or 0) / 100
            == sum(term["amount"] for term in told["terms"])
        )
        assert [term["events"] for term in told["terms"]] == [
            [fact.position for fact in line.facts] for line in found.lines
        ]
    told = anyone_calls(salon).get(f"tournaments/{row.pk}/entries/1/points/", at=3).value
    assert {str(term["events"]) for term in told["terms"]} == {"[]"}
    assert told["after_round"] == 2
    assert caller.get(f"tournaments/{row.pk}/entries/1/points/", at=10**6).status == 404


def test_every_tie_break_is_itemised_and_its_terms_add_up_to_its_value(salon: Salon) -> None:
    names = tuple(name for name in TIE_BREAKS if not name.startswith("fewest"))
    row = an_evening(salon, SCALES["match"], names)
    caller, owner = owner_calls(salon), owner_of(salon)
    whys = set()
    for version in (row.version - 4, row.version):
        for found in accounts(row, version):
            entry = found.standing.entry
            told = caller.get(f"tournaments/{row.pk}/entries/{entry}/points/", at=version).value
            assert [each.tie_break.name for each in found.broken] == [*names]
            for broken, line in zip(found.broken, told["tie_breaks"], strict=True):
                counted = [each for each in broken.lines if not each.left_out]
                assert sum(each.amount for each in counted) == broken.value
                assert line["value"] == broken.value / 100
                assert [term["amount"] for term in line["terms"]] == [
                    each.amount / 100 for each in broken.lines
                ]
                whys |= {each.why for each in broken.lines}
    said = " ".join(whys)
    for part in (
        "a virtual opponent with",
        "without what the director gave or took",
        "left out",
        "and at most those of who was to be met",
    ):
        assert part in said
    page = owner.get(f"/tournaments/{row.pk}/entries/3/points/").text
    assert 'id="buchholz_cut_1"' in page
    assert "<s>" in page
    catch_up(salon.log, PROJECTIONS)
    standings = owner.get(f"/tournaments/{row.pk}/standings/").text
    assert f'/entries/3/points/#{names[0]}"' in standings
    assert f'class="sub narrow" href="/tournaments/{row.pk}/entries/3/points/#ties"' in standings


def test_who_reads_no_history_is_told_the_same_without_its_acts_being_read(
    salon: Salon, client: Client
) -> None:
    row = an_evening(salon, SCALES["match"])
    at = load_tournament(row, Audience.SALON)
    visitor = Visitor(salon=row.salon, role=Role.OWNER, actor="user:1")
    moments = moments_of(salon.log_id, row.pk)
    then, now = present(visitor, at, moments), present(visitor, at, ())
    assert (now.position, now.until) == (then.position, then.until)
    for each in then.standings.rows:
        told = standing_points(at, then, moments, each.entry, linked=False)
        assert told == standing_points(at, now, (), each.entry, linked=False)

    address = f"/tournaments/{row.pk}/entries/1/points/"
    for caller, reads in ((client, False), (owner_of(salon), True)):
        for prefix in ("", f"/api/v1/salons/{salon.slug}"):
            with CaptureQueriesContext(connection) as asked:
                assert caller.get(f"{prefix}{address}").status_code == 200
            assert any("ORDER BY version" in each["sql"] for each in asked) is reads
