"""Whether those sat in a game who play at its table by the tournament: someone who is named for a
round that has begun isn't in its game yet.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from scoring.games import GAMES
from tournament.domain.tournament.sides import seats_of
from tournament.domain.tournament.state import RoundState
from tournament.queries.seats_as_of import sitting
from tournament.queries.tournament import ShownTable, TournamentView
from tournament.salons.persons import merged_players
from tournament.streams.folds import fold_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDifferences:
    """Seats of a game in which the tournament has others than its closed hands: (seat, who sat
    there, who plays there by the tournament) by name. `query` fills in the form that corrects it.
    """

    game: str
    seats: tuple[tuple[str, str, str], ...]
    query: str


def other_seats(at: TournamentView, each: RoundState, shown: ShownTable) -> SeatDifferences | None:
    """The seats in which the game of a table and the tournament differ; None if they
    don't, and before a hand is closed.
    """
    row = shown.game
    wanted = _seats_wanted(at, each, shown)
    if row is None or row.is_silent or not wanted or set(wanted.items()) == set(row.seats.items()):
        return None
    folded = fold_of(at.row.salon.log_id, row.pk)
    if folded is None or not folded.state.results:
        return None
    stood_for = merged_players(at.row.salon)
    hands = [getattr(closed.hand, "number", None) for closed in folded.state.results]
    sat = [sitting(folded.state, number) for number in hands]
    differing = {
        seat: hand[seat]
        for hand in sat
        for seat, player in wanted.items()
        if stood_for.get(hand.get(seat, ""), hand.get(seat)) != stood_for.get(player, player)
    }
    if not differing:
        return None
    names, seat_names = at.players, GAMES[row.kind].seat_names
    query = {f"sat.{seat}": names.get(player, "") for seat, player in wanted.items()}
    return SeatDifferences(
        game=row.pk,
        seats=tuple(
            (str(seat_names[seat]), names.get(player, ""), names.get(wanted[seat], ""))
            for seat, player in differing.items()
        ),
        query=urlencode(query),
    )


def _seats_wanted(at: TournamentView, each: RoundState, shown: ShownTable) -> dict[str, str]:
    """The seats at a table by the tournament; empty if its people don't fill the game."""
    count = len(shown.table.entries)
    wanted: dict[str, str] = {}
    for place, key in enumerate(shown.table.entries):
        players = dict(at.state.players_at(each.number, shown.table, key)).values()
        seats = seats_of(at.state.game, count, place, list(players))
        if not seats:
            return {}
        wanted |= dict(seats)
    return wanted
