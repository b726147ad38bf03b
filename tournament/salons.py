"""Which salon a command is about, and a database that is ready for it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from ledger import triggers
from ledger.store import open_log
from tournament.models import Salon

FIRST_SLUG = "salon"
SECONDS_FOR_TABLES = 20


@contextmanager
def database_in_words() -> Iterator[None]:
    """Raise CommandError where the database can't be reached, read or written."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        if not isinstance(error, OperationalError | InterfaceError) and type(error) is not DatabaseError:
            raise  # That is a fault of this program, and the database is well.
        first_line = str(error).strip().partition("\n")[0]
        raise CommandError(f"The database can't be used: {first_line}.") from error


def ready_database() -> None:
    """Make the tables of an empty database.

    Raises CommandError where the database is of another version than this program.
    """
    with connection.cursor() as cursor:
        empty = not connection.introspection.table_names(cursor)
    if empty:
        _make_tables()
    if _is_newer():
        raise CommandError("The database is of a newer version than this program.")
    if _waits_for_migrations():
        raise CommandError("The database is of an older version; run `manage.py migrate` first.")


def the_salon(slug: str | None, *, make: bool = False) -> Salon:
    """The salon with this slug, or the only one there is; with `make` a first one named `salon` where there is none.

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
        raise CommandError("There is no salon yet; `manage.py record` or the first visit makes one.")
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


def _make_tables() -> None:
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError:
        # Of two processes that make the tables at once one goes on, and the other waits until it is done.
        until = time.monotonic() + SECONDS_FOR_TABLES
        while _waits_for_migrations() or triggers.missing():
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _waits_for_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _is_newer() -> bool:
    """Whether a migration was applied to our own tables that this program doesn't know."""
    loader = MigrationExecutor(connection).loader
    return any(app in {"ledger", "tournament"} and (app, name) not in loader.disk_migrations for app, name in loader.applied_migrations)
