"""Swiss events made at random: late entries, absences, withdrawals, clubs, forfeits, adjustments;
each round drawn by `draw`.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.scales import DEFAULT_STEPS
from tournament.domain.standings.values import (
    Adjustment,
    Bye,
    Entry,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)


def an_event(seed: int, *, least: int = 5, most: int = 200) -> Tournament:
    """An event before its first round, `least` to `most` entries, small ones more often."""
    chance = Random(seed)
    count = least + int((most + 1 - least) * chance.random() ** 3)
    rounds = chance.randint(3, 7)
    clubs = (
        [f"club {number}" for number in range(chance.randint(1, 12))]
        if chance.random() < 0.6
        else [None]
    )
    stage = Stage(
        rounds=rounds,
        clubs_apart=chance.random() < 0.5,
        scale=Scale(kind="margin", steps=DEFAULT_STEPS) if chance.random() < 0.2 else Scale(),
    )
    entries = tuple(
        _an_entry(chance, str(number), rounds, chance.choice(clubs)) for number in range(count)
    )
    return Tournament(
        id="made", name="Made", game="precedence", seed=seed, stage=stage, entries=entries
    )


def _an_entry(chance: Random, name: str, rounds: int, club: str | None) -> Entry:
    joined = 2 if chance.random() < 0.05 else 1
    left = chance.randint(joined, rounds) if chance.random() < 0.1 else None
    away = tuple(number for number in range(1, rounds + 1) if chance.random() < 0.04)
    return Entry(
        id=name,
        name=name,
        players=(name,),
        club=club,
        joined_in=joined,
        withdrawn_after=left,
        away=away,
    )


def rounds_played(tournament: Tournament) -> Iterator[tuple[Tournament, Draw]]:
    """The event before each of its rounds, and the draw of that round; then its results are made up
    and it goes on.
    """
    chance = Random(tournament.seed + 1)
    for number in range(1, (tournament.stage.rounds or 0) + 1):
        if sum(entry.plays_in(number) for entry in tournament.entries) < 2:
            return
        drawn = draw(tournament)
        yield tournament, drawn
        tournament = replace(
            tournament, rounds=(*tournament.rounds, played(chance, tournament, drawn))
        )
        if chance.random() < 0.2:
            penalty = Adjustment(
                entry=chance.choice(tournament.entries).id,
                points=-50,
                reason="late",
                by="director",
                after_round=number,
            )
            tournament = replace(tournament, adjustments=(*tournament.adjustments, penalty))


def played(chance: Random, tournament: Tournament, drawn: Draw) -> Round:
    """The round as drawn, with results made up and a bye for everybody who is away."""
    tables = tuple(
        _a_result(chance, tournament, SeatedTable(table=table.table, entries=table.entries))
        for table in drawn.tables
    )
    byes = [Bye(entry=entry) for entry in drawn.byes]
    byes += [
        Bye(entry=entry.id, kind=chance.choice(("half", "zero")))
        for entry in tournament.entries
        if drawn.round in entry.away
    ]
    return Round(tables=tables, byes=tuple(byes))


def _a_result(chance: Random, tournament: Tournament, table: SeatedTable) -> SeatedTable:
    if chance.random() < 0.03:
        return replace(table, results=(Result(points=100), Result(points=0)), forfeit=True)
    if tournament.stage.scale.kind == "margin":
        won = chance.randint(0, 2000)
        return replace(table, results=(Result(points=won), Result(points=2000 - won)))
    won = chance.choice((0, 0, 50, 100, 100))
    return replace(table, results=(Result(points=won), Result(points=100 - won)))
