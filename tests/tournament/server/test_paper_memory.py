"""However many sheets are asked for on paper, the web process stays as large as it was."""

import urllib.request
from pathlib import Path

import pytest

from tests.conftest import OwnDatabase
from tests.tournament.helpers.running import PATIENCE, Running, running
from tests.tournament.helpers.salons import opened_salon
from tournament.demo.evening import play_evening_of_pairs
from tournament.models import Tournament

SHEETS = 50
MOST = 100  # MB


def fetch(service: Running, row: Tournament, number: int) -> int:
    """The bytes of a sheet that nobody asked for yet: it says another address of the salon."""
    headers = {"Host": f"salon{number}", "X-Forwarded-For": f"192.0.2.{number}"}
    request = urllib.request.Request(
        f"{service.url}tournaments/{row.pk}/files/results.pdf", headers=headers
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return len(answer.read())


@pytest.mark.long
def test_fifty_sheets_leave_the_web_process_as_large_as_it_was(
    own_database: OwnDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {
        name: value
        for name, value in own_database.environment.items()
        if name not in ("CELERY_BROKER_URL", "REDIS_URL")
    }
    play_evening_of_pairs(
        opened_salon(),
        entries=32,
        rounds=5,
        seed=1,
        hands=1,
        actor="user:1",
        progress=lambda done: None,
    )
    row = Tournament.objects.get()

    with running(tmp_path / "data", {**environment, "PROXIES": "1"}) as service:
        sizes = [fetch(service, row, 0)]
        before = service.megabytes()
        sizes += [fetch(service, row, number) for number in range(1, SHEETS)]
        after = service.megabytes()
        kept = len(list((service.folder / "papers").glob("*.pdf")))

    with capsys.disabled():
        print(
            f"\n{SHEETS} sheets of {max(sizes) // 1024} kB: {before:.0f} MB before, "
            f"{after:.0f} MB after"
        )
    assert kept == SHEETS
    assert after - before < MOST
