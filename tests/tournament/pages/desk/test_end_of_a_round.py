"""All games of a round end with one act and one reason, and a draw whose games were begun is taken
back with one.
"""

import json
from dataclasses import replace

import pytest
from django.test import Client

from scoring.commands import EndGame
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does, in_round_1, result, send
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon, Tournament, TournamentGame
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

A_HAND = hand("N", (4, 3, 3, 4), (9, 4))
ROUND = {"round__number": "1"}


@pytest.fixture
def row(salon: Salon) -> Tournament:
    """Round 1, its games begun at four tables: two hands at the first, the second of them open."""
    return begun(salon)


def begun(salon: Salon) -> Tournament:
    row = in_round_1(salon, 6)
    start = {"version": str(row.version), "command": a_command(), "round": "1", "table": "all"}
    owner_of(salon).post(
        f"/tournaments/{row.pk}/desk/games/?page=round-1", start | {"new_tables": "yes"}
    )
    first, second = (game_at(row, table) for table in row_tables(row)[:2])
    record(first, *A_HAND)
    record(first, *hand("E", (1, 1, 1, 1), (9, 4))[:2])
    record(second, *hand("N", (1, 1, 1, 1), (9, 4))[:2])
    return row


def row_tables(row: Tournament) -> list[int]:
    return [table.table for table in state_of(row).rounds[0].tables]


def game_at(row: Tournament, table: int) -> Game:
    row.refresh_from_db()
    found = state_of(row).rounds[0].table(table)
    assert found is not None
    assert found.game is not None
    return Game.objects.get(pk=found.game)


def ends(row: Tournament) -> list[str]:
    return sorted(game.state["closed"] for game in Game.objects.filter(finished=True))


def is_sound(salon: Salon) -> bool:
    catch_up(salon.log, PROJECTIONS)
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )


def test_time_is_up_at_all_tables_with_one_reason(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    page = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert "The game at table 1 ends as it stands. A hand in play does not count." in page
    assert "have no closed hand, at tables 2, 3" in page

    answer = send(owner, row, "ended-round-games", "round-1", **ROUND, reason="Time is up")

    assert answer.status_code == 302
    empty = len(row_tables(row)) - 1
    assert ends(row) == ["called", *["not_played"] * empty]
    page = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert "Counts: the game" in page
    assert "Time is up: end all games" not in page
    history = told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert history.count("the game was not played. “Time is up”") == empty
    again = send(owner, row, "ended-round-games", "round-1", **ROUND, reason="Time is up")
    assert (again.status_code, "no game of round 1 goes on" in told(again)) == (422, True)
    assert is_sound(salon)


def test_all_games_of_a_round_end_or_none(owner: Client, row: Tournament) -> None:
    without = send(owner, row, "ended-round-games", "round-1", **ROUND, reason="")
    unknown = send(owner, row, "ended-round-games", "round-1", round__number="2", reason="late")

    assert (without.status_code, unknown.status_code) == (422, 422)
    assert ends(row) == []


def test_games_can_end_abandoned_and_are_asked_about(owner: Client, row: Tournament) -> None:
    send(owner, row, "ended-round-games", "round-1", **ROUND, kind="abandoned", reason="Fire alarm")

    assert "abandoned" in ends(row)
    assert "Its game was abandoned" in told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))


def test_a_program_and_a_command_end_the_games_of_a_round(
    salon: Salon, row: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    body = {"round": 1, "reason": "Time is up"}
    ran = run(
        capsys, "tournament", "act", row.pk, "ended-round-games", json.dumps(body | {"kind": "no"})
    )
    assert ran.status == 1
    row.refresh_from_db()
    answer = owner_calls(salon).post(
        f"tournaments/{row.pk}/acts/ended-round-games/", body, version=row.version
    )

    assert answer.status == 201
    ran = run(capsys, "tournament", "act", row.pk, "ended-round-games", json.dumps(body))
    assert (ran.status, "no game of round 1 goes on" in ran.err) == (1, True)


def test_a_draw_whose_games_were_begun_is_taken_back_with_one_reason(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    games = [game_at(row, table).pk for table in row_tables(row)]
    without = send(owner, row, "draw-cancellations", "round-1", **ROUND)
    assert (without.status_code, "say why its draw is taken back" in told(without)) == (422, True)
    assert ends(row) == []

    answer = send(owner, row, "draw-cancellations", "round-1", **ROUND, reason="Wrong list")

    assert answer.status_code == 302
    assert state_of(Tournament.objects.get(pk=row.pk)).rounds == ()
    assert Game.objects.filter(pk__in=games, finished=False).count() == 0
    assert not TournamentGame.objects.filter(game__in=games).exists()
    assert "The draw of round 1 is taken back “Wrong list”" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    assert is_sound(salon)


def test_a_draw_with_results_stays(owner: Client, row: Tournament) -> None:
    record(game_at(row, 1), EndGame(kind="called", by="Mara", reason="late"))
    does(row, replace(result(2, 250, 100), game="end", reason="typed"))

    answer = send(owner, row, "draw-cancellations", "round-1", **ROUND, reason="Wrong list")

    assert "round 1 has results at tables 1, 2; take them back first" in told(answer)
    assert "and its games with it" not in told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
