"""A rebuild that was left out after an update is said when the server starts."""

from collections.abc import Sequence

from django.core.checks import Tags, Warning, register
from django.db import connections

from tournament.models import Salon
from tournament.projections.earlier_rows import in_words, made_otherwise

HINT = "Every page goes on meanwhile, and may show what that version had made."


@register(Tags.database)
def every_row_is_of_this_version(
    *, databases: Sequence[str] | None = None, **_options: object
) -> list[Warning]:
    """A warning for each salon whose rows another version made; none before the tables are made."""
    if not databases or not _is_kept(databases[0]):
        return []
    return [
        Warning(in_words(*each), hint=HINT, id="accord.W002") for each in made_otherwise().items()
    ]


def _is_kept(alias: str) -> bool:
    """Whether the database has a place for it: before `migrate` of an update it has none."""
    table, introspection = Salon._meta.db_table, connections[alias].introspection
    with connections[alias].cursor() as cursor:
        if table not in introspection.table_names(cursor):
            return False
        return "rows_made_by" in {
            column.name for column in introspection.get_table_description(cursor, table)
        }
