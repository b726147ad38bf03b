"""`manage.py record FILE…`: store whole games from files, each of them entirely or not at all."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from scoring.errors import Refusal
from scoring.records import identity_of, read_record
from tournament.exchange.game_records import record_file
from tournament.formats.record_files import Found, records_in
from tournament.management.console import as_json, heard, reading, refused, refused_in_words, say
from tournament.management.salon_argument import database_in_words, ready_database, the_salon
from tournament.models import Salon

ACTOR = "command-line"


class Command(BaseCommand):
    """Store every game of the files; exit status 1 when one was refused, the others are stored."""

    help = "Store recorded games; the same game again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, the salon, and how to print."""
        parser.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="a game, or one a line, as salon-record/1",
        )
        parser.add_argument(
            "--salon",
            metavar="SLUG",
            help="the salon; without it the only one there is, or a new one",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a game")

    @heard()
    @database_in_words()
    def handle(
        self, *, files: list[Path], salon: str | None, json: bool, **_options: object
    ) -> None:
        """Store one game after another, in the order read."""
        ready_database()
        place = the_salon(salon, make=True)
        all_good = True
        with reading(files) as advance:
            for path in files:
                for found in records_in(path, advance):
                    all_good &= _print_recorded(place, found, json=json)
        if not all_good:
            sys.exit(1)


def _print_recorded(salon: Salon, found: Found, *, json: bool) -> bool:
    try:
        if found.error is not None:
            raise found.error
        record = read_record(found.value)
        outcome = record_file(salon, record, actor=ACTOR)
    except Refusal as refusal:
        identity = identity_of(found.value)
        say(
            as_json(refused(identity, refusal))
            if json
            else refused_in_words(found.where, identity, refusal)
        )
        return False
    say(
        as_json({"id": record.start.record, "outcome": outcome})
        if json
        else f"{record.start.record}: {outcome}"
    )
    return True
