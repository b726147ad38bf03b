"""A season on its pages: begun, filled, added up in the background, told, closed, and the same
after rebuild and verification.
"""

import re
from typing import Any

from django.test import Client

from ledger.verify import verify_log
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import (
    after_round_1,
    command_on,
    does,
    draft,
    in_round_1,
    result,
    send,
)
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import scorer_at
from tournament.domain.season.rules import SeasonRule
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginPractice, EnterPhase
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.models import Player, Reckoning, Salon, Season, SeasonEvent, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.projections.standings import read_season_table
from tournament.recording.seasons import open_season
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def a_season(salon: Salon, **rule: Any) -> Season:
    return open_season(
        salon, name="Winter", rule=SeasonRule(**rule), actor="user:1", command=a_command()
    )


def acts(client: Client, season: Season, collection: str, **fields: str) -> Answer:
    season.refresh_from_db()
    return client.post(
        f"/seasons/{season.pk}/acts/{collection}/",
        {"version": season.version, "command": a_command()} | fields,
    )


def over(salon: Salon, count: int = 4) -> Tournament:
    return does(after_round_1(salon, count), EnterPhase(phase="finished"))


def rows(salon: Salon, season: Season) -> list[tuple[int, str, int]]:
    catch_up(salon.log, PROJECTIONS)
    table, _reached = read_season_table(season)
    assert table is not None
    names = dict(Player.objects.values_list("pk", "name"))
    return sorted((row.rank, names[row.player], row.points) for row in table.rows)


def test_a_season_is_begun_on_its_form_and_is_there_once(owner: Client, salon: Salon) -> None:
    form = {
        "command": command_on(owner.get("/seasons/new/")),
        "name": "Winter",
        "points": "places",
        "places": "10 8.5 7",
        "keeps": "best",
    }

    assert owner.post("/seasons/new/", form | {"count": "none"}).status_code == 422
    assert owner.post("/seasons/new/", form | {"count": "3", "places": "one"}).status_code == 422
    assert owner.post("/seasons/new/", form | {"count": "3", "name": " "}).status_code == 422
    answers = [owner.post("/seasons/new/", form | {"count": "3"}) for _ in range(2)]

    assert {answer["Location"] for answer in answers} == {f"/seasons/{form['command']}/"}
    assert Season.objects.count() == 1
    page = told(Client().get(f"/seasons/{form['command']}/"))
    assert "from the first place down: 10 – 8.5 – 7. The best 3 results count." in page
    assert "Winter" in told(Client().get("/tournaments/"))


def test_tournaments_that_are_over_are_added_up(owner: Client, salon: Salon) -> None:
    season, first, running = a_season(salon), over(salon), in_round_1(salon)
    for row in (first, running):
        assert acts(owner, season, "events", tournament=row.pk).status_code == 302

    one = rows(salon, season)
    assert [(rank, points) for rank, _name, points in one] == [(1, 100)] * 2 + [(3, 100)] * 2 + [
        (5, 0)
    ] * 2 + [(7, 0)] * 2
    second = over(salon)
    acts(owner, season, "events", tournament=second.pk)
    two = {name: points for _rank, name, points in rows(salon, season)}
    assert sum(two.values()) == 800
    page = owner.get(f"/seasons/{season.pk}/")
    assert "counts as soon as it is over" in told(page)
    assert "2 results of each player count" in told(page)
    assert list(audit(salon)) == []


def test_a_corrected_result_moves_the_season(owner: Client, salon: Salon) -> None:
    season, row = a_season(salon, worst=1), over(salon)
    acts(owner, season, "events", tournament=row.pk)
    before = rows(salon, season)

    does(
        row, EnterPhase(phase="running", reason="Swapped."), ReopenRound(round=1, reason="Swapped.")
    )
    assert rows(salon, season) == []
    for table in (1, 2):
        does(row, ClearTable(round=1, table=table), result(table, 180, 250))
    does(row, CloseRound(round=1), EnterPhase(phase="finished"))

    after = rows(salon, season)
    assert {name for _, name, points in after if points} == {
        name for _, name, points in before if not points
    }


def test_points_go_to_who_played_when_they_were_won_and_a_rebuild_finds_the_same(
    owner: Client, salon: Salon
) -> None:
    """Cato wins round 1 with Asha and stays away from round 2; Sue sits there for him and loses."""
    season, row = a_season(salon), after_round_1(salon)
    winners = next(table.entries[0] for table in state_of(row).rounds[0].tables)
    winning = state_of(row).entry(winners)
    assert winning is not None
    away = winning.players[1][1]
    row = does(row, DrawRound(round=2), PublishRound(round=2))
    send(
        owner,
        row,
        "substitutes",
        f"entry-{winners}",
        entry=winners,
        place="2",
        player="Sue Kint",
        from_round__number="2",
        only="yes",
    )
    row.refresh_from_db()
    results = [
        result(table.table, *((0, 250) if table.entries[0] == winners else (250, 0)), round=2)
        for table in state_of(row).rounds[1].tables
    ]
    row = does(row, *results, CloseRound(round=2), EnterPhase(phase="finished"))
    acts(owner, season, "events", tournament=row.pk)

    found = {name: points for _rank, name, points in rows(salon, season)}

    assert found["Sue Kint"] == 0
    assert found[Player.objects.get(pk=away).name] == 100
    assert sum(found.values()) == 2 * 4 * 100
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


