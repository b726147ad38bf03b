"""Which salon a command is about, a database that is ready for it, and what else a command is
handed: the text of a file or of standard input, an e-mail address.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.db.migrations.executor import MigrationExecutor

from ledger.store import open_log
from tournament.management.console import terminal_output
from tournament.models import Salon

FIRST_SLUG = "salon"
PATIENCE = 8  # seconds without a further table before nobody seems to be making any
LARGEST = 100_000  # bytes; a checkpoint with its proof and signatures is far smaller


def add_salon(
    parser: ArgumentParser, help: str = "the salon; without it the only one there is"
) -> None:
    """The option `--salon`, by which a command is about one of several."""
    parser.add_argument("--salon", metavar="SLUG", help=help)


@contextmanager
def database_in_words() -> Iterator[None]:
    """Raise CommandError where the database can't be reached, read or written."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        if (
            not isinstance(error, OperationalError | InterfaceError)
            and type(error) is not DatabaseError
        ):
            raise  # That is a fault of this program, and the database is well.
        first_line = str(error).strip().partition("\n")[0]
        raise CommandError(f"The database can't be used: {first_line}.") from error


def ready_database() -> None:
    """Make the tables of an empty database.

    Raises CommandError where the database is of another version than this program.
    """
    _not_newer()
    failure = _make_tables() if _is_empty() else None
    if _is_ready():
        return
    if failure is not None:
        raise failure
    raise CommandError("The database is of an older version; run `manage.py migrate` first.")


def update_database() -> None:
    """Make the tables of an empty database, and those of an older version what they are now.

    Raises CommandError where the database is of a newer version than this program.
    """
    _not_newer()
    if _count_unapplied():
        call_command("migrate", interactive=False, verbosity=0)


def the_salon(slug: str | None, *, make: bool = False) -> Salon:
    """The salon with this slug, or the only one there is; with `make` a first one named `salon`
    where there is none.

    Raises CommandError when it isn't clear which salon is meant.
    """
    if slug is not None:
        salon = Salon.objects.filter(slug=slug).first()
        if salon is None:
            raise CommandError(f"There is no salon {slug!r}; {_choices()}")
        return salon
    salons = list(Salon.objects.all()[:2])
    if len(salons) > 1:
        raise CommandError(f"Say which salon with --salon; {_choices()}")
    if salons:
        return salons[0]
    if not make:
        raise CommandError(
            "There is no salon yet; `manage.py record` or the first visit makes one."
        )
    return _first_salon()


def _first_salon() -> Salon:
    try:
        with transaction.atomic():
            return Salon.objects.create(slug=FIRST_SLUG, name="Salon", log=open_log())
    except IntegrityError:  # another process made it a moment ago
        return Salon.objects.get(slug=FIRST_SLUG)


def _choices() -> str:
    slugs = ", ".join(Salon.objects.order_by("slug").values_list("slug", flat=True))
    return f"there are: {slugs}." if slugs else "there is none yet."


def _is_empty() -> bool:
    with connection.cursor() as cursor:
        return not connection.introspection.table_names(cursor)


def _make_tables() -> DatabaseError | None:
    """Why they could not be made: of two processes that make them at once one goes on, and the
    other fails.
    """
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        return error
    return None


def _is_ready() -> bool:
    """Whether every table is there, or comes while we wait: another process may be making them just
    now.
    """
    left, until = _count_unapplied(), time.monotonic() + PATIENCE
    while left and time.monotonic() < until:
        time.sleep(0.1)
        now = _count_unapplied()
        if now != left:
            left, until = now, time.monotonic() + PATIENCE
    return not left


def _count_unapplied() -> int:
    """Return the number of migrations that have not been applied."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _not_newer() -> None:
    if _is_newer():
        raise CommandError("The database is of a newer version than this program.")


def _is_newer() -> bool:
    """Whether a migration was applied to our own tables that this program doesn't know."""
    loader = MigrationExecutor(connection).loader
    return any(
        app in {"ledger", "tournament"} and (app, name) not in loader.disk_migrations
        for app, name in loader.applied_migrations
    )


class SalonCommand(BaseCommand):
    """A command that finds its tables ready.

    It says in words where the database can't be used, and stops quietly when nobody reads on.
    """

    requires_system_checks = ()
    ready = staticmethod(ready_database)

    @terminal_output()
    @database_in_words()
    def execute(self, *args: object, **options: object) -> str | None:
        """Make the database ready, then do what the command does."""
        self.ready()
        return super().execute(*args, **options)


def text_of(name: str) -> str:
    """The text of the file of this name, or of standard input for `-`, its lines ended as notes
    have them.

    Raises CommandError for one that can't be read or is no text of that size.
    """
    try:
        written = sys.stdin.buffer.read(LARGEST + 1) if name == "-" else _read_bytes(Path(name))
        text = written.decode()
    except OSError as error:
        raise CommandError(f"{name} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is no text in UTF-8.") from error
    if len(written) > LARGEST:
        raise CommandError(f"{name} is too long for a checkpoint.")
    return text.replace("\r\n", "\n")


def check_address(email: str) -> None:
    """Raise CommandError for what is no e-mail address."""
    try:
        validate_email(email)
    except ValidationError as error:
        raise CommandError(f"{email!r} is no e-mail address.") from error


def _read_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)
