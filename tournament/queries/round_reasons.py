"""Why those meet who meet in a round, by name and in words; without what would tell results that
are silent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.pairing.values import NextBest, Reason
from tournament.domain.standings.values import ENGINES, Bye
from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.draw_reasons import (
    broken_words,
    next_best_words,
    reason_words,
    totals_words,
)
from tournament.queries.sides import side_words
from tournament.queries.tournament import Directed
from tournament.streams.texts import words_of

# They tell nothing of any result, not even that a table was forfeited.
OPEN = ("same_club", "berger", "seeds", "plan", "same_deals", "rover")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one aim, named by its `tier`, came to, and whether it was kept."""

    tier: str
    kept: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The reasons of a table, or of a bye (`table` None), of `names`; `instead` is the next best,
    "" for none.

    `sits_out`: a bye that nobody asked for. `by_hand`: a director changed it, and `because` are the
    reasons given, with who changed places.
    """

    table: int | None
    entries: Sequence[str]
    names: Sequence[str]
    lines: Sequence[Line]
    instead: str = ""
    by_hand: bool = False
    sits_out: bool = False
    because: Sequence[tuple[str, str, str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWhy:
    """A whole round explained: its tables and byes, what the whole draw comes to ("": not known),
    and the aims it breaks.
    """

    tables: Mapping[int, Why]
    byes: Sequence[Why]
    totals: str
    broken: Sequence[str]
    by_hand: bool


def why_of(
    at: Directed, each: RoundState, *, silent: bool = False, reasons: bool = False
) -> RoundWhy:
    """The round explained; `silent`: it was drawn by results that are hidden, `reasons`: with those
    that directors gave for changes.
    """
    words = (
        words_of(at.row.salon, {swap.reason for swap in each.swaps if swap.reason})
        if reasons
        else {}
    )
    byes = zip(each.byes, (*each.byes_why, *[()] * len(each.byes)), strict=False)
    return RoundWhy(
        tables={
            table.table: _of_table(at, each, table, words, silent=silent) for table in each.tables
        },
        byes=[_of_bye(at, each, bye, why, silent=silent) for bye, why in byes],
        totals="" if silent else totals_words(each.totals),
        broken=[broken_words(reason) for reason in each.broken],
        by_hand=each.drawn is not None,
    )


def _of_table(
    at: Directed, each: RoundState, table: TableState, words: Mapping[str, str], *, silent: bool
) -> Why:
    names = at.named_in(each.number, table.entries)
    # The first engine wrote the numbers of a table down in another order than its names.
    in_order = names if table.by_hand or each.engine in ENGINES[1:] else ()
    sides = side_words(at.state.game, len(table.entries))
    told = [reason for reason in table.why if not silent or reason.tier in OPEN]
    here = set(table.entries) if table.by_hand else set()
    swaps = [swap for swap in each.swaps if here & {swap.one, swap.two}]
    return Why(
        table=table.table,
        entries=table.entries,
        names=names,
        lines=[
            Line(
                tier=reason.tier, kept=not reason.cost, words=reason_words(reason, in_order, sides)
            )
            for reason in told
        ],
        instead=""
        if silent or table.instead is None
        else _instead(at, each, table.instead, each.totals),
        by_hand=table.by_hand,
        because=[
            (
                at.name_in(each.number, swap.one),
                at.name_in(each.number, swap.two),
                words.get(swap.reason or "", ""),
            )
            for swap in swaps
        ],
    )


def _of_bye(
    at: Directed, each: RoundState, bye: Bye, why: Sequence[Reason], *, silent: bool
) -> Why:
    told = [reason for reason in why if not silent or reason.tier in OPEN]
    by_hand = each.drawn is not None and bye not in each.drawn.byes
    return Why(
        table=None,
        entries=(bye.entry,),
        names=(at.name_in(each.number, bye.entry),),
        lines=[
            Line(tier=reason.tier, kept=not reason.cost, words=reason_words(reason))
            for reason in told
        ],
        by_hand=by_hand,
        sits_out=bye.kind == "pairing",
    )


def _instead(at: Directed, each: RoundState, best: NextBest, totals: Sequence[Reason]) -> str:
    names = " \N{EN DASH} ".join(at.named_in(each.number, best.entries))
    return f"{names}: {next_best_words(best, () if each.drawn is not None else totals)}"
