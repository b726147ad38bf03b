"""The verifier of movements: it counts who plays which deals against whom, in which direction, and
says what is wrong. It knows no construction (F5, F6).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from scoring.errors import Sentence, sentence
from tournament.domain.schedules.values import Counts, Plan, Proof, Sitting
from tournament.domain.schedules.verify import Pair, faults, pair_of, prove, table_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementReport:
    """The counts of a movement.

    Its proof, and tables from how many deals, rounds N–S and what calibre to how many
    pairs (or pairs of pairs) it holds for. `alone` are the deals that only one table
    plays, so that no one can be compared; `shared` the tables that play the same deals
    in a round, after the round's number.
    """

    proof: Proof
    deals_played: Counts
    rounds_north_south: Counts
    calibre: Counts
    alone: tuple[int, ...]
    shared: tuple[tuple[int, tuple[int, ...]], ...]


@lru_cache(maxsize=16)  # a room looks at its own, again and again
def movement_report(plan: Plan) -> MovementReport:
    """The verifier's report of a movement of pairs, or of single players."""
    deals = Counter(place for each in plan.sittings for place in each.places for _ in each.deals)
    north_south = Counter(each.places[0] for each in plan.sittings)
    everybody = range(plan.size)
    return MovementReport(
        proof=prove(plan),
        deals_played=table_of(deals[pair] for pair in everybody),
        rounds_north_south=table_of(north_south[pair] for pair in everybody),
        calibre={} if plan.partners else table_of(calibre(plan).values()),
        alone=tuple(deal for deal, tables in sorted(_tables_of_deals(plan).items()) if tables == 1),
        shared=tuple(_list_shared_deals(plan)),
    )


def calibre(plan: Plan) -> Mapping[Pair, int]:
    """Return how any two pairs are compared, deal by deal (F5).

    1 for each deal they play in the same direction, −1 for each in opposite ones, and
    if they meet minus the number of other tables with it. The nearer to each other all
    are, the fairer the movement; sets of n deals count n times.
    """
    tables: dict[int, list[tuple[int, ...]]] = {}
    for each in plan.sittings:
        for deal in each.deals:
            tables.setdefault(deal, []).append(each.places)
    counted: Counter[Pair] = Counter()
    for places in tables.values():
        for north_south, east_west in places:
            counted[pair_of(north_south, east_west)] -= len(places) - 1
        for one, other in combinations(places, 2):
            for side, pair in enumerate(one):
                counted[pair_of(pair, other[side])] += 1
                counted[pair_of(pair, other[1 - side])] -= 1
    return {pair: counted[pair] for pair in combinations(range(plan.size), 2)}


def movement_faults(plan: Plan, *, shortened: bool = False) -> list[Sentence]:
    """All that is wrong with a movement; [] for a sound one.

    Beside what every plan must hold: every round has the same tables (but for one whose pair sits
    out), they have equally many deals, and share them whole or not at all; everybody plays as often
    as anybody else, give or take one round. Unless a movement is `shortened` to its first rounds:
    any two meet, or are partners, as often as any others, give or take once; every deal is played
    at two tables at least, and at as many as any other, give or take one.

    Directions may be exchanged at a table, and numbers throughout: that is another sound movement.
    """
    found = [
        *faults(plan),
        *_of_tables(plan),
        *_of_sharing(plan),
        *_uneven(
            Counter(place for each in plan.sittings for place in each.places),
            range(plan.size),
            _plays,
        ),
    ]
    return found if shortened else [*found, *_of_deals(plan), *_of_meetings(plan)]


