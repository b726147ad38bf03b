"""Events of other programs as tournaments: TRF files of Swiss chess, a round robin as JSON, Swiss
events of carrom.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.material import MATERIAL, lines_of, text_of
from tournament.domain.standings.values import (
    Bye,
    Entry,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)

TOURNAMENTS = MATERIAL / "tournament"
POINTS = {"1": 100, "=": 50, "0": 0, "+": 100, "-": 0}
BYES = {"U": "pairing", "F": "full", "H": "half", "Z": "zero", " ": "zero"}


def tournament_of(rounds: list[Round], entries: list[str], **stage: Any) -> Tournament:
    """A tournament of these rounds, with entries that are no more than their ids."""
    return Tournament(
        id="event",
        name="Event",
        game="precedence",
        seed=1,
        stage=Stage(**stage),
        entries=tuple(Entry(id=entry, name=entry, players=(entry,)) for entry in entries),
        rounds=tuple(rounds),
    )


def swiss_events(folder: Path) -> Iterator[tuple[Tournament, dict[str, list[int]]]]:
    """Every TRF event with points, Buchholz, Buchholz cut 1, Sonneborn-Berger and progressive score
    of each player, in hundredths.
    """
    for event in lines_of(folder / "expected_tiebreaks.jsonl"):
        assert event["tiebreaks"] == ["PTS", "BH", "BH/C1", "SB", "PS"]
        values = {
            str(number): [round(float(value) * 100) for value in rest]
            for number, _rank, *rest in event["competitors"]
        }
        yield swiss_event(text_of(folder / event["file"])), values


def swiss_event(text: str) -> Tournament:
    """A TRF event: player records (001), ten columns a round from the 92nd on."""
    players = [line for line in text.splitlines() if line.startswith("001")]
    count = max((len(line) - 89) // 10 for line in players)
    rounds = [_trf_round(players, number) for number in range(count)]
    names = ("buchholz", "buchholz_cut_1", "sonneborn_berger", "progressive")
    return tournament_of(rounds, [line[4:8].strip() for line in players], tie_breaks=names)


def _trf_round(players: list[str], number: int) -> Round:
    pairs: dict[frozenset[str], dict[str, str]] = {}
    byes = []
    for line in players:
        player, cell = line[4:8].strip(), line[91 + 10 * number :][:8].ljust(8)
        opponent, result = cell[:4].strip(), cell[7]
        if opponent in ("", "0000"):
            byes.append(Bye(entry=player, kind=BYES[result]))
        else:
            pairs.setdefault(frozenset((player, opponent)), {})[player] = result
    tables = tuple(_trf_table(place, pair) for place, pair in enumerate(pairs.values(), start=1))
    return Round(tables=tables, byes=tuple(byes))


def _trf_table(number: int, pair: dict[str, str]) -> SeatedTable:
    results = tuple(Result(points=POINTS[result]) for result in pair.values())
    return SeatedTable(
        table=number,
        entries=tuple(pair),
        results=results,
        forfeit=not set(pair.values()).isdisjoint("+-"),
    )


def round_robin_event(path: Path) -> tuple[Tournament, dict[str, dict[str, int]]]:
    """The round robin with its published points, Sonneborn-Berger, wins and Koya."""
    event = json.loads(text_of(path))
    worth = {"1-0": (100, 0), "0-1": (0, 100), "1/2-1/2": (50, 50)}
    rounds: dict[int, list[SeatedTable]] = {}
    for game in event["games"]:
        number, board = map(int, game["round"].split("."))
        results = tuple(Result(points=points) for points in worth[game["result"]])
        rounds.setdefault(number, []).append(
            SeatedTable(
                table=board, entries=(str(game["white"]), str(game["black"])), results=results
            )
        )
    published = {}
    for player in event["players"]:
        _, sonneborn_berger, wins, _, koya = (round(100 * value) for value in player["tiebreaks"])
        points = round(100 * player["points"])
        published[str(player["id"])] = {
            "points": points,
            "sonneborn_berger": sonneborn_berger,
            "wins": wins,
            "koya": koya,
        }
    names = ("sonneborn_berger", "wins", "koya")
    played = [Round(tables=tuple(rounds[number])) for number in sorted(rounds)]
    return tournament_of(played, list(published), kind="round_robin", tie_breaks=names), published


def carrom_event(path: Path) -> tuple[Tournament, int, dict[str, dict[str, int]]]:
    """A Swiss event of carrom, the round its stored ranking is of, and that ranking: points,
    Buchholz and net score.
    """
    event = json.loads(text_of(path))
    stored = {
        entry: {"points": 100 * points, "buchholz": 100 * buchholz, "score_difference": 100 * net}
        for entry, (points, buchholz, net) in event["stored"].items()
    }
    scale = Scale(win=200, draw=100, loss=0, bye=200)
    rounds = list(map(_carrom_round, event["rounds"]))
    tournament = tournament_of(
        rounds, list(stored), scale=scale, tie_breaks=("buchholz", "score_difference")
    )
    return tournament, event["ranked_after"], stored


def _carrom_round(each: dict[str, Any]) -> Round:
    tables = tuple(
        SeatedTable(
            table=board,
            entries=(one, two),
            results=(Result(score=100 * first), Result(score=100 * second)),
        )
        for board, one, two, first, second in each["tables"]
    )
    return Round(tables=tables, byes=tuple(Bye(entry=entry) for entry in each["sat_out"]))
