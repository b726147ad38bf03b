"""Shapes that facts of a tournament once had, and how they are read today."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tournament.domain.pairing.values import DrawnTable, NextBest, Reason
from tournament.domain.same_fields import build_from
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.draws import RoundDrawn
from tournament.domain.tournament.subject import Event, OfRound

MORE = re.compile(r"(\d+) more (.+)")
AS_GOOD = "as good; the lot decided"
# What each aim counted, as it was once written.
AIMS: Mapping[str, str] = {
    "tables where the same entries meet again": "rematch",
    "meetings beyond the second": "rematch_again",
    "byes the one who sits out already had": "bye_again",
    "scores below that of the one who sits out": "bye_above",
    "squared differences of score": "score_difference",
    "floats repeated": "repeated_float",
    "tables of one club": "same_club",
    "seats out of balance": "seat_balance",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """A reason of a draw with its words in English."""

    tier: str
    cost: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnInWords:
    """A drawn table with its reasons in English."""

    table: int
    entries: tuple[str, ...]
    dealer: str | None = None
    why: tuple[Why, ...] = ()
    next_best: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDrawnInWords(OfRound, Event):
    """Schema 1 of a drawn round: its reasons were stored in English."""

    tables: tuple[DrawnInWords, ...]
    byes: tuple[Bye, ...]
    engine: str
    digest: str
    broken: tuple[Why, ...] = ()


def with_numbers(drawn: RoundDrawnInWords) -> RoundDrawn:
    """The same draw with tier and cost of each reason in place of its words; which table an
    exchange was with is not known.
    """
    tables = tuple(_table(table) for table in drawn.tables)
    return build_from(RoundDrawn, drawn, tables=tables, broken=_reasons(drawn.broken))


def _table(table: DrawnInWords) -> DrawnTable:
    why, next_best = _reasons(table.why), _next_best(table.next_best)
    return build_from(DrawnTable, table, why=why, next_best=next_best)


def _reasons(why: tuple[Why, ...]) -> tuple[Reason, ...]:
    return tuple(Reason(tier=each.tier, cost=each.cost) for each in why)


def _next_best(words: str) -> NextBest | None:
    """Read `A and B: 3 more tables of one club`, or `A and B: as good; the lot
    decided`; None for anything else.
    """
    names, _colon, cost = words.rpartition(": ")
    one, _and, two = names.rpartition(" and ")
    more = MORE.fullmatch(cost)
    if not one or not two or (more is None and cost != AS_GOOD):
        return None
    return NextBest(
        entries=(one, two),
        other_table=None,
        tier=AIMS.get(more.group(2), "lots") if more is not None else "lots",
        more=int(more.group(1)) if more is not None else 0,
    )
