"""`manage.py tournament import FILE…` and `export [ID…]`: whole tournaments in and out as
salon-tournament/1.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from tournament.domain.standings.reading import read_tournament
from tournament.exchange.tournament_records import export_tournaments, import_tournament
from tournament.management.console import as_json, print_line
from tournament.management.files import add_file_arguments, each_in, say_outcome
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Salon
from tournament.salons.public_names import Audience
from tournament.streams.short_addresses import tournament_named

ACTOR = "command-line"


class Command(SalonCommand):
    """Import: exit status 1 when a tournament was refused, the others are stored. Export: one
    object a line.
    """

    help = "Store tournaments from files, or print those of the salon, as salon-tournament/1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do, the files or ids, the salon, and how to print."""
        add_salon(parser)
        what = parser.add_subparsers(dest="what", required=True, metavar="import|export")
        importing = what.add_parser(
            "import", help="store tournaments; the same one again changes nothing"
        )
        add_file_arguments(importing, "tournament")
        add_salon(importing, "the salon; without it the only one there is, or a new one")
        exporting = what.add_parser("export", help="print tournaments, one a line")
        exporting.add_argument(
            "ids",
            nargs="*",
            metavar="ID",
            help="tournaments by id or short address; without any all of them",
        )
        add_salon(exporting)

    def handle(self, *, what: str, salon: str | None, **options: Any) -> None:  # noqa: ANN401 - each word has options of its own
        """Import or export, one tournament after another."""
        if what == "export":
            _export(the_salon(salon), options["ids"])
            return
        place = the_salon(salon, make=True)

        def store(value: object) -> None:
            read = read_tournament(value)
            outcome = import_tournament(place, read, actor=ACTOR)
            say_outcome(read.id, outcome, json=options["json"])

        each_in(options["files"], store, json=options["json"])


def _export(salon: Salon, ids: list[str]) -> None:
    found = {identity: tournament_named(salon, identity) for identity in ids}
    missing = [identity for identity, row in found.items() if row is None]
    if missing:
        raise CommandError(f"The salon has no tournament {missing[0]!r}.")
    for written in export_tournaments(
        salon, [row.record for row in found.values() if row is not None], Audience.SALON
    ):
        print_line(as_json(written))
