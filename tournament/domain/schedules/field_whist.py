"""Whist tournaments that come out of a finite field alone (F1.1 to F1.3)."""

from collections.abc import Iterable

from tournament.domain.schedules.cycles import Cycle, Table, Tables, three_games
from tournament.domain.schedules.galois_field import Field, field, is_prime_power

type Point = tuple[int, int] | None  # an element in one of three copies of the field; None stays


def bose_cameron(size: int) -> Cycle | None:
    """For a prime power of the form 4n + 1: everybody also has everybody once on the left."""
    if size % 4 != 1 or not is_prime_power(size):
        return None
    among = field(size)
    first = bose_cameron_starter(among)
    return Cycle(
        size=size,
        construction=f"bose-cameron {size}",
        sittings=tuple((tuple(_shift_tables(first, turn, among)),) for turn in range(size)),
    )


def bose_cameron_starter(among: Field) -> list[Table]:
    """The tables of the round in which 0 sits out, for a field of 4n + 1 elements."""
    quarter = among.order // 4
    return [
        tuple(among.power(each + seat * quarter) for seat in range(4)) for each in range(quarter)
    ]


def cosets(size: int) -> Cycle | None:
    """For a power of two. Where it is one of four, three rounds are at the same tables: cosets of
    the field of four.
    """
    if size % 4 or not is_prime_power(size):
        return None
    among = field(size)
    squared = size % 3 == 1
    other = among.power(among.order // 3) if squared else 2
    rounds = [_cosets_of(step, other, among) for step in among.powers]
    count = len(rounds) // 3 if squared else len(rounds)
    return Cycle(
        size=size,
        construction=f"cosets {size}",
        sittings=tuple(tuple(rounds[number::count]) for number in range(count)),
    )


def bose(size: int) -> Cycle | None:
    """For 3q + 1, q a prime power of the form 4n + 1: sittings of three games (Bose 1959)."""
    order = size // 3
    if size % 12 != 4 or not is_prime_power(order):
        return None
    among = field(order)
    first = _bose_starter(among)
    return Cycle(
        size=size,
        construction=f"bose {size}",
        sittings=tuple(
            three_games(
                tuple(
                    size - 1 if point is None else point[1] * order + among.add(point[0], turn)
                    for point in table
                )
                for table in first
            )
            for turn in range(order)
        ),
    )


def _bose_starter(among: Field) -> list[tuple[Point, ...]]:
    quarter = among.order // 4
    first: list[tuple[Point, ...]] = [(None, (0, 0), (0, 1), (0, 2))]
    for each in range(quarter):
        one, two, three, four = (among.power(each + seat * quarter) for seat in range(4))
        first.extend(
            ((one, copy), (three, copy), (two, (copy + 1) % 3), (four, (copy + 1) % 3))
            for copy in range(3)
        )
    return first


def _cosets_of(step: int, other: int, among: Field) -> Tables:
    """The tables p, p + other·step, p + step, p + (other + 1)·step, each once."""
    moves = (0, among.multiply(other, step), step, among.multiply(among.add(other, 1), step))
    seated: set[int] = set()
    tables = []
    for player in range(among.order):
        if player not in seated:
            tables.append(tuple(among.add(player, move) for move in moves))
            seated.update(tables[-1])
    return tuple(tables)


def _shift_tables(tables: Iterable[Table], by: int, among: Field) -> Iterable[Table]:
    return (tuple(among.add(place, by) for place in table) for table in tables)
