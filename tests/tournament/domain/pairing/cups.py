"""Tournaments of several stages, played on by chance or counted by adjustments."""

from dataclasses import replace
from random import Random
from typing import Any

from tournament.domain.pairing.stages import draw_next, next_round
from tournament.domain.standings.values import (
    Adjustment,
    Bye,
    Entry,
    Result,
    Round,
    SeatedTable,
    Stage,
    Takes,
    Tournament,
)

SWISS = Stage(kind="swiss", rounds=3, tie_breaks=("buchholz", "score_difference"))

ROBIN = Stage(kind="round_robin", takes=Takes(top=4))


def several(count: int, *stages: Stage, seed: int = 7) -> Tournament:
    """A tournament of these stages with so many pairs, before its first round."""
    return Tournament(
        id="cup",
        name="Cup",
        game="precedence",
        seed=seed,
        stage=stages[0],
        stages=stages,
        entries=tuple(
            Entry(id=str(number), name=f"E{number}", players=(f"a{number}", f"b{number}"))
            for number in range(1, count + 1)
        ),
    )


def played_on(tournament: Tournament, chance: Random) -> Tournament:
    """The same after one more round, drawn and decided by chance, without drawn games."""
    at, drawn = next_round(tournament), draw_next(tournament)
    tables = []
    for table in drawn.tables:
        high, low = 250 + chance.randrange(9), 200 - chance.randrange(9)
        scores = (high, low) if chance.random() < 0.5 else (low, high)
        seated = SeatedTable(
            table=table.table,
            entries=table.entries,
            results=tuple(Result(score=100 * score) for score in scores),
            match=table.match,
            bracket=table.bracket,
        )
        tables.append(seated)
    byes = tuple(Bye(entry=entry) for entry in drawn.byes)
    each = Round(tables=tuple(tables), byes=byes, stage=at.stage)
    return replace(
        tournament,
        rounds=(*tournament.rounds, each),
        stage=tournament.stages[at.stage - 1],
    )


def by_points(*points: int, **stage: Any) -> Tournament:
    """After one round of a stage in which entry 1 got the most points and so on, given as
    adjustments.
    """
    tournament = several(len(points), replace(SWISS, rounds=1, **stage), ROBIN)
    tables = tuple(
        SeatedTable(
            table=place // 2 + 1,
            entries=(str(place + 1), str(place + 2)),
            results=(Result(points=0, score=0), Result(points=0, score=0)),
            excused=True,
        )
        for place in range(0, len(points) - 1, 2)
    )
    return replace(
        tournament,
        rounds=(Round(tables=tables),),
        adjustments=tuple(
            Adjustment(entry=str(place), points=each, reason="", by="", after_round=1)
            for place, each in enumerate(points, start=1)
            if each
        ),
    )
