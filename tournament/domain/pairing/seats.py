"""Seats, table numbers and first dealers: by balance and points, the rest by lot."""

from collections.abc import Sequence

from scoring.games import GAMES
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.lots import draw_one_of, lot


def in_seats(
    one: Contender, two: Contender, *, seed: int, number: int
) -> tuple[Contender, Contender]:
    """Two entries in the order of their seats: the first is who sat there less often until now,
    else by lot.
    """
    if one.balance != two.balance:
        return (one, two) if one.balance < two.balance else (two, one)
    first, second = sorted((one, two), key=lambda player: player.entry)
    if lot(seed, "seats", number, first.entry, second.entry) % 2 == 0:
        return (first, second)
    return (second, first)


def in_order_of_tables(
    pairs: Sequence[tuple[Contender, Contender]], *, seed: int, number: int
) -> list[tuple[Contender, Contender]]:
    """The pairs from the first table on: the highest points first, equal ones by lot."""
    return sorted(
        pairs,
        key=lambda pair: (
            _points(pair),
            lot(seed, "table", number, *sorted(player.entry for player in pair)),
        ),
    )


def _points(pair: tuple[Contender, Contender]) -> tuple[int, int]:
    one, two = pair
    return -max(one.points, two.points), -min(one.points, two.points)


def first_dealer(game: str, *, seed: int, number: int, table: int) -> str:
    """The seat that deals first at a table, drawn from the seats of the game when two entries meet
    there.
    """
    return draw_one_of(GAMES[game].seatings[0], seed, "dealer", number, table)
