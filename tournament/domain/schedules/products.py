"""Larger whist tournaments put together from smaller ones.

By product: a starter over a field of q = 4m + 1 elements is played once for every y of Z_n, with
its four seats at y, 2y, 3y and 4y; the starter of a smaller tournament in Z_n plays beside it at 0.
All differences but those within Z_n come from the first, those from the second. By four groups of
n: sittings with one of every group at each table, and a tournament for n in each group at once.
"""

from collections.abc import Sequence
from math import gcd

from tournament.domain.schedules.cycles import Cycle, Table, Tables, three_games
from tournament.domain.schedules.field_whist import bose_cameron, bose_cameron_starter
from tournament.domain.schedules.galois_field import field, is_prime_power
from tournament.domain.schedules.starters import by_starter, starter
from tournament.domain.schedules.transversals import Seating, transversals


def by_product(size: int) -> Cycle | None:
    """For q·n, or q·n + 1 with somebody who stays, q a prime power of the form 4m + 1, n a prime
    from 5 on with a starter of its own; None for other sizes.
    """
    moving = size - 1 if size % 4 == 0 else size
    for order in range(5, moving // 5 + 1, 4):
        within, rest = divmod(moving, order)
        if rest or not is_prime_power(order) or not _fits(within, order):
            continue
        smaller = _starter_within(within + size - moving)
        if smaller is not None:
            return _product(size, order, within, smaller)
    return None


def by_four_groups(size: int) -> Cycle | None:
    """For 4n where n has a whist tournament of its own and as many seatings as tables; None for
    other sizes.
    """
    count, rest = divmod(size, 4)
    if rest or count % 4 > 1:
        return None
    seatings = [_seated(seating, count) for seating in transversals(count, 4)]
    within = bose_cameron(count) or by_starter(count)
    if len(seatings) < count or within is None:
        return None
    games = [_in_four_groups(game, count) for sitting in within.sittings for game in sitting]
    return Cycle(
        size=size,
        construction=f"four-groups {size}",
        sittings=_with_who_sits_out(games, seatings) if count % 4 else _plain(games, seatings),
    )


def _fits(within: int, order: int) -> bool:
    """Whether this is a prime from 5 on that is not the field's own."""
    return (
        within >= 5
        and is_prime_power(within)
        and field(within).characteristic == within
        and gcd(within, order) == 1
    )


def _starter_within(size: int) -> Sequence[Table] | None:
    if size % 4 == 1:
        return bose_cameron_starter(field(size))
    found = starter(size)
    return found and found[1]


def _product(size: int, order: int, within: int, smaller: Sequence[Table]) -> Cycle:
    """Number x·n + y stands for x of the field and y of Z_n; one after all of them stays."""
    among = field(order)
    first = [
        *(
            tuple(x * within + y * seat % within for seat, x in enumerate(table, start=1))
            for table in bose_cameron_starter(among)
            for y in range(within)
        ),
        *(tuple(size - 1 if place == within else place for place in table) for table in smaller),
    ]

    def moved(player: int, turn: int) -> int:
        x, y = divmod(player, within)
        return player if x == order else among.add(x, turn % order) * within + (y + turn) % within

    return Cycle(
        size=size,
        construction=f"product {size}",
        sittings=tuple(
            (tuple(tuple(moved(player, turn) for player in table) for table in first),)
            for turn in range(order * within)
        ),
    )


def _plain(games: Sequence[Tables], seatings: Sequence[Tables]) -> tuple[tuple[Tables, ...], ...]:
    return (*map(three_games, seatings), *((game,) for game in games))


def _with_who_sits_out(
    games: Sequence[Tables], seatings: Sequence[Tables]
) -> tuple[tuple[Tables, ...], ...]:
    """The four who sit out in their groups at once are a table of the first seating, and have its
    first game meanwhile.
    """
    first, *others = seatings
    playing = [{player for table in game for player in table} for game in games]
    return (
        *map(three_games, others),
        *(
            ((*game, *(table for table in first if seated.isdisjoint(table))),)
            for game, seated in zip(games, playing, strict=True)
        ),
        three_games(first)[1:],
    )


def _in_four_groups(game: Tables, count: int) -> Tables:
    return tuple(
        tuple(group * count + player for player in table) for group in range(4) for table in game
    )


def _seated(seating: Seating, count: int) -> Tables:
    return tuple(
        tuple(group * count + place for group, place in enumerate(places)) for places in seating
    )
