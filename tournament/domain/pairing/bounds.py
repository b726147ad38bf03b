"""What no draw can do better than: it proves a draw the best without looking at every pair.

The least sum of squared differences of scores comes from pairing neighbours in the order of scores,
and every draw that reaches it has the same pairs of scores. From that follows how well the seats
can balance at most.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from tournament.domain.pairing.costs import Tiers, Vector

type Balances = Mapping[int | None, int]


def lower_bound(tiers: Tiers) -> Vector:
    """A cost in every tier but the lot that no draw goes below, tier by tier as long as those above
    are reached.
    """
    out, left = least_bye(tiers)
    squares = sum((one - two) ** 2 for one, two in zip(left[::2], left[1::2], strict=True))
    seats = (len(left) // 2) * tiers.widest - _most_balanced(tiers, out)
    return (0, 0, *out, squares, 0, 0, seats)


def least_bye(tiers: Tiers) -> tuple[Vector, list[int]]:
    """What the bye costs at least (again, above the lowest, its place), and the heights of all
    others; nothing for an even number.
    """
    heights = list(tiers.heights)
    if len(heights) % 2 == 0:
        return (0, 0, 0), heights
    least = min(
        (player.byes, place, below)
        for player, place, below in zip(tiers.players, tiers.places, tiers.below, strict=True)
    )
    heights.remove(_height_of(tiers, least[1]))
    return least, heights


def _height_of(tiers: Tiers, place: int) -> int:
    return tiers.heights[tiers.places.index(place)]


def _most_balanced(tiers: Tiers, out: Vector) -> int:
    """The most that differences of balance can add up to, when neighbours in score are paired; whom
    they met apart.

    From the highest score down: the state is the balance of the one who floats down from it, None
    for nobody.
    """
    states: Balances = {None: 0}
    odd = len(tiers.players) % 2 == 1
    for place, balances in _by_place(tiers):
        options = _without_one(balances) if odd and place == out[1] else [balances]
        states = _best(step for option in options for step in _steps(states, option))
    return states.get(None, 0)


def _by_place(tiers: Tiers) -> Iterator[tuple[int, Counter[int]]]:
    """How many have which balance, for each place of the ladder of scores from the top."""
    groups: dict[int, Counter[int]] = {}
    for player, place in zip(tiers.players, tiers.places, strict=True):
        groups.setdefault(place, Counter())[player.balance] += 1
    yield from groups.items()


def _without_one(balances: Counter[int]) -> list[Counter[int]]:
    return [balances - Counter([balance]) for balance in balances]


def _steps(states: Balances, balances: Counter[int]) -> Iterator[tuple[int | None, int]]:
    """Every way through one score: whoever came down meets one here, and one goes down when the
    number left is odd.
    """
    for came_down, gained in states.items():
        if came_down is None:
            yield from _downward(balances, gained)
        elif not balances:
            yield came_down, gained
        else:
            for here in balances:
                yield from _downward(balances - Counter([here]), gained + abs(came_down - here))


def _downward(balances: Counter[int], gained: int) -> Iterator[tuple[int | None, int]]:
    if balances.total() % 2 == 0:
        yield None, gained + _within(balances)
        return
    for down in balances:
        yield down, gained + _within(balances - Counter([down]))


def _within(balances: Counter[int]) -> int:
    """Lowest with highest: the upper half less the lower half."""
    ordered = sorted(balances.elements())
    half = len(ordered) // 2
    return sum(ordered[half:]) - sum(ordered[:half])


def _best(steps: Iterator[tuple[int | None, int]]) -> dict[int | None, int]:
    best: dict[int | None, int] = {}
    for state, gained in steps:
        best[state] = max(gained, best.get(state, gained))
    return best
