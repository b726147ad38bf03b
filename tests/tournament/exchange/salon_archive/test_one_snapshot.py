"""Whatever is recorded while a file is written, the file is of one moment, and another server takes
it in.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from ledger.models import Event
from ledger.reading import snapshot
from tests.conftest import OwnDatabase
from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.salons import sign
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import everything, new_command, recorded, simple, sit_down
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.auditors_export import auditors_file
from tournament.integrity.signing_keys import load_keyring
from tournament.management.commands import salon as command
from tournament.models import Salon, StockSeed
from tournament.recording import stocks


@pytest.fixture
def salon(own_database: OwnDatabase) -> Salon:
    place = opened_salon()
    recorded(place, everything())
    sign(place)
    return place


def meanwhile(act: Callable[[], object]) -> None:
    """Do it from a connection of its own, to its end."""

    def done() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=done)
    thread.start()
    thread.join()


def play_on(salon: Salon) -> None:
    stocks.draw(salon, name="drawn meanwhile", actor="a", command=new_command())
    sit_down(salon, {"N": "New", "E": "Names", "S": "Come", "W": "In"}, new_command())


def written(lines: Iterator[bytes], path: Path, salon: Salon) -> Path:
    """The file, with much happening after its first line."""
    with path.open("wb") as file:
        for number, line in enumerate(lines):
            file.write(line)
            if not number:
                meanwhile(lambda: play_on(salon))
    return path


def test_an_archive_written_while_a_stock_is_drawn_is_taken_in(
    salon: Salon, another_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(archive_of(salon, load_keyring()), tmp_path / "salon.jsonl", salon)

    assert StockSeed.objects.exists()
    assert b"drawn meanwhile" not in file.read_bytes()
    assert b"Names" not in file.read_bytes()
    with another_server():
        taken = run(capsys, "salon", "import", file)
        assert (taken.status, taken.err) == (0, ""), taken.out


def test_the_auditors_file_is_of_one_moment(salon: Salon, tmp_path: Path) -> None:
    before = Event.objects.count()
    file = written(auditors_file(salon, load_keyring()), tmp_path / "log.jsonl", salon)

    assert file.read_text().count('"recorded_at"') == before < Event.objects.count()
    assert "Names" not in file.read_text()


def test_a_snapshot_sees_nothing_of_what_is_recorded_meanwhile_and_stops_nobody(
    salon: Salon,
) -> None:
    with snapshot():
        before = Event.objects.count()
        meanwhile(lambda: recorded(salon, simple("meanwhile")))
        assert Event.objects.count() == before
    assert Event.objects.count() > before
    recorded(salon, simple("after"))


def test_a_file_that_no_server_would_take_in_is_named_and_not_left(
    salon: Salon,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    StockSeed.objects.create(pk="a" * 32, salon=salon, seed="0" * 64)
    ran = run(capsys, "salon", "export", tmp_path / "salon.jsonl")

    assert ran.status == 1
    assert f"the seed of stock {'a' * 32} is in the file" in ran.err
    assert list(tmp_path.glob("salon.jsonl*")) == []


def test_a_file_that_was_cut_short_on_the_way_to_the_disk_is_not_left(
    salon: Salon,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        command, "archive_of", lambda *given, **named: list(archive_of(*given, **named))[:-1]
    )
    ran = run(capsys, "salon", "export", tmp_path / "salon.jsonl")

    assert "ends here, before the line that ends an archive" in ran.err
    assert list(tmp_path.glob("salon.jsonl*")) == []


def test_an_archive_that_nobody_reads_to_its_end_keeps_no_transaction(salon: Salon) -> None:
    with closing(archive_of(salon, load_keyring())) as lines:  # type: ignore[type-var]  # a generator, which can be closed
        next(lines)
        assert connection.in_atomic_block
    assert not connection.in_atomic_block
