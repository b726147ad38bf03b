"""The first dealer at a table of three to five.

The first of a table deals first, so the order of its seats evens it out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournament.domain.schedules.values import Plan
from tournament.domain.standings.lots import lot


def order_of_seats[T: (int, str)](
    tables: Sequence[Sequence[T]], dealt: Mapping[T, int], *, seed: int, number: int
) -> list[tuple[T, ...]]:
    """The tables of round `number`, each in the order of its seats: first who has dealt first least
    often, and so on; ties by lot.
    """
    return [
        tuple(
            sorted(
                table, key=lambda player: (dealt.get(player, 0), lot(seed, "deals", number, player))
            )
        )
        for table in tables
    ]


def with_dealers(plan: Plan, *, seed: int) -> Plan:
    """The plan with the places of every table in the order of the seats, round after round."""
    dealt: Counter[int] = Counter()
    rounds = []
    for number, each in enumerate(plan.rounds, start=1):
        ordered = order_of_seats(
            [table.places for table in each.tables], dealt, seed=seed, number=number
        )
        dealt.update(places[0] for places in ordered)
        rounds.append(each.with_places(ordered))
    return replace(plan, rounds=tuple(rounds))