def test_results_that_are_left_out_are_marked(owner: Client, salon: Salon) -> None:
    season = a_season(salon, best=1)
    for count in (4, 6):
        acts(owner, season, "events", tournament=over(salon, count).pk)
    catch_up(salon.log, PROJECTIONS)

    page = owner.get(f"/seasons/{season.pk}/")
    assert "left out" in told(page)
    assert "missed" in told(page)
    assert re.search(r"\((1|0)\)", told(page))


def test_what_can_not_be_is_refused_and_nothing_is_recorded(owner: Client, salon: Salon) -> None:
    season, row = a_season(salon), over(salon)
    practice = does(draft(salon), BeginPractice())
    version = season.version

    assert "one of the salon" in told(acts(owner, season, "events", tournament="0" * 32))
    assert "practice" in told(acts(owner, season, "events", tournament=practice.pk))
    assert acts(owner, season, "removals", tournament=row.pk, reason="x").status_code == 422
    assert acts(owner, season, "closings").status_code == 422
    assert (
        owner.post(
            f"/seasons/{season.pk}/acts/events/",
            {"version": "9", "command": a_command(), "tournament": row.pk},
        ).status_code
        == 409
    )
    assert owner.post(f"/seasons/{season.pk}/acts/luck/", {}).status_code == 404
    assert acts(scorer_at(salon, "4"), season, "events", tournament=row.pk).status_code == 403
    season.refresh_from_db()
    assert season.version == version


def test_a_closed_season_stays_as_it_is_until_it_is_opened_again(
    owner: Client, salon: Salon
) -> None:
    season, row = a_season(salon), over(salon)
    acts(owner, season, "events", tournament=row.pk)
    acts(owner, season, "closings")

    assert acts(owner, season, "removals", tournament=row.pk, reason="x").status_code == 422
    assert acts(owner, season, "reopenings", reason="One more evening.").status_code == 302
    assert (
        acts(owner, season, "removals", tournament=row.pk, reason="Other rules.").status_code == 302
    )
    changed = {"name": "Winter 2", "points": "standing_points", "keeps": "worst", "count": "2"}
    assert acts(owner, season, "rules", **changed).status_code == 302
    assert not SeasonEvent.objects.exists()
    history = told(owner.get(f"/seasons/{season.pk}/history/"))
    for words in (
        "begins.",
        "counts in the season Mara",
        "“Other rules.”",
        "“One more evening.”",
        "The worst 2 results are left out.",
    ):
        assert words in history, words
    assert "Winter 2" in told(owner.get("/history/"))


def test_rows_and_table_are_found_and_mended(owner: Client, salon: Salon) -> None:
    season = a_season(salon)
    acts(owner, season, "events", tournament=over(salon).pk)
    good = rows(salon, season)
    Season.objects.update(name="Summer")
    SeasonEvent.objects.all().delete()
    Reckoning.objects.filter(projection="seasons").update(
        state='{"events":[],"rows":[],"waiting":[]}'
    )

    assert len(list(audit(salon))) == 3
    assert len(list(differences(salon, mend=True, progress=lambda done: None))) == 3
    assert (rows(salon, season), Season.objects.get().name) == (good, "Winter")
    assert list(audit(salon)) == []
    assert list(verify_log(salon.log_id)) == []


def test_everybody_sees_the_table_and_only_readers_the_history(salon: Salon) -> None:
    season = a_season(salon)

    assert "It stands here as soon as one of the tournaments is over." in told(
        Client().get(f"/seasons/{season.pk}/")
    )
    assert Client().get(f"/seasons/{season.pk}/history/").status_code == 302
    assert Client().get(f"/seasons/{'0' * 32}/").status_code == 404


def test_a_season_whose_events_count_differently_suggests_places(
    owner: Client, salon: Salon
) -> None:
    season = a_season(salon)
    alike, place = over(salon), f"/api/v1/salons/{salon.slug}/seasons/{season.pk}/"
    chips = draft(salon, Stage(kind="swiss", rounds=3, scale=Scale(kind="points")))
    warns = "These tournaments don’t count alike"
    for event, scales in ((alike, []), (chips, ["match", "points"])):
        acts(owner, season, "events", tournament=event.pk)
        page = told(owner.get(f"/seasons/{season.pk}/"))
        assert (warns in page) == bool(scales)
        assert ("count by place" in page) == bool(scales)
        assert owner.get(place).json()["differing_scales"] == scales
    assert "(Game points, Win, draw, loss)" in page or "(Win, draw, loss, Game points)" in page
    room = told(Client().get(f"/seasons/{season.pk}/"))
    assert warns in room
    assert "Change the rule" not in room
    assert "Places always do" in told(owner.get("/seasons/new/"))

    acts(owner, season, "rules", name="Winter", points="places", places="3 2 1", keeps="all")
    assert warns not in told(owner.get(f"/seasons/{season.pk}/"))
    assert owner.get(place).json()["differing_scales"] == []


def test_what_was_typed_stays_at_the_form_that_was_refused(owner: Client, salon: Salon) -> None:
    season, row = a_season(salon), over(salon)
    acts(owner, season, "events", tournament=row.pk)
    changed = {"name": "Winter 2", "points": "places", "places": "one", "keeps": "all"}

    page = acts(owner, season, "rules", **changed).text
    assert 'value="Winter 2"' in page
    assert 'value="one"' in page
    assert 'id="places-error"' in page
    assert "<details open>" in page

    page = acts(owner, season, "removals", tournament=row.pk, reason="x" * 2001).text
    assert 'id="why-error"' in page
    assert "x" * 2001 in page
