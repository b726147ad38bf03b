"""A movement that others made, as a plan: its tables one by one, by the numbers they are printed
with.
"""

from collections.abc import Iterable

from tournament.domain.schedules.values import Plan, PlannedRound, Sitting


def imported_movement(
    name: str, size: int, tables: Iterable[tuple[int, Sitting]], *, partners: bool = False
) -> Plan:
    """The plan of these tables, each with the round it belongs to; who is at none of a round sits
    out, and where two tables of a round have a deal, tables share.

    It promises nothing and may be faulty: `movement_faults` counts it.
    """
    by_round: dict[int, list[Sitting]] = {}
    for number, sitting in tables:
        by_round.setdefault(number, []).append(sitting)
    return Plan(
        size=size,
        construction=name,
        rounds=tuple(_with_those_out(by_round[number], size) for number in sorted(by_round)),
        partners=partners,
        shares_deals=any(map(_is_shared, by_round.values())),
    )


def _with_those_out(tables: list[Sitting], size: int) -> PlannedRound:
    seated = {place for sitting in tables for place in sitting.places}
    return PlannedRound(
        tables=tuple(sorted(tables, key=lambda sitting: sitting.table)),
        out=tuple(player for player in range(size) if player not in seated),
    )


def _is_shared(tables: list[Sitting]) -> bool:
    deals = [deal for sitting in tables for deal in sitting.deals]
    return len(set(deals)) < len(deals)
