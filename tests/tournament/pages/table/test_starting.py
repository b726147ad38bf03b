"""Games begun at every table of a round: what fits begins, tables that an event lacks are made, the
others are named with why.
"""

from typing import Any

import pytest
from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.evenings import SWISS, does, draft, in_round_1
from tests.tournament.helpers.playing import a_command, a_game, told
from tournament.domain.house.table_labels import MOST_TABLES
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Game, Salon, Table, Tournament
from tournament.pages.desk.act_messages import describe_begun_games
from tournament.recording.tables import start_games
from tournament.recording.tables.salon_tables import add_tables, retire_table
from tournament.recording.tables.start_games import BegunGame, StartedRound
from tournament.recording.tournaments import seats_at
from tournament.streams.tournament_rows import state_of


def a_round(salon: Salon, pairs: int) -> Tournament:
    """Round 1 of so many pairs, published."""
    entries = [
        MakeEntry(players=(("1", f"North {number:02}"), ("2", f"South {number:02}")))
        for number in range(1, pairs + 1)
    ]
    row = does(draft(salon, SWISS), EnterPhase(phase="registration"), *entries)
    here = [CheckIn(entry=str(number)) for number in range(1, pairs + 1)]
    return does(row, *here, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))


def begun(client: Client, row: Tournament, **also: str) -> str:
    """The round's page after its button was pressed."""
    row.refresh_from_db()
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "all",
        **also,
    }
    return told(client.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent, follow=True))


def playing(salon: Salon) -> dict[str, str]:
    return dict(Game.objects.filter(salon=salon, finished=False).values_list("table", "pk"))


def test_an_event_makes_the_tables_that_it_needs(salon: Salon, owner: Client) -> None:
    row = a_round(salon, 20)

    page = begun(owner, row)

    assert "10 games have begun." in page
    assert "Tables 9 and 10 are new." in page
    assert {str(number) for number in range(1, 11)} == playing(salon).keys()
    assert [table.game for table in state_of(row).rounds[0].tables] == [
        playing(salon)[str(number)] for number in range(1, 11)
    ]
    assert Event.objects.filter(type="house.tables_added").exists()
    assert Table.objects.get(label="10").pin


def test_what_fits_begins_and_the_others_are_named_with_why(salon: Salon, owner: Client) -> None:
    row = a_round(salon, 16)
    for label in ("3", "5"):
        a_game(salon, table=label)

    page = begun(owner, row)

    assert "6 games have begun." in page
    assert "Tables 3 and 5 have none: another game is still on at that table of the salon." in page
    assert Table.objects.count() == 8
    assert [table.table for table in state_of(row).rounds[0].tables if table.game is None] == [3, 5]


def test_who_plays_at_another_table_of_the_salon_finds_it_on_the_seats_page(
    salon: Salon, owner: Client
) -> None:
    row = a_round(salon, 4)
    row.refresh_from_db()
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "2",
        "label": "7",
    }
    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)
    assert list(playing(salon)) == ["7"]
    name = owner.get(f"/tournaments/{row.pk}/").context["tables"][1].seated[0].name

    page, found = (
        told(Client().get(f"/tournaments/{row.pk}/{query}"))
        for query in ("", f"?q={name.split()[1]}")
    )

    assert page.count("Plays at table 7 of the salon") == 1
    assert "Table 7 of the salon, N–S" in found


def test_where_tables_are_held_new_ones_are_one_tap_away(salon: Salon, owner: Client) -> None:
    row = a_round(salon, 16)
    for label in ("3", "5"):
        a_game(salon, table=label)
    assert "Start them at new tables" in begun(owner, row)

    page = begun(owner, row, new_tables="yes")

    assert "2 games have begun." in page
    assert "Tables 9 and 10 are new." in page
    assert all(table.game for table in state_of(row).rounds[0].tables)


def test_the_button_is_there_when_every_table_is_taken(salon: Salon, owner: Client) -> None:
    row = in_round_1(salon)
    for label in range(1, 9):
        a_game(salon, table=str(label))

    page = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))

    assert "Start them at new tables" in page
    assert "2 games have begun." in begun(owner, row, new_tables="yes")


def test_no_game_begins_where_none_can_and_the_page_says_why(salon: Salon, owner: Client) -> None:
    row = in_round_1(salon)
    for label in range(1, 9):
        a_game(salon, table=str(label))
    before = Event.objects.count()

    page = begun(owner, row)

    assert "No game has begun." in page
    assert "Tables 1 and 2 have none: another game is still on at that table of the salon." in page
    assert Event.objects.count() == before


def test_a_table_that_has_its_result_gets_no_game(salon: Salon, owner: Client) -> None:
    row = in_round_1(salon)
    begun(owner, row)

    assert "very table of the round has its game or its result" in begun(owner, row)


def test_pairs_that_lack_a_player_are_named_and_the_others_begin(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = in_round_1(salon)

    def without_table_1(*args: Any, round: int, table: int) -> dict[str, str]:
        return seats_at(*args, round=round, table=table if table != 1 else 99)

    monkeypatch.setattr(start_games, "seats_at", without_table_1)
    page = begun(owner, row)

    assert "One game has begun." in page
    assert "Table 1 has none: a game can be started for a table whose players fill" in page


def test_retired_tables_are_no_tables_and_a_salon_at_its_limit_makes_none(
    salon: Salon, owner: Client
) -> None:
    add_tables(
        salon,
        [str(number) for number in range(9, MOST_TABLES + 1)],
        actor="user:1",
        command=a_command(),
    )
    row = in_round_1(salon)
    for label in range(1, MOST_TABLES + 1):
        a_game(salon, table=str(label)) if label < 4 else None
    retire_table(salon, "9", actor="user:1", command=a_command())

    page = begun(owner, row)

    assert "2 games have begun." in page
    assert "9" not in playing(salon)


def test_tables_that_play_elsewhere_in_the_salon_are_said_in_one_sentence() -> None:
    moved = tuple(BegunGame(table=number, label=str(number + 5), game="") for number in (4, 5, 6))

    assert describe_begun_games(StartedRound(begun=moved, left=(), made=())) == [
        "3 games have begun.",
        "Tables play elsewhere in the salon: 4 at 9, 5 at 10 and 6 at 11.",
    ]
    assert describe_begun_games(StartedRound(begun=moved[:1], left=(), made=())) == [
        "One game has begun.",
        "Table 4 plays at table 9 of the salon.",
    ]
