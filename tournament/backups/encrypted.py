"""Whether a backup is encrypted."""

from pathlib import Path

from django.core.management.base import CommandError

from tournament.backups.encryption import is_encrypted


def needs_passphrase(path: Path) -> bool:
    """Whether a passphrase opens it. Raises CommandError for a file that can't be read."""
    try:
        with path.open("rb") as file:
            return is_encrypted(file)
    except OSError as fault:
        raise CommandError(f"{path} can't be read: {fault.strerror}.") from fault
