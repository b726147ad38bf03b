"""A drill: restore the newest backup at a place of its own, audit it there, and compare it with the
log here by its checkpoint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ledger import times
from tournament.backups import folder as folders
from tournament.backups.backup_file import BackupRefused
from tournament.backups.database_copy import NotCopied
from tournament.backups.folder import NotedOutcome
from tournament.backups.verify_backup import (
    Compared,
    TriedBackup,
    apart,
    backup_on_trial,
    compare_logs,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """The outcome of a drill: the faults, each a sentence; none if the backup could take
    the place of the data here.
    """

    name: str
    events: int
    salons: int
    faults: Sequence[str]
    compared: Sequence[Compared]


def drill(path: Path, *, passphrase: str = "") -> Drill:
    """Try a backup out; the result is noted beside the backups. Nothing here is changed."""
    began = times.now()
    try:
        with apart() as folder, backup_on_trial(path, folder, passphrase=passphrase) as found:
            done = _judge_backup(path, found)
    except (BackupRefused, NotCopied, OSError) as fault:
        done = Drill(name=path.name, events=0, salons=0, faults=[f"{fault}"], compared=[])
    words = f"{done.salons} salons with {done.events} events"
    said = NotedOutcome(at=began, name=done.name, error="; ".join(done.faults[:3]), words=words)
    folders.note(folders.the_folder(), "drill", said)
    return done


def _judge_backup(path: Path, found: TriedBackup) -> Drill:
    beside, held = compare_logs(found.manifest), found.manifest
    faults = [*found.findings, *(words for each in beside if (words := _fault(each)))]
    size = {"events": held.events, "salons": len(held.logs)}
    return Drill(name=path.name, faults=faults, compared=beside, **size)


def _fault(each: Compared) -> str:
    """Return the difference between a log here and that of the backup; "" if the one here
    continues the other.
    """
    if each.other_history or not each.holds:
        return (
            f"{each.salon or each.log}: the log here does not begin with what the backup "
            f"has, up to its checkpoint of {each.size} lines"
        )
    if each.ahead:
        return f"{each.salon or each.log}: the backup has {each.ahead} lines more than the log here"
    return ""
