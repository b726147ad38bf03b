"""Which rounds of a construction an evening has, and in what order, so that nobody sits out a
second time before everyone has sat out once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 48  # orders that are continued in each step

type Cost = tuple[int, int, int]  # see `cost_of`
type Outs = Sequence[tuple[int, ...]]  # who sits out of each unit, by number
type Again = Sequence[Sequence[int]]  # how many meet a second time in two units together


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Units in an order, with how often each number sits out by then."""

    cost: Cost
    units: tuple[int, ...]
    times: tuple[int, ...]


def fair_order(size: int, outs: Outs, again: Again, count: int) -> Order:
    """The best order of so many units that was found. A unit is what nobody leaves a table in: a
    round, or several.
    """
    orders = [Order(cost=(0, 0, 0), units=(), times=(0,) * size)]
    for _step in range(count):
        longer: dict[frozenset[int], Order] = {}
        for order in orders:
            for unit in range(len(outs)):
                if unit in order.units:
                    continue
                cost = _cost_with(order, unit, outs, again)
                units = (*order.units, unit)
                key = frozenset(units)
                if key not in longer or (cost, units) < (longer[key].cost, longer[key].units):
                    longer[key] = Order(cost=cost, units=units, times=order.times)
        best = sorted(longer.values(), key=lambda order: (order.cost, order.units))[:WIDTH]
        orders = [
            Order(
                cost=order.cost,
                units=order.units,
                times=_times_after(order.times, outs[order.units[-1]]),
            )
            for order in best
        ]
    return orders[0]


def cost_of(size: int, outs: Outs, again: Again, units: Sequence[int]) -> Cost:
    """After each unit, by how much more than once numbers differ in how often they sat out, added
    up; then the squares of these times in the end, and how many meet a second time.
    """
    order = Order(cost=(0, 0, 0), units=(), times=(0,) * size)
    for unit in units:
        cost = _cost_with(order, unit, outs, again)
        times = _times_after(order.times, outs[unit])
        order = Order(cost=cost, units=(*order.units, unit), times=times)
    return order.cost


def _cost_with(order: Order, unit: int, outs: Outs, again: Again) -> Cost:
    uneven, squares, met = order.cost
    least = min(order.times)
    times = [order.times[number] for number in outs[unit]]
    most = max(max(order.times), *(each + 1 for each in times), 0)
    least += times.count(least) == order.times.count(least)
    return (
        uneven + max(0, most - least - 1),
        squares + sum(2 * each + 1 for each in times),
        met + sum(again[unit][other] for other in order.units),
    )


def _times_after(times: tuple[int, ...], out: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(each + (number in out) for number, each in enumerate(times))
