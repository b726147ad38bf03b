"""Plans in which everybody meets everybody at tables of three, four or q (F1, F4): squares,
Kirkman's systems by Ray-Chaudhuri and Wilson, Bose's of four; and what is left of them with a few
seats empty.
"""

from collections.abc import Iterator

from tournament.domain.schedules.galois_field import Field, field, is_prime_power
from tournament.domain.schedules.values import Plan, build_round

type Tables = list[list[int]]  # of a round, by numbers


def complete(players: int, *, tables: int, seats: int) -> Iterator[Plan]:
    """Plans of these players at `tables` of `seats`, and of one fewer where places stay empty.

    With all seats taken, or all but one, everybody who is there meets everybody. Up to a table's
    worth of empty seats stand at one table in one round, which is left out.
    """
    everybody, empty = tables * seats, tables * seats - players
    for name, made in (
        ("affine", _affine),
        ("kirkman", _kirkman_of_three_parts),
        ("kirkman", _kirkman_of_two_parts),
        ("bose", _bose),
    ):
        rounds = made(everybody, seats)
        if rounds and empty <= seats:
            played = _with_empty_seats(rounds, players)
            yield Plan(
                size=players,
                construction=f"{name} {everybody}",
                rounds=tuple(map(build_round, played)),
                most_met=1,
            )


def _with_empty_seats(rounds: list[Tables], players: int) -> list[Tables]:
    """The rounds without those at the end of one table of the last, who have the highest numbers
    now; without the last too where they are two or more, who would meet there.
    """
    everybody = sum(map(len, rounds[0]))
    gone = everybody - players
    absent = rounds[-1][-1][len(rounds[-1][-1]) - gone :]
    order = [player for player in range(everybody) if player not in absent]
    number = {player: place for place, player in enumerate(order)}
    return [
        [[number[player] for player in table if player in number] for table in tables]
        for tables in (rounds[:-1] if gone > 1 else rounds)
    ]


def _affine(players: int, seats: int) -> list[Tables]:
    """The lines of a plane of order q: the parallels of every slope, then the verticals."""
    if players != seats * seats or not is_prime_power(seats):
        return []
    order = field(seats)
    sloped = [
        [
            [seats * x + order.add(order.multiply(slope, x), height) for x in range(seats)]
            for height in range(seats)
        ]
        for slope in range(seats)
    ]
    return [*sloped, [[seats * x + y for y in range(seats)] for x in range(seats)]]


def _kirkman_of_three_parts(players: int, seats: int) -> list[Tables]:
    """Ray-Chaudhuri and Wilson's for three times a prime power of the form 6t + 1."""
    size, left = divmod(players, 3)
    if seats != 3 or left or size % 6 != 1 or not is_prime_power(size):
        return []
    order, t = field(size), size // 6
    within = [
        [_at(order, part, i + turn) for turn in (0, 2 * t, 4 * t)]
        for i in range(t)
        for part in range(3)
    ]
    across = [[_at(order, part, i + 2 * t * part) for part in range(3)] for i in range(6 * t)]
    first = [
        [0, size, 2 * size],
        *within,
        *(table for i, table in enumerate(across) if i % (2 * t) >= t),
    ]
    return [
        *(_shift_tables(order, first, by, parts=3) for by in range(size)),
        *(
            [_shift_tables(order, [table], by, parts=3)[0] for by in range(size)]
            for i, table in enumerate(across)
            if i % (2 * t) < t
        ),
    ]


def _kirkman_of_two_parts(players: int, seats: int) -> list[Tables]:
    """Ray-Chaudhuri and Wilson's for one more than twice a prime power of the form 6t + 1."""
    size = players // 2
    if seats != 3 or players % 2 == 0 or size % 6 != 1 or not is_prime_power(size):
        return []
    order, t = field(size), size // 6
    two = order.add(1, 1)
    m = next(
        m
        for m in range(size - 1)
        if order.multiply(two, order.power(m)) == order.add(order.power(t), 1)
    )
    first = [[0, size, 2 * size]]
    for i in (*range(t), *range(2 * t, 3 * t), *range(4 * t, 5 * t)):
        first.append([_at(order, 0, i), _at(order, 0, i + t), _at(order, 1, i + m)])
    for i in range(t):
        first.append([_at(order, 1, i + m + turn) for turn in (t, 3 * t, 5 * t)])
    return [_shift_tables(order, first, by, parts=2) for by in range(size)]


def _bose(players: int, seats: int) -> list[Tables]:
    """Bose's for one more than three times a prime power of the form 4t + 1."""
    size, left = divmod(players - 1, 3)
    if seats != 4 or left or size % 4 != 1 or not is_prime_power(size):
        return []
    order, t = field(size), size // 4
    first = [[3 * size, 0, size, 2 * size]]
    for part in range(3):
        following = (part + 1) % 3
        for i in range(t):
            first.append(
                [
                    _at(order, part, i),
                    _at(order, part, i + 2 * t),
                    _at(order, following, i + t),
                    _at(order, following, i + 3 * t),
                ]
            )
    return [_shift_tables(order, first, by, parts=3) for by in range(size)]


def _at(order: Field, part: int, exponent: int) -> int:
    """The number of a power of the primitive element in a part of the players."""
    return part * order.order + order.power(exponent)


def _shift_tables(order: Field, tables: Tables, by: int, *, parts: int) -> Tables:
    """Tables with an element added in every part; one above all parts stays."""
    size = order.order
    return [
        [
            player
            if player == parts * size
            else player // size * size + order.add(player % size, by)
            for player in table
        ]
        for table in tables
    ]
