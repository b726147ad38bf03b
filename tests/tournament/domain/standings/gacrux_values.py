"""Tie-breaks as gacrux, FIDE's reference program (MIT), counts them: an event goes in as TRF, out
come its values in hundredths and its ranks.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from tests.tournament.domain.pairing.generated import an_event, played, rounds_played
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import Entry, Result, Round, Scale, Tournament
from tournament.formats.trf import Header, trf_of

CODES = {
    "buchholz": "BH",
    "buchholz_cut_1": "BH/C1",
    "median_buchholz": "BH/M1",
    "sonneborn_berger": "SB",
    "progressive": "PS",
    "wins": "WIN",
    "koya": "KS",
    "average_opponent_rating": "ARO",
}
BEGINS = "2026/06/01"  # after the rules in force came into it


def swiss(seed: int) -> Tournament:
    """A Swiss with late entries, absences, withdrawals and forfeits, and ratings for all."""
    begun = an_event(seed, least=5, most=30)
    stage = replace(begun.stage, scale=Scale(), tie_breaks=tuple(CODES))
    return _finished(replace(begun, stage=stage))


def round_robin(seed: int, *, leaving: bool = False) -> Tournament:
    """A round robin with forfeits, of an even or an odd number; `leaving`: some don't stay to its
    end, so that others sit out.
    """
    chance = Random(seed)
    count = chance.randint(4, 11)
    entries = tuple(
        Entry(
            id=str(number),
            name=str(number),
            players=(str(number),),
            withdrawn_after=chance.randint(1, count - 2)
            if leaving and chance.random() < 0.3
            else None,
        )
        for number in range(count)
    )
    begun = an_event(seed)
    stage = replace(
        begun.stage,
        kind="round_robin",
        rounds=count - 1 + count % 2,
        scale=Scale(bye=0),
        tie_breaks=tuple(CODES),
    )
    return _finished(replace(begun, stage=stage, entries=entries))


def _finished(begun: Tournament) -> Tournament:
    """Played to its end; some forfeits are lost by both, and nobody was fined."""
    chance = Random(begun.seed + 2)
    entries = (replace(entry, rating=chance.randint(1000, 2500)) for entry in begun.entries)
    begun = replace(begun, entries=tuple(entries))
    *_, (before, drawn) = rounds_played(begun)
    rounds = (*before.rounds, played(chance, before, drawn))
    return replace(
        before, rounds=tuple(_both_lose_some(chance, each) for each in rounds), adjustments=()
    )


def _both_lose_some(chance: Random, each: Round) -> Round:
    nothing = (Result(points=0), Result(points=0))
    return replace(
        each,
        tables=tuple(
            replace(table, results=nothing) if table.forfeit and chance.random() < 0.3 else table
            for table in each.tables
        ),
    )


def counted(tournament: Tournament, codes: Sequence[str]) -> dict[str, tuple[int, list[Any]]]:
    """The rank of every entry and the values of the tie-breaks with these codes, points first."""
    names = {entry.id: entry.name for entry in tournament.entries}
    header = Header(name=tournament.name, begins=BEGINS)
    reader = trf2json()
    reader.parse_file(trf_of(header, tournament, standings(tournament), names), 0)
    assert reader.get_status() == 0, reader.chessjson["status"]
    event = reader.get_tournament(1)
    scale = tournament.stage.scale
    event["scoreSystem"]["game"] = {
        "W": Decimal(scale.win) / 100,
        "D": Decimal(scale.draw) / 100,
        "L": Decimal(scale.loss) / 100,
        "P": Decimal(scale.bye) / 100,
        "F": "W",
        "H": "D",
        "Z": Decimal(0),
        "A": "D",
        "U": "Z",
    }
    fixed = tournament.stage.kind == "round_robin"
    asked = {
        "tiebreak": ["PTS", *codes],
        "check": False,
        "pre_determined": fixed,
        "swiss": not fixed,
        "unrated": None,
    }
    found = tiebreak(event, len(tournament.rounds), asked).compute_tiebreaks(event, asked)
    return {
        tournament.entries[each["cid"] - 1].id: (
            each["rank"],
            [None if value is None else int(value * 100) for value in each["tiebreakScore"]],
        )
        for each in found["competitors"]
    }
