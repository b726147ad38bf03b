"""`manage.py serve`: one command from nothing to a salon that answers, ends cleanly and comes back
when killed.
"""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import OwnDatabase, a_copy
from tests.tournament.helpers.background_buttons import (
    press_every_button,
    salon_with_work,
    served_environment,
)
from tests.tournament.helpers.running import (
    PATIENCE,
    ROOT,
    Running,
    free_port,
    own_environment,
    running,
    wait_for,
)
from tournament.server.process import granian as server

pytestmark = pytest.mark.anywhere  # it serves on SQLite, whatever else there is

CLOCK_STARTS = "beat: Starting..."
APPEND = """
import django, sys, uuid
django.setup()
from ledger.models import Log
from ledger.store import CommandClaim, Draft, append, open_log
log = Log.objects.first() or open_log()
stream = uuid.uuid4().hex
draft = Draft(stream=stream, type="test.happened", schema=1, occurred_at=1, body=b"{}")
append(log.pk, CommandClaim(id=str(uuid.uuid4()), actor="user:1", content=b""), [draft] * 450,
  expected={stream: 0}, now=1)
"""


def refused(folder: Path, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=ROOT, env={**own_environment(), "ACCORD_DATA": str(folder), **environment},
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def made(database_template: str, tmp_path: Path) -> Path:
    """A folder whose database has been made before: on SQLite a copy of the migrated one, so that
    nobody waits for it again.
    """
    (tmp_path / "data").mkdir()
    if Path(database_template).exists():
        shutil.copyfile(database_template, tmp_path / "data" / "accord.sqlite3")
    return tmp_path / "data"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One that was started in an empty folder and keeps a log for machines."""
    environment = {**own_environment(), "LOG_JSON": "1", "LOG_LEVEL": "INFO", "BODY_SECONDS": "1"}
    with running(tmp_path_factory.mktemp("service") / "data", environment) as service:
        yield service


def test_from_an_empty_folder_it_makes_all_it_needs_and_answers(service: Running) -> None:
    assert stat.S_IMODE(service.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((service.folder / "secret-key").stat().st_mode) == 0o600
    assert "This salon is not open yet" in service.get("")


def test_while_nobody_owns_the_salon_it_prints_a_key_and_keeps_only_its_digest(
    service: Running,
) -> None:
    key = service.first_visit().removeprefix("first-visit/").rstrip("/")

    assert "Open your salon" in service.get(f"first-visit/{key}/")
    assert stat.S_IMODE((service.folder / "first-visit").stat().st_mode) == 0o600
    assert key not in (service.folder / "first-visit").read_text()


def test_what_it_says_has_its_address_and_a_code_for_the_phone(service: Running) -> None:
    assert wait_for(lambda: "Ctrl-C" in service.said())

    assert f"http://localhost:{service.url.split(':')[2]}" in service.said()
    assert "█▄▄▄█" in service.said()
    assert '"level": "warning"' not in service.said()


def test_a_second_server_on_the_same_data_is_refused(service: Running) -> None:
    assert "already serves" in refused(service.folder, "--port", str(free_port()))


def test_static_files_are_named_by_content_compressed_and_kept_by_the_browser(
    service: Running,
) -> None:
    name = service.get("welcome/").split('href="/static/accord/tokens')[1].split('"')[0]
    request = urllib.request.Request(
        f"{service.url}static/accord/tokens{name}", headers={"Accept-Encoding": "gzip"}
    )

    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_logs_are_json_lines_when_asked_for(service: Running) -> None:
    assert wait_for(lambda: CLOCK_STARTS in service.said())

    lines = [json.loads(line) for line in service.said().splitlines() if line.startswith("{")]

    assert any(
        line["event"] == CLOCK_STARTS and line["level"] == "info" and line["timestamp"]
        for line in lines
    )


def test_whoever_doesn_t_send_the_rest_of_a_body_is_told_so_and_loses_the_connection(
    service: Running,
) -> None:
    """Several at once: the server by itself kept half of them, more or less by chance."""
    half = b"POST /api/v1/salons/a/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na=1"
    port = int(service.url.split(":")[2].strip("/"))
    with ExitStack() as stack:
        doors = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            for _ in range(8)
        ]
        for door in doors:
            door.sendall(half)
        answers = [b"".join(iter(partial(door.recv, 65536), b"")) for door in doors]

    for answer in answers:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408")
        assert b"content-type: application/problem+json" in head
        assert (json.loads(body)["status"], json.loads(body)["code"]) == (408, "too_slow")


@pytest.mark.long
def test_with_a_broker_server_the_web_process_does_no_background_work(made: Path) -> None:
    broker = f"redis://127.0.0.1:{free_port()}/0"

    with running(
        made, {**own_environment(), "CELERY_BROKER_URL": broker, "LOG_LEVEL": "INFO"}
    ) as service:
        assert wait_for(lambda: "Ctrl-C" in service.said())
        assert CLOCK_STARTS not in service.said()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)]
)
def test_it_ends_cleanly(made: Path, number: int) -> None:
    with running(made) as service:
        assert service.end(number) == 0

    assert "Traceback" not in service.said()
    assert service.said().rstrip().endswith("Closed.")
    assert not service.answers()


@pytest.mark.long
def test_ctrl_c_reaches_both_processes_at_once_and_still_ends_cleanly(made: Path) -> None:
    with running(made) as service:
        os.kill(service.web_process(), signal.SIGINT)
        assert service.end(signal.SIGINT) == 0

    assert "Traceback" not in service.said()


def test_a_killed_web_process_comes_back_and_does_not_outlive_its_parent(made: Path) -> None:
    with running(made) as service:
        for _ in range(2):
            killed = service.web_process()
            os.kill(killed, signal.SIGKILL)
            assert wait_for(service.answers)
            assert wait_for(partial(service.has_lost, killed))
            assert service.web_process() != killed
        service.end(signal.SIGKILL)
        assert wait_for(lambda: not service.answers())
        with running(made) as again:
            assert again.answers()


@pytest.mark.long
def test_what_was_recorded_before_a_kill_is_there_and_checked_after_it(
    own_database: OwnDatabase, tmp_path: Path
) -> None:
    from ledger.models import Log
    from tournament.models import Progress

    environment = {
        name: value
        for name, value in own_database.environment.items()
        if name != "CELERY_BROKER_URL"
    }
    with running(tmp_path / "data", environment) as service:
        for events in (450, 900):
            subprocess.run(
                [sys.executable, "-c", APPEND],
                cwd=ROOT,
                env=environment,
                check=True,
                timeout=PATIENCE,
            )
            os.kill(service.web_process(), signal.SIGKILL)
            checked = Progress.objects.filter(projection="checked", position=events, error="")
            assert wait_for(checked.exists)

    assert Log.objects.get().position == 900


def test_a_port_that_was_asked_for_and_is_taken_is_refused(tmp_path: Path) -> None:
    with closing(socket.socket()) as door:
        door.bind(("0.0.0.0", 0))
        door.listen()

        assert "is taken" in refused(tmp_path / "data", "--port", str(door.getsockname()[1]))


def test_by_default_there_are_as_many_web_processes_as_cores_and_one_that_works_behind_them(
    made: Path,
) -> None:
    environment = {**own_environment(), "LOG_LEVEL": "INFO"}
    with running(made, environment, processes=server.web_processes()) as service:
        worker = service.background_process()
        assert wait_for(lambda: len(service.children()) == server.web_processes() + 1)
        assert wait_for(lambda: service.said().count(CLOCK_STARTS) == 1)

        os.kill(worker, signal.SIGKILL)
        assert wait_for(lambda: service.said().count(CLOCK_STARTS) == 2)
        assert service.background_process() != worker
        assert service.end() == 0
    assert not Path(f"/proc/{worker}").exists()


class Deaths:
    """In the place of granian: each web process lives for so many seconds of a clock of its own;
    the last ends as asked.
    """

    def __init__(self, *lives: float) -> None:
        self.lives, self.now, self.begun = list(lives), 0.0, 0

    def on_startup(self, _say: object) -> None:
        """Nobody is told."""

    def serve(self) -> None:
        """Live for a while, then die, or end where no other life is left."""
        self.begun += 1
        if self.lives:
            self.now += self.lives.pop(0)
            raise SystemExit(1)

    interrupt_signal = False


@pytest.mark.parametrize(
    ("lives", "stays"),
    [((1, 1, 1, 1), True), ((1, 1, 1, 1, 1), False), ((1, 1, 1, 1, 3600, 1), True)],
)
def test_it_gives_up_only_where_five_web_processes_died_within_a_minute(
    lives: tuple[float, ...], stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    granian = Deaths(*lives)
    monkeypatch.setattr(server, "_granian", lambda _door: granian)
    monkeypatch.setattr(server, "time", SimpleNamespace(monotonic=lambda: granian.now))

    assert server.serve(server.Door(host="127.0.0.1", port=1), when_ready=lambda: None) is stays
    assert granian.begun == len(lives) + stays


@pytest.mark.parametrize("processes", [None, 1])
def test_every_button_that_starts_background_work_does_it(
    database_template: str, made: Path, django_db_blocker: DjangoDbBlocker, processes: int | None
) -> None:
    if not Path(database_template).exists():
        pytest.skip("SQLite alone is served without a broker here")
    with (
        django_db_blocker.unblock(),
        a_copy(database_template, made / "accord.sqlite3"),
    ):
        owner = salon_with_work()
        environment = served_environment(own_environment())
        with running(made, environment, processes=processes) as service:
            press_every_button(owner, service, made / "backups")


@pytest.mark.parametrize(
    ("what", "words"), [("database", "its database can't be used"), ("folder", "read-only or full")]
)
def test_a_damaged_database_and_a_disk_that_takes_nothing_are_said_in_words(
    made: Path, what: str, words: str
) -> None:
    if what == "database":
        (made / "accord.sqlite3").write_bytes(b"no database at all, not even nearly " * 400)
    else:
        (made / "serving.lock").mkdir()

    assert words in refused(made, "--port", str(free_port()))
