"""What the rows of a tournament hold, and the state that pages read back from them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from django.db.models import Model

from tournament.directing.state import RoundState, State
from tournament.models import Tournament, TournamentAddress, TournamentGame, TournamentRound

_ENCODER = msgspec.json.Encoder(order="sorted")
_STATE = msgspec.json.Decoder(State)
_ROUND = msgspec.json.Decoder(RoundState)


def tournament_rows(stream: str, state: State) -> Mapping[type[Model], Mapping[str, Mapping[str, Any]]]:
    """The row of the tournament, one for each address, round and game that counts in it; JSON has all but what stands beside it."""
    games = [(table.game, each.number, table.table) for each in state.rounds for table in each.tables if table.game is not None]
    return {
        Tournament: {stream: _head(state)},
        TournamentAddress: {
            f"{stream}-{since}": {"stream_id": stream, "address": address, "since": since} for address, since in state.claims
        },
        TournamentRound: {
            f"{stream}-{each.number}": {"stream_id": stream, "number": each.number, "state": _json(each)} for each in state.rounds
        },
        TournamentGame: {
            f"{stream}-{game}": {"stream_id": stream, "game": game, "round": number, "table": table, "silent": state.is_silent(number)}
            for game, number, table in games
        },
    }


def state_of(row: Tournament) -> State:
    """The tournament as its rows have it."""
    state = _STATE.decode(row.state)
    rounds = TournamentRound.objects.filter(stream=row.pk).order_by("number").values_list("state", flat=True)
    return replace(state, rounds=tuple(map(_ROUND.decode, rounds)))


def round_of(stream: str, number: int) -> RoundState | None:
    """A round of a tournament as its row has it; None where it isn't drawn."""
    found = TournamentRound.objects.filter(stream=stream, number=number).values_list("state", flat=True).first()
    return _ROUND.decode(found) if found is not None else None


def _head(state: State) -> dict[str, Any]:
    return {
        "record": state.record,
        "name": state.name,
        "game": state.game,
        "phase": state.phase,
        "rounds": len(state.rounds),
        "version": state.version,
        "state": _json(replace(state, rounds=())),
    }


def _json(value: object) -> str:
    return _ENCODER.encode(value).decode()
