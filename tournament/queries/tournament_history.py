"""The acts of a tournament, narrowed to what is asked for: a kind, an entry, a table, who did it, a
time.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from tournament.domain.tournament import (
    added_tables,
    awards,
    byes,
    clock,
    cuts,
    deals,
    draws,
    ended_games,
    entries,
    entry_changes,
    games,
    leavers,
    lifecycle,
    manual_pairing,
    penalties,
    play_offs,
    presence,
    removals,
    results,
    rounds,
    short_addresses,
    singles,
    stage,
    substitutes,
    swaps,
    table_places,
    team_line_ups,
)
from tournament.queries.history import HistoryFilter, is_by
from tournament.streams.acts import Moment

KINDS = {
    "": gettext_lazy("Everything"),
    "entries": gettext_lazy("Entries"),
    "rounds": gettext_lazy("Rounds"),
    "results": gettext_lazy("Results"),
    "decisions": gettext_lazy("Decisions"),
}
OF_KIND: Mapping[str, tuple[type, ...]] = {
    kind: tuple({fact for subject in subjects for fact in subject.SUBJECT.shapes.values()})
    for kind, subjects in {
        "entries": (
            entries,
            leavers,
            entry_changes,
            removals,
            singles,
            presence,
            byes,
            substitutes,
        ),
        "rounds": (
            *(draws, swaps, manual_pairing, table_places, rounds),
            *(added_tables, team_line_ups, clock),
        ),
        "results": (games, ended_games, results, awards),
        "decisions": (stage, cuts, play_offs, lifecycle, short_addresses, penalties, deals),
    }.items()
}


def is_wanted(moment: Moment, wanted: HistoryFilter) -> bool:
    """Whether an act of a tournament is what is asked for; its `table` is a number, its `player` an
    entry.
    """
    fact = moment.entry.fact
    of_kind = not wanted.kind or isinstance(fact, OF_KIND[wanted.kind])
    at_table = wanted.table in ("", str(getattr(fact, "table", None)))
    return (
        of_kind
        and at_table
        and is_by(moment, wanted)
        and (not wanted.player or wanted.player in _entries_of(moment))
    )


def _entries_of(moment: Moment) -> set[str | None]:
    """The entries that an act is about by name, or that sit at the table it is about."""
    fact, state = moment.entry.fact, moment.entry.after
    named = {getattr(fact, name, None) for name in ("entry", "one", "two")}
    number, label = getattr(fact, "round", None), getattr(fact, "table", None)
    each = state.rounds[number - 1] if number and label and number <= len(state.rounds) else None
    table = each.table(label) if each is not None else None
    return named | set(table.entries if table is not None else ())
