"""The plan of tables of three to five for any field: sizes first, then by construction, by search
only where none exists (F2, F4).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Literal

from scoring.errors import RuleViolation, sentence
from tournament.domain.schedules.empty_seats import without_numbers
from tournament.domain.schedules.even_sizes import size_spread, with_even_sizes
from tournament.domain.schedules.moved_seats import with_moved_seats
from tournament.domain.schedules.pod_search import with_more_rounds, with_shape
from tournament.domain.schedules.pod_sizes import even_table_sizes, table_sizes
from tournament.domain.schedules.pod_starters import by_pod_starter
from tournament.domain.schedules.pods import (
    first_rounds,
    in_groups,
    pods,
    pods_of_other_rounds,
    pods_with_empty_seats,
)
from tournament.domain.schedules.values import Plan, Proof, build_round

MOST_SEARCHED = 30  # rounds, where there are fewer without repeats
SEARCHED = ", then search"
TRIED = 24  # choices of rounds, where somebody sits at tables of one size much oftener
MOST_CHOSEN = 1_200  # seats of all rounds: in larger plans the first rounds are even, or all played
STEPS = (4, 5)  # apart: so the seats of the rarer tables are tried
NEWEST = 4  # edition of plans; what one gave once it gives for ever
# How the sizes of a round's tables are chosen: in the director's order whatever else comes of it;
# in that order, but even; or even with the fewest repeats, if the game is played at all of them.
IN_ORDER, EVEN, FEWEST_REPEATS = "in order", "even", "fewest repeats"
type Choice = Literal["in order", "even", "fewest repeats"]


def pod_plan(
    players: int,
    sizes: Sequence[int],
    rounds: int | None,
    *,
    seed: int,
    in_groups: bool = False,
    edition: int = NEWEST,
    choice: Choice = "in order",
) -> Plan:
    """Return the plan of `rounds` at tables of these sizes, the preferred one first.

    Without `rounds`, as many as there are with no two together twice. As few as
    possible sit out, and only where they must. Up to `rounds_possible` no two meet
    twice, and the seed is not used; beyond, rounds with as few repeats as were found
    follow, `most_met` promises nothing, and counting says how many repeats there are.
    All sit about as often at tables of each size, as far as a construction and the
    choice of its rounds let them: `in_groups`, no further than the groups of a plan
    stay whole. Of an older `edition`, the plan is what it was then.

    Raises RuleViolation `no_sizes`, or `too_many_rounds` for more than there are with
    repeats.
    """
    tables = _choose_tables(players, sizes, rounds, edition, choice)
    if rounds is not None and rounds < 1:
        raise RuleViolation("bad_rounds", "a plan has a round or more", path="stage.rounds")
    plan = _without_repeats(players, tables, rounds, edition)
    if edition > 1 and not (in_groups and plan.groups):
        plan = _even_out(plan)
        if edition > 2:
            plan = _of_even_rounds(plan, tables)
    if rounds is None or len(plan.rounds) >= rounds:
        return plan
    _check_rounds(players, rounds, len(plan.rounds))
    return replace(
        plan,
        construction=f"{plan.construction.removesuffix(SEARCHED)}{SEARCHED}",
        rounds=tuple(with_more_rounds(plan, rounds, seed=seed)),
        most_met=None,
        groups=(),
        moves=(),
    )


def _choose_tables(
    players: int, sizes: Sequence[int], rounds: int | None, edition: int, choice: Choice
) -> tuple[int, ...]:
    """The sizes of a round's tables. If all even ones have repeats, the most tables have the
    fewest who meet at all.
    """
    tables = table_sizes(players, sizes, may_sit_out=True)
    even = even_table_sizes(sum(tables), sizes) if choice != IN_ORDER else []
    if not even:
        return tables
    if choice == EVEN or rounds is None:
        return even[0]
    without = (
        each
        for each in even
        if len(_without_repeats(players, each, rounds, edition).rounds) >= rounds
    )
    return next(without, max(even, key=len))


def _check_rounds(players: int, rounds: int, possible: int) -> None:
    if rounds <= MOST_SEARCHED:
        return
    message = (
        sentence(
            "%(players)s players have %(possible)s rounds without repeats, not %(rounds)s",
            players=players,
            possible=possible,
            rounds=rounds,
        )
        if possible >= MOST_SEARCHED
        else sentence(
            "%(players)s players have %(possible)s rounds without repeats and a plan has %(most)s "
            "with some at most, not %(rounds)s",
            most=MOST_SEARCHED,
            players=players,
            possible=possible,
            rounds=rounds,
        )
    )
    raise RuleViolation("too_many_rounds", message, path="stage.rounds")


def rounds_possible(players: int, sizes: Sequence[int]) -> int:
    """Return the number of rounds that `pod_plan` has with no two together twice.
    Raises RuleViolation `no_sizes`.
    """
    return len(
        _without_repeats(
            players, table_sizes(players, sizes, may_sit_out=True), None, NEWEST
        ).rounds
    )


def repeats(proof: Proof) -> int:
    """Return the number of meetings beyond the first of every two."""
    return sum((times - 1) * pairs for times, pairs in proof.meetings.items() if times)


@cache
def _without_repeats(
    players: int, tables: tuple[int, ...], rounds: int | None, edition: int
) -> Plan:
    """The plan of so many rounds, or where there are fewer (None: anyhow) of the most."""
    made = pods if edition == 1 else pods_with_empty_seats
    seats, out = max(tables), players - sum(tables)
    if not out and min(tables) >= seats - 1:
        return made(players, tables=len(tables), seats=seats, rounds=rounds)
    if min(tables) == seats and out <= len(tables):
        wider = made(players, tables=len(tables), seats=seats + 1, rounds=rounds)
        return _with_sit_outs(wider, seats)
    mixed = _by_search if edition == 1 else _of_mixed_sizes
    plan = mixed(players, tables)
    return plan if rounds is None else first_rounds(plan, rounds)


@cache
def _even_out(plan: Plan) -> Plan:
    return with_even_sizes(plan) if size_spread(plan) > 1 else plan


@cache
def _of_even_rounds(plan: Plan, tables: tuple[int, ...]) -> Plan:
    """The plan, or one of as many other rounds in which everybody sits more evenly at tables of
    each size.
    """
    seats, rounds, best = max(tables), len(plan.rounds), size_spread(plan)
    mixed = sum(tables) == plan.size and min(tables) == seats - 1
    if best <= 1 or not mixed or plan.size * rounds > MOST_CHOSEN:
        return plan
    others = pods_of_other_rounds(plan.size, tables=len(tables), seats=seats, rounds=rounds)
    for other in map(with_even_sizes, islice(others, TRIED)):
        spread = size_spread(other)
        if spread < best:
            plan, best = other, spread
        if best <= 1:
            break
    return plan


def _with_sit_outs(plan: Plan, seats: int) -> Plan:
    """The plan in which one at each larger table sits out, whoever did so least often before."""
    times = [0] * plan.size
    rounds = []
    for each in plan.rounds:
        out = [
            min(table.places, key=times.__getitem__)
            for table in each.tables
            if len(table.places) > seats
        ]
        for player in out:
            times[player] += 1
        tables = [[place for place in table.places if place not in out] for table in each.tables]
        rounds.append(build_round(tables, sorted(out)))
    return replace(plan, rounds=tuple(rounds))


@cache
def _of_mixed_sizes(players: int, tables: tuple[int, ...]) -> Plan:
    """The most rounds without repeats by a starter, or by changes of seats in a plan of even
    tables; by search where there is neither.
    """
    out = players - sum(tables)
    found = [] if out else [*by_pod_starter(tables), *_by_changes(players, tables)]
    if found:
        return max(found, key=lambda plan: len(plan.rounds))
    if len(tables) + out < max(tables):
        return _of_one_round(players, tables)
    return _by_search(players, tables)


def _of_one_round(players: int, tables: tuple[int, ...]) -> Plan:
    """Return a plan of one round, for a largest table with more seats than there are
    tables and others: in a second round, some who sat together would again.
    """
    places = iter(range(players))
    seated = [[next(places) for _ in range(size)] for size in tables]
    return Plan(
        size=players,
        construction=f"one round {players}",
        rounds=(build_round(seated, places),),
        most_met=1,
    )


def _by_changes(players: int, tables: tuple[int, ...]) -> Iterator[Plan]:
    """From plans of even tables, whose last group is there at the rarer tables or at all others,
    so many steps apart.
    """
    count = len(tables)
    seats = -(-players // count)
    whole = in_groups(tables=count, seats=seats)
    there = players - (seats - 1) * count
    for step in STEPS:
        rare = [place * step % count for place in range(min(there, count - there))]
        empty = [place for place in range(count) if (place in rare) == (there > count - there)]
        if len(set(rare)) < len(rare):
            continue
        even = without_numbers(whole, [whole.groups[-1][place] for place in empty])
        rounds = with_moved_seats(even, tables)
        if rounds:
            yield Plan(
                size=players,
                construction=f"{whole.construction}, then changes of seats",
                rounds=tuple(rounds),
                most_met=1,
            )


@cache
def _by_search(players: int, tables: tuple[int, ...]) -> Plan:
    """The most rounds without repeats that were found, from the plan for tables as even as can
    be.
    """
    even = pods(players, tables=len(tables), seats=-(-players // len(tables)))
    shape = (*tables, *(1,) * (players - sum(tables)))
    rounds = with_shape(even, shape, seed=0)
    return Plan(
        size=players,
        construction=f"{even.construction}{SEARCHED}",
        rounds=tuple(rounds),
        most_met=1,
    )
