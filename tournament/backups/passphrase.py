"""Reads a passphrase from a prompt, a file, or the environment; never from the command
line, which everyone on the machine can see.
"""

import getpass
import os
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from tournament.backups.encryption import is_encrypted

VARIABLE = "BACKUP_PASSPHRASE"
LEAST = 12  # characters


def add_passphrase(parser: ArgumentParser) -> None:
    """The option by which a command is told of a file."""
    words = f"the passphrase is its first line; else {VARIABLE}, or asked for"
    parser.add_argument("--passphrase-file", type=Path, metavar="FILE", help=words)


def ask_passphrase(file: Path | None, *, twice: bool, needed: bool) -> str:
    """Return the passphrase, "" if none is needed. Raises CommandError if it is missing or
    too short.
    """
    if not needed:
        return ""
    found = (
        _from_file(file) if file is not None else os.environ.get(VARIABLE) or _prompt(twice=twice)
    )
    if len(found) < LEAST:
        raise CommandError(f"A passphrase of at least {LEAST} characters is expected.")
    return found


def passphrase_of(backup: Path, file: Path | None) -> str:
    """The passphrase that opens a backup, "" for one that isn't encrypted. Raises CommandError as
    `ask_passphrase`, and for a backup that can't be read.
    """
    try:
        with backup.open("rb") as opened:
            needed = is_encrypted(opened)
    except OSError as fault:
        raise CommandError(f"{backup} can't be read: {fault.strerror}.") from fault
    return ask_passphrase(file, twice=False, needed=needed)


def _from_file(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, ValueError) as fault:
        raise CommandError(f"{file} can't be read: {fault}.") from fault


def _prompt(*, twice: bool) -> str:
    if not sys.stdin.isatty():
        raise CommandError(f"A passphrase is needed: give --passphrase-file or {VARIABLE}.")
    found = getpass.getpass("Passphrase: ")
    if twice and getpass.getpass("Once more: ") != found:
        raise CommandError("The two are not the same.")
    return found
