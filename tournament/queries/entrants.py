"""Entries by their own names or those of their people: as they play now, as of a round, and in
which rounds someone stood in.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.domain.tournament.lineups import Lineup, Players, lineups
from tournament.domain.tournament.state import EntryState, State

type Spans = list[tuple[int, int | None]]  # from which to which round (None: to the end)


def called(entry: EntryState, number: int, names: Mapping[str, str], own_name: str = "") -> str:
    """An entry by its own name, else by those who play for it in round `number`, with those it was
    entered with: `Bruno & Sue (entered as Bruno & Dora)`.
    """
    if own_name:
        return own_name
    now, began = together(entry.members_in(number), names), entered_as(entry, number, names)
    return _("%(now)s (entered as %(began)s)") % {"now": now, "began": began} if began else now


def entered_as(entry: EntryState, number: int, names: Mapping[str, str]) -> str:
    """Those whom an entry was entered with, by name; "" where they play in round `number`."""
    if dict(entry.regular) == dict(entry.members_in(number)):
        return ""
    return together(entry.regular, names)


def name_entry_in_round(
    entry: EntryState, number: int, names: Mapping[str, str], own_name: str = ""
) -> str:
    """An entry by those who play for it in round `number`, after its own name if it has one."""
    players = together(entry.players_in(number), names)
    return f"{own_name}: {players}" if own_name else players


def next_to_play(state: State, entry: EntryState) -> int:
    """The round that an entry has not begun to play, the first one in which it can."""
    return max(state.next_to_play(entry.id), entry.joined_in)


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
