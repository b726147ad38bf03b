"""Games that were begun at a table of the salon by those who meet in a round, and count nowhere
yet.
"""

from collections.abc import Mapping, Sequence

from scoring.errors import RuleViolation, sentence
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.sides import sides_at
from tournament.domain.tournament.state import RoundState, State, TableState
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.swaps import SwapEntries
from tournament.models import Game, Salon, TournamentGame

LOOKED_AT = 500  # the latest games

type People = frozenset[str]
type Seated = frozenset[People] | tuple[People, ...]


def linkable_games(salon: Salon, state: State, each: RoundState) -> Mapping[int, list[Game]]:
    """For each table of a round that has neither a game nor a result the games of its people, the
    latest first.
    """
    waiting = [table for table in each.tables if not table.has_started]
    if not waiting:
        return {}
    counted = TournamentGame.objects.filter(stream__salon=salon).values("game")
    games = (
        Game.objects.filter(salon=salon, kind=state.game, not_played=False)
        .exclude(pk__in=counted)
        .order_by("-started_position")[:LOOKED_AT]
    )
    of_games: dict[int, dict[Seated, list[Game]]] = {}
    for game in games:
        for count in {len(game.seats), 2}:
            known = of_games.setdefault(count, {})
            known.setdefault(_normalise_sides(_sides(game, count)), []).append(game)
    found = {
        table.table: of_games.get(len(table.entries), {}).get(
            _normalise_sides(_entries(state, each.number, table)), []
        )
        for table in waiting
        if sides_at(state.game, len(table.entries))
    }
    return {table: games for table, games in found.items() if games}


def list_link_commands(salon: Salon, state: State, link: LinkGame) -> list[Command]:
    """The commands that count a game at a table: its entries change seats first if they
    sat down the other way round.

    Raises RuleViolation `game_missing` if it is no game of those who meet there, or
    counts elsewhere.
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
    if _sides(game, len(table.entries)) == _entries(state, link.round, table):
        return [link]
    one, two = table.entries
    return [SwapEntries(round=link.round, one=one, two=two), link]


def _sides(game: Game, entries: int) -> list[People]:
    """The people at each side of a game with this many sides."""
    seats = game.seats
    return [
        frozenset(seats[seat] for seat in side if seat in seats)
        for side in sides_at(game.kind, entries)
    ]


def _entries(state: State, number: int, table: TableState) -> list[People]:
    """The players of each entry of a table in round `number`."""
    return [
        frozenset(player for _place, player in state.players_at(number, table, key))
        for key in table.entries
        if state.entry(key) is not None
    ]


def _normalise_sides(sides: Sequence[People]) -> Seated:
    """Two sides in whatever order; more than two as they sit."""
    return frozenset(sides) if len(sides) == 2 else tuple(sides)
