"""Events that nothing here can read, since a newer version wrote them: found in the database, and
told in the place of their act.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext as _

from ledger.chain import Stored
from ledger.reading import fetched
from tournament.streams.codec import UnknownShape, decode, is_readable

SHAPES = "SELECT DISTINCT type, schema FROM ledger_event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """In the place of a fact: an event of this type and schema can't be read, and so nor can the
    `later` ones of its stream.
    """

    type: str
    schema: int
    later: int


def unread_shapes() -> list[tuple[str, int]]:
    """The types and schemas in the database that nothing here reads, in order."""
    return sorted(
        (name, schema) for name, schema in fetched(SHAPES, []) if not is_readable(name, schema)
    )


def in_words(unknown: UnknownShape) -> str:
    """What to say where something is asked for that needs such an event."""
    return (
        _(
            "What is asked for needs a line of the type %(type)s, schema %(schema)s, that "
            "this version of Accord can't read:"
        )
        % {"type": unknown.name, "schema": unknown.schema}
        + " "
        + _("a newer version wrote it. Nothing is lost; update Accord, and it stands here again.")
    )


def readable(events: Sequence[Stored]) -> tuple[Sequence[Stored], Stored | None]:
    """The events of a stream up to the first command of which not all can be read, and the event
    that stops there.
    """
    for event in events:
        try:
            decode(event.type, event.schema, event.body)
        except (UnknownShape, msgspec.DecodeError):
            return [each for each in events if each.version < _first(events, event).version], event
    return events, None


def _first(events: Sequence[Stored], event: Stored) -> Stored:
    return next(each for each in events if each.command == event.command)
