"""The rounds that a file has, counted as a plan is: made elsewhere, seated by hand, or played."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scoring.errors import RuleViolation, Sentence
from tournament.domain.pairing.planned import plan_counts_of
from tournament.domain.pairing.schedule import Schedule
from tournament.domain.pairing.values import DrawnTable
from tournament.domain.same_fields import build_from
from tournament.domain.schedules.values import Plan, PlannedRound, Sitting
from tournament.domain.schedules.verify import faults, prove
from tournament.domain.schedules.verify_movement import movement_faults
from tournament.domain.standings.values import Round, Stage, Tournament

AS_GIVEN = "as given"


def count_given_schedule(tournament: Tournament) -> tuple[Schedule, list[Sentence]]:
    """The rounds of a tournament with what the verifier counts in them, and all that is wrong with
    them by what the format promises.

    Raises RuleViolation `no_format` where there is no round.
    """
    if not tournament.rounds:
        raise RuleViolation(
            "no_format", "the file has no rounds that could be counted", path="rounds"
        )
    plan = _plan(tournament)
    proof, numbers = prove(plan), tuple(entry.id for entry in tournament.entries)
    whole = Schedule(
        construction=AS_GIVEN,
        rounds=tuple(_round(each, tournament) for each in tournament.rounds),
        proof=proof,
        numbers=numbers,
        moves=(),
        counted=plan_counts_of(plan, proof, numbers),
        partners=plan.partners,
    )
    return whole, movement_faults(plan) if tournament.stage.kind == "movement" else faults(plan)


def _plan(tournament: Tournament) -> Plan:
    partners = tournament.stage.kind == "rotating"
    plan = import_movement(
        AS_GIVEN, len(tournament.entries), _tables(tournament), partners=partners
    )
    most_met, most_partnered = _find_promise(tournament.stage)
    return replace(plan, most_met=most_met, most_partnered=most_partnered)


def _tables(tournament: Tournament) -> Iterator[tuple[int, Sitting]]:
    place = {entry.id: number for number, entry in enumerate(tournament.entries)}
    for number, each in enumerate(tournament.rounds, start=1):
        for table in each.tables:
            places = tuple(place[entry] for entry in table.entries)
            yield number, Sitting(table=table.table, places=places, deals=table.deals)


def _find_promise(stage: Stage) -> tuple[int | None, int | None]:
    """Return the most times that two meet, and are partners, in a plan of this kind."""
    match stage.kind:
        case "rotating":
            return 2, 1
        case "round_robin" if stage.double:
            return 2, None
        case "pods" | "movement" | "round_robin" | "swiss":
            return 1, None
        case _:
            return None, None


def _round(each: Round, tournament: Tournament) -> tuple[tuple[DrawnTable, ...], tuple[str, ...]]:
    tables = tuple(build_from(DrawnTable, table) for table in each.tables)
    seated = {entry for table in tables for entry in table.entries}
    return tables, tuple(entry.id for entry in tournament.entries if entry.id not in seated)


def import_movement(
    name: str, size: int, tables: Iterable[tuple[int, Sitting]], *, partners: bool = False
) -> Plan:
    """The plan of these tables, each with the round it belongs to; who is at none of a round sits
    out, and where two tables of a round have a deal, tables share.

    It promises nothing and may be faulty: `movement_faults` counts it.
    """
    by_round: dict[int, list[Sitting]] = {}
    for number, sitting in tables:
        by_round.setdefault(number, []).append(sitting)
    return Plan(
        size=size,
        construction=name,
        rounds=tuple(_with_those_out(by_round[number], size) for number in sorted(by_round)),
        partners=partners,
        shares_deals=any(map(_is_shared, by_round.values())),
    )


def _with_those_out(tables: list[Sitting], size: int) -> PlannedRound:
    seated = {place for sitting in tables for place in sitting.places}
    return PlannedRound(
        tables=tuple(sorted(tables, key=lambda sitting: sitting.table)),
        out=tuple(player for player in range(size) if player not in seated),
    )


def _is_shared(tables: list[Sitting]) -> bool:
    deals = [deal for sitting in tables for deal in sitting.deals]
    return len(set(deals)) < len(deals)
