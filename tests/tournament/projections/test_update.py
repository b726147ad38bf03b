"""A salon that the version before left behind is brought here: `rebuild`, and it says what it said.

Its database and its answers lie in `samples/earlier_salon.*`; `samples/README.md` says how they
were made.
"""

import json
import lzma
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import a_copy
from tests.tournament.helpers.earlier_salon import answers
from tests.tournament.helpers.salons import owner_of
from tournament.integrity.audit import audit
from tournament.models import Game, GameSeat, Salon, Tournament, TournamentPlayer, TournamentRound
from tournament.projections.earlier_rows import made_by
from tournament.projections.rebuild import differences

SAMPLES = Path(__file__).parents[1] / "samples"
FILLED = {
    "game",
    *(model._meta.db_table for model in (GameSeat, Tournament, TournamentPlayer, TournamentRound)),
}


@pytest.fixture
def earlier(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> Iterator[None]:
    """A database of this test's own, as the earlier version left it."""
    kept = tmp_path / "kept.sqlite3"
    kept.write_bytes(lzma.decompress((SAMPLES / "earlier_salon.sqlite3.xz").read_bytes()))
    with (
        django_db_blocker.unblock(),
        a_copy(
            str(kept) if connection.vendor == "sqlite" else "template0", tmp_path / "own.sqlite3"
        ),
    ):
        if connection.vendor == "postgresql":
            with closing(sqlite3.connect(kept)) as file:
                _load(file)
        yield


def _load(file: sqlite3.Connection) -> None:
    """Make the tables of the earlier version on another database, and put the same rows
    into them.
    """
    applied: dict[str, str] = dict(
        file.execute("SELECT app, name FROM django_migrations ORDER BY id")
    )
    executor = MigrationExecutor(connection)
    executor.migrate(
        [(app, name) for app, name in applied.items() if app in executor.loader.migrated_apps]
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SET session_replication_role = replica"
        )  # Neither order nor guards matter for rows that were right.
        for table in set(connection.introspection.table_names(cursor)) - {"django_migrations"}:
            cursor.execute(f'DELETE FROM "{table}"')
            _load_table(file, cursor, table)
        cursor.execute("SET session_replication_role = origin")


def _load_table(file: sqlite3.Connection, cursor: Any, table: str) -> None:
    columns = [row[1] for row in file.execute(f'PRAGMA table_info("{table}")')]
    types = _types(cursor, table)
    names = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join(f"%s::{types[column]}" for column in columns)
    for row in file.execute(f'SELECT {names} FROM "{table}"'):
        values = [
            value if value is None or types[column] != "boolean" else bool(value)
            for column, value in zip(columns, row, strict=True)
        ]
        cursor.execute(
            f'INSERT INTO "{table}" ({names}) OVERRIDING SYSTEM VALUE VALUES ({marks})', values
        )
    if types.get("id", "").endswith(("int", "integer")):
        cursor.execute(
            f"""SELECT setval(pg_get_serial_sequence('"{table}"', 'id'), max(id)) FROM "{table}" """
        )


def _types(cursor: Any, table: str) -> dict[str, str]:
    cursor.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s",
        [table],
    )
    return dict(cursor.fetchall())


def test_after_one_command_it_says_what_it_said(
    earlier: None, capsys: pytest.CaptureFixture[str]
) -> None:
    told: dict[str, Any] = json.loads(
        lzma.decompress((SAMPLES / "earlier_salon.json.xz").read_bytes())
    )

    with suppress(SystemExit):
        call_command("rebuild")
    salon = Salon.objects.get()
    said = answers(owner_of(salon))
    told["ledger/"] = without_games_not_played(told["ledger/"])

    assert "26 games folded again" in capsys.readouterr().out
    assert (made_by(salon), audit(salon).findings) == ("", [])
    assert len(told) > 200
    assert [
        address for address, answer in told.items() if not within(answer, said.get(address))
    ] == []


def without_games_not_played(books: dict[str, Any]) -> dict[str, Any]:
    """What chips were won in how many games, as the ledger counts since: the game that was not
    played, whose chips all went back, is none.
    """
    unplayed = set(
        GameSeat.objects.filter(game__not_played=True).values_list("player_id", flat=True)
    )
    won = [
        each | {"games": each["games"] - (each["player"]["id"] in unplayed)}
        for each in books["won"]
    ]
    return books | {"won": [each for each in won if each["games"]]}


@pytest.mark.long
def test_who_sat_where_is_right_before_anybody_rebuilds(earlier: None) -> None:
    """A server that was started without `rebuild` neither takes a game from its players nor shows a
    draw too early.
    """
    call_command("migrate", interactive=False, verbosity=0)
    salon = Salon.objects.get()

    assert [
        each
        for each in differences(salon, mend=False, progress=lambda done: None)
        if each.table in FILLED and each.column != "state"  # says more since, with defaults
    ] == []
    flags = {
        name: Game.objects.filter(**{name: True}).count()
        for name in ("final", "disputed", "not_played")
    }
    assert flags == {"final": 1, "disputed": 1, "not_played": 1}
    assert (GameSeat.objects.count(), TournamentPlayer.objects.count()) == (68, 32)
    assert (
        Tournament.objects.filter(practice=True).count(),
        TournamentRound.objects.filter(published=True).count(),
    ) == (1, 4)


def within(earlier: Any, now: Any) -> bool:
    """Whether an answer says all that it said; a later version may say more besides."""
    if isinstance(earlier, dict):
        return isinstance(now, dict) and all(
            key in now and within(value, now[key]) for key, value in earlier.items()
        )
    if isinstance(earlier, list):
        return isinstance(now, list) and len(earlier) == len(now) and all(map(within, earlier, now))
    return bool(earlier == now)
