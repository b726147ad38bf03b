"""Make a backup: sign what there is, copy the database, and put it with the keys into one file,
whole or not at all: when somebody asks for it, and every night by itself.
"""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp

from django.conf import settings

from ledger import times
from ledger.checkpoints import make
from ledger.last_signed import NOTHING, LastSigned, OlderThanSigned, as_text, recall_last_signed
from ledger.models import Log
from ledger.signing import origin_of
from tournament.backups import folder as folders
from tournament.backups.backup_file import POSTGRESQL, SECRET, LogPart, Manifest, part_of, write
from tournament.backups.database_copy import NotCopied, bytes_of_database, copy_database
from tournament.backups.folder import (
    PARTIAL,
    AtWork,
    Backup,
    NotedOutcome,
    backups_in,
    read_outcome,
    rotate,
    the_folder,
)
from tournament.integrity.audit_runs import due_by_night
from tournament.integrity.signing_keys import FOLDER, NOT_SIGNED, load_keyring, open_signed_last
from tournament.models import Salon
from tournament.server.environment.secret_file import settle

AFTER_A_FAILURE = timedelta(hours=1)


class NotBackedUp(Exception):
    """No backup was made; the message says why, and nothing is left behind."""


def back_up(
    folder: Path, *, passphrase: str = "", nightly: bool = False
) -> tuple[Backup, Manifest]:
    """A backup of the whole server in this folder. What it came to is noted there. Raises
    NotBackedUp.
    """
    now = times.now()
    try:
        with folders.alone_in(folder):
            made = _write_backup(folder, now, passphrase=passphrase, nightly=nightly)
    except AtWork as busy:
        raise NotBackedUp(f"{busy}") from busy
    except (OSError, NotCopied) as fault:
        words = _in_words(fault, folder)
        folders.note(folder, "backup", NotedOutcome(at=now, error=words))
        raise NotBackedUp(words) from fault
    folders.note(folder, "backup", NotedOutcome(at=now, name=made[0].name))
    return made


def _write_backup(
    folder: Path, now: int, *, passphrase: str, nightly: bool
) -> tuple[Backup, Manifest]:
    if shutil.disk_usage(folder).free < bytes_of_database():
        raise OSError(errno.ENOSPC, "the copy would not fit")
    unsigned, work = _sign_logs(now), Path(mkdtemp(dir=folder, prefix=PARTIAL))
    try:
        database, logs = copy_database(work)
        files = {database.name: database} | _secrets(work)
        manifest = Manifest(
            made_at=now,
            database="postgresql" if database.name == POSTGRESQL else "sqlite",
            logs=tuple(logs),
            files=tuple(part_of(name, path) for name, path in files.items()),
            left_out=tuple(name for name in ("SECRET_KEY", "SIGNING_KEY") if os.environ.get(name)),
            unsigned=tuple(unsigned),
        )
        partial = work / "backup"
        with partial.open("wb") as file:
            partial.chmod(0o600)
            write(file, manifest, files, passphrase=passphrase)
            file.flush()
            os.fsync(file.fileno())
        target = folder / _name(manifest, nightly=nightly, encrypted=bool(passphrase))
        partial.replace(target)
        settle(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return next(each for each in folders.backups_in(folder) if each.path == target), manifest


def _sign_logs(now: int) -> list[str]:
    """Sign every log. Return the reasons why some could not be signed. They are copied all
    the same: a copy of a damaged log is better than none.
    """
    refused = []
    for log in Log.objects.filter(position__gt=0).order_by("pk"):
        try:
            make(log, load_keyring(), now=now)
        except NOT_SIGNED as fault:
            refused.append(f"{origin_of(log)}: {fault}")
    return refused


def _secrets(work: Path) -> dict[str, Path]:
    """The files of secrets by their names in the backup. What was signed last is as the present
    memory has it: never ahead of the copied database, since that was signed before it was copied
    and nothing is taken from it."""
    data = Path(settings.DATA_DIR)
    own = (data / SECRET).is_file() and not os.environ.get("SECRET_KEY")
    found = {SECRET: data / SECRET} if own else {}
    keys = sorted((data / FOLDER).glob("[0-9a-f]*")) if (data / FOLDER).is_dir() else []
    found |= {f"{FOLDER}/{each.name}": each for each in keys if each.suffix in {"", ".origin"}}
    for log in Log.objects.order_by("pk"):
        text = _read_accepted(log)
        if text:
            path = work / f"{log.key}.last"
            path.write_text(text, encoding="ascii")
            found[f"{FOLDER}/{path.name}"] = path
    return found


def _read_accepted(log: Log) -> str:
    """Return the state accepted before, so that another machine knows it too; the copied
    rows themselves have the last signature.
    """
    try:
        last: LastSigned = recall_last_signed(open_signed_last(), origin_of(log))
    except OlderThanSigned:
        return ""
    return as_text(replace(NOTHING, accepted=last.accepted)) if last.accepted else ""


def _name(manifest: Manifest, *, nightly: bool, encrypted: bool) -> str:
    made = times.moment(manifest.made_at)
    size, root = _checkpoint(manifest.logs)
    begins = "accord-nightly" if nightly else "accord"
    ends = "tar.gz.enc" if encrypted else "tar.gz"
    return f"{begins}-{made:%Y%m%d-%H%M%S}-{size}-{root}.{ends}"


def _checkpoint(logs: Sequence[LogPart]) -> tuple[int, str]:
    """The size and the beginning of the root that are signed; of several logs their sum, and a
    digest of all of them.
    """
    signed = [log for log in logs if log.size]
    if not signed:
        return 0, "unsigned"
    if len(signed) == 1:
        return signed[0].size, signed[0].root[:16]
    said = json.dumps([[log.key, log.size, log.root] for log in signed])
    return sum(log.size for log in signed), hashlib.sha256(said.encode()).hexdigest()[:16]


def _in_words(fault: OSError | NotCopied, folder: Path) -> str:
    if isinstance(fault, OSError) and fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"the disk of {folder} is full"
    if isinstance(fault, OSError):
        return f"{folder} can't be written: {fault.strerror or fault}"
    return f"the database can't be copied: {fault}"


def is_due(now: datetime) -> bool:
    """Whether a nightly backup waits to be made: none today, and it is night where the first salon
    is, or none for two days.

    One in the future was made while a clock was ahead, and puts off none. After one that failed an
    hour passes.
    """
    first = Salon.objects.order_by("pk").first()
    if first is None or not any(settings.BACKUP_KEEP):
        return False
    last = next(
        (each.made_at for each in backups_in(the_folder()) if each.nightly), first.created_at
    )
    tried = read_outcome(the_folder(), "backup")
    if tried is not None and tried.error and timedelta(0) <= now - tried.moment < AFTER_A_FAILURE:
        return False
    return due_by_night(now - last, now, first)


def back_up_now(*, nightly: bool) -> Backup:
    """A backup in the folder of the settings, encrypted where they have a passphrase; then the
    rotation. Raises NotBackedUp.
    """
    made, _manifest = back_up(the_folder(), passphrase=settings.BACKUP_PASSPHRASE, nightly=nightly)
    days, weeks = settings.BACKUP_KEEP
    if nightly:
        rotate(the_folder(), days=days, weeks=weeks)
    return made