def _of_tables(plan: Plan) -> Iterator[Sentence]:
    """Tables and sets of deals are the same size, and no table comes or goes."""
    most = max((len(each.tables) for each in plan.rounds), default=0)
    for number, planned in enumerate(plan.rounds, start=1):
        if len(planned.tables) < most:
            yield sentence(
                "round %(round)s has %(tables)s tables, not %(most)s as others",
                round=number,
                tables=len(planned.tables),
                most=most,
            )
    stood = Counter(each.table for each in plan.sittings)
    for table, rounds in sorted(stood.items()):
        if rounds < len(plan.rounds) - 1 or (
            rounds < len(plan.rounds) and not any(each.out for each in plan.rounds)
        ):
            yield sentence(
                "table %(table)s stands in %(rounds)s of %(of)s rounds",
                table=table,
                rounds=rounds,
                of=len(plan.rounds),
            )
    usual = Counter(len(each.deals) for each in plan.sittings).most_common(1)
    for number, each in _number_sittings(plan):
        if len(each.deals) != usual[0][0]:
            yield sentence(
                "round %(round)s, table %(table)s: %(deals)s deals, not %(usual)s as elsewhere",
                round=number,
                table=each.table,
                deals=len(each.deals),
                usual=usual[0][0],
            )
        if len(each.places) != (4 if plan.partners else 2):
            yield sentence(
                "round %(round)s, table %(table)s: %(places)s numbers can't be two sides",
                round=number,
                table=each.table,
                places=len(each.places),
            )


def _of_sharing(plan: Plan) -> Iterator[Sentence]:
    for number, each in enumerate(plan.rounds, start=1):
        dealt = [(table.table, frozenset(table.deals)) for table in each.tables]
        for (one, of_one), (two, of_two) in combinations(dealt, 2):
            if not of_one.isdisjoint(of_two) and of_one != of_two:
                yield sentence(
                    "round %(round)s: tables %(one)s and %(two)s share deal %(deal)s and not all",
                    round=number,
                    one=one,
                    two=two,
                    deal=min(of_one & of_two),
                )


def _of_deals(plan: Plan) -> Iterator[Sentence]:
    played = _tables_of_deals(plan)
    for deal, tables in sorted(played.items()):
        if tables == 1:
            yield sentence("deal %(deal)s is played at one table only", deal=deal)
    yield from _uneven(played, sorted(played), _is_played)


def _of_meetings(plan: Plan) -> Iterator[Sentence]:
    """Opponents of single players are compared in the report alone: few such movements can have
    them even.
    """
    met: Counter[Pair] = Counter()
    for each in plan.sittings:
        sides = (each.places[::2], each.places[1::2]) if plan.partners else (each.places,)
        met.update(pair_of(*side) for side in sides if len(side) == 2)
    yield from _uneven(met, list(combinations(range(plan.size), 2)), _meet)


def _uneven[Counted](
    counts: Mapping[Counted, int],
    those: Iterable[Counted],
    said: Callable[[Counted, int, int], Sentence],
) -> Iterator[Sentence]:
    """Yield a sentence for each count that differs from the most common one, if the
    counts are more than one apart.
    """
    found = {each: counts.get(each, 0) for each in those}
    if not found or max(found.values()) - min(found.values()) <= 1:
        return
    usual = Counter(found.values()).most_common(1)[0][0]
    for each, count in found.items():
        if count != usual:
            yield said(each, count, usual)


def _plays(number: int, count: int, usual: int) -> Sentence:
    return sentence(
        "number %(number)s plays %(count)s rounds, most play %(usual)s",
        number=number + 1,
        count=count,
        usual=usual,
    )


def _is_played(deal: int, count: int, usual: int) -> Sentence:
    return sentence(
        "deal %(deal)s is played at %(count)s tables, most at %(usual)s",
        deal=deal,
        count=count,
        usual=usual,
    )


def _meet(pair: Pair, count: int, usual: int) -> Sentence:
    return sentence(
        "numbers %(one)s and %(two)s come together %(count)s times, most %(usual)s",
        one=pair[0] + 1,
        two=pair[1] + 1,
        count=count,
        usual=usual,
    )


def _list_shared_deals(plan: Plan) -> Iterator[tuple[int, tuple[int, ...]]]:
    for number, each in enumerate(plan.rounds, start=1):
        by_deals: dict[tuple[int, ...], list[int]] = {}
        for sitting in each.tables:
            by_deals.setdefault(sitting.deals, []).append(sitting.table)
        yield from ((number, tuple(tables)) for tables in by_deals.values() if len(tables) > 1)


def _tables_of_deals(plan: Plan) -> Counter[int]:
    return Counter(deal for each in plan.sittings for deal in each.deals)


def _number_sittings(plan: Plan) -> Iterator[tuple[int, Sitting]]:
    for number, each in enumerate(plan.rounds, start=1):
        yield from ((number, sitting) for sitting in each.tables)
