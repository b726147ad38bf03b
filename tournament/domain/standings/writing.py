"""A tournament as a canonical file: salon-tournament/1, every choice spelled out, nothing that
isn't there.
"""

from scoring.shape import JsonObject
from tournament.domain.standings.reading import FORMAT, RESULT_KEYS, SCALE_KEYS
from tournament.domain.standings.values import (
    BY_LOT,
    BYES_TO,
    ENGINES,
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


def write_tournament(tournament: Tournament) -> JsonObject:
    """The tournament as JSON values; read again it is the same."""
    return {
        "format": FORMAT,
        "id": tournament.id,
        "name": tournament.name,
        "game": tournament.game,
        "seed": tournament.seed,
        "stage": write_stage(tournament.stage),
        "entries": [_entry(entry) for entry in tournament.entries],
        "rounds": [_round(tables) for tables in tournament.rounds],
        **(
            {"adjustments": [_adjustment(each) for each in tournament.adjustments]}
            if tournament.adjustments
            else {}
        ),
        **_draw(tournament),
    }


def number(points: int) -> int | float:
    """Hundredths as a number of a file: 250 is 2.5, 300 is 3."""
    return points // 100 if points % 100 == 0 else points / 100


def write_stage(stage: Stage) -> JsonObject:
    """A stage as a file holds it."""
    written = {
        "kind": stage.kind,
        "rounds": stage.rounds,
        "scale": _scale(stage.scale),
        "tie_breaks": list(stage.tie_breaks),
        "clubs_apart": stage.clubs_apart or None,
        "double": stage.double or None,
        "bye_to": stage.bye_to if stage.bye_to != BYES_TO[0] else None,
        "seeding": stage.seeding if stage.seeding != BY_LOT else None,
    }
    return _there(written)


def _draw(tournament: Tournament) -> JsonObject:
    """How the next round is drawn, where that is not as usual."""
    usual = tournament.engine == ENGINES[-1] and tournament.draw_seed is None
    return (
        {}
        if usual
        else {"draw": _there({"engine": tournament.engine, "seed": tournament.draw_seed})}
    )


def _scale(scale: Scale) -> JsonObject:
    points = {"win": scale.win, "draw": scale.draw, "loss": scale.loss, "bye": scale.bye}
    written: JsonObject = {
        key: number(value) for key, value in points.items() if key in SCALE_KEYS[scale.kind]
    }
    steps = {"steps": [number(step) for step in scale.steps]} if scale.kind == "margin" else {}
    return {"kind": scale.kind, **written, **steps}


def _entry(entry: Entry) -> JsonObject:
    written = {
        "id": entry.id,
        "name": entry.name,
        "players": list(entry.players),
        "rating": entry.rating,
        "club": entry.club,
        "joined_in": entry.joined_in,
        "withdrawn_after": entry.withdrawn_after,
        "away": list(entry.away) or None,
        "entered": list(entry.entered) or None,
        "earlier": [{"until": last, "players": list(players)} for last, players in entry.earlier]
        or None,
    }
    return _there(written)


def _round(tables: Round) -> JsonObject:
    return {
        "tables": [_table(table) for table in tables.tables],
        "byes": [_bye(bye) for bye in tables.byes],
    }


def _table(table: SeatedTable) -> JsonObject:
    written = {
        "table": table.table,
        "entries": list(table.entries),
        "result": {
            entry: _result(result)
            for entry, result in zip(table.entries, table.results, strict=False)
        }
        or None,
        "forfeit": table.forfeit or None,
        "excused": table.excused or None,
        "hands": table.hands,
        "dealer": table.dealer,
    }
    return _there(written)


def _result(result: Result) -> JsonObject:
    written = {key: getattr(result, key) for key in RESULT_KEYS}
    halves = {
        key: None if written[key] is None else number(written[key]) for key in ("points", "score")
    }
    return _there(written | halves)


def _bye(bye: Bye) -> JsonObject:
    return _there(
        {
            "entry": bye.entry,
            "points": None if bye.points is None else number(bye.points),
            "kind": bye.kind,
        }
    )


def _adjustment(adjustment: Adjustment) -> JsonObject:
    return {
        "entry": adjustment.entry,
        "points": number(adjustment.points),
        "reason": adjustment.reason,
        "by": adjustment.by,
        "after_round": adjustment.after_round,
    }


def _there(written: JsonObject) -> JsonObject:
    return {key: value for key, value in written.items() if value is not None}
