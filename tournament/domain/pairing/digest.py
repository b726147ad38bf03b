"""The digest that names a draw: the same input, seed and engine give the same draw."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

from scoring.shape import JsonObject
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.formats import write_own
from tournament.domain.standings.scales import points_of_round
from tournament.domain.standings.values import BY_LOT, ENGINES, Tournament


def digest(tournament: Tournament, number: int, players: Sequence[Contender]) -> str:
    """A SHA-256, in hexadecimal digits, of all that the draw of a round depends on, as its engine
    wrote it down.
    """
    stage, first = tournament.stage, tournament.engine == ENGINES[0]
    added = (*(("rank",) if first else ()), *(() if stage.accelerated else ("virtual",)))
    facts = {
        "engine": tournament.engine,
        "tournament": tournament.id,
        "game": tournament.game,
        "seed": tournament.lots_seed,
        "round": number,
        "stage": {"kind": stage.kind, "clubs_apart": stage.clubs_apart, "double": stage.double}
        | ({} if first else {"bye_to": stage.bye_to})
        | _seeding(tournament)
        | ({"accelerated": stage.accelerated} if stage.accelerated else {}),
        "entries": [entry.id for entry in tournament.entries],
        **_plan_or_tree(tournament, number),
        "contenders": [
            _without(asdict(player), added)
            for player in sorted(players, key=lambda player: player.entry)
        ],
    }
    return hashlib.sha256(
        json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def _plan_or_tree(tournament: Tournament, number: int) -> JsonObject:
    """What a plan or a tree follows besides: what the format asks, who was to play when, and the
    tables until now.
    """
    own = write_own(tournament.stage)
    if not own:
        return {}
    return {
        "own": own,
        "presence": [
            (entry.joined_in, entry.withdrawn_after, entry.rating, entry.club)
            for entry in tournament.entries
        ],
        "tables": [
            [
                (table.table, table.entries, table.match, points.get(table.table))
                for table in each.tables
            ]
            for each in tournament.rounds[: number - 1]
            for points in (points_of_round(tournament.stage.scale, each),)
        ],
    }


def _without(facts: JsonObject, names: Sequence[str]) -> JsonObject:
    return {name: fact for name, fact in facts.items() if name not in names}


def _seeding(tournament: Tournament) -> dict[str, object]:
    """The option and the ratings that it counts, where it is not by lot."""
    if tournament.stage.seeding == BY_LOT:
        return {}
    return {
        "seeding": tournament.stage.seeding,
        "ratings": {entry.id: entry.rating for entry in tournament.entries},
    }
