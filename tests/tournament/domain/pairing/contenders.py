"""Contenders made by chance, and what their pairing costs."""

from random import Random

from tournament.domain.pairing.costs import Tiers, tiers_of
from tournament.domain.pairing.values import Contender


def contenders(seed: int, count: int, *, most_points: int = 6) -> list[Contender]:
    chance = Random(seed)
    names = [str(number) for number in range(count)]
    met: dict[str, dict[str, int]] = {name: {} for name in names}
    for _ in range(chance.randint(0, 3 * count)):
        one, two = chance.sample(names, 2)
        met[one][two] = met[two][one] = met[one].get(two, 0) + 1
    return [
        Contender(
            entry=name,
            points=50 * chance.randint(0, most_points),
            club=chance.choice(["X", "Y", None]),
            met=met[name],
            byes=chance.choice([0, 0, 0, 1]),
            floated=chance.choice([0, 0, 1, -1]),
            balance=chance.randint(-2, 2),
            rank=chance.randint(1, 4),
        )
        for name in names
    ]


def tiers(seed: int, count: int, *, most_points: int = 6) -> Tiers:
    return tiers_of(
        contenders(seed, count, most_points=most_points),
        seed=seed,
        number=2,
        clubs_apart=seed % 2 == 0,
    )
