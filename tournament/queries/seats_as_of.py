"""The players at the seats of a game at a moment, and the names of the seats by those
players.
"""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from scoring.common_state import GameState
from scoring.game import AnyGame
from tournament.models import Salon
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience


def sitting(state: GameState, number: int | None = None) -> dict[str, str]:
    """The player's id at each seat, substitutes too: in the hand of this number, else in the open
    one, else in the last.
    """
    hands = [getattr(closed, "hand", closed) for closed in state.done] + (
        [state.hand] if state.hand is not None else []
    )
    hand = next(
        (hand for hand in reversed(hands) if number in (None, getattr(hand, "number", None))), None
    )
    return {**state.players, **dict(getattr(hand, "players", ()))}


def called(game: AnyGame, seats: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """The name of each seat: its player if each plays alone, else the seat, and its team;
    `names` are by id.
    """
    alone = {} if game.teams else {seat: names.get(player, "") for seat, player in seats.items()}
    return {
        seat: alone.get(seat) or _(name) for seat, name in {**game.seat_names, **game.teams}.items()
    }


def name_seats_in_states(
    salon: Salon, game: AnyGame, states: Iterable[GameState], audience: Audience
) -> list[dict[str, str]]:
    """The names of the seats in the last hand of each of these states, for this audience."""
    seats = [sitting(state) for state in states]
    names = names_of(salon, {player for each in seats for player in each.values()}, audience)
    return [called(game, each, names) for each in seats]
