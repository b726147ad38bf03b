"""The verifier: it counts every plan, made here or imported, before it is offered, and says what is
wrong with it. It knows no construction.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations

from scoring.errors import Sentence, sentence
from tournament.domain.schedules.values import Counts, Plan, PlannedRound, Proof, Sitting

type Pair = tuple[int, int]  # the lower number first


def prove(plan: Plan) -> Proof:
    """Count the plan: for every two players, each player and every deal."""
    partners, opponents = _meeting_counts(plan)
    meetings = partners + opponents if partners else opponents
    left = Counter(chain.from_iterable(map(_list_left_neighbours, plan.sittings)))
    out = Counter(chain.from_iterable(each.out for each in plan.rounds))
    everybody, pairs = range(plan.size), plan.size * (plan.size - 1) // 2
    return Proof(
        meetings=_spread(meetings, plan.size, pairs),
        partners=_spread(partners, plan.size, pairs) if plan.partners else {},
        opponents=_spread(opponents, plan.size, pairs) if plan.partners else {},
        left=_spread(left, plan.size, 2 * pairs) if left else {},
        sit_outs=table_of(out[player] for player in everybody),
        deals=table_of(Counter(deal for table in plan.sittings for deal in table.deals).values()),
        never_met=tuple(pair for pair in combinations(everybody, 2) if pair not in meetings),
        table_sizes=_table_sizes(plan),
    )


def _table_sizes(plan: Plan) -> Mapping[int, Counts]:
    """Return how often each player sits at tables of each size, the largest first; {}
    if there is one size.
    """
    seated: dict[int, Counter[int]] = {}
    for table in plan.sittings:
        seated.setdefault(len(table.places), Counter()).update(table.places)
    if len(seated) < 2:
        return {}
    return {
        size: table_of(seated[size][player] for player in range(plan.size))
        for size in sorted(seated, reverse=True)
    }


def faults(plan: Plan) -> list[Sentence]:
    """All that is wrong with a plan: somebody twice in a round or in none, a deal at two tables at
    once unless tables share deals, or played twice by one player, two who meet oftener than was
    promised; [] for a sound one.
    """
    return [
        *(
            fault
            for number, each in enumerate(plan.rounds, start=1)
            for fault in _of_round(number, each, plan.size, shares_deals=plan.shares_deals)
        ),
        *_deals_played_again(plan),
        *_find_excess_meetings(plan),
    ]


def _of_round(
    number: int, each: PlannedRound, size: int, *, shares_deals: bool
) -> Iterator[Sentence]:
    seated = Counter(place for table in each.tables for place in table.places) + Counter(each.out)
    for player, times in sorted(seated.items()):
        if not 0 <= player < size:
            yield sentence(
                "round %(round)s: there is no number %(player)s among %(size)s",
                round=number,
                player=player + 1,
                size=size,
            )
        elif times > 1:
            yield sentence(
                "round %(round)s: number %(player)s is in it twice", round=number, player=player + 1
            )
    for player in sorted(set(range(size)) - set(seated)):
        yield sentence(
            "round %(round)s: number %(player)s neither plays nor sits out",
            round=number,
            player=player + 1,
        )
    for table in _twice(table.table for table in each.tables):
        yield sentence("round %(round)s: table %(table)s stands twice", round=number, table=table)
    deals = (deal for table in each.tables for deal in table.deals)
    for deal in () if shares_deals else _twice(deals):
        yield sentence(
            "round %(round)s: deal %(deal)s is at two tables at once", round=number, deal=deal
        )


def _twice(given: Iterable[int]) -> list[int]:
    """Return the values that appear more than once, in order."""
    return sorted(each for each, times in Counter(given).items() if times > 1)


def _deals_played_again(plan: Plan) -> Iterator[Sentence]:
    played = Counter(
        (player, deal) for table in plan.sittings for player in table.places for deal in table.deals
    )
    again = sorted((place, times) for place, times in played.items() if times > 1)
    for (player, deal), times in again:
        yield sentence(
            "number %(player)s plays deal %(deal)s %(times)s times",
            player=player + 1,
            deal=deal,
            times=times,
        )


def _find_excess_meetings(plan: Plan) -> Iterator[Sentence]:
    partners, opponents = _meeting_counts(plan)
    # The promise of meetings counts opponents where there are partners, whoever is met else.
    for (one, two), times in _beyond(opponents, plan.most_met):
        yield sentence(
            "numbers %(one)s and %(two)s meet %(times)s times, not %(most)s at most",
            one=one + 1,
            two=two + 1,
            times=times,
            most=plan.most_met,
        )
    for (one, two), times in _beyond(partners, plan.most_partnered):
        yield sentence(
            "numbers %(one)s and %(two)s are partners %(times)s times, not %(most)s at most",
            one=one + 1,
            two=two + 1,
            times=times,
            most=plan.most_partnered,
        )


def _beyond(met: Counter[Pair], most: int | None) -> list[tuple[Pair, int]]:
    """The pairs that are counted oftener than was promised, in order."""
    if most is None:
        return []
    return sorted((pair, times) for pair, times in met.items() if times > most)


def _meeting_counts(plan: Plan) -> tuple[Counter[Pair], Counter[Pair]]:
    """Return how often every two who do play together, and how often against each
    other.
    """
    partners: Counter[Pair] = Counter()
    opponents: Counter[Pair] = Counter()
    # Tens of thousands of meetings in a large plan: they go to the counters all at once.
    each_against_each = []
    for table in plan.sittings:
        if not plan.partners or len(table.places) != 4:
            each_against_each.append(combinations(sorted(table.places), 2))
            continue
        north, east, south, west = table.places
        partners.update((pair_of(north, south), pair_of(east, west)))
        opponents.update(pair_of(one, two) for one in (north, south) for two in (east, west))
    opponents.update(chain.from_iterable(each_against_each))
    return partners, opponents


def _list_left_neighbours(table: Sitting) -> list[Pair]:
    """Everybody at a table of four, each with the one who sits on the left."""
    if len(table.places) != 4:
        return []
    return list(zip(table.places, (*table.places[1:], table.places[0]), strict=True))


def pair_of(one: int, two: int) -> Pair:
    """Two numbers, the lower first."""
    return (one, two) if one < two else (two, one)


def _spread(counted: Counter[Pair], size: int, pairs: int) -> Counts:
    """Return how often -> for how many of all `pairs` of players, those never counted
    included.
    """
    counts = [
        times
        for (one, two), times in counted.items()
        if one != two and 0 <= one < size and 0 <= two < size
    ]
    never = pairs - len(counts)
    return dict(sorted((Counter(counts) + Counter({0: never})).items()))


def table_of(counts: Iterable[int]) -> Counts:
    """Return the number of times each count occurs, in order."""
    return dict(sorted(Counter(counts).items()))
