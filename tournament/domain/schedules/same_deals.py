"""Plans in which everybody plays the same deals: pairs by the movement that fits (F9), single
players at tables of their own.
"""

from scoring.errors import RuleViolation
from tournament.domain.schedules import movements
from tournament.domain.schedules.howell import has_howell
from tournament.domain.schedules.values import Plan, PlannedRound, Sitting

MOST_FOR_HOWELL = 15  # pairs: seven tables and a half


def plan_alone(players: int, deals: int, rounds: int | None) -> Plan:
    """Everybody at a table of their own with the same deals: in one round, or as many in each of
    so many rounds as go into it.

    Raises RuleViolation `no_deals` where a round would have none, and for more deals at all tables
    than there is room for.
    """
    count = rounds or 1
    each = deals // count
    if not each:
        raise _too_few(deals, count)
    _check_alone(players, count, each)
    dealt = [tuple(range(each * number + 1, each * (number + 1) + 1)) for number in range(count)]
    return Plan(
        size=players,
        construction=f"alone {players}",
        rounds=tuple(
            PlannedRound(
                tables=tuple(
                    Sitting(table=place + 1, places=(place,), deals=numbers)
                    for place in range(players)
                )
            )
            for numbers in dealt
        ),
        most_met=0,
        shares_deals=True,
    )


def _check_alone(players: int, rounds: int, deals_a_round: int) -> None:
    """Twice as many deals at once as at tables of two sides: each has one score."""
    if players * deals_a_round > 2 * movements.MOST_IN_A_ROUND:
        raise RuleViolation(
            "no_deals",
            "%(players)s who play alone have at most %(most)s deals in a round, not %(deals)s; "
            "play more rounds, or groups",
            path="stage.deals",
            players=players,
            most=2 * movements.MOST_IN_A_ROUND // players,
            deals=deals_a_round,
        )
    if players * rounds * deals_a_round > movements.MOST_PLAYED:
        raise RuleViolation(
            "no_deals",
            "%(players)s who play alone have at most %(most)s deals in all, not %(deals)s; play it "
            "in groups",
            path="stage.deals",
            players=players,
            most=movements.MOST_PLAYED // players,
            deals=rounds * deals_a_round,
        )


def movement_for(pairs: int, deals: int, rounds: int | None) -> movements.Movement:
    """A Howell for up to seven tables and a half where all its rounds can be played, else a
    Mitchell (F9); four pairs have a Howell in any case.
    """
    if pairs < movements.FEWEST_PAIRS["mitchell"]:
        return "howell"
    if pairs > MOST_FOR_HOWELL or not has_howell(pairs + pairs % 2):
        return "mitchell"
    whole = movements.rounds_of(pairs, "howell")
    fits = whole <= deals and (rounds is None or whole <= rounds)
    return "howell" if fits else "mitchell"


def plan_of_pairs(pairs: int, deals: int, rounds: int | None) -> Plan:
    """The movement that fits so many pairs, with one winner; its tables play as many deals a round
    as go into `deals` in all.

    Raises RuleViolation `no_movement`, and `no_deals` where a table would have none.
    """
    kind = movement_for(pairs, deals, rounds)
    most = movements.rounds_of(pairs, kind)
    count = most if rounds is None else min(rounds, most)
    sets = _deals_in(movements.movement_plan(pairs, kind, count, deals_a_round=1, winners=1))
    if not deals // sets:
        raise _too_few(deals, sets)
    return movements.movement_plan(pairs, kind, count, deals_a_round=deals // sets, winners=1)


def is_shortened(plan: Plan) -> bool:
    """Whether a movement ends before its last round."""
    kind: movements.Movement = "howell" if plan.construction.startswith("howell") else "mitchell"
    return len(plan.rounds) < movements.rounds_of(plan.size, kind, rover=plan.rover is not None)


def _deals_in(plan: Plan) -> int:
    return len({deal for table in plan.sittings for deal in table.deals})


def _too_few(deals: int, needed: int) -> RuleViolation:
    return RuleViolation(
        "no_deals",
        "%(deals)s deals are too few here: %(needed)s are the least",
        rule="tournaments",
        path="stage.deals",
        deals=deals,
        needed=needed,
    )
