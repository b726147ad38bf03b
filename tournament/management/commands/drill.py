"""`manage.py drill`: can the newest backup take the place of what is here?"""

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path

from django.core.management.base import CommandError

from tournament.backups.drill import drill
from tournament.backups.folder import backups_in, the_folder
from tournament.backups.passphrase import add_passphrase, passphrase_of
from tournament.management.console import print_json, print_line
from tournament.management.salon_argument import SalonCommand


class Command(SalonCommand):
    """Exit status 0 where the backup is whole, its audit clean, and the log here goes on from its
    checkpoint.
    """

    help = (
        "Restore a backup at a place of its own, audit it there and compare it with the "
        "log here; nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which backup."""
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            metavar="FILE",
            help="the backup; without it the newest in BACKUPS",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")
        add_passphrase(parser)

    def handle(
        self, *, file: Path | None, passphrase_file: Path | None, json: bool, **_options: object
    ) -> None:
        """Try it out, and say what came of it."""
        path = file or _newest()
        passphrase = passphrase_of(path, passphrase_file)
        done = drill(path, passphrase=passphrase)
        if json:
            print_json(**asdict(done), ok=not done.faults)
        else:
            for fault in done.faults:
                print_line(f"{done.name}: {fault}")
            for each in done.compared:
                print_line(
                    f"{each.salon or each.log}: {each.there} events in the backup, {each.here} "
                    f"here."
                )
            print_line(
                f"{done.name}: "
                f"{'it could not take the place of what is here' if done.faults else 'it holds'}."
            )
        if done.faults:
            sys.exit(1)


def _newest() -> Path:
    found = backups_in(the_folder())
    if not found:
        raise CommandError(f"There is no backup in {the_folder()}; `manage.py backup` makes one.")
    return found[0].path
