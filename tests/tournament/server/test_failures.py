"""What is away or full is said in words, to programs as problem details; what can go on goes on."""

import errno
import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.core.cache import caches
from django.db import OperationalError, connection, transaction
from django.test import Client
from pytest_django.fixtures import Settings

from ledger.reading import head_of
from ledger.store import KNOWN_HEADS
from scoring.precedence.commands import OpenHand
from tests.tournament.helpers.running import free_port
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import a_salon, act, sit_down
from tournament.accounts.login_limits import (
    WRONG_TRIES,
    LoginAttempt,
    note_wrong_try,
    seconds_to_wait,
)
from tournament.models import Game, Salon
from tournament.pages.common import health
from tournament.server.http import cache_backend
from tournament.server.http.failures import failure_of
from tournament.streams.folds import MEMORY, fold_of


@pytest.fixture
def without_redis(settings: Settings) -> Iterator[None]:
    """The shared memory is a Redis server at which nobody listens."""
    settings.CACHES = {
        "default": {"BACKEND": settings_backend(), "LOCATION": f"redis://127.0.0.1:{free_port()}/0"}
    }
    yield
    cache_backend._alone_until.clear()


def settings_backend() -> str:
    """What a server with REDIS_URL uses."""
    return f"{cache_backend.SharedOrOwn.__module__}.{cache_backend.SharedOrOwn.__name__}"


@contextmanager
def the_database_says(
    error: BaseException, *, because: BaseException | None = None
) -> Iterator[None]:
    """Every statement fails so."""

    def failing(*_args: Any) -> Any:
        raise error from because

    with connection.execute_wrapper(failing):
        yield


def client() -> Client:
    return Client(raise_request_exception=False)


FULL_POSTGRESQL = psycopg.errors.DiskFull("could not extend file")
FAILURES = {
    "away": (
        OperationalError("server closed the connection"),
        None,
        503,
        "database_away",
        "The database doesn't answer",
    ),
    "full on SQLite": (
        OperationalError("database or disk is full"),
        None,
        507,
        "disk_full",
        "no room left",
    ),
    "full on PostgreSQL": (
        OperationalError("could not extend file"),
        FULL_POSTGRESQL,
        507,
        "disk_full",
        "no room left",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_program_is_told_what_the_database_can_t_do(salon: Salon, name: str) -> None:
    error, because, status, code, words = FAILURES[name]

    with the_database_says(error, because=because):
        answer = client().get(f"/api/v1/salons/{salon.slug}/games/")

    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert (answer.json()["status"], answer.json()["code"]) == (status, code)
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("path", ["/", "/sign-in/", "/tournaments/", "/salons/x/tables/"])
def test_a_page_says_what_the_database_can_t_do(salon: Salon, name: str, path: str) -> None:
    error, because, status, _code, words = FAILURES[name]
    owner = owner_of(salon)
    owner.raise_request_exception = False

    with the_database_says(error, because=because):
        answer = owner.get(path)

    assert answer.status_code == status
    assert words in answer.text.replace("&#x27;", "'")
    assert (answer.get("Retry-After") is not None) is (status == 503)


def test_a_fault_of_our_own_is_no_database_that_is_away(salon: Salon) -> None:
    wrong = sqlite3.OperationalError("no such column: x")
    wrong.sqlite_errorcode = sqlite3.SQLITE_ERROR
    with the_database_says(OperationalError("no such column: x"), because=wrong):
        answer = client().get(f"/api/v1/salons/{salon.slug}/games/")

    assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (
        500,
        "application/problem+json",
        "our_error",
    )
    assert failure_of(ValueError()) is None


@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html"), ("/api/v1/salons/x/games/", "application/problem+json")]
)
def test_what_can_t_be_read_at_all_is_said_to_be_so(salon: Salon, path: str, kind: str) -> None:
    answer = client().get(path, headers={"Host": "[::1"})

    assert answer.status_code == 400
    assert answer["Content-Type"].startswith(kind)
    assert "can't be read here" in answer.text.replace("&#x27;", "'")


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL has no limit of its own to reach"
)
def test_an_act_that_finds_no_room_is_refused_whole_and_taken_once_there_is_room(
    own_database: object,
) -> None:
    salon = opened_salon()
    owner = owner_of(salon)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(OperationalError, match="full"):
        _begin_games(salon)
    games = list(Game.objects.all())

    key, refused, game = next(
        (key, answer, game)
        for game in games
        if (answer := an_act(owner, game, key := str(uuid.uuid4()))).status_code != 201
    )
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")
    assert Game.objects.get(pk=game.pk).version == game.version
    taken = an_act(owner, game, key)

    assert (refused.status_code, refused.json()["code"]) == (507, "disk_full")
    assert taken.status_code == 201
    assert Game.objects.get(pk=game.pk).version == taken.json()["version"]


