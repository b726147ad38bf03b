"""The aims of a Swiss draw, from the first to the last, packed into one whole number a pair.

Each aim, or tier, gets so many binary digits that a whole draw's worth of it can never reach the
tier above: the least sum is the least in the first tier, among those in the second, and so on. The
last tier is a lot, so that one draw is the best.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import gcd

from tournament.domain.pairing.values import Contender
from tournament.domain.standings.lots import lot

# Again: how often they met more than once. The bye's three stand above the scores, as the odd one
# out comes first.
TIERS = (
    "rematch",
    "rematch_again",
    "bye_again",
    "bye_above",
    "bye_place",
    "score_difference",
    "repeated_float",
    "same_club",
    "seat_balance",
    "lots",
)
LOT_BITS = 24
MOST_BITS = 120  # what the matching can add up without overflow, with room to spare
MIX = 0x9E3779B97F4A7C15  # spreads the bits of two lots over one number
WORD = (1 << 64) - 1

type Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """The cost of every pair of these contenders, tier by tier.

    `players` are in the order of points, equals so that seats balance. `heights` are
    the points as scores are compared: divided by their common measure, or places if the
    numbers would grow too great. `below` says how many of the same score are placed
    lower if the lowest `placed` of them is to sit out. `shifts` say where each tier
    begins in the packed number.
    """

    players: tuple[Contender, ...]
    heights: tuple[int, ...]
    places: tuple[int, ...]
    lots: tuple[int, ...]
    below: tuple[int, ...]
    placed: bool
    clubs_apart: bool
    widest: int
    shifts: Vector

    def pair(self, one: int, two: int) -> Vector:
        """The cost of a pair in every tier but the lot, by places in `players`."""
        first, second = self.players[one], self.players[two]
        times = first.met.get(second.entry, 0)
        apart = self.heights[one] - self.heights[two]
        floats = 0
        if apart:
            floats = (first.floated == (-1 if apart > 0 else 1)) + (
                second.floated == (1 if apart > 0 else -1)
            )
        same_club = self.clubs_apart and first.club is not None and first.club == second.club
        seats = self.widest - abs(first.balance - second.balance)
        return (
            int(times > 0),
            max(0, times - 1),
            0,
            0,
            0,
            apart * apart,
            floats,
            int(same_club),
            seats,
        )

    def edges(
        self, pairs: Iterable[tuple[int, int]], *, with_lots: bool
    ) -> list[tuple[int, int, int]]:
        """The pairs, each with its packed cost: what `pair`, `packed` and `lot` come to, in one go
        for very many of them.
        """
        heights, lots, widest = self.heights, self.lots, self.widest
        met = [player.met for player in self.players]
        entries = [player.entry for player in self.players]
        floated = [player.floated for player in self.players]
        balances = [player.balance for player in self.players]
        clubs = [player.club if self.clubs_apart else None for player in self.players]
        rematch, again, _, _, _, difference, float_again, club, seats, _ = self.shifts
        edges = []
        for one, two in pairs:
            apart = heights[one] - heights[two]
            cost = widest - abs(balances[one] - balances[two]) << seats
            if apart:
                down, up = (one, two) if apart > 0 else (two, one)
                cost += (apart * apart << difference) + (
                    (floated[down] == -1) + (floated[up] == 1) << float_again
                )
            if clubs[one] is not None and clubs[one] == clubs[two]:
                cost += 1 << club
            if times := met[one].get(entries[two], 0):
                cost += (1 << rematch) + (times - 1 << again)
            if with_lots:
                cost += ((lots[one] ^ lots[two]) * MIX & WORD) >> 64 - LOT_BITS
            edges.append((one, two, cost))
        return edges

    def bye(self, one: int) -> Vector:
        """The cost of sitting out."""
        player = self.players[one]
        return (
            0,
            0,
            player.byes,
            self.places[one],
            self.below[one],
            0,
            int(player.floated == -1),
            0,
            0,
        )

    def packed(self, cost: Sequence[int]) -> int:
        """A cost, or the sum of several, as one number."""
        return sum(part << shift for part, shift in zip(cost, self.shifts, strict=False))

    def unpacked(self, packed: int) -> Vector:
        """The other way round; the lot apart."""
        parts, above = [], packed
        for shift in self.shifts[:-1]:
            parts.append(above >> shift)
            above &= (1 << shift) - 1
        return tuple(parts)

    def lot(self, one: int, two: int) -> int:
        """The lot of a pair, the same in either order."""
        mixed = ((self.lots[one] ^ self.lots[two]) * MIX) & WORD
        return mixed >> (64 - LOT_BITS)

    def bye_lot(self, one: int) -> int:
        """The lot for sitting out."""
        return self.lots[one] >> (64 - LOT_BITS)


def tiers_of(
    contenders: Sequence[Contender],
    *,
    seed: int,
    number: int,
    clubs_apart: bool,
    placed: bool = True,
) -> Tiers:
    """The tiers of a draw for round `number`; of equal scores the lowest `placed` sits out, or
    whoever fits.
    """
    by_lot = {player.entry: lot(seed, "pair", number, player.entry) for player in contenders}
    players = tuple(_in_order(contenders, by_lot))
    ladder = {
        points: place for place, points in enumerate(sorted({player.points for player in players}))
    }
    places = tuple(ladder[player.points] for player in players)
    balances = [player.balance for player in players]
    widest = max(balances) - min(balances)
    below = tuple(_below(players)) if placed else (0,) * len(players)
    heights = _in_measures([player.points for player in players])
    shifts = _shifts(players, heights, places, below, widest, clubs_apart=clubs_apart)
    if shifts[0] > MOST_BITS:
        heights = places
        shifts = _shifts(players, heights, places, below, widest, clubs_apart=clubs_apart)
    return Tiers(
        players=players,
        heights=heights,
        places=places,
        lots=tuple(by_lot[player.entry] for player in players),
        below=below,
        placed=placed,
        clubs_apart=clubs_apart,
        widest=widest,
        shifts=shifts,
    )


def _in_order(contenders: Sequence[Contender], by_lot: Mapping[str, int]) -> Iterator[Contender]:
    """From the highest points down; of equal points those who balance each other's seats next to
    each other, else by lot.
    """
    ordered = sorted(
        contenders,
        key=lambda player: (-player.points, player.balance, by_lot[player.entry], player.entry),
    )
    for _, equals in groupby(ordered, key=lambda player: player.points):
        group = list(equals)
        half = len(group) // 2
        for lower, higher in zip(group[:half], reversed(group[len(group) - half :]), strict=True):
            yield from (lower, higher)
        yield from group[half : len(group) - half]


def _below(players: Sequence[Contender]) -> Iterator[int]:
    """For each how many of the same points stand lower; players of equal points stand together."""
    for _, equals in groupby(players, key=lambda player: player.points):
        ranks = [player.rank for player in equals]
        ordered = sorted(ranks)
        yield from (len(ranks) - bisect_right(ordered, rank) for rank in ranks)


def _in_measures(points: Sequence[int]) -> tuple[int, ...]:
    """Points counted from the lowest, in the greatest measure that divides them all."""
    lowest = min(points)
    measure = gcd(*(each - lowest for each in points)) or 1
    return tuple((each - lowest) // measure for each in points)


def _shifts(
    players: Sequence[Contender],
    heights: Sequence[int],
    places: Sequence[int],
    below: Sequence[int],
    widest: int,
    *,
    clubs_apart: bool,
) -> Vector:
    """Return the first bit of each tier: above the greatest sum that all below it can
    reach.
    """
    pairs = (len(players) + 1) // 2
    again = max((times - 1 for player in players for times in player.met.values()), default=0)
    most = (
        pairs,
        pairs * again,
        max(player.byes for player in players),
        max(places),
        max(below),
        pairs * (max(heights) - min(heights)) ** 2,
        2 * pairs,
        pairs if clubs_apart else 0,
        pairs * widest,
        pairs << LOT_BITS,
    )
    shifts, at = [], 0
    for greatest in reversed(most):
        shifts.append(at)
        at += greatest.bit_length()
    return tuple(reversed(shifts))
