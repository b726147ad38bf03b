"""CPU that the dearest addresses of a visitor without an account cost a running server: the first
time and again, beside what `/healthz` costs. One web process, SQLite, standard settings; children
that typeset count too.

    uv run python -m tests.benchmarks.anonymous [DATA_FOLDER]

The folder holds a salon with one large event; without it 400 pairs play nine rounds first, which
takes some minutes.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.tournament.helpers.running import PATIENCE, ROOT, Running, own_environment, running

EVENT = (
    "results.atom",
    "",
    "standings/",
    "rounds/5/",
    "rounds/9/?all=1",
    "entries/1/",
    "entries/1/points/",
    "entries/200/points/",
    "files/results.xlsx",
    "files/results.pdf?round=3",
    "files/results.pdf",
    "files/standings.pdf",
    "files/seats.pdf",
)
API = (
    "",
    "standings/",
    "standings/?after_round=5",
    "rounds/9/",
    "entries/1/points/",
    "sheets/results/xlsx/",
    "sheets/seats/xlsx/",
)
TICKS = os.sysconf("SC_CLK_TCK")
# A server without an owner shows nobody anything but how to become one.
OWNED = """
from django.contrib.auth import get_user_model
owner = get_user_model().objects.create_user("owner@salon.example")
Membership.objects.create(salon=Salon.objects.get(), user=owner, role="owner")
"""
PROBES = 200  # of `/healthz`, which alone costs less than a tick


def main() -> None:
    """Print a line for every address."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _simulated(Path(temporary) / "data")
        salon, event = _large_event(folder)
        with running(
            folder, {**own_environment(), "CPU_SECONDS_OF_ONE_ADDRESS": "100000"}
        ) as service:
            service.get("tables/")
            probe = sum(_cost(service, "healthz")[0] for _ in range(PROBES)) / PROBES
            print(f"{'first':>7} {'again':>7} {'x healthz':>9} {'kB':>6}  (healthz {probe:.4f} s)")
            for address in _addresses(salon, event):
                first, size = _cost(service, address)
                again, _size = _cost(service, address)
                shown = address.replace(event, "…")
                print(f"{first:7.2f} {again:7.2f} {again / probe:9.0f} {size // 1000:6}  {shown}")


def _addresses(salon: str, event: str) -> Iterator[str]:
    yield from ("api/docs/", "api/openapi.json")
    yield from (f"tournaments/{event}/{each}" for each in EVENT)
    yield from (f"api/v1/salons/{salon}/tournaments/{event}/{each}" for each in API)


def _simulated(folder: Path) -> Path:
    folder.mkdir()
    event = "simulate", "--entries", "400", "--rounds", "9", "--seed", "1"
    for command in (("migrate",), event, ("shell", "--command", OWNED)):
        environment = {**own_environment(), "ACCORD_DATA": str(folder)}
        subprocess.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True
        )
    return folder


def _large_event(folder: Path) -> tuple[str, str]:
    """The salon and the id of the event with the most entries in its log."""
    with closing(sqlite3.connect(folder / "accord.sqlite3")) as database:
        return database.execute(  # type: ignore[no-any-return]
            "SELECT s.slug, t.id FROM tournament_tournament t JOIN tournament_salon s "
            "ON s.id = t.salon_id ORDER BY t.version DESC LIMIT 1"
        ).fetchone()


def _cost(service: Running, address: str) -> tuple[float, int]:
    """Seconds of CPU of the web process and its children, and the bytes of the answer."""
    web = service.web_process()
    before, size = _seconds(web), 0
    try:
        with urllib.request.urlopen(f"{service.url}{address}", timeout=PATIENCE) as answer:
            size = len(answer.read())
    except urllib.error.HTTPError as refused:
        print(f"{refused.code} {address}")
    return _seconds(web) - before, size


def _seconds(process: int) -> float:
    """CPU of a process, of its children that ended and of those that are at work."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = {each for task in tasks for each in (task / "children").read_text().split()}
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(_seconds(int(each)) for each in children)


if __name__ == "__main__":
    main()
