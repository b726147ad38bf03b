"""The rows of a tournament, and the state that pages read back from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Model

from scoring.shape import JsonMapping, JsonObject
from tournament import models
from tournament.domain.tournament.state import EntryState, RoundState, Single, State
from tournament.models.written_json import json_text


class _Remembered(NamedTuple):
    """The players' rows of entries and singles."""

    entries: Sequence[EntryState]
    singles: Sequence[Single]
    rows: Mapping[str, JsonMapping]


# The tournament that was written last: most acts leave its entries as they are, and the rows of its
# players alone. Without it an evening of 200 entries and 5 rounds takes 7 % more of a processor
# (median of 5 pairs on SQLite).
_REMEMBERED: dict[str, _Remembered] = {}


def tournament_rows(stream: str, state: State) -> Mapping[type[Model], Mapping[str, JsonMapping]]:
    """The row of the tournament, one for each address, player, round and game that counts in
    it.
    """
    games = [
        (table.game, each.number, table.table)
        for each in state.rounds
        for table in each.tables
        if table.game is not None
    ]
    return {
        models.Tournament: {stream: _head(state)},
        models.TournamentAddress: {
            f"{stream}-{since}": {"stream_id": stream, "address": address, "since": since}
            for address, since in state.claims
        },
        models.TournamentPlayer: _players(stream, state),
        models.TournamentRound: {
            f"{stream}-{each.number}": {"stream_id": stream, **_round(each)}
            for each in state.rounds
        },
        models.TournamentGame: {
            f"{stream}-{game}": {
                "stream_id": stream,
                "game": game,
                "round": number,
                "table": table,
                "silent": state.is_silent(number),
            }
            for game, number, table in games
        },
    }


def state_of(row: models.Tournament) -> State:
    """The tournament as its rows have it."""
    head: State = row.state
    rounds = models.TournamentRound.objects.filter(stream=row.pk).order_by("number")
    return replace(head, rounds=tuple(rounds.values_list("state", flat=True)))


def round_of(stream: str, number: int) -> RoundState | None:
    """A round of a tournament as its row has it; None where it isn't drawn."""
    rounds = models.TournamentRound.objects.filter(stream=stream, number=number)
    return rounds.values_list("state", flat=True).first()


def _players(stream: str, state: State) -> Mapping[str, JsonMapping]:
    """A row for everybody whom the tournament names: the very same rows as long as the entries are
    the very same.
    """
    known = _REMEMBERED.get(stream)
    if known is not None and known.entries is state.entries and known.singles is state.singles:
        return known.rows
    entered = {player for entry in state.entries for _place, player in entry.entered}
    playing = {player for entry in state.entries for player in entry.everybody}
    named = sorted(entered | playing | {single.player for single in state.singles})
    rows = {f"{stream}-{player}": {"stream_id": stream, "player_id": player} for player in named}
    _REMEMBERED.clear()
    _REMEMBERED[stream] = _Remembered(state.entries, state.singles, rows)
    return rows


def _round(each: RoundState) -> JsonObject:
    named = ("number", "published", "closed")
    return {name: getattr(each, name) for name in named} | {"state": json_text(each)}


def _head(state: State) -> JsonObject:
    same = columns_of(state, "record", "name", "game", "phase", "practice", "hidden")
    return same | {"rounds": len(state.rounds), "state": json_text(replace(state, rounds=()))}


def columns_of(state: object, *names: str) -> JsonObject:
    """The columns of a row that are called as they are in the state of its stream, and the
    version.
    """
    return {name: getattr(state, name) for name in (*names, "version")}
