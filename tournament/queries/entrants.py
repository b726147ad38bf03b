"""Entries by the names of their people: as of a round, and as of all rounds with those who stood
in.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.domain.tournament.lineups import Lineup, Players, lineups
from tournament.domain.tournament.state import EntryState

type Spans = list[tuple[int, int | None]]  # from which to which round (None: to the end)


def called(entry: EntryState, names: Mapping[str, str]) -> str:
    """An entry by those it was entered with, and who else plays in which rounds: `Bruno & Dora (Sue
    from round 3)`.
    """
    regular = dict(entry.regular).values()
    stood_in = [
        f"{names[player]} {rounds_in_words(spans)}"
        for player, spans in spans_of(entry).items()
        if player not in regular
    ]
    name = together(entry.regular, names)
    return f"{name} ({', '.join(stood_in)})" if stood_in else name


def called_in(entry: EntryState, number: int, names: Mapping[str, str]) -> str:
    """An entry by those who play for it in round `number`."""
    return together(entry.players_in(number), names)


def together(seated: Players, names: Mapping[str, str]) -> str:
    """People by name, as an entry: `Asha & Cato`."""
    return " & ".join(names[player] for _place, player in seated)


def spans_of(entry: EntryState) -> dict[str, Spans]:
    """Everybody who ever plays for an entry, with the rounds in which they do."""
    spans: dict[str, Spans] = {}
    for lineup in lineups(entry):
        for player in dict(lineup.players).values():
            _add(spans.setdefault(player, []), lineup)
    return spans


def _add(spans: Spans, lineup: Lineup) -> None:
    """One more line-up with somebody in it: the one before goes on, or it is a span of its own."""
    if spans and spans[-1][1] == lineup.first - 1:
        spans[-1] = spans[-1][0], lineup.last
    else:
        spans.append((lineup.first, lineup.last))


def rounds_in_words(spans: Spans) -> str:
    """These rounds: `in rounds 1 to 2, from round 4`."""
    return ", ".join(map(_in_words, spans))


def _in_words(span: tuple[int, int | None]) -> str:
    first, last = span
    if last is None:
        return _("from round %(first)d") % {"first": first}
    return ngettext("in round %(first)d", "in rounds %(first)d to %(last)d", last - first + 1) % {
        "first": first,
        "last": last,
    }
