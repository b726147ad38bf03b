"""`manage.py tournament import FILE…` and `export [ID…]`: whole tournaments in and out as
salon-tournament/1.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.errors import Refusal
from scoring.records import identity_of
from tournament.domain.standings.reading import read_tournament
from tournament.exchange.tournament_records import export_tournaments, import_tournament
from tournament.formats.record_files import Found, records_in
from tournament.management.console import as_json, heard, reading, refused, refused_in_words, say
from tournament.management.salon_argument import database_in_words, ready_database, the_salon
from tournament.models import Salon
from tournament.salons.public_names import Audience
from tournament.streams.short_addresses import tournament_named

ACTOR = "command-line"


class Command(BaseCommand):
    """Import: exit status 1 when a tournament was refused, the others are stored. Export: one
    object a line.
    """

    help = "Store tournaments from files, or print those of the salon, as salon-tournament/1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do, the files or ids, the salon, and how to print."""
        parser.add_argument(
            "--salon", metavar="SLUG", help="the salon; without it the only one there is"
        )
        what = parser.add_subparsers(dest="what", required=True, metavar="import|export")
        importing = what.add_parser(
            "import", help="store tournaments; the same one again changes nothing"
        )
        importing.add_argument(
            "files", nargs="+", type=Path, metavar="FILE", help="a tournament, or one a line"
        )
        importing.add_argument(
            "--salon",
            metavar="SLUG",
            help="the salon; without it the only one there is, or a new one",
        )
        importing.add_argument("--json", action="store_true", help="one JSON object a tournament")
        exporting = what.add_parser("export", help="print tournaments, one a line")
        exporting.add_argument(
            "ids",
            nargs="*",
            metavar="ID",
            help="tournaments by id or short address; without any all of them",
        )
        exporting.add_argument(
            "--salon", metavar="SLUG", help="the salon; without it the only one there is"
        )

    @heard()
    @database_in_words()
    def handle(self, *, what: str, salon: str | None, **options: Any) -> None:  # noqa: ANN401 - each word has options of its own
        """Import or export, one tournament after another."""
        ready_database()
        if what == "export":
            _export(the_salon(salon), options["ids"])
            return
        place = the_salon(salon, make=True)
        all_good = True
        with reading(options["files"]) as advance:
            for path in options["files"]:
                for found in records_in(path, advance):
                    all_good &= _print_imported(place, found, json=options["json"])
        if not all_good:
            sys.exit(1)


def _export(salon: Salon, ids: list[str]) -> None:
    found = {identity: tournament_named(salon, identity) for identity in ids}
    missing = [identity for identity, row in found.items() if row is None]
    if missing:
        raise CommandError(f"The salon has no tournament {missing[0]!r}.")
    for written in export_tournaments(
        salon, [row.record for row in found.values() if row is not None], Audience.SALON
    ):
        say(as_json(written))


def _print_imported(salon: Salon, found: Found, *, json: bool) -> bool:
    try:
        if found.error is not None:
            raise found.error
        tournament = read_tournament(found.value)
        outcome = import_tournament(salon, tournament, actor=ACTOR)
    except Refusal as refusal:
        identity = identity_of(found.value)
        say(
            as_json(refused(identity, refusal))
            if json
            else refused_in_words(found.where, identity, refusal)
        )
        return False
    say(
        as_json({"id": tournament.id, "outcome": outcome})
        if json
        else f"{tournament.id}: {outcome}"
    )
    return True
