"""The Howell: everybody meets everybody, and no set of deals is at two tables at once (F5).

Of an even number of pairs the last stays and the others move on by one a round. A starter says who
meets in round 0, an adder which set they have then. Those written out here were found by search
among starters whose N–S pairs of a set, as a sequence of signs, have an autocorrelation as even as
can be: so every two pairs are compared about as often in the same direction as any other two.
"""

from math import isqrt
from typing import NamedTuple


class Match(NamedTuple):
    """A table of a round: who sits N–S, who E–W, and the set of deals they play, all from 0."""

    north_south: int
    east_west: int
    deals: int


type Matches = list[list[Match]]  # by round, then by table

# By the number of pairs: N–S, E–W and adder of every table but that of the pair that stays.
STARTERS = {
    10: "8 5 2, 4 6 7, 7 3 5, 2 1 4",
    14: "6 8 12, 5 2 1, 9 1 3, 3 7 8, 12 11 11, 4 10 4",
    16: "8 14 11, 4 12 1, 3 5 6, 11 6 12, 9 13 3, 1 2 5, 7 10 7",
    18: "13 3 5, 6 7 7, 4 2 1, 12 9 12, 14 1 15, 16 8 11, 15 10 13, 11 5 4",
    22: ("11 13 14, 2 17 5, 14 9 17, 3 15 15, 20 19 18, 7 18 6, 1 4 10, 16 8 4, 12 5 3, 6 10 13"),
    26: (
        "19 24 9, 17 20 14, 3 12 4, 13 7 10, 22 15 24, 16 2 2, 18 14 12, 6 21 16, 11 23 13, "
        "9 1 1, 8 10 5, 4 5 15"
    ),
    28: (
        "6 3 25, 24 17 16, 12 23 2, 2 10 24, 21 19 11, 20 8 15, 16 22 20, 1 14 23, 5 4 14, "
        "18 13 4, 26 9 12, 11 15 1, 25 7 22"
    ),
    30: (
        "19 14 11, 21 25 12, 22 2 14, 24 18 20, 1 15 4, 5 7 21, 11 8 9, 16 9 2, 23 4 27, 6 27 26, "
        "12 13 1, 20 3 7, 26 10 25, 28 17 24"
    ),
}


def howell_matches(size: int) -> Matches:
    """The whole Howell of an even number of pairs, one that `has_howell`: every two meet once (of
    four pairs twice), and everybody plays every set once.
    """
    if size == 4:
        return _by_exchange()
    if size == 6:
        return _by_relay()
    moving = size - 1
    return _move_pairs(moving, _read_starter(size) if size in STARTERS else _of_squares(moving))


def has_howell(size: int) -> bool:
    """Whether there is a construction for this even number of pairs."""
    return size in (4, 6) or size in STARTERS or (size >= 8 and _is_prime_3_mod_4(size - 1))


def _by_exchange() -> Matches:
    """Four pairs: those who meet play two rounds, in the second of which the tables exchange their
    sets, and at the second table the directions are exchanged as well.
    """
    matches = []
    for first in range(3):
        one, two = (first + 1) % 3, (first + 2) % 3
        matches += [
            [Match(3, first, 2 * first), Match(one, two, 2 * first + 1)],
            [Match(3, first, 2 * first + 1), Match(two, one, 2 * first)],
        ]
    return matches


def _by_relay() -> Matches:
    """Six pairs: a set is that of the round in which the same two would meet if the pair that
    stays and the one it meets last had each other's numbers.

    Any two round robins of six share a round, here the last: all three tables play the same set in
    it, and must hand its deals round.
    """
    rounds = _move_pairs(5, [Match(4, 1, 0), Match(2, 3, 0)])
    exchanged = {4: 5, 5: 4}
    round_of = {
        frozenset(exchanged.get(pair, pair) for pair in match[:2]): number
        for number, matches in enumerate(rounds)
        for match in matches
    }
    return [
        [match._replace(deals=round_of[frozenset(match[:2])]) for match in matches]
        for matches in rounds
    ]


def _read_starter(size: int) -> list[Match]:
    return [Match(*map(int, table.split())) for table in STARTERS[size].split(",")]


def _of_squares(prime: int) -> list[Match]:
    """Squares of the field N–S, each against the next power of a primitive root (Mullin and
    Nemeth): for a prime ≡ 3 (mod 4) every two pairs are compared equally.
    """
    root = next(
        each
        for each in range(2, prime)
        if len({pow(each, power, prime) for power in range(prime - 1)}) == prime - 1
    )
    tables = [(pow(root, 2 * i, prime), pow(root, 2 * i + 1, prime)) for i in range(prime // 2)]
    return [Match(square, other, -(square + other) % prime) for square, other in tables]


def _move_pairs(moving: int, starter: list[Match]) -> Matches:
    """The table of the pair that stays is the first, on the set of the round; the others are as far
    behind with theirs as their adder says.
    """
    return [
        [
            Match(moving, number, number),
            *(
                Match(
                    (match.north_south + number) % moving,
                    (match.east_west + number) % moving,
                    (number - match.deals) % moving,
                )
                for match in starter
            ),
        ]
        for number in range(moving)
    ]


def _is_prime_3_mod_4(number: int) -> bool:
    return number % 4 == 3 and all(number % each for each in range(3, isqrt(number) + 1, 2))
