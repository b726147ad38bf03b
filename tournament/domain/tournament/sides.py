"""Which seats of a game the entries of a round's table take: one rule for the draw's seats, the
game that is started, and what is shown.
"""

from collections.abc import Sequence

from scoring.games import GAMES


def sides_at(game: str, entries: int = 2) -> tuple[str, ...]:
    """The seats of each entry of a table with so many, in the order of its entries: `NS` and `EW`,
    or a seat each; nothing where they don't fill a game, as where each plays one of its own.
    """
    chosen = GAMES[game]
    if len(chosen.teams) == entries:
        return tuple(chosen.teams)
    return next((seats for seats in chosen.seatings if len(seats) == entries), ())


def seats_of(
    game: str, entries: int, place: int, players: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the seat of each player of the entry at this place of a table of
    `entries`; none if its players don't fill its side.
    """
    sides = sides_at(game, entries)
    if place >= len(sides) or len(sides[place]) != len(players):
        return ()
    return tuple(zip(sides[place], players, strict=True))
