"""Which salon a command is about, and a database that is ready for it."""

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from ledger.store import open_log
from tournament.models import Salon

FIRST_SLUG = "salon"


def ready_database() -> None:
    """Make the tables of an empty database. Raises CommandError where an older one waits for `manage.py migrate`."""
    with connection.cursor() as cursor:
        empty = not connection.introspection.table_names(cursor)
    if empty:
        call_command("migrate", interactive=False, verbosity=0)
        return
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
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
    return Salon.objects.create(slug=FIRST_SLUG, name="Salon", log=open_log())


def _choices() -> str:
    slugs = ", ".join(Salon.objects.order_by("slug").values_list("slug", flat=True))
    return f"there are: {slugs}." if slugs else "there is none yet."
