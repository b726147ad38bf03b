"""`manage.py score FILE…`: what recorded games come to. It needs no database and stores nothing."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from scoring.errors import Refusal
from scoring.records import decide_record, identity_of, read_record
from tournament.exchange.game_records import plain_record
from tournament.formats.record_files import Found, records_in
from tournament.management.console import (
    OUT,
    as_json,
    heard,
    reading,
    refused,
    refused_in_words,
    result_table,
    say,
)


class Command(BaseCommand):
    """Score every game of the files; exit status 1 when one was refused."""

    help = "Print what recorded games come to; nothing is stored and no database is needed."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and how to print."""
        parser.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="a game, or one a line, as salon-record/1",
        )
        parser.add_argument(
            "--json", action="store_true", help="one JSON object a game instead of tables"
        )

    @heard()
    def handle(self, *, files: list[Path], json: bool, **_options: object) -> None:
        """Score one game after another, in the order read."""
        all_good = True
        with reading(files) as advance:
            for path in files:
                for found in records_in(path, advance):
                    all_good &= _print_scored(found, json=json)
        if not all_good:
            sys.exit(1)


def _print_scored(found: Found, *, json: bool) -> bool:
    try:
        if found.error is not None:
            raise found.error
        record = plain_record(read_record(found.value))
        _, state = decide_record(record)
    except Refusal as refusal:
        identity = identity_of(found.value)
        say(
            as_json(refused(identity, refusal))
            if json
            else refused_in_words(found.where, identity, refusal)
        )
        return False
    result = record.game.result(state)
    if json:
        say(as_json(result))
    else:
        OUT.print(
            result_table(
                f"{record.start.record}, {record.game.title}", record.game.result_table(result)
            )
        )
    return True
