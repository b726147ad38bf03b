"""Single players who change partners: a plan for every size from 4 to 80, and what can be had
(F1, F3, F9).
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from scoring.errors import NotationError, RuleViolation
from tournament.domain.schedules.cycles import FAIR_EDITION, Cycle, plan_of
from tournament.domain.schedules.fours import fours
from tournament.domain.schedules.values import Plan, Proof
from tournament.domain.schedules.verify import prove
from tournament.domain.schedules.whist import whist

FEWEST, MOST = 4, 80  # players
GAMES_A_SITTING = (1, 3)

# Perfect: everybody partners everybody once and opposes everybody twice. Near-perfect: all but
# those who never meet do. Sittings: nobody meets anybody in two sittings. Short: nothing of these,
# but nobody partners anybody twice or opposes anybody more than twice, as in the others.
type Kind = Literal["perfect", "near-perfect", "sittings", "short"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The possible schedule of a size with this number of games a sitting, all `rounds`
    played (a round is one game): counted, not promised.

    `out_a_round` sit out each round. `most_partnered` and `most_met` are how often any
    two are partners and opponents; `never_met` are those who never share a table.
    """

    size: int
    games_a_sitting: int
    construction: str
    kind: Kind
    rounds: int
    out_a_round: int
    most_partnered: int
    most_met: int
    never_met: tuple[tuple[int, int], ...]


def build_rotating_plan(
    size: int,
    rounds: int | None = None,
    *,
    games_a_sitting: int = 1,
    edition: int = FAIR_EDITION,
) -> Plan:
    """A plan for `size` players of so many rounds, of all there are without a number; a round is
    one game.

    With three games a sitting everybody stays at a table for three rounds, with another partner in
    each. So it is with one, too, for sizes that have nothing else: the construction says
    `three-a-sitting`. Of an older `edition`, the plan is what it was then. Raises NotationError for
    games a sitting that are neither, RuleViolation `bad_size` or `bad_rounds`.
    """
    cycle = _cycle(size, games_a_sitting)
    possible = cycle.rounds
    if rounds is not None and not 1 <= rounds <= possible:
        raise _bad_rounds(cycle, rounds, games_a_sitting)
    by_sitting = games_a_sitting > 1
    return plan_of(cycle, rounds or possible, by_sitting=by_sitting, edition=edition)


@cache
def offers(size: int) -> tuple[Offer, ...]:
    """Return the possible schedules: with one game a sitting, unless none is known, and
    with three. Raises RuleViolation `bad_size`.
    """
    one, three = (_cycle(size, games) for games in GAMES_A_SITTING)
    return tuple(
        _offer(cycle, games)
        for cycle, games in zip((one, three), GAMES_A_SITTING, strict=True)
        if games > 1 or not cycle.together
    )


def _cycle(size: int, games_a_sitting: int) -> Cycle:
    if games_a_sitting not in GAMES_A_SITTING:
        raise NotationError(
            "there are 1 or 3 games a sitting, not %(games)s",
            path="stage.games_a_sitting",
            games=games_a_sitting,
        )
    if not FEWEST <= size <= MOST:
        raise RuleViolation(
            "bad_size",
            "%(fewest)s to %(most)s single players can change partners, not %(size)s; more than "
            "that play in several groups or in pods",
            path="entries",
            fewest=FEWEST,
            most=MOST,
            size=size,
        )
    cycle = whist(size)
    if cycle is None or (games_a_sitting > 1 and not _all_of_three(cycle)):
        return fours(size)
    return cycle


def _all_of_three(cycle: Cycle) -> bool:
    return all(len(sitting) == 3 for sitting in cycle.sittings)


def _bad_rounds(cycle: Cycle, rounds: int, games_a_sitting: int) -> RuleViolation:
    single = _cycle(cycle.size, 1)
    if rounds <= single.rounds and games_a_sitting > 1 and rounds > 0:
        return RuleViolation(
            "bad_rounds",
            "%(size)s single players have 1 to %(possible)s rounds with three games a sitting, not "
            "%(rounds)s; with one game a sitting they have up to %(single)s",
            path="stage.rounds",
            size=cycle.size,
            possible=cycle.rounds,
            rounds=rounds,
            single=single.rounds,
        )
    return RuleViolation(
        "bad_rounds",
        "%(size)s single players have 1 to %(possible)s rounds without meeting too often, not "
        "%(rounds)s",
        path="stage.rounds",
        size=cycle.size,
        possible=cycle.rounds,
        rounds=rounds,
    )


def _offer(cycle: Cycle, games_a_sitting: int) -> Offer:
    plan = plan_of(cycle, cycle.rounds, by_sitting=games_a_sitting > 1)
    proof = prove(plan)
    return Offer(
        size=cycle.size,
        games_a_sitting=games_a_sitting,
        construction=cycle.construction,
        kind=_kind(cycle, proof),
        rounds=cycle.rounds,
        out_a_round=max(len(each.out) for each in plan.rounds),
        most_partnered=max(proof.partners),
        most_met=max(proof.opponents),
        never_met=proof.never_met,
    )


def _kind(cycle: Cycle, proof: Proof) -> Kind:
    if cycle.together:
        return "sittings"
    apart = len(proof.never_met)
    together = cycle.size * (cycle.size - 1) // 2 - apart
    if (proof.partners.get(1), proof.opponents.get(2)) != (together, together):
        return "short"
    return "near-perfect" if apart else "perfect"
