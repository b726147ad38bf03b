"""What the desk says after games were begun at the tables of a round."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.queries.refusal_text import in_words
from tournament.queries.word_lists import list_words
from tournament.recording.tables.start_games import BegunGame, RoundBegun


def say_begun(request: HttpRequest, came: RoundBegun) -> None:
    """Say which games have begun, which tables are new, and of each table that has no game why."""
    for words in begun_words(came):
        messages.success(request, words)


def begun_words(came: RoundBegun) -> list[str]:
    """The same as sentences."""
    count = len(came.begun)
    said = [
        ngettext("One game has begun.", "%(count)d games have begun.", count) % {"count": count}
        if count
        else _("No game has begun.")
    ]
    if came.made:
        new = ngettext("Table %(tables)s is new.", "Tables %(tables)s are new.", len(came.made)) % {
            "tables": list_words(came.made)
        }
        said[0] = f"{said[0]} {new}"
    said += _moved_words([each for each in came.begun if each.label != str(each.table)])
    for why in dict.fromkeys(in_words(each.why) for each in came.left):
        left = [str(each.table) for each in came.left if in_words(each.why) == why]
        words = ngettext(
            "Table %(tables)s has none: %(why)s.",
            "Tables %(tables)s have none: %(why)s.",
            len(left),
        )
        said.append(words % {"tables": list_words(left), "why": why})
    return said


def _moved_words(moved: Sequence[BegunGame]) -> list[str]:
    """Which tables of the round play at another table of the salon, in one sentence."""
    if len(moved) < 2:
        return [
            _("Table %(table)s plays at table %(label)s of the salon.")
            % {"table": each.table, "label": each.label}
            for each in moved
        ]
    places = [
        _("%(table)s at %(label)s") % {"table": each.table, "label": each.label} for each in moved
    ]
    return [_("Tables play elsewhere in the salon: %(places)s.") % {"places": list_words(places)}]
