"""Which seats of a game the entries of a round's table take: one rule for the draw's seats, the
game that is started, and what is shown.
"""

from collections.abc import Sequence

from scoring.games import GAMES


def sides_at(game: str) -> tuple[str, ...]:
    """The seats of each entry of a table, in the order of its entries (`NS`, `EW`); nothing where
    each plays a game of its own.
    """
    return tuple(GAMES[game].teams)


def seats_of(game: str, place: int, players: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Who of the entry at this place of a table takes which seat; nothing where its players don't
    fill its side.
    """
    sides = sides_at(game)
    if place >= len(sides) or len(sides[place]) != len(players):
        return ()
    return tuple(zip(sides[place], players, strict=True))


def allowed_by(game: str) -> tuple[int, ...]:
    """How many people an entry can have in this game: one, or a team."""
    return tuple(sorted({1, *map(len, GAMES[game].teams)}))
