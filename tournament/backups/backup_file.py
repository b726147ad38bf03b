"""The one file of a backup: a compressed tar with a manifest first, which names every other part
with its SHA-256.
"""

import gzip
import hashlib
import io
import json
import re
import shutil
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, cast

from tournament.backups.encryption import NotOpened, Opening, Sealing, is_encrypted
from tournament.server.environment.secret_file import private_folder

FORMAT = "accord-backup/1"
MANIFEST = "manifest.json"
SQLITE, POSTGRESQL = "database.sqlite3", "database.pgdump"
SECRET = "secret-key"  # noqa: S105 - the name of a file
_NAMES = re.compile(
    r"database\.(sqlite3|pgdump)|secret-key|signing-keys/[0-9a-f]{16}(\.origin)?|signing-keys/[0-9a-f]{32}\.last"
)
LARGEST_MANIFEST = 16_000_000
LARGEST_SECRET = 64_000  # bytes of anything but the database
LARGEST_HEAD = 1_000_000  # bytes before a part, and after the last one
ROOM_LEFT = 64_000_000  # bytes of the disk that stay free


class BackupRefused(Exception):
    """A file that is no backup, or not as it was written; the message says what is wrong."""


class PassphraseNeeded(BackupRefused):
    """The backup is encrypted and no passphrase was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A file of the backup."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPart:
    """A log as the backup holds it: its salon, its head, and its newest checkpoint (`size` 0 where
    nothing was signed).
    """

    key: str
    slug: str
    salon: str
    events: int
    hash: str
    recorded_at: int
    size: int
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The contents of a backup. `left_out` names the secrets that come from the
    environment and have to be kept elsewhere.
    """

    made_at: int
    database: str
    logs: tuple[LogPart, ...]
    files: tuple[Part, ...]
    left_out: tuple[str, ...]
    unsigned: tuple[str, ...]
    format: str = FORMAT

    @property
    def events(self) -> int:
        """Of all logs."""
        return sum(log.events for log in self.logs)

    @property
    def database_part(self) -> str:
        """The name of the part that is the database."""
        return {"sqlite": SQLITE, "postgresql": POSTGRESQL}.get(self.database, "")


def part_of(name: str, path: Path) -> Part:
    """Return the manifest's entry for a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Part(name=name, bytes=path.stat().st_size, sha256=digest)


def write(
    file: BinaryIO, manifest: Manifest, files: Mapping[str, Path], *, passphrase: str
) -> None:
    """Write the backup; with a passphrase encrypted."""
    target = Sealing(file, passphrase) if passphrase else file
    with tarfile.open(fileobj=cast("BinaryIO", target), mode="w|gz", compresslevel=1) as tar:
        said = json.dumps(asdict(manifest), sort_keys=True).encode()
        tar.addfile(_entry(MANIFEST, len(said)), io.BytesIO(said))
        for part in manifest.files:
            with files[part.name].open("rb") as content:
                tar.addfile(_entry(part.name, part.bytes), content)
    if isinstance(target, Sealing):
        target.close()


def manifest_of(path: Path, *, passphrase: str = "") -> Manifest:
    """Return the manifest of a backup; nothing else of it is read. Raises BackupRefused,
    OSError.
    """
    with _open_backup(path, passphrase) as (tar, _content):
        return _manifest(tar)


def unpack(path: Path, folder: Path, *, passphrase: str = "") -> Manifest:
    """Put every file of a backup into an empty folder, each as its manifest says, and none that is
    larger. Raises BackupRefused, OSError.
    """
    with _open_backup(path, passphrase, whole=True) as (tar, content):
        manifest = _manifest(tar)
        _check_parts(manifest, folder)
        waiting = {part.name: part for part in manifest.files}
        content.allow(LARGEST_HEAD)
        while (member := tar.next()) is not None:
            part = waiting.pop(member.name, None)
            if part is None or not member.isfile():
                what = "is in the backup, and its manifest has no such file"
                raise BackupRefused(f"{member.name!r} {what}")
            if member.size != part.bytes:
                raise BackupRefused(f"{part.name} is not as large as the manifest says")
            content.allow(part.bytes + LARGEST_HEAD)
            target = folder / part.name
            private_folder(target.parent)
            with target.open("wb") as out:
                target.chmod(0o600)
                shutil.copyfileobj(cast("BinaryIO", tar.extractfile(member)), out, 1 << 20)
            if part_of(part.name, target) != part:
                raise BackupRefused(f"{part.name} is not as it was written")
    if waiting:
        raise BackupRefused(f"{min(waiting)} is missing")
    return manifest


def _check_parts(manifest: Manifest, folder: Path) -> None:
    """Hold the parts that a manifest names against what a backup has, and against the room there is
    for them. Raises BackupRefused.
    """
    names = [part.name for part in manifest.files]
    unknown = [name for name in names if not _NAMES.fullmatch(name)]
    if unknown or len(names) != len(set(names)):
        raise BackupRefused(f"its {MANIFEST} names files that no backup has")
    databases = [name for name in names if name in {SQLITE, POSTGRESQL}]
    if not databases or databases != [manifest.database_part]:
        raise BackupRefused("it holds no database")
    for part in manifest.files:
        if part.name not in databases and part.bytes > LARGEST_SECRET:
            raise BackupRefused(f"{part.name} is far too large")
    room = shutil.disk_usage(folder).free - ROOM_LEFT
    if sum(part.bytes for part in manifest.files) > room:
        raise BackupRefused("the disk has no room for what it holds")


class _Measured:
    """The content of a compressed file, of which no more is read than was allowed."""

    def __init__(self, content: gzip.GzipFile, allowed: int) -> None:
        self._content, self._left = content, allowed

    def allow(self, more: int) -> None:
        """Let so many bytes more be read."""
        self._left += more

    def read(self, size: int) -> bytes:
        """As a file's. Raises BackupRefused."""
        found = self._content.read(size)
        self._left -= len(found)
        if self._left < 0:
            raise BackupRefused("it holds more than its manifest says")
        return found


