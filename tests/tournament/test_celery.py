"""With a broker server, a real Celery worker does the background work and Redis counts wrong passwords."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from ledger.store import Claim, Draft, append, open_log
from tests.conftest import OwnDatabase
from tests.tournament.running import ROOT, wait_for
from tournament import limits
from tournament.models import Progress, new_id

BROKER = os.environ.get("CELERY_BROKER_URL", "")

pytestmark = [pytest.mark.redis, pytest.mark.skipif(not BROKER.startswith("redis"), reason="CELERY_BROKER_URL names no Redis server")]


@pytest.fixture
def worker(own_database: OwnDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**own_database.environment, "ACCORD_DATA": str(tmp_path_factory.mktemp("worker"))}
    command = [sys.executable, "-m", "celery", "-A", "tournament", "worker", "--beat", "--concurrency", "1", "--loglevel", "WARNING"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    yield process
    process.terminate()
    process.wait(timeout=30)


def test_a_worker_and_its_clock_find_a_log_that_moved(worker: subprocess.Popen[bytes]) -> None:
    log, stream = open_log(), new_id()
    draft = Draft(stream=stream, type="test.happened", schema=1, occurred_at=1, body=b"{}")

    append(log.pk, Claim(id=new_id(), actor="user:1", content=b""), [draft] * 3, expected={stream: 0}, now=1)

    assert wait_for(lambda: Progress.objects.filter(log=log, projection="checked", position=3, error="").exists(), seconds=40)
    assert worker.poll() is None


def test_all_processes_count_wrong_tries_together(settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": BROKER}}
    key = f"account:{new_id()}"

    for _ in range(limits.WRONG_TRIES):
        assert limits.seconds_to_wait(key) == 0
        limits.note_wrong_try(key)

    assert limits.seconds_to_wait(key, "another") > 55
    limits.forget(key)
    assert limits.seconds_to_wait(key) == 0
