"""A table whose game was abandoned, or does not count, is played again with one button."""

import re

import pytest
from django.test import Client

from scoring.commands import EndGame
from tests.tournament.helpers.evenings import in_round_1, send
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command, told
from tournament.models import Game, Salon, Tournament, TournamentGame
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.recording.door import start_game
from tournament.recording.tables.table_labels import free_labels
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

A_HAND = hand("N", (4, 3, 3, 4), (9, 4))
AGAIN = "Play it again"
ABOUT = {"round__number": "1", "table__number": "1"}


@pytest.fixture
def row(salon: Salon) -> Tournament:
    return in_round_1(salon)


def start(owner: Client, row: Tournament, **more: str) -> Game:
    """Start a game of table 1, at table 4 of the salon unless another is named."""
    row.refresh_from_db()
    sent = {"version": str(row.version), "command": a_command(), "round": "1", "table": "1"}
    answer = owner.post(
        f"/tournaments/{row.pk}/desk/games/?page=round-1", sent | {"label": "4"} | more
    )
    assert answer.status_code == 302
    return Game.objects.order_by("-started_position")[0]


def page_of(owner: Client, row: Tournament) -> str:
    return owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text


def end(game: Game, kind: str) -> None:
    record(game, EndGame(kind=kind, by="Mara", reason="The alarm rang."))


def press_again(owner: Client, row: Tournament) -> Game:
    """Press the button of table 1 as the page has it."""
    form = next(
        each for each in re.findall(r"<form.*?</form>", page_of(owner, row), re.S) if AGAIN in each
    )
    sent = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    sent["label"] = re.findall(r"<option[^>]*>\s*(\S+)\s*</option>", form)[0]
    assert owner.post(re.findall(r'action="([^"]+)"', form)[0], sent).status_code == 302
    return Game.objects.order_by("-started_position")[0]


def counts_at_table_1(row: Tournament, game: Game) -> bool:
    row.refresh_from_db()
    table = state_of(row).rounds[0].table(1)
    assert table is not None
    linked = TournamentGame.objects.filter(stream=row, game=game.pk).exists()
    return (table.game, table.detached, linked) == (game.pk, False, True)


def is_sound(salon: Salon) -> bool:
    catch_up(salon.log, PROJECTIONS)
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )


def test_an_abandoned_game_is_played_again_and_the_new_one_counts(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    first = start(owner, row)
    record(first, *A_HAND)
    assert AGAIN not in page_of(owner, row)
    end(first, "abandoned")

    second = press_again(owner, row)

    assert second.pk != first.pk
    assert counts_at_table_1(row, second)
    assert AGAIN not in page_of(owner, row)
    record(second, *A_HAND)
    end(second, "called")
    assert "Counts: the game" in told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert is_sound(salon)


@pytest.mark.parametrize("ends", ["abandoned", "called", ""])
def test_a_game_that_does_not_count_makes_room_for_another(
    owner: Client, salon: Salon, row: Tournament, ends: str
) -> None:
    first = start(owner, row)
    record(first, *A_HAND)
    send(owner, row, "detached-games", "round-1", **ABOUT, reason="Others played here")
    if ends:
        end(first, ends)

    second = press_again(owner, row)

    assert counts_at_table_1(row, second)
    assert is_sound(salon)


def test_without_a_free_table_the_game_is_taken_off_and_a_game_can_start_later(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    first = start(owner, row)
    record(first, *A_HAND)
    send(owner, row, "detached-games", "round-1", **ABOUT, reason="Others played here")
    for label in free_labels(salon):
        players = {seat: f"{seat} of {label}" for seat in "NESW"}
        start_game(
            salon,
            actor="user:1",
            command=a_command(),
            kind="precedence",
            players=players,
            options={},
            table=label,
        )
    page = page_of(owner, row)
    assert (AGAIN in page, "Take the game off this table" in page) == (False, True)

    send(owner, row, "unlinked-games", "round-1", **ABOUT)

    row.refresh_from_db()
    table = state_of(row).rounds[0].table(1)
    assert table is not None
    assert (table.game, "Start them at new tables" in page_of(owner, row)) == (None, True)


def test_a_table_without_a_game_can_not_be_played_again(owner: Client, row: Tournament) -> None:
    row.refresh_from_db()
    sent = {"version": str(row.version), "command": a_command(), "round": "1", "table": "1"}

    refused = owner.post(
        f"/tournaments/{row.pk}/desk/games/?page=round-1", sent | {"label": "4", "again": "yes"}
    )

    assert (refused.status_code, Game.objects.count()) == (422, 0)
    assert "no game counts at table 1" in told(refused)


def test_the_public_round_says_of_a_game_that_it_does_not_count(
    owner: Client, row: Tournament
) -> None:
    game = start(owner, row)
    record(game, *A_HAND)
    public = f"/tournaments/{row.pk}/rounds/1/"
    assert "does not count" not in told(owner.get(public))

    send(owner, row, "detached-games", "round-1", **ABOUT, reason="Others played here")

    assert "a game that does not count" in told(owner.get(public))
