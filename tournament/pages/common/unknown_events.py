"""Reports events that a newer version wrote, on the pages that need them and when the
server starts.
"""

from collections.abc import Sequence

from django.core.checks import Tags, Warning, register
from django.db import connections
from django.http import HttpRequest, HttpResponse

from ledger.models import Event
from tournament.pages.common.refused import not_readable
from tournament.streams.codec import UnknownShape, unread_shapes


def unread_event_response(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """The page that explains an event which nothing here reads; None for any other fault."""
    return not_readable(request, error) if isinstance(error, UnknownShape) else None


@register(Tags.database)
def every_stored_event_can_be_read(
    *, databases: Sequence[str] | None = None, **_options: object
) -> list[Warning]:
    """A warning for each type and schema in the database that nothing here reads."""
    if (
        not databases
        or Event._meta.db_table not in connections[databases[0]].introspection.table_names()
    ):
        return []
    words = (
        "The database holds events %s, schema %d, which this version of Accord can't "
        "read: a newer version wrote them."
    )
    hint = (
        "Update Accord, or restore the backup that was made before; until then what "
        "needs them says so."
    )
    return [Warning(words % unread, hint=hint, id="accord.W001") for unread in unread_shapes()]
