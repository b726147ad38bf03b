"""With a broker server, a real Celery worker does the background work and Redis counts wrong
passwords.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from ledger.drafts import CommandClaim, Draft
from ledger.reading import head_of
from ledger.store import append, open_log
from tests.conftest import OwnDatabase
from tests.tournament.helpers.background_buttons import (
    press_every_button,
    salon_with_work,
    served_environment,
)
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.running import PATIENCE, ROOT, running, wait_for
from tests.tournament.helpers.salons import opened_salon
from tournament import tasks
from tournament.accounts import login_limits
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Progress, new_id
from tournament.projections.background import as_of
from tournament.projections.computed import reckonings
from tournament.projections.generations import compare_reckonings
from tournament.projections.registry import COMPUTED_PROJECTIONS
from tournament.projections.standings import standings_of

BROKER = os.environ.get("CELERY_BROKER_URL", "")

pytestmark = [
    pytest.mark.redis,
    pytest.mark.skipif(
        not BROKER.startswith("redis"), reason="CELERY_BROKER_URL names no Redis server"
    ),
]


@pytest.fixture(autouse=True)
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One test at a time, in whatever process: they share the broker server and its queue."""
    with (tmp_path_factory.getbasetemp().parent / "broker").open("w") as place:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield


@pytest.fixture
def workers(
    own_database: OwnDatabase, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two workers, one of them with the clock."""
    started = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "celery",
                "-A",
                "tournament",
                "worker",
                *clock,
                "--concurrency",
                "2",
                "--loglevel",
                "WARNING",
            ],
            cwd=ROOT,
            env={**own_database.environment, "ACCORD_DATA": str(tmp_path_factory.mktemp("worker"))},
            start_new_session=True,
        )
        for clock in (["-n", "one"], ["-n", "two", "--beat"])
    ]
    yield started
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=PATIENCE)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of the worker, and of those who serve beside it."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def worker(own_database: OwnDatabase, data: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = {
        **served_environment(own_database.environment),
        "ACCORD_DATA": str(data),
    }
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "tournament",
        "worker",
        "--beat",
        "--concurrency",
        "1",
        "--loglevel",
        "WARNING",
    ]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    yield process
    process.terminate()
    process.wait(timeout=PATIENCE)


def test_a_worker_and_its_clock_find_a_log_that_moved(worker: subprocess.Popen[bytes]) -> None:
    log, stream = open_log(), new_id()
    draft = Draft(stream=stream, type="test.happened", schema=1, occurred_at=1, body=b"{}")

    append(
        log.pk,
        CommandClaim(id=new_id(), actor="user:1", content=b""),
        [draft] * 3,
        expected={stream: 0},
        now=1,
    )

    assert wait_for(
        lambda: Progress.objects.filter(
            log=log, projection="checked", position=3, error=""
        ).exists()
    )
    assert worker.poll() is None


def test_two_workers_with_doubled_hints_one_of_them_killed_come_to_the_same_standings(
    workers: list[subprocess.Popen[bytes]],
) -> None:
    salon = opened_salon()
    row = in_round_1(salon, 6)
    for table in (1, 2, 3):
        does(row, result(table, 250 + table, 180))
        for _ in range(10):
            tasks.look_at.apply_async((salon.log_id,))
        if table == 1:
            assert wait_for(lambda: Progress.objects.filter(projection="standings").exists())
            os.killpg(workers[0].pid, signal.SIGKILL)
    does(row, CloseRound(round=1))

    head = head_of(salon.log_id).position
    assert wait_for(lambda: as_of(salon.log_id, "standings", row.pk) == head)
    assert [state for _, _, state in reckonings(salon.log_id, "standings")] == [
        standings_of(salon, row.pk)
    ]
    assert not Progress.objects.exclude(error="").exists()
    assert wait_for(lambda: not list(compare_reckonings(salon, COMPUTED_PROJECTIONS, mend=False)))


def test_every_button_that_starts_background_work_does_it_beside_a_broker(
    worker: subprocess.Popen[bytes], own_database: OwnDatabase, data: Path
) -> None:
    owner = salon_with_work()

    with running(data, served_environment(own_database.environment), processes=4) as service:
        press_every_button(owner, service, data / "backups")
    assert worker.poll() is None


def test_all_processes_count_wrong_tries_together(settings: Settings) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": BROKER}
    }
    tried = login_limits.LoginAttempt(
        target=f"account:{new_id()}", address="192.0.2.1", device=new_id()
    )

    for _ in range(login_limits.WRONG_TRIES):
        assert login_limits.seconds_to_wait(tried) == 0
        login_limits.note_wrong_try(tried)

    assert login_limits.seconds_to_wait(tried) > 55
    login_limits.forget(tried)
    assert login_limits.seconds_to_wait(tried) == 0
