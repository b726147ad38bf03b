"""The plan of a stage that is known ahead, by entries, and what was counted in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.errors import RuleViolation
from scoring.shape import JsonObject
from tournament.domain.brackets.values import Match, check_knockout, tree_of
from tournament.domain.pairing.berger import berger_round, rounds_of
from tournament.domain.pairing.knockout import construction_of
from tournament.domain.pairing.planned import PLANS, count_plan, plan_counts_of, planned
from tournament.domain.pairing.seeding import robin_numbers
from tournament.domain.pairing.values import DrawnTable, PlanCounts
from tournament.domain.schedules.values import Plan, PlannedRound, Proof, build_round
from tournament.domain.standings.beginners import take_free_places
from tournament.domain.standings.formats import check_drawable_format
from tournament.domain.standings.knockout import seeds_of_knockout
from tournament.domain.standings.values import Tournament

MOST_PLANNED, MOST_PLANNED_TWICE = 180, 128  # entries of a round robin, and of a double one
NOTHING_COUNTED = Proof(
    meetings={}, partners={}, opponents={}, left={}, sit_outs={}, deals={}, never_met=()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """All rounds of a plan: the tables of each, and who sits out. Of a knock-out the entries of a
    table are the places they come from (`winner of 3`) where nobody is known. `as_now`: its rounds
    are as they were drawn and as they will be for those who are there now.
    """

    construction: str
    rounds: tuple[tuple[tuple[DrawnTable, ...], tuple[str, ...]], ...]
    proof: Proof
    numbers: tuple[str, ...]
    moves: tuple[int, ...]
    counted: PlanCounts
    partners: bool
    as_now: bool = False

    def named(self, pair: tuple[int, int]) -> tuple[str, str]:
        """Two numbers of the plan by their entries."""
        return self.numbers[pair[0]], self.numbers[pair[1]]


def schedule(tournament: Tournament) -> Schedule:
    """The plan for the entries that begin a tournament.

    Raises RuleViolation `no_format` for a stage that is drawn from results, and what the format
    refuses: too few entries, more rounds than there are.
    """
    check_drawable_format(tournament.stage, tournament.game)
    if tournament.stage.kind == "knockout":
        return _knockout(tournament)
    plan, proof, numbers = _plan_with_numbers(tournament)
    return Schedule(
        construction=plan.construction,
        rounds=tuple(_round(each, numbers) for each in plan.rounds),
        proof=proof,
        numbers=numbers,
        moves=plan.moves,
        counted=plan_counts_of(plan, proof, numbers),
        partners=plan.partners,
    )


def _knockout(tournament: Tournament) -> Schedule:
    """The tree of a knock-out: each match in the first round in which it can be played."""
    seeds = seeds_of_knockout(tournament)
    chosen = tournament.stage.knockout
    check_knockout(chosen, len(seeds))
    matches = tree_of(chosen, len(seeds))
    rounds: dict[int, list[Match]] = {}
    first: dict[int, int] = {}
    for match in matches:
        first[match.number] = _first_round(match, first, matches)
        rounds.setdefault(first[match.number], []).append(match)
    return Schedule(
        construction=construction_of(tournament.stage, len(seeds)),
        rounds=tuple((_matches(rounds[number], seeds), ()) for number in sorted(rounds)),
        proof=NOTHING_COUNTED,
        numbers=seeds,
        moves=(),
        counted=PlanCounts(size=len(seeds), rounds=len(rounds)),
        partners=False,
    )


def _first_round(match: Match, first: Mapping[int, int], matches: Sequence[Match]) -> int:
    """The round after those that its entries come from."""
    before = [place.number for place in match.places if place.kind in ("winner", "loser")]
    if any(place.kind == "survivor" for place in match.places):
        before += [
            each.number
            for each in matches
            if each.bracket == "winners" and each.round < match.round
        ]
    return 1 + max((first[number] for number in before), default=0)


def _matches(matches: Sequence[Match], seeds: Sequence[str]) -> tuple[DrawnTable, ...]:
    return tuple(
        DrawnTable(
            table=table,
            entries=tuple(
                seeds[place.number - 1]
                if place.kind == "seed"
                else f"{place.kind} of {place.number}"
                if place.kind != "survivor"
                else f"survivor {place.number}"
                for place in match.places
            ),
            match=match.number,
            bracket=match.bracket,
        )
        for table, match in enumerate(matches, start=1)
    )


def find_holders(tournament: Tournament, number: int) -> dict[str, str | None]:
    """Return the entry that plays in round `number` for each entry that has a number in
    the plan.

    That is the entry itself, one that came late in its place, or None. Raises
    RuleViolation as `schedule`.
    """
    if tournament.stage.kind in PLANS:
        whole = planned(tournament)
        return dict(zip(whole.numbers, whole.holders(tournament, number), strict=True))
    of = {entry.id: entry for entry in tournament.entries}
    numbers = robin_numbers(tournament)
    holders = take_free_places(numbers, tournament, number)
    return {
        key: holder if of[holder].plays_in(number) else None
        for key, holder in zip(numbers, holders, strict=True)
    }


def find_rover(tournament: Tournament, number: int) -> tuple[str, ...]:
    """Return the rover of round `number` and the entry it displaces; the rover alone if
    it displaces none.

    () if no rover plays. Raises RuleViolation as `schedule`.
    """
    if tournament.stage.kind != "movement":
        return ()
    whole = planned(tournament)
    holders = whole.holders(tournament, number)
    entries = (holders[place] for place in whole.roving(tournament, number))
    return tuple(entry for entry in entries if entry is not None)


def write_schedule(tournament: Tournament, whole: Schedule, *, before: int = 0) -> JsonObject:
    """A plan with its proof as `manage.py schedule --json` and the API have it (tournaments.md);
    its rounds are numbered on after so many of earlier stages.
    """
    return {
        "id": tournament.id,
        "stage": tournament.stage.kind,
        "construction": whole.construction,
        "seed": tournament.seed,
        "rounds": [
            {
                "round": number,
                "tables": [_write_table(table) for table in tables],
                "byes": [{"entry": entry, "kind": "pairing"} for entry in out],
            }
            for number, (tables, out) in enumerate(whole.rounds, start=before + 1)
        ],
        "proof": _write_proof(whole),
    }


def _write_table(table: DrawnTable) -> JsonObject:
    deals: JsonObject = {"deals": list(table.deals)} if table.deals else {}
    match: JsonObject = (
        {"match": table.match, "bracket": table.bracket} if table.match is not None else {}
    )
    return {"table": table.table, "entries": list(table.entries), **deals, **match}


def _write_proof(whole: Schedule) -> JsonObject:
    counts: JsonObject = {
        name: {str(times): many for times, many in count.items()}
        for name, count in proof_counts(whole.proof).items()
    }
    sizes: JsonObject = {
        str(size): {str(times): many for times, many in count.items()}
        for size, count in whole.proof.table_sizes.items()
    }
    return (
        counts
        | ({"table_sizes": sizes} if sizes else {})
        | {"never_met": [list(whole.named(pair)) for pair in whole.proof.never_met]}
    )


def _plan_with_numbers(tournament: Tournament) -> tuple[Plan, Proof, tuple[str, ...]]:
    stage = tournament.stage
    if stage.kind == "round_robin":
        numbers = robin_numbers(tournament)
        _check_size(len(numbers), double=stage.double)
        plan = berger_plan(len(numbers), double=stage.double)
        return plan, count_plan(plan), numbers
    if stage.kind not in PLANS or not stage.is_planned:
        raise RuleViolation(
            "no_format",
            "a stage of kind %(kind)s is drawn from its results, a round at a time; `pair` draws "
            "the next",
            path="stage.kind",
            kind=stage.kind,
        )
    whole = planned(tournament)
    return whole.plan, whole.proof, whole.numbers


def _check_size(entries: int, *, double: bool) -> None:
    """The seats of all its rounds grow with the square of the field."""
    most = MOST_PLANNED_TWICE if double else MOST_PLANNED
    if entries > most:
        raise RuleViolation(
            "no_format",
            "the whole plan of a round robin is made for up to %(most)s entries, not for "
            "%(entries)s; it is drawn a round at a time",
            path="entries",
            most=most,
            entries=entries,
        )


def berger_plan(count: int, *, double: bool) -> Plan:
    """All rounds of a round robin by the Berger tables."""
    rounds = [berger_round(count, each + 1) for each in range(rounds_of(count, double=double))]
    return Plan(
        size=count,
        construction=f"berger {count + count % 2}",
        rounds=tuple(_berger_round(pairs, count) for pairs in rounds),
        most_met=2 if double else 1,
    )


def _berger_round(pairs: list[tuple[int, int]], count: int) -> PlannedRound:
    return build_round(
        ((one - 1, two - 1) for one, two in pairs if max(one, two) <= count),
        (min(pair) - 1 for pair in pairs if max(pair) > count),
    )


def _round(
    each: PlannedRound, numbers: tuple[str, ...]
) -> tuple[tuple[DrawnTable, ...], tuple[str, ...]]:
    tables = tuple(
        DrawnTable(
            table=sitting.table,
            entries=tuple(numbers[place] for place in sitting.places),
            deals=sitting.deals,
        )
        for sitting in each.tables
    )
    return tables, tuple(numbers[place] for place in each.out)


def proof_counts(proof: Proof) -> dict[str, Mapping[int, int]]:
    """The counts of a proof by their names, those that say nothing left out."""
    counts = {
        "partners": proof.partners,
        "opponents": proof.opponents,
        "meetings": proof.meetings,
        "left": proof.left if proof.partners else {},
        "sit_outs": proof.sit_outs,
        "deals": proof.deals,
    }
    return {name: count for name, count in counts.items() if count}
