"""The rounds of a plan as they will be drawn for those who are there now, and what was counted in
the rounds that were drawn together with these.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.draw import DRAWS
from tournament.domain.pairing.planned import plan_counts_of
from tournament.domain.pairing.schedule import Schedule
from tournament.domain.pairing.seeding import seed_entries
from tournament.domain.pairing.values import Draw, DrawnTable
from tournament.domain.schedules.values import Plan, PlannedRound, Sitting
from tournament.domain.schedules.verify import prove
from tournament.domain.standings.values import Bye, Result, Round, SeatedTable, Tournament

MOST_FORESEEN = 20_000  # seats of all rounds to come; larger plans are shown as they were made


def deviates(tournament: Tournament, whole: Schedule) -> bool:
    """Whether anything is otherwise than a plan has it: who is there, or who sat where."""
    if any(
        entry.joined_in > 1 or entry.withdrawn_after is not None or entry.away
        for entry in tournament.entries
    ):
        return True
    for each, (tables, _out) in zip(tournament.rounds, whole.rounds, strict=False):
        planned = {frozenset(table.entries) for table in tables}
        if {frozenset(table.entries) for table in each.tables} != planned:
            return True
    return False


def can_be_foreseen(tournament: Tournament, whole: Schedule) -> bool:
    """Whether a plan is small enough for all its rounds to be drawn ahead."""
    return len(tournament.entries) * len(whole.rounds) <= MOST_FORESEEN


def foreseen(tournament: Tournament, last: int) -> Iterator[Draw]:
    """The draws of the rounds to come up to round `last`, as if every table were played."""
    seen = replace(seed_entries(tournament), rounds=tuple(map(_as_played, tournament.rounds)))
    for number in range(len(seen.rounds) + 1, last + 1):
        drawn = DRAWS[seen.stage.kind](seen, number, contenders(seen, number))
        yield drawn
        tables = tuple(
            SeatedTable(
                table=table.table,
                entries=table.entries,
                deals=table.deals,
                partners=seen.stage.kind == "rotating" and len(table.entries) == 4,
            )
            for table in drawn.tables
        )
        byes = tuple(Bye(entry=entry) for entry in drawn.byes)
        seen = replace(seen, rounds=(*seen.rounds, _as_played(Round(tables=tables, byes=byes))))


def _as_played(each: Round) -> Round:
    """The round with a result at each table that has none and may still have one."""
    return replace(
        each,
        tables=tuple(
            table
            if table.results or table.excused
            else replace(table, results=(Result(points=0),) * len(table.entries))
            for table in each.tables
        ),
    )


def as_it_stands(tournament: Tournament, whole: Schedule) -> Schedule:
    """The plan as it was made; if anything is otherwise by now, the rounds as they were drawn and
    as they will be, counted anew.
    """
    if tournament.stage.kind == "knockout" or not can_be_foreseen(tournament, whole):
        return whole
    if not deviates(tournament, whole):
        return whole
    return recount_schedule(tournament, whole, tuple(foreseen(tournament, len(whole.rounds))))


def meetings_in(whole: Schedule) -> Counter[tuple[str, str]]:
    """Count how often each two share a table in all rounds of a plan, the pairs in the order of
    their ids.
    """
    return Counter(
        pair
        for tables, _out in whole.rounds
        for table in tables
        for pair in combinations(sorted(entry for entry in table.entries if entry), 2)
    )


def recount_schedule(tournament: Tournament, whole: Schedule, to_come: Sequence[Draw]) -> Schedule:
    """The rounds that were drawn and those to come, with what was counted in both for everyone who
    takes part in one of them. Two who were to meet at a table that was not played did not meet.
    """
    drawn = [(each.tables, _list_sit_outs(each)) for each in tournament.rounds]
    rounds: list[tuple[Sequence[SeatedTable | DrawnTable], tuple[str, ...]]] = [
        *drawn,
        *((each.tables, each.byes) for each in to_come),
    ]
    there = {entry for tables, out in rounds for table in tables for entry in table.entries}
    there.update(entry for _tables, out in rounds for entry in out)
    numbers = tuple(entry.id for entry in tournament.entries if entry.id in there)
    of = {entry: number for number, entry in enumerate(numbers)}
    plan = Plan(
        size=len(numbers),
        construction=whole.construction,
        rounds=tuple(
            PlannedRound(
                tables=tuple(
                    Sitting(
                        table=table.table,
                        places=tuple(of[entry] for entry in table.entries),
                        deals=table.deals,
                    )
                    for table in tables
                    if _is_met(table)
                ),
                out=tuple(of[entry] for entry in out),
            )
            for tables, out in rounds
        ),
        partners=whole.partners,
        moves=whole.moves,
        most_met=None if whole.counted.meetings else 0,
    )
    proof = prove(plan)
    return replace(
        whole,
        rounds=tuple((tuple(_as_drawn(table) for table in tables), out) for tables, out in rounds),
        proof=proof,
        numbers=numbers,
        counted=plan_counts_of(plan, proof, numbers),
        as_now=True,
    )


def _list_sit_outs(each: Round) -> tuple[str, ...]:
    return tuple(bye.entry for bye in each.byes if bye.kind == "pairing")


def _is_met(table: SeatedTable | DrawnTable) -> bool:
    if isinstance(table, DrawnTable):
        return True
    return not table.forfeit and bool(table.results or not table.excused)


def _as_drawn(table: SeatedTable | DrawnTable) -> DrawnTable:
    if isinstance(table, DrawnTable):
        return table
    return DrawnTable(table=table.table, entries=table.entries, deals=table.deals)