@contextmanager
def _open_backup(
    path: Path, passphrase: str, *, whole: bool = False
) -> Iterator[tuple[tarfile.TarFile, _Measured]]:
    """Open the parts, and the content they are read from. `whole` reads to the end, where
    the checksum of everything written is: nothing else proves that the manifest is
    unchanged.
    """
    with path.open("rb") as file:
        encrypted = is_encrypted(file)
        if encrypted and not passphrase:
            raise PassphraseNeeded("it is encrypted: a passphrase is needed")
        try:
            source = Opening(file, passphrase) if encrypted else file
            with (
                gzip.open(cast("BinaryIO", source)) as unpacked,
                nullcontext(_Measured(unpacked, LARGEST_MANIFEST + LARGEST_HEAD)) as content,
                tarfile.open(
                    fileobj=cast("BinaryIO", content),
                    mode="r|",
                ) as tar,
            ):
                yield tar, content
                while whole and content.read(1 << 20):
                    pass
        except NotOpened as fault:
            raise BackupRefused(str(fault)) from fault
        except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, ValueError) as fault:
            raise BackupRefused(f"it is no backup, or not as it was written: {fault}") from fault


def _manifest(tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    is_one = first is not None and first.name == MANIFEST and first.isfile()
    if first is None or not is_one or first.size > LARGEST_MANIFEST:
        raise BackupRefused(f"it does not begin with a {MANIFEST}")
    try:
        said = json.loads(cast("BinaryIO", tar.extractfile(first)).read())
        if said["format"] != FORMAT:
            raise BackupRefused(f"it is {said['format']!r}, and this program reads {FORMAT}")
        logs = tuple(LogPart(**each) for each in said["logs"])
        files = tuple(Part(**each) for each in said["files"])
        lists = {name: tuple(said[name]) for name in ("left_out", "unsigned")}
        manifest = Manifest(**said | {"logs": logs, "files": files} | lists)
        sizes = [part.bytes for part in files] + [log.events for log in logs]
        if not all(type(size) is int and size >= 0 for size in sizes):
            raise ValueError("a size is no number")
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise BackupRefused(f"its {MANIFEST} can't be read: {fault}") from fault
    return manifest


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    return entry
