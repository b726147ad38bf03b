"""Which entry has which number of a plan: by lot, by rating so that tables are even, or a club in
one group, whose members don't meet.
"""

from collections.abc import Sequence

from tournament.domain.schedules.numbering import numbers_by_club, numbers_by_lot, numbers_by_snake
from tournament.domain.schedules.values import Plan
from tournament.domain.standings.values import BY_RATING, Entry


def numbers_of(
    entries: Sequence[Entry], plan: Plan, *, seed: int, seeding: str, clubs_apart: bool
) -> tuple[str, ...]:
    """The entries in the order of their numbers; clubs go before ratings."""
    if clubs_apart:
        numbers = numbers_by_club([entry.club for entry in entries], plan, seed=seed)
    elif seeding == BY_RATING:
        numbers = numbers_by_snake([entry.rating for entry in entries], plan, seed=seed)
    else:
        numbers = numbers_by_lot(len(entries), seed=seed)
    of = {number: entry.id for number, entry in zip(numbers, entries, strict=True)}
    return tuple(of[number] for number in range(len(entries)))
