"""Why these two meet: what each aim of the draw came to at a table, and what would have been the
next best.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.pairing.costs import TIERS, Tiers, Vector
from tournament.domain.pairing.swiss import Matched
from tournament.domain.pairing.values import NextBest, Reason

NEIGHBOURS = 12  # how many tables above and below are looked at for an exchange
RULES = ("rematch", "rematch_again", "bye_again", "same_club")

type Met = Mapping[frozenset[str], tuple[int, ...]]  # in which rounds each two met


def table_reasons(tiers: Tiers, one: int, two: int, met: Met) -> tuple[Reason, ...]:
    """Return the reasons of the table of two players, one for each goal.

    The players are places in `tiers.players`, the one in the first seats first.
    """
    cost = dict(zip(TIERS, tiers.pair(one, two), strict=False))
    cost["seat_balance"] = _out_of_balance(tiers, one, two)
    return tuple(
        Reason(tier=name, cost=cost[name], numbers=_numbers(tiers, name, one, two, met))
        for name in _aims_at_a_table(tiers)
    )


def _aims_at_a_table(tiers: Tiers) -> list[str]:
    """The aims that a table is explained by."""
    return [
        "rematch",
        "score_difference",
        "repeated_float",
        *(["same_club"] if tiers.clubs_apart else []),
        "seat_balance",
    ]


def _out_of_balance(tiers: Tiers, one: int, two: int) -> int:
    """Return the excess of the worse of the two balances over 1 seat more on one side,
    in the better order.
    """
    lower, higher = sorted((tiers.players[one].balance, tiers.players[two].balance))
    return max(abs(lower + 1), abs(higher - 1), 1) - 1


def _numbers(tiers: Tiers, name: str, one: int, two: int, met: Met) -> tuple[int, ...]:
    first, second = tiers.players[one], tiers.players[two]
    match name:
        case "rematch":
            return (
                first.met.get(second.entry, 0),
                *met.get(frozenset((first.entry, second.entry)), ()),
            )
        case "repeated_float":
            up = (second.points > first.points) - (second.points < first.points)
            return (
                up if up and first.floated == up else 0,
                -up if up and second.floated == -up else 0,
            )
        case "score_difference":
            lent = (first.virtual, second.virtual)
            return (first.points, second.points, *(lent if any(lent) else ()))
        case "seat_balance":
            return (first.balance, second.balance)
        case _:
            return ()


def bye_reasons(tiers: Tiers, out: int) -> tuple[Reason, ...]:
    """Return the reasons of the bye of the player who sits out."""
    cost = dict(zip(TIERS, tiers.bye(out), strict=False))
    lower = sum(place < tiers.places[out] for place in tiers.places)
    placed = (
        (Reason(tier="bye_place", cost=cost["bye_place"], numbers=(tiers.below[out],)),)
        if tiers.placed
        else ()
    )
    return (
        Reason(tier="bye_again", cost=cost["bye_again"]),
        Reason(tier="bye_above", cost=cost["bye_above"], numbers=(lower,)),
        *placed,
        Reason(
            tier="repeated_float", cost=cost["repeated_float"], numbers=(-cost["repeated_float"],)
        ),
    )


def draw_totals(tiers: Tiers, cost: Vector) -> tuple[Reason, ...]:
    """Return the totals of a whole draw for every goal that is shown at its tables."""
    spent = dict(zip(TIERS, cost, strict=False))
    return tuple(Reason(tier=name, cost=spent[name]) for name in _aims_at_a_table(tiers))


def draw_reasons(tiers: Tiers, cost: Vector) -> tuple[Reason, ...]:
    """The rules a draw had to break: rematches, second byes, clubs that meet. Scores and seats
    always give a little.
    """
    spent = zip(TIERS, cost, strict=False)
    return tuple(Reason(tier=name, cost=each) for name, each in spent if each and name in RULES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Two pairs instead of two pairs (None: who sits out), by places in the players, and how much
    more they cost, packed.
    """

    more: int
    pairs: tuple[tuple[int, int], tuple[int, int | None]]
    other: int | None


def next_bests(tiers: Tiers, matched: Matched) -> list[tuple[NextBest, int | None] | None]:
    """For each pair of a draw the best exchange with a table near it, and which pair that is, or
    None with who sits out.
    """
    best: list[Exchange | None] = [None] * len(matched.pairs)
    for place, exchange in _exchanges(tiers, matched):
        known = best[place]
        if known is None or exchange.more < known.more:
            best[place] = exchange
    return [
        None if each is None else _next_best(tiers, matched, place, each)
        for place, each in enumerate(best)
    ]


def _exchanges(tiers: Tiers, matched: Matched) -> Iterator[tuple[int, Exchange]]:
    """Every exchange looked at, for each of the pairs it concerns."""
    pairs = matched.pairs
    near = [
        (one, two)
        for one in range(len(pairs))
        for two in range(one + 1, min(len(pairs), one + NEIGHBOURS + 1))
    ]
    crossed = ((here, there) for one, two in near for here in pairs[one] for there in pairs[two])
    costs = {(here, there): cost for here, there, cost in tiers.edges(crossed, with_lots=False)}
    own = [cost for _, _, cost in tiers.edges(pairs, with_lots=False)]
    for one, two in near:
        first, second = pairs[one]
        for third, fourth in (pairs[two], pairs[two][::-1]):
            more = costs[first, third] + costs[second, fourth] - own[one] - own[two]
            yield one, Exchange(more=more, pairs=((first, third), (second, fourth)), other=two)
            yield two, Exchange(more=more, pairs=((third, first), (fourth, second)), other=one)
    if matched.out is not None:
        yield from _with_bye(tiers, matched.pairs, matched.out, own)


def _with_bye(
    tiers: Tiers, pairs: Sequence[tuple[int, int]], out: int, own: Sequence[int]
) -> Iterator[tuple[int, Exchange]]:
    now = tiers.packed(tiers.bye(out))
    for place, pair in enumerate(pairs):
        for stays, leaves in (pair, pair[::-1]):
            then = tiers.packed(tiers.pair(stays, out)) + tiers.packed(tiers.bye(leaves))
            yield (
                place,
                Exchange(
                    more=then - now - own[place], pairs=((stays, out), (leaves, None)), other=None
                ),
            )


def _next_best(
    tiers: Tiers, matched: Matched, place: int, exchange: Exchange
) -> tuple[NextBest, int | None]:
    """An exchange by the first aim that it would keep worse."""
    now = [tiers.pair(*matched.pairs[place])]
    now.append(
        tiers.bye(exchange.pairs[0][1])
        if exchange.other is None
        else tiers.pair(*matched.pairs[exchange.other])
    )
    leaves, meets = exchange.pairs[1]
    then = [
        tiers.pair(*exchange.pairs[0]),
        tiers.bye(leaves) if meets is None else tiers.pair(leaves, meets),
    ]
    more = [
        sum(costs) for costs in zip(*then, *([-part for part in cost] for cost in now), strict=True)
    ]
    tier, worse = next(
        ((name, each) for name, each in zip(TIERS, more, strict=False) if each), ("lots", 0)
    )
    stays, comes = (tiers.players[each].entry for each in exchange.pairs[0])
    return NextBest(entries=(stays, comes), other_table=None, tier=tier, more=worse), exchange.other
