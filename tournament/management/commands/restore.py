"""`manage.py restore`: put a backup in the place of what is here."""

from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from ledger.models import Log
from tournament.backups.backup_file import BackupRefused
from tournament.backups.database_copy import NotCopied
from tournament.backups.folder import the_folder
from tournament.backups.make import NotBackedUp, back_up
from tournament.backups.passphrase import add_passphrase, passphrase_of
from tournament.backups.restore import InUse, database_file, place
from tournament.backups.resume_restore import RestoreAtWork, alone
from tournament.backups.verify_backup import (
    Compared,
    TriedBackup,
    apart,
    backup_on_trial,
    compare_logs,
)
from tournament.integrity.signing_keys import older_than_signed
from tournament.management.console import print_json, print_line, terminal_output
from tournament.management.salon_argument import ready_database
from tournament.server.process.embedded_worker import AlreadyServed, hold_the_only_place


class Command(BaseCommand):
    """Exit status 1 and nothing changed where the backup is not whole and sound, or something would
    be lost unasked.
    """

    help = (
        "Restore a backup: it is unpacked and audited first, then takes the place of "
        "what is here, whole or not at all."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which backup, and whether it may take the place of a salon."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a file that `backup` wrote")
        parser.add_argument(
            "--over",
            action="store_true",
            help="take the place of what was recorded here; it prints what is lost",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")
        add_passphrase(parser)

    @terminal_output()
    def handle(
        self,
        *,
        file: Path,
        over: bool,
        passphrase_file: Path | None,
        json: bool,
        **_options: object,
    ) -> None:
        """Check all of it, say what would be lost, then put it in place."""
        passphrase = passphrase_of(file, passphrase_file)
        try:
            with ExitStack() as held:
                held.enter_context(alone(Path(settings.DATA_DIR)))
                held.enter_context(hold_the_only_place(settings.DATA_DIR, seconds=0))
                found = held.enter_context(
                    backup_on_trial(file, held.enter_context(apart()), passphrase=passphrase)
                )
                said, kept = _restore_backup(found, over=over)
        except (
            BackupRefused,
            NotCopied,
            InUse,
            AlreadyServed,
            RestoreAtWork,
            NotBackedUp,
        ) as refused:
            raise CommandError(f"Nothing was restored: {str(refused).rstrip('.')}.") from refused
        except OSError as error:
            raise CommandError(f"Nothing was restored: {error.strerror or error}.") from error
        older = _older()
        if json:
            lost = [asdict(each) for each in said]
            print_json(
                restored=found.manifest.events, compared=lost, before=str(kept or ""), older=older
            )
            return
        print_line(
            "\n".join(
                [*_list_losses(said), f"{file.name} is restored: {found.manifest.events} events."]
            )
        )
        if kept:
            print_line(
                f"What was here before is kept as {kept}; take it away once it isn't needed."
            )
        for name in found.manifest.left_out:
            print_line(f"{name} came from the environment there: set it here too.")
        for slug in older:
            print_line(
                f"{slug}: more was signed here than the backup has. If that is meant: manage.py "
                f"keys --accept-rollback --salon {slug}"
            )


def _restore_backup(found: TriedBackup, *, over: bool) -> tuple[list[Compared], Path | None]:
    if found.findings:
        raise BackupRefused(f"its audit found: {found.findings[0]}")
    if (found.manifest.database == "sqlite") != (database_file() is not None):
        raise BackupRefused(
            f"it is of {found.manifest.database}, and DATABASE_URL is of another kind"
        )
    try:
        ready_database()
        said = compare_logs(found.manifest)
        taken = Log.objects.filter(position__gt=0).exists()
    except (DatabaseError, CommandError):
        said, taken = [], True  # A database that can't be read may still be somebody's.
        if not over:
            raise BackupRefused(
                "the database here can't be read; say --over to put the backup in its place"
            ) from None
    if taken and not over:
        raise BackupRefused(
            "\n".join(
                [
                    "something was recorded here.",
                    *_list_losses(said),
                    "Say --over if that is meant",
                ]
            )
        )
    saved = (
        back_up(the_folder())[0].path if taken and found.manifest.database == "postgresql" else None
    )
    kept = place(found)
    if kept and not taken:
        kept.unlink()  # Nothing was recorded in it.
        kept = None
    return said, kept or saved


def _list_losses(said: Sequence[Compared]) -> list[str]:
    return [_in_words(each) for each in said] or ["Nothing is lost."]


def _in_words(each: Compared) -> str:
    name = each.salon or each.log
    if each.missing:
        return f"{name}: the backup has no such salon: all its {each.here} events are lost."
    if each.other_history:
        return (
            f"{name}: another history: what was recorded here in {each.here} events is lost, "
            f"the backup has {each.there}."
        )
    if each.lost:
        return f"{name}: {each.lost} events after event {each.there} are lost."
    return f"{name}: nothing is lost" + (
        f", the backup has {each.ahead} events more." if each.ahead else "."
    )


def _older() -> list[str]:
    """The salons of which more was signed here than there is now."""
    connections.close_all()
    try:
        return [
            log.salon.slug
            for log in Log.objects.order_by("pk")
            if hasattr(log, "salon") and older_than_signed(log)
        ]
    except DatabaseError:
        return []
