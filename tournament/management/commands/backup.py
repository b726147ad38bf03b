"""`manage.py backup`: the whole server in one file, while it runs."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from tournament.backups.folder import rotate, the_folder
from tournament.backups.make import NotBackedUp, back_up
from tournament.backups.passphrase import add_passphrase, ask_passphrase
from tournament.management.console import print_json, print_line
from tournament.management.salon_argument import SalonCommand


class Command(SalonCommand):
    """Exit status 1 and no file where anything of it could not be written."""

    help = (
        "Back up the whole server while it runs: database, secret key and signing keys "
        "in one file, which has the checkpoint in its name."
        " Never copy the database file itself: the copy lacks what was recorded last."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder, and whether the backup is encrypted."""
        parser.add_argument(
            "folder",
            nargs="?",
            type=Path,
            metavar="DEST",
            help="the folder it is written into; without it BACKUPS",
        )
        parser.add_argument(
            "--encrypt",
            action="store_true",
            help="encrypt it; the passphrase is asked for, or BACKUP_PASSPHRASE",
        )
        parser.add_argument(
            "--rotate",
            action="store_true",
            help="as the schedule does: a nightly one, and old nightly ones go",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")
        add_passphrase(parser)

    def handle(
        self,
        *,
        folder: Path | None,
        encrypt: bool,
        rotate: bool,
        passphrase_file: Path | None,
        json: bool,
        **_: object,
    ) -> None:
        """Write it, and say where it is and what is not in it."""
        target = folder or the_folder()
        passphrase = ask_passphrase(
            passphrase_file, twice=True, needed=encrypt or passphrase_file is not None
        )
        try:
            made, manifest = back_up(target, passphrase=passphrase, nightly=rotate)
        except NotBackedUp as fault:
            raise CommandError(f"There is no backup: {fault}.") from fault
        gone = _rotate_backups(target) if rotate else []
        if json:
            said = {
                "file": str(made.path),
                "bytes": made.bytes,
                "checkpoint": {"size": made.size, "root": made.root},
            }
            logs = [
                {
                    "salon": log.slug,
                    "log": log.key,
                    "events": log.events,
                    "size": log.size,
                    "root": log.root,
                }
                for log in manifest.logs
            ]
            print_json(
                **said, logs=logs, left_out=manifest.left_out, unsigned=manifest.unsigned, gone=gone
            )
            return
        salons = "salon" if len(manifest.logs) == 1 else "salons"
        print_line(
            f"{made.path}: {manifest.events} events, {len(manifest.logs)} {salons}, "
            f"{made.bytes} bytes."
        )
        print_line(
            "Whoever has it can read all that the salons keep to themselves."
            if not made.encrypted
            else "Without the passphrase nobody opens it."
        )
        for name in manifest.left_out:
            print_line(f"{name} comes from the environment and is not in it: keep it elsewhere.")
        for each in manifest.unsigned:
            print_line(f"not signed: {each}.")


def _rotate_backups(folder: Path) -> list[str]:
    days, weeks = settings.BACKUP_KEEP
    return [each.name for each in rotate(folder, days=days, weeks=weeks)]
