"""Make everything ready to serve: the tables of the database, its guards, the static files, the key of a first visit."""

import hashlib
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connections

from tournament.access import has_owner
from tournament.opening import new_key
from tournament.secret import keep


def prepare() -> str:
    """Everything that must hold before the first request; the key for the first visit, "" when the salon has an owner."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("check", databases=list(settings.DATABASES), stdout=StringIO())  # its "no issues" is no news
    publish_static_files()
    key = "" if has_owner() else new_key()
    connections.close_all()  # A connection must not live on in the web process that is forked from here.
    return key


def publish_static_files() -> None:
    """Collect the static files when they are not those collected last; the names tell their content."""
    stamp_file = Path(settings.STATIC_ROOT) / "stamp.txt"
    stamp = _stamp()
    if stamp_file.exists() and stamp_file.read_text(encoding="ascii") == stamp:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    keep(stamp_file, stamp)


def _stamp() -> str:
    """A digest of the name, size and time of every static file there is."""
    return hashlib.sha256("\n".join(sorted(_files())).encode()).hexdigest()


def _files() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list(None):
            found = Path(storage.path(name)).stat()
            yield f"{name} {found.st_size} {found.st_mtime_ns}"
