"""Make everything ready to serve: the tables of the database, its guards, the static files, the key
of a first visit.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files import locks
from django.core.management import call_command
from django.db import connections

from tournament.accounts.access import has_owner
from tournament.server.environment.first_owner import new_key
from tournament.server.environment.secret_file import write_secret


def prepare() -> str:
    """Everything that must hold before the first request; the key for the first visit, "" when the
    salon has an owner.
    """
    call_command("migrate", interactive=False, verbosity=0)
    # Its "no issues" is no news.
    call_command("check", databases=list(settings.DATABASES), stdout=StringIO())
    publish_static_files()
    key = "" if has_owner() else new_key()
    # A connection must not live on in the web process that is forked from here.
    connections.close_all()
    return key


def publish_static_files() -> None:
    """Collect the static files when they are not those collected last; the names tell their
    content.

    Servers that begin at the same time from one copy of the program wait for the first: each would
    take away what the others write.
    """
    stamp_file, stamp = Path(settings.STATIC_ROOT) / "stamp.txt", _stamp()
    if _says(stamp_file, stamp):
        return
    with _alone_in(stamp_file.parent):
        if not _says(stamp_file, stamp):
            call_command("collectstatic", interactive=False, verbosity=0)
            write_secret(stamp_file, stamp)


def _says(file: Path, stamp: str) -> bool:
    return file.exists() and file.read_text(encoding="ascii") == stamp


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "publishing.lock").open("a", encoding="ascii") as lock:
        locks.lock(lock, locks.LOCK_EX)
        yield


def _stamp() -> str:
    """A digest of the name, size and time of every static file there is."""
    return hashlib.sha256("\n".join(sorted(_files())).encode()).hexdigest()


def _files() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list(None):
            found = Path(storage.path(name)).stat()
            yield f"{name} {found.st_size} {found.st_mtime_ns}"
