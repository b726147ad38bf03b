"""A round paired by hand beside the engine's draw: which tables differ, who would sit out, and what
that costs, by name and in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tournament.domain.pairing.redraw import aims_apart
from tournament.domain.pairing.seating import Seating
from tournament.domain.pairing.values import Reason
from tournament.domain.tournament.state import AsDrawn, RoundState
from tournament.queries.draw_reasons import broken_words
from tournament.queries.tournament import Directed


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A table, or a bye (`table` None), at which others sit than the engine drew."""

    table: int | None
    now: Sequence[str]
    drawn: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPairing:
    """What differs from the draw, and what it costs: (what the round comes to now, what the draw
    came to) for each aim that the two keep differently, those before the first that is kept worse
    left out.
    """

    apart: Sequence[Apart]
    costs: Sequence[tuple[str, str]]


def hand_pairing(at: Directed, each: RoundState) -> HandPairing:
    """A round beside its draw; nothing differs where everybody sits as drawn."""
    if each.drawn is None:
        return HandPairing(apart=(), costs=())
    tables = [
        Apart(
            table=now.table,
            now=at.named_in(each.number, now.entries),
            drawn=at.named_in(each.number, then.entries),
        )
        for now, then in zip(each.tables, each.drawn.tables, strict=True)
        if now.entries != then.entries
    ]
    byes = [
        Apart(
            table=None,
            now=at.named_in(each.number, () if now is None else (now.entry,)),
            drawn=at.named_in(each.number, () if then is None else (then.entry,)),
        )
        for now, then in zip_longest(each.byes, each.drawn.byes)
        if now is None or then is None or now.entry != then.entry
    ]
    costs = [
        (_words(aim.tier, aim.played), _words(aim.tier, aim.drawn))
        for aim in aims_apart(_seating(each), _seating(each.drawn))
    ]
    return HandPairing(apart=[*tables, *byes], costs=costs)


def _words(tier: str, cost: int) -> str:
    return broken_words(Reason(tier=tier, cost=cost))


def _seating(told: RoundState | AsDrawn) -> Seating:
    return Seating(tables=(), byes=told.byes_why, broken=told.broken, totals=told.totals)
