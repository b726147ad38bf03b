"""Plans for fewer than their tables seat: which numbers of a full plan stay empty (F2).

Two empty numbers that never meet are never at one table, so each table is full or one short of it.
Who meets more of them sits at the smaller tables oftener; so those are chosen that everybody meets
about as often.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tournament.domain.schedules.values import Plan, PlannedRound, build_round

TURNS = 4  # how often every empty number is offered for a better one
FIRST = 12  # numbers that a choice begins with at most
MOST_TRIED = 400  # rounds times empty numbers: beyond, nearly all rounds of a large plan, none is

type Numbers = tuple[int, ...]


def with_empty_seats(plan: Plan, empty: int, rounds: int) -> Plan | None:
    """The first rounds of a plan with so many of its numbers left out, who never meet in them; None
    where so many were not found.
    """
    played = plan.rounds[:rounds]
    if not empty:
        return replace(plan, rounds=played)
    meetings = _meetings(played, plan.size)
    found = [
        _improve_choice(chosen, meetings)
        for chosen in _choices(plan, empty, rounds, meetings)
        if len(chosen) == empty and not _meet(chosen, meetings)
    ]
    if not found:
        return None
    best = min(found, key=lambda chosen: (_spread(chosen, meetings), _unevenness(chosen, meetings)))
    return without_numbers(replace(plan, rounds=played), best)


def without_numbers(plan: Plan, empty: Sequence[int]) -> Plan:
    """The plan without these numbers, the others counted on."""
    there = [number for number in range(plan.size) if number not in set(empty)]
    of = {number: place for place, number in enumerate(there)}
    return replace(
        plan,
        size=len(there),
        rounds=tuple(
            build_round(
                [of[place] for place in table.places if place in of] for table in each.tables
            )
            for each in plan.rounds
        ),
        groups=tuple(
            tuple(of[number] for number in group if number in of) for group in plan.groups
        ),
    )


def _meetings(rounds: Sequence[PlannedRound], size: int) -> list[int]:
    """Return the numbers that each number meets, a bit for each."""
    meetings = [0] * size
    for each in rounds:
        for table in each.tables:
            everybody = sum(1 << place for place in table.places)
            for place in table.places:
                meetings[place] |= everybody
    return [others & ~(1 << number) for number, others in enumerate(meetings)]


def _choices(plan: Plan, empty: int, rounds: int, meetings: Sequence[int]) -> Iterator[Numbers]:
    """The last numbers, of one group mostly; some of a table that is not played; and those that are
    chosen one after the other.
    """
    yield tuple(range(plan.size - empty, plan.size))
    for each in plan.rounds[rounds : rounds + 1]:
        yield each.tables[-1].places[-empty:]
    if rounds * empty <= MOST_TRIED:
        for first in range(0, plan.size, -(-plan.size // FIRST)):
            yield _one_after_the_other(first, empty, meetings)


def _one_after_the_other(first: int, empty: int, meetings: Sequence[int]) -> Numbers:
    """From one number on: always who meets fewest that an empty one meets, too."""
    chosen, shared = [first], [0] * len(meetings)
    free = [
        number
        for number in range(len(meetings))
        if number != first and not meetings[first] >> number & 1
    ]
    while free and len(chosen) < empty:
        last = meetings[chosen[-1]]
        for number in free:
            shared[number] += (meetings[number] & last).bit_count()
        chosen.append(min(free, key=shared.__getitem__))
        free = [
            number
            for number in free
            if number != chosen[-1] and not meetings[chosen[-1]] >> number & 1
        ]
    return tuple(chosen)


def _improve_choice(chosen: Numbers, meetings: Sequence[int]) -> Numbers:
    """Each exchanged for one that makes it more even, while there is one."""
    if len(chosen) == 1:
        return chosen
    for _ in range(TURNS):
        before = chosen
        for old in before:
            others = tuple(number for number in chosen if number != old)
            taken = sum(1 << number for number in others)
            free = [
                number
                for number, whom in enumerate(meetings)
                if not whom & taken and not taken >> number & 1
            ]
            new = min(
                free, key=lambda number: (_count_shared(number, others, meetings), number != old)
            )
            chosen = (*others, new)
        if set(chosen) == set(before):
            break
    return chosen


def _unevenness(chosen: Numbers, meetings: Sequence[int]) -> int:
    """Return how often two of them meet the same, over all pairs: least if all meet as
    many of them.
    """
    return sum(
        _count_shared(number, chosen[:place], meetings)
        for place, number in enumerate(chosen)
        if place
    )


def _spread(chosen: Numbers, meetings: Sequence[int]) -> int:
    """By how much two of the others differ at most in how many of them they meet."""
    together = sum(1 << number for number in chosen)
    times = [
        (whom & together).bit_count()
        for number, whom in enumerate(meetings)
        if not together >> number & 1
    ]
    return max(times) - min(times)


def _count_shared(number: int, others: Numbers, meetings: Sequence[int]) -> int:
    return sum((meetings[number] & meetings[other]).bit_count() for other in others)


def _meet(chosen: Numbers, meetings: Sequence[int]) -> bool:
    together = sum(1 << number for number in chosen)
    return any(meetings[number] & together for number in chosen)
