"""The costs of any seating of a round, goal by goal.

The same reasons that a draw gives, for tables that a director changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.pairing.berger import berger_round, rounds_of
from tournament.domain.pairing.contenders import contenders, rounds_met
from tournament.domain.pairing.draw import tiers_of_round
from tournament.domain.pairing.explain import (
    Met,
    bye_reasons,
    draw_reasons,
    draw_totals,
    table_reasons,
)
from tournament.domain.pairing.planned import again, meetings
from tournament.domain.pairing.seeding import robin_numbers
from tournament.domain.pairing.values import Reason
from tournament.domain.standings.beginners import take_free_places
from tournament.domain.standings.values import Tournament

type Reasons = tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Why for each table and for each bye, in their order; the rules that the whole breaks, and
    what it comes to in every aim.
    """

    tables: tuple[Reasons, ...]
    byes: tuple[Reasons, ...]
    broken: Reasons
    totals: Reasons


def seating_of(
    tournament: Tournament, number: int, tables: Sequence[tuple[str, ...]], byes: Sequence[str]
) -> Seating:
    """Return the reasons of these tables, in the order of the seats, and of these byes
    in round `number`.
    """
    explain = {"round_robin": _round_robin, "swiss": _swiss}.get(
        tournament.stage.kind, _explain_repeats
    )
    return explain(tournament, number, tables, byes)


def _explain_repeats(
    tournament: Tournament, number: int, tables: Sequence[tuple[str, ...]], byes: Sequence[str]
) -> Seating:
    """Explain tables of any size by the number of their pairs that have met before."""
    seated = {entry for table in tables for entry in table} | set(byes)
    met = meetings(contenders(tournament, number, seated=seated))
    costs = [again(table, met) for table in tables]
    total = Reason(tier="met_again", cost=sum(costs))
    return Seating(
        tables=tuple((Reason(tier="met_again", cost=cost, numbers=(cost,)),) for cost in costs),
        byes=((),) * len(byes),
        broken=(total,) if total.cost else (),
        totals=(total,),
    )


def _swiss(
    tournament: Tournament, number: int, tables: Sequence[tuple[str, ...]], byes: Sequence[str]
) -> Seating:
    seated = {entry for table in tables for entry in table} | set(byes)
    tiers = tiers_of_round(tournament, number, contenders(tournament, number, seated=seated))
    met = rounds_met(tournament, number)
    of = {player.entry: place for place, player in enumerate(tiers.players)}
    pairs = [(of[one], of[two]) for one, two in tables]
    costs = [tiers.pair(*pair) for pair in pairs] + [tiers.bye(of[entry]) for entry in byes]
    cost = tuple(map(sum, zip(*costs, strict=True)))
    return Seating(
        tables=tuple(table_reasons(tiers, *pair, met) for pair in pairs),
        byes=tuple(bye_reasons(tiers, of[entry]) for entry in byes),
        broken=draw_reasons(tiers, cost),
        totals=draw_totals(tiers, cost),
    )


def _round_robin(
    tournament: Tournament, number: int, tables: Sequence[tuple[str, ...]], byes: Sequence[str]
) -> Seating:
    """Each table beside the Berger tables: whether these two were to meet in this round, and
    whether they have met too often.
    """
    holders = take_free_places(robin_numbers(tournament), tournament, number)
    planned, met = _map_planned_rounds(tournament, len(holders)), rounds_met(tournament, number)
    found = tuple(_off_plan(tournament, number, table, holders, planned, met) for table in tables)
    totals = tuple(
        Reason(
            tier=tier,
            cost=sum(why.cost for reasons in found for why in reasons if why.tier == tier),
        )
        for tier in ("rematch", "berger")
    )
    return Seating(
        tables=found,
        byes=((),) * len(byes),
        broken=tuple(each for each in totals if each.cost),
        totals=totals,
    )


def _map_planned_rounds(
    tournament: Tournament, count: int
) -> Mapping[frozenset[int], tuple[int, ...]]:
    """The rounds in which each two places of the list are to meet."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for number in range(1, rounds_of(count, double=tournament.stage.double) + 1):
        for pair in berger_round(count, number):
            found[frozenset(pair)] = (*found.get(frozenset(pair), ()), number)
    return found


def _off_plan(
    tournament: Tournament,
    number: int,
    table: tuple[str, ...],
    holders: Sequence[str],
    planned: Mapping[frozenset[int], tuple[int, ...]],
    met: Met,
) -> Reasons:
    place = {entry: place for place, entry in enumerate(holders, start=1)}
    one, two = (place.get(entry, 0) for entry in table)
    rounds, earlier = planned.get(frozenset((one, two)), ()), met.get(frozenset(table), ())
    due = (
        number
        if number in rounds
        else next((each for each in rounds if each > number), rounds[0] if rounds else 0)
    )
    again = max(0, len(earlier) - int(tournament.stage.double))
    return (
        Reason(
            tier="berger",
            cost=int(due != number),
            numbers=(number, len(holders), one, two, due),
        ),
        Reason(tier="rematch", cost=int(again > 0), numbers=(len(earlier), *earlier)),
    )
