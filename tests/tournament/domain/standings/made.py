"""A small tournament as its file says, changed as a test wants it, and short ways to write rounds
of values.
"""

import copy
from collections.abc import Callable
from typing import Any

from tournament.domain.standings.ranking import Standing, standings
from tournament.domain.standings.values import (
    Adjustment,
    Bye,
    Entry,
    Result,
    Round,
    SeatedTable,
    Stage,
    Tournament,
)

CUP: dict[str, Any] = {
    "format": "salon-tournament/1",
    "id": "spring-cup",
    "name": "Spring Cup",
    "game": "precedence",
    "seed": 7,
    "stage": {
        "kind": "swiss",
        "rounds": 5,
        "scale": {"kind": "match", "win": 1, "draw": 0.5, "loss": 0, "bye": 1},
        "tie_breaks": ["buchholz_cut_1", "buchholz", "sonneborn_berger", "score_difference"],
    },
    "entries": [
        {
            "id": "1",
            "name": "Asha & Cato",
            "players": ["Asha", "Cato"],
            "rating": 1510,
            "club": "Core",
            "withdrawn_after": 3,
            "joined_in": 1,
        },
        {"id": "2", "name": "Bel & Dov", "players": ["Bel", "Dov"], "joined_in": 1},
        {"id": "3", "name": "Eli & Fen", "players": ["Eli", "Fen"], "joined_in": 1, "away": [4]},
        {"id": "4", "name": "Gus & Hal", "players": ["Gus", "Hal"], "joined_in": 1},
        {"id": "5", "name": "Ida & Jon", "players": ["Ida", "Jon"], "joined_in": 1},
    ],
    "rounds": [
        {
            "tables": [
                {
                    "table": 1,
                    "entries": ["1", "4"],
                    "result": {"1": {"points": 1, "score": 262}, "4": {"points": 0, "score": 187}},
                },
                {
                    "table": 2,
                    "entries": ["2", "3"],
                    "result": {"2": {"points": 0}, "3": {"points": 1}},
                    "forfeit": True,
                },
            ],
            "byes": [{"entry": "5", "points": 1, "kind": "pairing"}],
        }
    ],
    "adjustments": [
        {"entry": "4", "points": -0.5, "reason": "late", "by": "director", "after_round": 1}
    ],
}


def cup(*changes: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The cup, changed."""
    value = copy.deepcopy(CUP)
    for change in changes:
        change(value)
    return value


def setting(*keys: Any) -> Callable[[dict[str, Any]], object]:
    """Set what the last key but one names: `setting("entries", 0, "rating", 1600)`; a place at the
    end of a list adds to it.
    """
    *path, last, new = keys

    def change(value: Any) -> None:
        for key in path:
            value = value[key]
        if isinstance(value, list) and last == len(value):
            value.append(new)
        else:
            value[last] = new

    return change


def without(*keys: Any) -> Callable[[dict[str, Any]], object]:
    """Take a key out."""
    *path, last = keys

    def change(value: Any) -> None:
        for key in path:
            value = value[key]
        del value[last]

    return change


def event(
    *rounds: str,
    entries: str = "",
    adjustments: tuple[Adjustment, ...] = (),
    seed: int = 1,
    **stage: Any,
) -> Tournament:
    """A tournament of rounds as "a1-0b c=d e+ f/ g0": a beat b, c and d drew, e sat out, f took
    half a bye, g none; `a+-b` is a forfeit.
    """
    played = tuple(_round(words.split()) for words in rounds)
    names = entries or sorted({entry for tables in played for entry in _everybody(tables)})
    field = tuple(Entry(id=name, name=name, players=(name,)) for name in names)
    return Tournament(
        id="event",
        name="Event",
        game="precedence",
        seed=seed,
        stage=Stage(**stage),
        entries=field,
        rounds=played,
        adjustments=adjustments,
    )


def _everybody(tables: Round) -> list[str]:
    return [entry for table in tables.tables for entry in table.entries] + [
        bye.entry for bye in tables.byes
    ]


def _round(words: list[str]) -> Round:
    byes = [
        Bye(entry=word[0], kind={"+": "pairing", "/": "half", "0": "zero"}[word[1]])
        for word in words
        if len(word) == 2
    ]
    seated = [word for word in words if len(word) > 2]
    return Round(
        tables=tuple(_table(number, word) for number, word in enumerate(seated, start=1)),
        byes=tuple(byes),
    )


def _table(number: int, word: str) -> SeatedTable:
    one, how, two = word[0], word[1:-1], word[-1]
    if how == "?":
        return SeatedTable(table=number, entries=(one, two))
    points = {
        "1-0": (100, 0),
        "0-1": (0, 100),
        "=": (50, 50),
        "+-": (100, 0),
        "-+": (0, 100),
        "--": (0, 0),
    }[how]
    results = tuple(Result(points=each) for each in points)
    return SeatedTable(
        table=number, entries=(one, two), results=results, forfeit=how in ("+-", "-+", "--")
    )


def rows_of(tournament: Tournament) -> dict[str, Standing]:
    return {row.entry: row for row in standings(tournament).rows}


def values_of(tournament: Tournament, name: str) -> dict[str, int]:
    """One tie-break of every entry."""
    return {entry: dict(row.tie_breaks)[name] for entry, row in rows_of(tournament).items()}