def _begin_games(salon: Salon) -> None:
    for _ in range(500):
        sit_down(salon)


def an_act(owner: Client, game: Game, key: str) -> Any:
    """North deals the next hand, said by the API."""
    return owner.post(
        f"/api/v1/salons/{game.salon.slug}/games/{game.pk}/acts/hands/",
        json.dumps({"dealer": "N"}),
        content_type="application/json",
        headers={"Idempotency-Key": key, "If-Match": f'"{game.version}"'},
    )


def test_with_redis_away_the_api_reads_and_writes(salon: Salon, without_redis: None) -> None:
    owner = owner_of(salon)
    game = sit_down(salon)

    assert owner.get(f"/api/v1/salons/{salon.slug}/games/").status_code == 200
    written = an_act(owner, game, str(uuid.uuid4()))
    assert written.status_code == 201, written.content


def test_with_redis_away_wrong_tries_are_counted_by_the_process(without_redis: None) -> None:
    tried = LoginAttempt(target=f"table:{uuid.uuid4()}", address="192.0.2.1")
    for _ in range(WRONG_TRIES):
        assert seconds_to_wait(tried) == 0
        note_wrong_try(tried)

    assert seconds_to_wait(tried) > 0


def test_with_redis_away_every_question_to_the_shared_memory_has_an_answer(
    without_redis: None,
) -> None:
    cache = caches["default"]

    assert (
        cache.add("a", 1),
        cache.add("a", 2),
        cache.get("a"),
        cache.incr("a", 4),
        cache.has_key("a"),
    ) == (True, False, 1, 5, True)
    cache.set("b", 2)
    cache.set_many({"c": 3})
    assert (cache.get_many(["a", "b", "c"]), cache.touch("b"), cache.delete("b")) == (
        {"a": 5, "b": 2, "c": 3},
        True,
        True,
    )
    assert cache.get_or_set("d", 4) == 4
    cache.delete_many(["a"])
    assert cache.get("a") is None
    cache.clear()
    assert cache.get("c") is None
    with pytest.raises(ValueError, match="not found"):
        cache.incr("c")


@pytest.fixture
def health_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_last_answer", (float("-inf"), ""))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "the disk is full: nothing can be recorded\n",
        ),
        (OSError(errno.EROFS, "Read-only file system"), "nothing can be recorded\n"),
        (
            OperationalError("database or disk is full"),
            "the disk is full: nothing can be recorded\n",
        ),
    ],
)
def test_health_says_that_nothing_can_be_recorded(
    salon: Salon,
    health_unknown: None,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    words: str,
) -> None:
    def failing() -> None:
        raise error

    monkeypatch.setattr(health, "_write", failing)

    answer = Client().get("/healthz")

    assert (answer.status_code, answer.text) == (503, words)


def test_health_tries_to_write_once_in_a_while_however_often_it_is_asked(
    salon: Salon, health_unknown: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = list[int]()
    monkeypatch.setattr(health, "_write", lambda: tries.append(1))

    assert [Client().get("/healthz").text for _ in range(20)] == ["ok\n"] * 20
    assert len(tries) == 1


def test_trying_to_write_leaves_nothing_behind(own_database: object) -> None:
    a_salon()
    folder = health._folder()
    before = {path for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm"))}

    health._write()

    assert {path for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm"))} == before


def test_an_older_copy_in_the_database_s_place_is_seen_at_once(own_database: object) -> None:
    """What a process remembers of games was folded from a log that went further."""
    salon = a_salon()
    game = sit_down(salon)
    with transaction.atomic():
        act(salon, game.pk, OpenHand(dealer="N"), version=game.version)
        lost, head = fold_of(salon.log_id, game.pk), head_of(salon.log_id)
        transaction.set_rollback(True)
    assert lost is not None
    MEMORY._remember((salon.log_id, game.pk), lost)
    KNOWN_HEADS[salon.log_id] = head

    folded = fold_of(salon.log_id, game.pk)

    assert folded is not None
    assert folded.version == game.version < lost.version
    assert act(salon, game.pk, OpenHand(dealer="E"), version=game.version).version > game.version
