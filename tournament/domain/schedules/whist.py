"""Whist tournaments: single players who partner everybody once and oppose everybody twice, and what
comes near it (F1).
"""

from collections.abc import Sequence
from math import gcd

from tournament.domain.schedules.cycles import Cycle, Table, Tables, three_games
from tournament.domain.schedules.field_whist import bose, bose_cameron, bose_cameron_starter, cosets
from tournament.domain.schedules.galois_field import field, is_prime_power
from tournament.domain.schedules.transversals import Seating, transversals

# Cyclic: everybody partners everybody once and opposes everybody twice. Near-perfect: so do all but
# those who never meet. Short: nobody oftener than that. A line that begins with ( goes on.
STARTERS = """
cyclic 8 (∞ 2 0 6)(1 5 3 4)
cyclic 12 (∞ 3 0 9)(10 5 7 6)(1 4 8 2)
cyclic 20 (∞ 5 0 7)(14 16 1 11)(17 8 9 4)(13 6 12 15)(3 18 10 2)
cyclic 21 (10 14 9 6)(11 1 20 18)(17 8 2 3)(19 4 12 7)(5 15 16 13)
cyclic 24 (∞ 21 0 2)(14 10 15 1)(17 12 6 18)(22 13 9 16)(5 4 7 20)(19 3 11 8)
cyclic 33 (22 15 18 1)(11 7 12 19)(21 4 5 10)(14 29 9 27)(25 23 32 26)(30 20 6 28)(24 16 13 3)
(8 2 31 17)
near-perfect 10 (9 7 5 6)(2 8 4 1)
near-perfect 15 (10 12 4 14)(11 1 8 5)(13 0 3 7)
near-perfect 18 (9 3 1 6)(10 8 15 14)(16 2 12 13)(17 5 0 7)
near-perfect 19 (10 8 15 6)(11 12 18 13)(17 14 1 5)(4 3 0 9)
near-perfect 22 (9 6 0 13)(20 16 8 10)(12 19 14 11)(18 3 1 2)(4 21 7 17)
near-perfect 23 (22 10 14 8)(11 18 7 4)(21 16 15 13)(19 1 3 2)(5 9 0 20)
near-perfect 26 (9 3 18 10)(20 24 21 13)(12 2 0 7)(4 8 22 5)(17 15 1 11)(14 19 16 25)
near-perfect 27 (11 12 8 7)(21 16 2 9)(14 6 15 17)(25 19 13 1)(4 20 0 18)(5 24 26 10)
near-perfect 30 (29 13 23 21)(20 27 9 26)(12 25 28 7)(24 8 15 4)(6 17 16 10)(3 5 1 0)(14 19 11 2)
near-perfect 31 (22 8 29 5)(11 21 23 0)(14 17 10 26)(25 30 27 12)(4 24 19 13)(7 3 15 9)(20 2 6 28)
near-perfect 34 (29 14 15 16)(20 24 17 23)(33 7 27 18)(4 11 25 2)(6 30 1 12)(22 19 10 26)
(5 21 9 31)(32 8 13 0)
near-perfect 35 (22 1 20 24)(11 34 2 31)(21 3 25 33)(14 10 0 9)(4 6 28 19)(12 18 29 26)(7 8 13 23)
(5 32 15 16)
near-perfect 38 (26 19 6 18)(14 28 12 13)(9 36 31 2)(29 8 5 33)(22 16 10 24)(1 3 30 34)
(32 7 15 35)(21 4 27 37)(11 20 0 23)
near-perfect 39 (22 25 26 3)(11 19 12 17)(21 1 37 14)(4 33 15 28)(7 6 31 35)(5 27 32 20)
(23 13 2 10)(30 9 36 34)(24 18 16 38)
near-perfect 58 (48 3 55 33)(56 16 25 6)(46 21 37 57)(44 54 1 42)(32 31 27 51)(18 30 7 4)
(50 43 15 9)(10 36 49 28)(2 11 47 5)(12 20 53 22)(14 19 39 35)(26 24 23 38)(40 17 41 13)
(8 52 45 34)
near-perfect 74 (3 49 2 45)(15 10 54 4)(21 47 14 19)(31 70 8 28)(73 33 24 59)(69 46 56 48)
(67 9 20 43)(39 26 22 40)(25 63 66 5)(51 34 6 58)(27 71 18 35)(61 16 42 36)(41 53 52 23)
(57 38 72 30)(65 1 68 13)(29 44 60 62)(11 7 32 17)(55 12 50 64)
short 6 (5 4 0 2)
short 7 (3 1 0 6)
short 11 (3 1 7 6)(2 9 10 8)
short 14 (6 0 2 5)(13 11 7 12)(1 10 4 8)
"""


def whist(size: int) -> Cycle | None:
    """The whist tournament for so many, or the nearest thing to one: nobody partners anybody twice
    or opposes anybody more than twice. None where no construction is known here.
    """
    constructions = (bose_cameron, cosets, bose, by_starter, by_product, by_four_groups)
    return next((found for each in constructions if (found := each(size)) is not None), None)


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
    seatings = [_build_tables(seating, count) for seating in transversals(count, 4)]
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


def _build_tables(seating: Seating, count: int) -> Tables:
    return tuple(
        tuple(group * count + place for group, place in enumerate(places)) for places in seating
    )


def starter(size: int) -> tuple[str, Sequence[Table]] | None:
    """Return the name of the starter of a size, and the tables of its first round; ∞ is
    the last number.
    """
    for line in STARTERS.replace("\n(", "(").split("\n"):
        name, _, tables = line.partition("(")
        if name.strip().endswith(f" {size}"):
            return name.strip(), [
                tuple(size - 1 if place == "∞" else int(place) for place in table.split())
                for table in tables.removesuffix(")").split(")(")
            ]
    return None


def by_starter(size: int) -> Cycle | None:
    """The rounds a starter makes, or None where none is listed for so many."""
    found = starter(size)
    if found is None:
        return None
    name, tables = found
    modulus = size - 1 if size % 4 == 0 else size
    return Cycle(
        size=size,
        construction=name,
        sittings=tuple(
            (
                tuple(
                    tuple((place + turn) % modulus if place < modulus else place for place in table)
                    for table in tables
                ),
            )
            for turn in range(modulus)
        ),
    )
