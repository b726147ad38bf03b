"""A game at a glance: what a list of tables says of it, read from its row."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from scoring.games import GAMES
from scoring.shape import JsonMapping
from tournament.models import Game, Salon
from tournament.salons.public_names import Audience, shown_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Who plays together, their score (None: not to be seen), and whether they have won the
    game.
    """

    team: str
    names: str
    score: int | None
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """One game in two lines. `hand` is the number of the open or next one, `state` the table as its
    row holds it.

    Of a `silent` game there is neither, nor a score: 0 and nothing.
    """

    game: str
    kind: str
    table: str
    played_on: date | None
    hand: int
    finished: bool
    sides: tuple[Side, ...]
    state: JsonMapping
    silent: bool = False


def glances(salon: Salon, games: Iterable[Game], audience: Audience) -> list[Glance]:
    """Games of the salon in their order, with their players' names as they are now for this
    audience: one query for all.
    """
    seated = [(game, json.loads(game.seats)) for game in games]
    ids = {player for _game, seats in seated for player in seats.values()}
    names = shown_names(salon, ids, audience) if seated else {}
    return [
        _glance(game, {seat: names.get(player, "") for seat, player in seats.items()})
        for game, seats in seated
    ]


def _glance(game: Game, players: Mapping[str, str]) -> Glance:
    state = json.loads(game.state) if not game.is_silent else None
    sides = list(state["score"]) if state is not None else list(GAMES[game.kind].teams or players)
    hand = (
        0
        if state is None
        else state["hand"]["number"]
        if state["hand"]
        else state["next"]["number"]
    )
    return Glance(
        game=game.pk,
        kind=game.kind,
        table=game.table,
        played_on=game.played_on,
        hand=hand,
        finished=game.finished,
        sides=tuple(_side(team, state, players) for team in sorted(sides, key=_first_seat(game))),
        state=state or {},
        silent=state is None,
    )


def _first_seat(game: Game) -> Callable[[str], int]:
    """Sides stand in the order in which their first seats are dealt to."""
    seats = list(GAMES[game.kind].seat_names)
    return lambda team: seats.index(team[0])


def _side(team: str, state: JsonMapping | None, players: Mapping[str, str]) -> Side:
    names = " & ".join(players[seat] for seat in team)
    if state is None:
        return Side(team=team, names=names, score=None, won=False)
    return Side(team=team, names=names, score=state["score"][team], won=team in state["winners"])
