"""`uv run python -m tests.benchmarks.draws`: Swiss draws and standings, and the draw's ratio to
networkx on the same pairs.

Medians of five draws in the middle of an event with everybody present, the reasons for each table
included. Seconds are of this process's own time: another one on the same cores doesn't count.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

import networkx
from rich.console import Console
from rich.table import Table

from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.costs import tiers_of
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.swiss import best_draw
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import (
    Bye,
    Entry,
    Result,
    Round,
    SeatedTable,
    Stage,
    Tournament,
)

TIMES = 5
COMPARED = 128  # entries of the draw that networkx makes too


def main() -> None:
    """Play three events, measure, print one table."""
    table = Table(title=f"Draws and standings, {time.strftime('%Y-%m-%d')}", title_justify="left")
    for column in ("what", "seconds", "longest", "goal"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for entries, goal in ((64, ""), (256, "< 0.1"), (1000, "< 2")):
        seconds, _ = _event(entries, rounds=2 + TIMES)
        table.add_row(
            f"a Swiss draw of {entries:,}",
            f"{statistics.median(seconds):.3f}",
            f"{max(seconds):.3f}",
            goal,
        )
    _, played = _event(1000, rounds=11)
    seconds = [_timed(lambda: standings(played)) for _ in range(TIMES)]
    what = f"standings of 1,000 × 11 rounds, {len(TIE_BREAKS)} tie-breaks"
    table.add_row(what, f"{statistics.median(seconds):.3f}", f"{max(seconds):.3f}", "< 0.5")
    ours, theirs = _compared()
    table.add_row(
        f"matching {COMPARED}: networkx / ours, all pairs", f"{theirs / ours:.0f} ×", "", ""
    )
    Console(width=120).print(table)


def _event(count: int, *, rounds: int) -> tuple[list[float], Tournament]:
    """An event played at random, and what each of its draws but the first two took."""
    chance = Random(count)
    tournament = _opened(count)
    seconds = []
    for number in range(rounds):
        began = time.process_time()
        drawn = draw(tournament)
        if number >= rounds - TIMES:
            seconds.append(time.process_time() - began)
        tables = tuple(
            SeatedTable(
                table=table.table, entries=table.entries, results=(_result(chance), _result(chance))
            )
            for table in drawn.tables
        )
        played = Round(tables=tables, byes=tuple(Bye(entry=entry) for entry in drawn.byes))
        tournament = replace(tournament, rounds=(*tournament.rounds, played))
    return seconds, tournament


def _opened(count: int) -> Tournament:
    chance = Random(1)
    entries = tuple(
        Entry(
            id=str(number),
            name=str(number),
            players=(str(number),),
            rating=chance.randint(1000, 2000),
            club=str(chance.randint(1, 30)),
        )
        for number in range(count)
    )
    stage = Stage(clubs_apart=True, tie_breaks=tuple(TIE_BREAKS))
    return Tournament(
        id="measured", name="Measured", game="precedence", seed=1, stage=stage, entries=entries
    )


def _result(chance: Random) -> Result:
    return Result(score=100 * chance.randint(0, 300), tricks=chance.randint(0, 13))


def _compared() -> tuple[float, float]:
    """Seconds for the best of all pairs of one draw: ours, with its proof, and networkx's, with the
    same costs.
    """
    _, tournament = _event(COMPARED, rounds=TIMES)
    tiers = tiers_of(contenders(tournament, TIMES + 1), seed=1, number=TIMES + 1, clubs_apart=True)
    graph = networkx.Graph()
    pairs = ((one, two) for one in range(COMPARED) for two in range(one + 1, COMPARED))
    graph.add_weighted_edges_from(tiers.edges(pairs, with_lots=True))
    ours = statistics.median(_timed(lambda: best_draw(tiers)) for _ in range(TIMES))
    return ours, _timed(lambda: networkx.min_weight_matching(graph))


def _timed(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


if __name__ == "__main__":
    main()
