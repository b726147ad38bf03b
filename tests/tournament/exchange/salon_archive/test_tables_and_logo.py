"""Tables that were renamed or retired, and a logo, come along with their salon; archives from
before there were any are read.
"""

from collections.abc import Callable
from pathlib import Path

from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.salons import played_salon
from tests.tournament.exchange.salon_archive.taking_in import taken, written
from tests.tournament.helpers.pictures import a_png
from tests.tournament.helpers.playing import a_command
from tournament.exchange.salon_archive.file_format import TableLine, line_of
from tournament.models import Logo, Salon, Table
from tournament.projections.audit import audit
from tournament.recording.house_rules import set_logo, set_paper, set_place
from tournament.recording.tables.salon_tables import add_tables, rename_table, retire_table
from tournament.recording.tables.table_labels import labels_of, tables_of


def test_tables_place_and_logo_come_along(
    own_database: object, another_server: Server, tmp_path: Path
) -> None:
    salon = played_salon(2)
    acts: list[Callable[[dict[str, str]], object]] = [
        lambda by: add_tables(salon, ["30", "31"], **by),
        lambda by: rename_table(salon, "30", "Window", **by),
        lambda by: rename_table(salon, "31", "30", **by),
        lambda by: retire_table(salon, "Window", **by),
        lambda by: set_place(salon, time_zone="Europe/Lisbon", language="en-us", **by),
        lambda by: set_paper(salon, "letter", **by),
        lambda by: set_logo(salon, a_png(), **by),
    ]
    for act in acts:
        act({"actor": "user:1", "command": a_command()})
    archive, there = written(salon, tmp_path / "a"), labels_of(salon)
    with another_server():
        taken(archive)
        came = Salon.objects.get()
        assert labels_of(came) == there
        assert [table.label for table in tables_of(came, retired=True)] == ["Window"]
        assert (came.time_zone, came.language) == ("Europe/Lisbon", "en-us")
        assert came.paper == "letter"
        assert came.logo == Logo.objects.get().digest
        assert bytes(Logo.objects.get().content) == a_png()
        assert Table.objects.filter(number=None).count() == 0
        assert list(audit(came)) == []


def test_a_table_of_an_older_archive_is_written_as_it_was() -> None:
    assert line_of(TableLine(label="1")) == b'{"table":{"label":"1"}}\n'
