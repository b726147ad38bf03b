"""What the desk says after games were begun at the tables of a round."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.queries.accounts import listed
from tournament.refusal_words import in_words
from tournament.tables.starting import RoundBegun


def say_begun(request: HttpRequest, came: RoundBegun) -> None:
    """Say which games have begun, which tables are new, and of each table that has no game why."""
    for words in begun_words(came):
        messages.success(request, words)


def begun_words(came: RoundBegun) -> list[str]:
    """The same as sentences."""
    count = len(came.begun)
    said = [ngettext("One game has begun.", "%(count)d games have begun.", count) % {"count": count} if count else _("No game has begun.")]
    if came.made:
        new = ngettext("Table %(tables)s is new.", "Tables %(tables)s are new.", len(came.made)) % {"tables": listed(came.made)}
        said[0] = f"{said[0]} {new}"
    moved = [each for each in came.begun if each.label != str(each.table)]
    said += [_("Table %(table)s plays at table %(label)s of the salon.") % {"table": each.table, "label": each.label} for each in moved]
    for why in dict.fromkeys(in_words(each.why) for each in came.left):
        left = [str(each.table) for each in came.left if in_words(each.why) == why]
        words = ngettext("Table %(tables)s has none: %(why)s.", "Tables %(tables)s have none: %(why)s.", len(left))
        said.append(words % {"tables": listed(left), "why": why})
    return said
