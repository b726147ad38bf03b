"""Erasing a person takes the name and the words that name them, nothing of what was recorded; the
chain holds as before.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from ledger.models import Event
from ledger.reading import head_of
from ledger.verify import verify_log
from tests.conftest import OwnDatabase
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.erasing import NAME, record_of
from tests.tournament.helpers.tables import a_salon, recorded
from tournament.exchange.game_records import export_game
from tournament.models import Erasure, Game, Player, Salon, Text
from tournament.privacy.erasure import erase, player_called, texts_naming
from tournament.projections.audit import audit
from tournament.salons.public_names import Audience


def played(place: Salon) -> Salon:
    recorded(place, record_of())
    return place


@pytest.fixture
def salon(db: None) -> Salon:
    return played(a_salon())


def person(salon: Salon) -> Player:
    found = player_called(salon, NAME)
    assert found is not None
    return found


def test_the_name_and_the_texts_that_name_them_are_gone_and_nothing_else(salon: Salon) -> None:
    others = set(Text.objects.values_list("text", flat=True)) - {
        text.text for text in texts_naming(person(salon))
    }
    erased = erase(person(salon), actor="user:1")

    assert erased.pseudonym == f"erased {erased.player[:12]}"
    assert erased.texts == 2
    assert set(Text.objects.values_list("text", flat=True)) == others
    assert "the Quirkes are many" in others
    assert not Player.objects.filter(name__icontains="Quirke").exists()
    assert Erasure.objects.values_list("player", "actor", "texts").get() == (
        erased.player,
        "user:1",
        2,
    )


def test_the_chain_the_rows_and_the_chips_hold_as_before(salon: Salon) -> None:
    before = head_of(salon.log_id)
    texts = {text.digest for text in texts_naming(person(salon))}
    erased = erase(person(salon), actor="user:1")

    told = Event.objects.get(position=before.position + 1)
    assert (told.type, told.actor, head_of(salon.log_id).position) == (
        "house.person_erased",
        "user:1",
        before.position + 1,
    )
    assert json.loads(told.body) == {"player": erased.player, "texts": sorted(texts)}
    assert list(verify_log(salon.log_id)) == []
    assert list(audit(salon)) == []


def test_their_games_are_exported_under_the_pseudonym(salon: Salon) -> None:
    erased = erase(person(salon), actor="user:1")

    record = export_game(salon, Game.objects.get().pk, Audience.SALON)
    assert record["players"]["N"] == erased.pseudonym
    assert record["note"] == "erased"
    assert NAME.casefold() not in str(record).casefold()


def test_one_who_was_erased_stays_so(salon: Salon) -> None:
    first = erase(person(salon), actor="user:1")

    assert erase(Player.objects.get(pk=first.player), actor="user:2") == first
    assert Erasure.objects.count() == 1


def test_a_new_player_of_the_same_name_is_another_person(salon: Salon) -> None:
    erased = erase(person(salon), actor="user:1")
    recorded(salon, record_of("again"))

    assert person(salon).pk != erased.player


def test_the_command_says_what_would_go_and_erases_only_when_it_is_meant(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = run(capsys, "erase", NAME)
    assert asked.status == 1
    assert f"would go: {NAME} came late" in asked.out
    assert "say --yes" in asked.err
    assert person(salon)

    done = run(capsys, "erase", NAME, "--yes")
    assert done.status == 0
    assert "lines holds as before." in done.out
    assert run(capsys, "erase", NAME, "--yes").err == f"The salon has no player {NAME!r}."
    assert (
        run(capsys, "erase", Erasure.objects.get().player, "--yes", "--json").lines[0]["faults"]
        == 0
    )


def test_nothing_of_the_name_is_left_in_the_file_of_the_database(
    own_database: OwnDatabase, tmp_path: Path
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL frees the space of deleted rows by vacuum")
    place = played(a_salon())
    path = Path(str(connection.settings_dict["NAME"]))
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert NAME.encode() in path.read_bytes()
    erase(person(place), actor="user:1")

    left = b"".join(
        file.read_bytes() for file in path.parent.iterdir() if file.name.startswith(path.name)
    )
    assert NAME.encode() not in left
    assert NAME.upper().encode() not in left
