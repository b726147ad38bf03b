"""Silent rounds: what of them is hidden, until the tournament is over, from those who neither direct nor audit."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournament.access import Act, Visitor
from tournament.directing.round_events import DifferenceAccepted, EntriesSwapped, ResultEntered, RoundDrawn
from tournament.models import Tournament

# The fields of stored events that tell results, and how many rounds after the first silent one they begin to.
HIDDEN: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "tournament.result_entered": (0, ("results", "hands")),
    "tournament.difference_accepted": (0, ("results",)),
    "tournament.round_drawn": (1, ("why", "next_best", "byes_why", "totals")),
    "tournament.entries_swapped": (1, ("why", "byes_why", "totals")),
}


def sees_silent(visitor: Visitor) -> bool:
    """Whether a visitor sees the results of silent rounds at once."""
    return visitor.may(Act.DIRECT) or visitor.may(Act.AUDIT)


def silences(visitor: Visitor, streams: Iterable[str]) -> dict[str, int]:
    """The first round that is silent for this visitor, by tournament; those of these streams that hide nothing are left out."""
    if sees_silent(visitor):
        return {}
    rows = Tournament.objects.filter(salon=visitor.salon, pk__in=set(streams), phase="running").values_list("pk", "state")
    begun = {stream: json.loads(state).get("silent_from") for stream, state in rows}
    return {stream: first for stream, first in begun.items() if first is not None}


def concealed(fact: Any, begun: int | None) -> Any:
    """A fact of a tournament without what tells results of round `begun` and later ones: typed results, and scores a draw went by."""
    if begun is None:
        return fact
    match fact:
        case ResultEntered(round=number) if number >= begun:
            return replace(fact, results=(), hands=None)
        case DifferenceAccepted(round=number) if number >= begun:
            return replace(fact, results=())
        case RoundDrawn(round=number) if number > begun:
            tables = tuple(replace(table, why=(), next_best=None) for table in fact.tables)
            return replace(fact, tables=tables, byes_why=(), totals=())
        case EntriesSwapped(round=number) if number > begun:
            return replace(fact, why=(), byes_why=(), totals=())
        case _:
            return fact


def withheld(kind: str, body: Mapping[str, Any], begun: int | None) -> tuple[dict[str, Any], list[str]]:
    """The same for an event of the type `kind` as it is stored: what is left of its body, and the names of the fields that are not."""
    later, fields = HIDDEN.get(kind, (0, ()))
    if begun is None or not fields or body.get("round", 0) < begun + later:
        return dict(body), []
    return _without(body, fields), list(fields)


def _without(value: Any, fields: Sequence[str]) -> Any:
    if isinstance(value, Mapping):
        return {name: _without(part, fields) for name, part in value.items() if name not in fields}
    return [_without(part, fields) for part in value] if isinstance(value, list) else value
