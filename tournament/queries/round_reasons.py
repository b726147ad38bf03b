"""Why those meet who meet in a round, by name and in words, without what would tell results that
are silent; what a change of places by hand would come to, and a round paired by hand beside the
engine's draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from tournament.domain.pairing.redraw import aims_apart
from tournament.domain.pairing.seating import Seating
from tournament.domain.pairing.values import NextBest, Reason
from tournament.domain.standings.values import ENGINES, Bye
from tournament.domain.tournament.state import AsDrawn, RoundState, TableState
from tournament.domain.tournament.subjects import decide, evolve
from tournament.domain.tournament.swaps import SwapEntries
from tournament.queries.draw_reasons import (
    apart_words,
    broken_words,
    next_best_words,
    reason_words,
    totals_words,
)
from tournament.queries.sides import side_words
from tournament.queries.tournament import TournamentView
from tournament.streams.texts import words_of

# They tell nothing of any result, not even that a table was forfeited.
OPEN = ("same_club", "berger", "seeds", "plan", "same_deals", "rover")
ALARMING = ("rematch", "bye_again", "bye_above", "bye_place", "same_club", "berger")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One goal of the pairing, named by its `tier`: its result, and whether it was kept."""

    tier: str
    kept: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReasons:
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
class RoundReasons:
    """A whole round explained: its tables and byes, what the whole draw comes to ("": not known),
    and the aims it breaks.
    """

    tables: Mapping[int, TableReasons]
    byes: Sequence[TableReasons]
    totals: str
    broken: Sequence[str]
    by_hand: bool


def why_of(
    at: TournamentView, each: RoundState, *, silent: bool = False, reasons: bool = False
) -> RoundReasons:
    """The round explained; `silent`: it was drawn by results that are hidden, `reasons`: with those
    that directors gave for changes.
    """
    words = (
        words_of(at.row.salon, {swap.reason for swap in each.swaps if swap.reason})
        if reasons
        else {}
    )
    byes = zip(each.byes, (*each.byes_why, *[()] * len(each.byes)), strict=False)
    return RoundReasons(
        tables={
            table.table: _of_table(at, each, table, words, silent=silent) for table in each.tables
        },
        byes=[_of_bye(at, each, bye, why, silent=silent) for bye, why in byes],
        totals="" if silent else totals_words(each.totals),
        broken=[broken_words(reason) for reason in each.broken],
        by_hand=each.drawn is not None,
    )


def _of_table(
    at: TournamentView,
    each: RoundState,
    table: TableState,
    words: Mapping[str, str],
    *,
    silent: bool,
) -> TableReasons:
    first = at.state.match_of(each.number, table)[0]  # which says it for all of its match
    names = at.list_names_in(each.number, table.entries)
    # The first engine wrote the numbers of a table down in another order than its names.
    in_order = names if table.by_hand or each.engine in ENGINES[1:] else ()
    sides = side_words(at.state.game, len(table.entries))
    told = [reason for reason in first.why if not silent or reason.tier in OPEN]
    here = set(table.entries) if table.by_hand else set()
    swaps = [swap for swap in each.swaps if here & {swap.one, swap.two}]
    return TableReasons(
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
        if silent or first.instead is None
        else _instead(at, each, first.instead, each.totals),
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
    at: TournamentView, each: RoundState, bye: Bye, why: Sequence[Reason], *, silent: bool
) -> TableReasons:
    told = [reason for reason in why if not silent or reason.tier in OPEN]
    by_hand = each.drawn is not None and bye not in each.drawn.byes
    return TableReasons(
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


def _instead(at: TournamentView, each: RoundState, best: NextBest, totals: Sequence[Reason]) -> str:
    names = " \N{EN DASH} ".join(at.list_names_in(each.number, best.entries))
    return f"{names}: {next_best_words(best, () if each.drawn is not None else totals)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPreview:
    """The round after a swap that nobody has made yet, and the tournament `after` it: the tables
    and byes that change, before and after.

    `breaks` are the aims that are kept now and would not be, as (table or None, words).
    """

    each: RoundState
    after: TournamentView
    changed: Sequence[tuple[TableReasons, TableReasons]]
    breaks: Sequence[tuple[int | None, str]]
    mended: bool


def preview_swap(at: TournamentView, command: SwapEntries) -> SwapPreview:
    """Raises RuleViolation as the swap itself would."""
    before = at.state
    for event in decide(replace(command, outcomes=tuple(at.outcomes.values())), before):
        at = replace(at, state=evolve(at.state, event))
    now, then = before.rounds[command.round - 1], at.state.rounds[command.round - 1]
    told_now, told_then = why_of(replace(at, state=before), now), why_of(at, then)
    tables = [
        (told_now.tables[number], why)
        for number, why in told_then.tables.items()
        if why.entries != told_now.tables[number].entries
    ]
    byes = [
        (one, two)
        for one, two in zip(told_now.byes, told_then.byes, strict=True)
        if one.entries != two.entries
    ]
    changed = [*tables, *byes]
    return SwapPreview(
        each=then,
        after=at,
        changed=changed,
        breaks=[
            (why.table, line.words)
            for _, why in changed
            for line in why.lines
            if line.tier in ALARMING and not line.kept
        ],
        mended=then.drawn is None and now.drawn is not None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawDifference:
    """A table, or a bye (`table` None), at which others sit than the engine drew."""

    table: int | None
    now: Sequence[str]
    drawn: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPairing:
    """Differences from the draw and their cost: what both come to in each aim that they keep
    differently, those before the first that is kept worse left out.
    """

    apart: Sequence[DrawDifference]
    costs: Sequence[str]


def hand_pairing(at: TournamentView, each: RoundState) -> HandPairing:
    """A round beside its draw; nothing differs where everybody sits as drawn."""
    if each.drawn is None:
        return HandPairing(apart=(), costs=())
    tables = [
        DrawDifference(
            table=now.table,
            now=at.list_names_in(each.number, now.entries),
            drawn=at.list_names_in(each.number, then.entries),
        )
        for now, then in zip(each.tables, each.drawn.tables, strict=True)
        if now.entries != then.entries
    ]
    byes = [
        DrawDifference(
            table=None,
            now=at.list_names_in(each.number, () if now is None else (now.entry,)),
            drawn=at.list_names_in(each.number, () if then is None else (then.entry,)),
        )
        for now, then in zip_longest(each.byes, each.drawn.byes)
        if now is None or then is None or now.entry != then.entry
    ]
    costs = [apart_words(aim) for aim in aims_apart(_seating(each), _seating(each.drawn))]
    return HandPairing(apart=[*tables, *byes], costs=costs)


def _seating(told: RoundState | AsDrawn) -> Seating:
    return Seating(tables=(), byes=told.byes_why, broken=told.broken, totals=told.totals)
