"""Which formats fit so many players in so much time, in the order in which a director should think
of them, each with what was counted in its plan (formats.md F9).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from scoring.errors import RuleViolation
from scoring.games import GAMES
from tournament.domain.brackets.values import size_of
from tournament.domain.pairing.berger import rounds_of
from tournament.domain.pairing.schedule import berger_plan
from tournament.domain.schedules.movements import movement_plan
from tournament.domain.schedules.movements import rounds_of as movement_rounds
from tournament.domain.schedules.pod_plan import pod_plan, rounds_possible
from tournament.domain.schedules.pod_sizes import table_sizes
from tournament.domain.schedules.rotating import build_rotating_plan, offers
from tournament.domain.schedules.same_deals import plan_alone
from tournament.domain.schedules.values import Plan
from tournament.domain.schedules.verify import prove
from tournament.domain.standings.formats import is_typed_only, sizes_for
from tournament.domain.standings.values import BY_SCORE, HOWELL, MITCHELL

MOST_HOWELL = 15  # pairs at 7½ tables: more have too far to walk
WANTED_SIZES = ((4, 3), (3,), (4, 3, 5), (5, 4))  # of pods, the first to be thought of first


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """The tournament to plan: the game, the number of people, and the rounds there is
    time for.
    """

    game: str
    players: int
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A format that fits: its `kind` and what a form says of it (`own`, by key), for `entries` of
    `people` each.

    `rounds` are as many as there is time for, of the `possible` ones (None: no format sets an end).
    `out_a_round` have no table in a round, `again` meetings or partnerships come beyond the first
    of any two, and `apart` pairs never share a table; None where the results decide who meets.
    `moves` is as in `Plan`, `construction` names the plan, "" without one. `typed_only`: no game
    can be recorded at its tables.
    """

    kind: str
    entries: int
    people: int
    rounds: int
    possible: int | None
    out_a_round: int
    again: int | None = None
    apart: int | None = None
    own: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[int, ...] = ()
    construction: str = ""
    typed_only: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether there is time for every round that it has."""
        return self.possible is None or self.rounds >= self.possible


def advise(asked: Occasion) -> list[Offer]:
    """The formats that fit, the first to be thought of first; nothing for too few players, or
    without time for a round.
    """
    if asked.rounds < 1 or asked.players < 2:
        return []
    game = GAMES[asked.game]
    if game.teams:
        return [*_of_pairs(asked), *_of_singles(asked)]
    if sizes_for(asked.game):
        return [*_of_pods(asked)]
    return [*_collect_offers(partial(_alone, asked)), *_of_two(asked, asked.players, 1)]


def _of_pairs(asked: Occasion) -> Iterator[Offer]:
    """Pairs that stay together: the same deals at several tables first, but for a movement in which
    most pairs would not meet for want of time.
    """
    pairs = asked.players // 2
    if asked.players % 2 or pairs < 2:
        return
    kinds = (HOWELL, MITCHELL) if pairs <= MOST_HOWELL else (MITCHELL,)
    offers = [
        each for kind in kinds for each in _collect_offers(partial(_movement, asked, pairs, kind))
    ]
    cut = [each for each in offers if each.possible and 2 * each.rounds < each.possible]
    yield from (each for each in offers if each not in cut)
    yield from _of_two(asked, pairs, 2)
    yield from cut


def _of_singles(asked: Occasion) -> Iterator[Offer]:
    """Single players who change partners: three games a sitting are one move in three rounds, and
    come first where there are enough of them.
    """
    yield from sorted(
        _collect_offers(partial(_offer_rotating, asked)),
        key=lambda offer: (offer.possible or 0) < asked.rounds,
    )


def _of_pods(asked: Occasion) -> Iterator[Offer]:
    """Tables of three to five: everybody at a table each round first, and by score besides."""
    sizes = sizes_for(asked.game)
    wanted = [chosen for chosen in WANTED_SIZES if set(chosen) <= set(sizes)]
    offered = [
        offer for chosen in wanted for offer in _collect_offers(partial(_pods, asked, chosen))
    ]
    different: dict[str, Offer] = {}
    for each in offered:
        different.setdefault(each.construction, each)
    planned = sorted(different.values(), key=lambda offer: (offer.out_a_round, -offer.rounds))
    yield from planned
    for offer in planned[:1]:
        yield Offer(
            kind="pods",
            entries=asked.players,
            people=1,
            rounds=asked.rounds,
            possible=None,
            out_a_round=offer.out_a_round,
            own={**offer.own, "seating": BY_SCORE},
        )


def _of_two(asked: Occasion, entries: int, people: int) -> Iterator[Offer]:
    """Formats in which two entries meet at a table."""
    whole = rounds_of(entries, double=False)
    typed_only = is_typed_only("swiss", asked.game, people)
    if entries > 1 and whole <= asked.rounds:
        offer = _offer(
            berger_plan(entries, double=False), kind="round_robin", people=people, possible=whole
        )
        yield replace(offer, typed_only=typed_only)
    if entries > 3 and whole > asked.rounds:
        yield Offer(
            kind="swiss",
            entries=entries,
            people=people,
            rounds=asked.rounds,
            possible=whole,
            out_a_round=entries % 2,
            again=0,
            typed_only=typed_only,
        )
    rounds = (size_of(entries) - 1).bit_length()
    if rounds <= asked.rounds:
        yield Offer(
            kind="knockout",
            entries=entries,
            people=people,
            rounds=rounds,
            possible=rounds,
            out_a_round=size_of(entries) - entries,
            typed_only=typed_only,
        )


def _alone(asked: Occasion) -> Iterator[Offer]:
    """The same deals for everyone, one in each round that there is time for."""
    plan = plan_alone(asked.players, asked.rounds, asked.rounds)
    yield Offer(
        kind="duplicate",
        entries=asked.players,
        people=1,
        rounds=len(plan.rounds),
        possible=None,
        out_a_round=0,
        own={"deals": str(asked.rounds)},
        construction=plan.construction,
    )


def _movement(asked: Occasion, pairs: int, kind: str) -> Iterator[Offer]:
    howell = kind == HOWELL
    possible = movement_rounds(pairs, "howell" if howell else "mitchell")
    rounds = min(asked.rounds, possible)
    rounds -= rounds % 2 if howell and pairs == 4 else 0
    plan = movement_plan(
        pairs, "howell" if howell else "mitchell", rounds, deals_a_round=2, winners=1
    )
    yield _offer(
        plan, kind="movement", people=2, possible=possible, own={"movement": kind, "winners": "1"}
    )


def _offer_rotating(asked: Occasion) -> Iterator[Offer]:
    for offered in reversed(offers(asked.players)):
        games = offered.games_a_sitting
        rounds = min(asked.rounds, offered.rounds)
        rounds -= rounds % games
        if rounds:
            yield _offer(
                build_rotating_plan(asked.players, rounds, games_a_sitting=games),
                kind="rotating",
                people=1,
                possible=offered.rounds,
                own={"games_a_sitting": str(games)},
            )


def _pods(asked: Occasion, sizes: tuple[int, ...]) -> Iterator[Offer]:
    if set(sizes) != set(sizes_for(asked.game)):
        table_sizes(asked.players, sizes)  # as a draw refuses that someone sits out
    possible = rounds_possible(asked.players, sizes)
    plan = pod_plan(asked.players, sizes, min(asked.rounds, possible), seed=0)
    if plan.rounds:
        yield _offer(
            plan,
            kind="pods",
            people=1,
            possible=possible,
            own={"sizes": ",".join(map(str, sizes)), "seating": "planned"},
        )


def _offer(
    plan: Plan, *, kind: str, people: int, possible: int, own: Mapping[str, str] | None = None
) -> Offer:
    """Return the offer of a plan, with its verified counts."""
    proof = prove(plan)
    counts = proof.partners if plan.partners else proof.meetings
    return Offer(
        kind=kind,
        entries=plan.size,
        people=people,
        rounds=len(plan.rounds),
        possible=possible,
        out_a_round=max((len(each.out) for each in plan.rounds), default=0),
        again=sum((times - 1) * pairs for times, pairs in counts.items() if times),
        apart=len(proof.never_met),
        own=own or {},
        moves=plan.moves,
        construction=plan.construction,
    )


def _collect_offers(offered: Callable[[], Iterator[Offer]]) -> list[Offer]:
    """Return the offers, none if the format refuses this number of entries."""
    try:
        return list(offered())
    except RuleViolation:
        return []
