"""An event of every format by every scale, played by its own draws with results made up."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from scoring.errors import RuleViolation
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.formats import check_format, most_opponents, scales_for
from tournament.domain.standings.scales import DEFAULT_STEPS
from tournament.domain.standings.values import (
    Adjustment,
    BoardResult,
    Bye,
    Duplicate,
    Entry,
    Movement,
    Pods,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)

FORMATS: dict[str, tuple[str, Stage]] = {
    "swiss": ("precedence", Stage(rounds=3)),
    "round robin": ("precedence", Stage(kind="round_robin")),
    "double round robin": ("precedence", Stage(kind="round_robin", double=True)),
    "howell": ("precedence", Stage(kind="movement", movement=Movement(movement="howell"))),
    "mitchell": ("precedence", Stage(kind="movement", movement=Movement(winners=2))),
    "rotating": ("precedence", Stage(kind="rotating", rounds=3)),
    "planned pods": ("contract_sabacc", Stage(kind="pods", rounds=3, pods=Pods(sizes=(4, 3)))),
    "pods by score": (
        "preference",
        Stage(kind="pods", rounds=3, pods=Pods(sizes=(3,), seating="score")),
    ),
    "knockout": ("precedence", Stage(kind="knockout")),
    "double knockout": ("precedence", Stage(kind="knockout")),
    "duplicate": (
        "order_of_precedence",
        Stage(kind="duplicate", duplicate=Duplicate(deals=3, scoring="built")),
    ),
    "duplicate by matchpoints": (
        "order_of_precedence",
        Stage(kind="duplicate", duplicate=Duplicate(deals=3)),
    ),
}
FORMATS["double knockout"] = (
    "precedence",
    replace(
        (stage := FORMATS["knockout"][1]), knockout=replace(stage.knockout, elimination="double")
    ),
)
ENTRIES = 9


def settings() -> list[tuple[str, str]]:
    """Every format with every scale that it can have."""
    return [
        (name, scale)
        for name, (game, stage) in FORMATS.items()
        for scale in scales_for(stage, game)
    ]


def an_event(
    name: str, scale: str, *, seed: int = 0, tie_breaks: tuple[str, ...] = ()
) -> Tournament:
    """An event of a format before its first round: nine entries, of which one is away in round 2
    and another leaves after round 1.
    """
    game, stage = FORMATS[name]
    steps = DEFAULT_STEPS if scale == "margin" else ()
    opponents = most_opponents(stage.kind, stage.pods)
    counted = Scale(kind=scale, bye=50, steps=steps, opponents=opponents)
    stage = replace(stage, scale=counted, tie_breaks=tie_breaks)
    check_format(stage, game)
    entries = tuple(
        Entry(
            id=str(number),
            name=str(number),
            players=(f"p{number}",),
            rating=1500 + number if number % 2 else None,
            away=(2,) if number == 2 else (),
            withdrawn_after=1 if number == 3 else None,
        )
        for number in range(1, ENTRIES + 1)
    )
    return Tournament(id="e", name="E", game=game, seed=seed, stage=stage, entries=entries)


def rounds_of(event: Tournament) -> Iterator[Tournament]:
    """The event before its first round, and after each."""
    chance = Random(f"{event.stage} {event.seed}")
    yield event
    for number in range(1, 5):
        try:
            drawn = draw(event)
        except RuleViolation:
            return
        event = replace(event, rounds=(*event.rounds, _played(chance, event, drawn)))
        yield event
        penalty = Adjustment(
            entry=event.entries[0].id, points=-50, reason="late", by="d", after_round=number
        )
        event = replace(event, adjustments=(*event.adjustments, penalty))


def _played(chance: Random, event: Tournament, drawn: Draw) -> Round:
    tables = tuple(
        _result(
            chance,
            SeatedTable(
                table=table.table,
                entries=table.entries,
                deals=table.deals,
                match=table.match,
                partners=event.stage.kind == "rotating",
            ),
        )
        for table in drawn.tables
    )
    away = (
        Bye(entry=entry.id, kind="half") for entry in event.entries if drawn.round in entry.away
    )
    return Round(tables=tables, byes=(*map(_sitting_out, drawn.byes), *away))


def _sitting_out(entry: str) -> Bye:
    return Bye(entry=entry)


def _result(chance: Random, table: SeatedTable) -> SeatedTable:
    if chance.random() < 0.05 and len(table.entries) == 2:
        return replace(table, results=(Result(points=100), Result(points=0)), forfeit=True)
    boards = tuple(
        BoardResult(
            deal=deal, scores=tuple(100 * chance.randint(0, 20) for _entry in table.entries)
        )
        for deal in table.deals
    )
    scores = [
        sum(board.scores[place] for board in boards) if boards else 100 * chance.randint(-20, 20)
        for place in range(len(table.entries))
    ]
    if table.partners:
        scores = scores[:2] * 2
    elif len(set(scores)) == 1:
        scores[0] += 100
    return replace(
        table,
        boards=boards,
        results=tuple(
            Result(
                score=score,
                chips=score // 100,
                built=abs(score) // 100,
                tricks=chance.randint(0, 13),
                audits=chance.randint(0, 1),
                excess=chance.randint(0, 9),
            )
            for score in scores
        ),
    )
