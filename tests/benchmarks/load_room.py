"""A salon whose tables have all begun to play, a `serve` of its own, and what that server's
processes have cost.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 120
SEATS = "NESW"
# A game that goes on for as long as it is measured.
ENDLESS = {"target_score": 1_000_000}
OWNER = "load@example.org"
MAKE = "from tests.benchmarks.load_room import make; make({tables})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A table at which a hand has been opened: its link's token and PIN, and the game there."""

    label: str
    token: str
    pin: str
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The salon as visitors find it: its address, its tables, the session of its owner, and the
    first process of its server.
    """

    port: int
    tables: Sequence[Seated]
    owner: str
    process: int


@contextmanager
def opened(
    environment: Mapping[str, str], *, port: int, tables: int, arguments: Sequence[str]
) -> Iterator[Room]:
    """A room that is served until the end of the block, with the default `serve` unless
    `arguments` say otherwise.
    """
    made = json.loads(_python(environment, "-c", MAKE.format(tables=tables)).splitlines()[-1])
    command = [sys.executable, "manage.py", "serve", "--port", str(port), *arguments]
    with (
        Path(environment["ACCORD_DATA"], "serve.log").open("wb") as log,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            _wait(port, process)
            seated = [Seated(**each) for each in made["tables"]]
            yield Room(port=port, tables=seated, owner=made["owner"], process=process.pid)
        finally:
            process.terminate()


def make(count: int) -> None:
    """In a process of its own: migrate, open a salon with so many tables, begin a hand at each;
    what visitors need is printed as JSON.
    """
    import django

    django.setup()
    from django.contrib.auth import (
        BACKEND_SESSION_KEY,
        HASH_SESSION_KEY,
        SESSION_KEY,
    )
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command
    from django.test import override_settings

    from tournament.accounts.table_links import set_up_tables
    from tournament.models import Salon, Table
    from tournament.server.environment.first_owner import Opening, new_key, open_salon

    call_command("migrate", interactive=False, verbosity=0)
    with TemporaryDirectory() as folder, override_settings(DATA_DIR=Path(folder)):
        new_key()
        owner = open_salon(
            Opening(owner="Load", email=OWNER, password=os.urandom(12).hex(), salon="A full room")
        )
    salon = Salon.objects.get(membership__user=owner)
    first = Table.objects.filter(salon=salon).count()
    set_up_tables(salon, [str(number) for number in range(first + 1, count + 1)])
    session = SessionStore()
    session[SESSION_KEY] = str(owner.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = owner.get_session_auth_hash()
    session.create()
    tables = {table.label: table for table in Table.objects.filter(salon=salon)}
    seated = [_begun(salon, tables[str(number)]) for number in range(1, count + 1)]
    print(json.dumps({"owner": session.session_key, "tables": seated}))


def _begun(salon: object, table: object) -> dict[str, str]:
    from scoring.games import GAMES
    from tournament.models import Salon, Table, new_id
    from tournament.recording.door import record_acts, start_game

    assert isinstance(salon, Salon)
    assert isinstance(table, Table)
    precedence = GAMES["precedence"]
    game = start_game(
        salon,
        actor="user:1",
        command=new_id(),
        kind="precedence",
        players={seat: f"{seat} of {table.label}" for seat in SEATS},
        options=ENDLESS,
        table=table.label,
    )
    act = precedence.acts["hands"]({"dealer": "S"}, precedence.read_rules({}))
    record_acts(salon, game.pk, [act], actor="user:1", command=new_id(), version=game.version)
    return {"label": table.label, "token": table.token, "pin": table.pin, "game": game.pk}


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU seconds of those who answer, and of the background worker, which yields to them."""

    pages: float = 0.0
    background: float = 0.0

    def __sub__(self, before: "Spent") -> "Spent":
        return Spent(self.pages - before.pages, self.background - before.background)

    def __add__(self, more: "Spent") -> "Spent":
        return Spent(self.pages + more.pages, self.background + more.background)

    def __mul__(self, factor: float) -> "Spent":
        return Spent(self.pages * factor, self.background * factor)

    @property
    def in_all(self) -> float:
        return self.pages + self.background


def seconds_of(process: int) -> Spent:
    """What a process and all below it have had so far."""
    spent, waiting = Spent(), [process]
    while waiting:
        each = waiting.pop()
        with suppress(OSError):
            tasks = list(Path(f"/proc/{each}/task").iterdir())
            seconds = sum(_nanoseconds(task) for task in tasks) / 1e9
            yields = os.getpriority(os.PRIO_PROCESS, each) > 0
            spent += Spent(background=seconds) if yields else Spent(pages=seconds)
            for task in tasks:
                waiting += [int(child) for child in (task / "children").read_text().split()]
    return spent


def _nanoseconds(task: Path) -> int:
    with suppress(OSError):
        return int((task / "schedstat").read_text().split()[0])
    return 0


def _python(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        address = f"http://127.0.0.1:{port}/healthz"
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.1)
    raise SystemExit("The server did not start; its log is serve.log in the data folder.")
