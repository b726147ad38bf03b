"""Seeds of a knock-out: those of one club apart in the first round, and qualifiers of several
groups placed so that those of one group meet as late as can be.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tournament.domain.brackets.values import order_seeds, size_of

type Qualifier = tuple[int, str]  # the number of its group, and the entry


def clubs_apart(seeds: Sequence[str], clubs: Mapping[str, str | None]) -> tuple[str, ...]:
    """The order of seeds with as few of one club as can be against each other in round 1.

    Only those in the lower half of the bracket change places, each with the nearest it can: byes
    stay with the first seeds, and nobody changes who is seeded above.
    """
    order = list(seeds)
    size = size_of(len(order))
    for lower in range(size // 2, len(order)):
        if not _meet(order, size - 1 - lower, lower, clubs):
            continue
        helps = [
            other
            for other in range(size // 2, len(order))
            if other != lower
            and not _meet(order, size - 1 - lower, other, clubs)
            and not _meet(order, size - 1 - other, lower, clubs)
        ]
        if helps:
            other = min(helps, key=lambda place: (abs(place - lower), -place))
            order[lower], order[other] = order[other], order[lower]
    return tuple(order)


def _meet(order: Sequence[str], one: int, two: int, clubs: Mapping[str, str | None]) -> bool:
    """Whether these places would bring two of one club together."""
    club = clubs.get(order[one])
    return club is not None and club == clubs.get(order[two])


def cross_qualifiers(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The order of seeds of the qualifiers of several groups or stages, each given from its first
    down.

    The first of all groups come before the seconds, those before the thirds. Each half of the
    bracket has as many of a group as the other, or one more, where ranks allow it, and so has each
    half of a half: A1 meets B2 and B1 meets A2. Of up to four qualifiers no two meet before so many
    must; of five to eight, two may meet a round sooner.
    """
    ranks = [
        [(number, group[rank]) for number, group in enumerate(groups) if rank < len(group)]
        for rank in range(max(map(len, groups), default=0))
    ]
    rank_of = [rank for rank, entries in enumerate(ranks) for _ in entries]  # of a seed from 0 on
    if not rank_of:
        return ()
    placed = dict(_place_qualifiers(order_seeds(size_of(len(rank_of))), ranks, rank_of))
    return tuple(placed[seed] for seed in sorted(placed))


def _place_qualifiers(
    block: Sequence[int], ranks: Sequence[Sequence[Qualifier]], rank_of: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """The qualifiers of every rank on the seeds of a block of the bracket, half by half."""
    if len(block) == 1:
        yield from ((block[0], entry) for entries in ranks for _, entry in entries)
        return
    upper, lower = block[: len(block) // 2], block[len(block) // 2 :]
    more: Counter[int] = Counter()  # how many more of a group the upper half has
    above, below = [], []
    for rank, entries in enumerate(ranks):
        seeds = sorted(seed for seed in block if seed <= len(rank_of) and rank_of[seed - 1] == rank)
        chosen = _for_upper(entries, [seed in upper for seed in seeds], more)
        above.append([entry for entry in entries if entry in chosen])
        below.append([entry for entry in entries if entry not in chosen])
        for entry in entries:
            more[entry[0]] += 1 if entry in chosen else -1
    yield from _place_qualifiers(upper, above, rank_of)
    yield from _place_qualifiers(lower, below, rank_of)


def _for_upper(
    entries: Sequence[Qualifier], by_seed: Sequence[bool], more: Mapping[int, int]
) -> set[Qualifier]:
    """Those of a rank that go into the upper half: whose group has fewer there first, then who
    would be there by the plain order.
    """
    ordered = sorted(
        zip(entries, by_seed, strict=True), key=lambda each: (more[each[0][0]], not each[1])
    )
    return {entry for entry, _ in ordered[: sum(by_seed)]}
