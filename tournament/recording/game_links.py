"""Games that were begun at a table of the salon by those who meet in a round, and count nowhere
yet.
"""

import json
from collections.abc import Iterator, Mapping

from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.state import RoundState, State, TableState
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.swaps import SwapEntries
from tournament.models import Game, Salon, TournamentGame

LOOKED_AT = 500  # the latest games


def linkable_games(salon: Salon, state: State, each: RoundState) -> Mapping[int, list[Game]]:
    """For each table of a round that has neither a game nor a result the games of its people, the
    latest first.
    """
    waiting = [table for table in each.tables if not table.has_started]
    if not waiting or not GAMES[state.game].teams:
        return {}
    counted = TournamentGame.objects.filter(stream__salon=salon).values("game")
    games = (
        Game.objects.filter(salon=salon, kind=state.game, not_played=False)
        .exclude(pk__in=counted)
        .order_by("-started_position")[:LOOKED_AT]
    )
    at_the_table: dict[frozenset[frozenset[str]], list[Game]] = {}
    for game in games:
        at_the_table.setdefault(frozenset(_teams(game)), []).append(game)
    return {
        table.table: found
        for table in waiting
        if (found := at_the_table.get(frozenset(_entries(state, each.number, table))))
    }


def linking(salon: Salon, state: State, link: LinkGame) -> list[Command]:
    """What counts a game at a table: its entries change seats first where they sat down the other
    way round.

    Raises RuleViolation `game_missing` where it is no game of those who meet there, or counts
    elsewhere.
    """
    each = state.rounds[link.round - 1] if 1 <= link.round <= len(state.rounds) else None
    found = linkable_games(salon, state, each).get(link.table, []) if each is not None else []
    game = next((game for game in found if game.pk == link.game), None)
    table = each.table(link.table) if each is not None else None
    if game is None or table is None:
        message = sentence(
            "no game of those who meet at table %(table)s waits to be counted; start one, "
            "or type the result",
            table=link.table,
        )
        raise RuleViolation("game_missing", message, rule="tournaments", path="game")
    if next(_teams(game)) == next(_entries(state, link.round, table)):
        return [link]
    one, two = table.entries
    return [SwapEntries(round=link.round, one=one, two=two), link]


def _teams(game: Game) -> Iterator[frozenset[str]]:
    seats = json.loads(game.seats)
    return (frozenset(seats[seat] for seat in team) for team in GAMES[game.kind].teams)


def _entries(state: State, number: int, table: TableState) -> Iterator[frozenset[str]]:
    """Who plays for each entry of a table in round `number`."""
    entries = (state.entry(key) for key in table.entries)
    return (
        frozenset(player for _place, player in entry.players_in(number))
        for entry in entries
        if entry is not None
    )
