"""A tournament as a canonical file: salon-tournament/1, every choice spelled out, nothing that
isn't there.
"""

from collections.abc import Iterable, Mapping, Sequence

from scoring.shape import JsonObject
from tournament.domain.standings import reading
from tournament.domain.standings.formats import write_own
from tournament.domain.standings.line_ups import write_line_ups
from tournament.domain.standings.values import (
    BY_LOT,
    BY_TIE_BREAKS,
    BYES_TO,
    ENGINES,
    Adjustment,
    BoardResult,
    Bye,
    Entry,
    PlayOff,
    Result,
    Round,
    SeatedTable,
    Stage,
    Takes,
    Tournament,
)


def write_tournament(tournament: Tournament) -> JsonObject:
    """The tournament as JSON values; read again it is the same."""
    entries = {entry.id: entry for entry in tournament.entries}
    return _there(
        {
            "format": reading.FORMAT,
            "id": tournament.id,
            "name": tournament.name,
            "game": tournament.game,
            "seed": tournament.seed,
            **_stages(tournament),
            "entries": [_entry(entry) for entry in tournament.entries],
            "rounds": [
                _round(tables, number, entries)
                for number, tables in enumerate(tournament.rounds, 1)
            ],
            "cuts": [{"stage": cut.stage, "entries": list(cut.entries)} for cut in tournament.cuts]
            or None,
            "play_offs": [_play_off(each) for each in tournament.play_offs] or None,
            "adjustments": [_adjustment(each) for each in tournament.adjustments] or None,
            "draw": _draw(tournament),
        }
    )


def number(points: int) -> int | float:
    """Hundredths as a number of a file: 250 is 2.5, 300 is 3."""
    return points // 100 if points % 100 == 0 else points / 100


def number_if_any(points: int | None) -> int | float | None:
    """The same, None where there are no points."""
    return None if points is None else number(points)


def write_stage(stage: Stage) -> JsonObject:
    """A stage as a file holds it."""
    written = {
        "kind": stage.kind,
        "rounds": stage.rounds,
        "scale": _scale(stage),
        "tie_breaks": list(stage.tie_breaks),
        "clubs_apart": stage.clubs_apart or None,
        "double": stage.double or None,
        "bye_to": stage.bye_to if stage.bye_to != BYES_TO[0] else None,
        "seeding": stage.seeding if stage.seeding != BY_LOT else None,
        "accelerated": stage.accelerated or None,
        "line_up": stage.line_up or None,
        "tables_a_match": stage.tables_a_match if stage.tables_a_match > 1 else None,
        **write_own(stage),
        "takes": _takes(stage),
    }
    return _there(written)


def _stages(tournament: Tournament) -> JsonObject:
    if not tournament.stages:
        return {"stage": write_stage(tournament.stage)}
    return {"stages": [write_stage(stage) for stage in tournament.stages]}


def _takes(stage: Stage) -> JsonObject | list[JsonObject] | None:
    """Write the sources of a stage: one source, a list of several, None for the first
    stage.
    """
    written = [_source(takes) for takes in stage.sources]
    return written if stage.also else written[0] if written else None


def _source(takes: Takes) -> JsonObject:
    places = [takes.first, takes.last] if takes.first > 1 else None
    return _there(
        {
            "from": takes.from_stage,
            "top": takes.top if places is None else None,
            "places": places,
            "ties": takes.ties if takes.ties != BY_TIE_BREAKS else None,
        }
    )


def _play_off(play_off: PlayOff) -> JsonObject:
    return _there(
        {"stage": play_off.stage, "order": list(play_off.order), "reason": play_off.reason or None}
    )


def _draw(tournament: Tournament) -> JsonObject | None:
    """Write the settings of the next draw, if they are not the usual ones."""
    usual = tournament.engine == ENGINES[-1] and tournament.draw_seed is None
    return None if usual else _there({"engine": tournament.engine, "seed": tournament.draw_seed})


def _scale(stage: Stage) -> JsonObject:
    scale, keys = stage.scale, reading.SCALE_KEYS[stage.scale.kind]
    points = {key: getattr(scale, key) for key in ("win", "draw", "loss", "bye") if key in keys}
    says_opponents = "opponents" in keys and (stage.kind == "pods" or scale.opponents)
    return _there(
        {
            "kind": scale.kind,
            **{key: number(value) for key, value in points.items()},
            "steps": [number(step) for step in scale.steps] or None,
            "opponents": scale.opponents if says_opponents else None,
        }
    )


def _entry(entry: Entry) -> JsonObject:
    earlier = [{"until": last, "players": list(players)} for last, players in entry.earlier]
    name = entry.entry_name or None
    return _write_filled(entry, reading.ENTRY_KEYS, earlier=earlier, entry_name=name)


def _round(tables: Round, number: int, entries: Mapping[str, Entry]) -> JsonObject:
    return _there(
        {
            "tables": [
                _table(part, number, entries, (place, len(table.parts) or 1))
                for table in tables.tables
                for place, part in enumerate(table.parts or (table,))
            ],
            "byes": [_bye(bye) for bye in tables.byes],
            "stage": tables.stage if tables.stage > 1 else None,
        }
    )


def _table(
    table: SeatedTable, number: int, entries: Mapping[str, Entry], part: tuple[int, int]
) -> JsonObject:
    """A table, the so many-th of so many of its match."""
    results = zip(table.entries, table.results, strict=False)
    return _write_filled(
        table,
        reading.TABLE_KEYS,
        result={entry: _result(result) for entry, result in results},
        boards=[_board(table, board) for board in table.boards],
        line_ups=write_line_ups(table, number, entries, part),
    )


def _board(table: SeatedTable, board: BoardResult) -> JsonObject:
    def by_entry(values: Sequence[int | float]) -> JsonObject | None:
        return dict(zip(table.entries, values, strict=True)) if values else None

    return _there(
        {
            "deal": board.deal,
            "scores": by_entry([number(score) for score in board.scores]),
            "awarded": by_entry(board.awarded),
            "version": board.version if board.version != 1 else None,
        }
    )


def _result(result: Result) -> JsonObject:
    written = {key: getattr(result, key) for key in reading.RESULT_KEYS}
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


def _write_filled(source: object, keys: Iterable[str], **written: object) -> JsonObject:
    """Return the attributes of `source` under these keys that are not empty; `written`
    has those that a file holds in another way.
    """
    values = {key: written[key] if key in written else getattr(source, key) for key in keys}
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in values.items()
        if value not in (None, (), [], {}) and value is not False
    }


def _there(written: JsonObject) -> JsonObject:
    return {key: value for key, value in written.items() if value is not None}
