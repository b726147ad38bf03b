"""Rounds of a plan: who has which number, who sits where in a round, and what becomes of tables
that somebody is missing from. Rounds that were played stay as they were.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from scoring.errors import RuleViolation
from scoring.games import GAMES
from tournament.domain.pairing.numbering import numbers_of
from tournament.domain.pairing.values import Contender, Draw, DrawnTable, PlanCounts, Reason, digest
from tournament.domain.schedules.movements import movement_plan
from tournament.domain.schedules.order_of_seats import with_dealers
from tournament.domain.schedules.pod_plan import NEWEST, Choice, pod_plan
from tournament.domain.schedules.pod_sizes import table_sizes
from tournament.domain.schedules.rotating import build_rotating_plan
from tournament.domain.schedules.same_deals import is_shortened, plan_alone, plan_of_pairs
from tournament.domain.schedules.values import Counts, Plan, PlannedRound, Proof
from tournament.domain.schedules.verify import faults, prove
from tournament.domain.schedules.verify_movement import movement_faults
from tournament.domain.standings.beginners import beginners, has_left, latecomers, take_free_places
from tournament.domain.standings.formats import plays_alone, sizes_for
from tournament.domain.standings.lots import lot
from tournament.domain.standings.values import ENGINES, HOWELL, Stage, Tournament

# Which edition of plans an engine makes.
EDITIONS = dict(zip(ENGINES, (1, 1, 2, 3, NEWEST), strict=True))
CHOSEN_AGAIN = ("pods", "rotating")  # plans that differ from edition to edition
EVEN_EDITION = 4  # from here on tables are even, and who waits takes any place that is free
MOST_NAMED = 60  # pairs that never meet are named in a draw up to so many

type Met = Mapping[frozenset[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The plan of a stage for the entries that began it: `numbers` has them in the order of their
    numbers, `proof` is what counting it came to.
    """

    plan: Plan
    proof: Proof
    numbers: tuple[str, ...]

    def holders(self, tournament: Tournament, number: int) -> tuple[str | None, ...]:
        """Return the entry that plays under each number in a round.

        An entry that left gives its number to one that came late, in the order they came;
        if the rover is missing, the entry it would displace plays in its place.
        """
        there = self._there(tournament, number)
        rover, displaced = self.plan.rover, self.plan.find_displaced(number)
        if rover is not None and displaced is not None and there[rover] is None:
            there[rover], there[displaced] = there[displaced], None
        return tuple(there)

    def roving(self, tournament: Tournament, number: int) -> tuple[int, ...]:
        """The numbers of the rover and of whom it displaces in a round, the rover's alone where
        that is nobody; () where no rover plays.
        """
        rover, displaced = self.plan.rover, self.plan.find_displaced(number)
        if rover is None or self._there(tournament, number)[rover] is None:
            return ()
        return (rover,) if displaced is None else (rover, displaced)

    def _there(self, tournament: Tournament, number: int) -> list[str | None]:
        """Return the entry that has each number in a round, None if it does not play in it."""
        of = {entry.id: entry for entry in tournament.entries}
        take_places = take_free_places
        if EDITIONS[tournament.engine] < EVEN_EDITION:
            take_places = _take_places_on_coming
        holders = take_places(self.numbers, tournament, number)
        return [holder if of[holder].plays_in(number) else None for holder in holders]


def _take_places_on_coming(
    numbers: Sequence[str], tournament: Tournament, number: int
) -> Sequence[str]:
    """The same as engines before the fifth had it: a place was taken on coming or never."""
    of = {entry.id: entry for entry in tournament.entries}
    holders = list(numbers)
    for late in sorted(latecomers(tournament), key=lambda entry: entry.joined_in):
        free = (
            place for place, holder in enumerate(holders) if has_left(of[holder], late.joined_in)
        )
        place = next(free, None)
        if place is not None and late.joined_in <= number:
            holders[place] = late.id
    return holders


def planned(tournament: Tournament) -> Planned:
    """The counted plan of a stage whose rounds are known ahead; one that has begun goes on by the
    edition of plans that its first round follows.

    Raises RuleViolation where no plan fits so many entries, or so many rounds, with what would.
    """
    newest = EDITIONS[tournament.engine]
    whole = _of_edition(tournament, newest)
    if tournament.stage.kind not in CHOSEN_AGAIN or _not_as_drawn(whole, tournament) == 0:
        return whole
    for edition in range(newest - 1, 0, -1):
        with suppress(RuleViolation):  # it had fewer rounds
            before = _of_edition(tournament, edition)
            whole = min(whole, before, key=lambda each: _not_as_drawn(each, tournament))
    return whole


def _of_edition(tournament: Tournament, edition: int) -> Planned:
    entries, stage = beginners(tournament), tournament.stage
    plan, proof = _plan_with_proof(stage, tournament.game, len(entries), tournament.seed, edition)
    return Planned(
        plan=plan,
        proof=proof,
        numbers=numbers_of(
            entries,
            plan,
            seed=tournament.seed,
            seeding=stage.seeding,
            clubs_apart=stage.clubs_apart,
        ),
    )


def _not_as_drawn(whole: Planned, tournament: Tournament) -> int:
    """Return the number of drawn tables that are not in the plan."""
    lacking = 0
    for drawn, each in zip(tournament.rounds, whole.plan.rounds, strict=False):
        planned_tables = {
            frozenset(whole.numbers[place] for place in table.places) for table in each.tables
        }
        lacking += sum(frozenset(table.entries) not in planned_tables for table in drawn.tables)
    return lacking


@lru_cache(maxsize=64)
def _plan_with_proof(
    stage: Stage, game: str, size: int, seed: int, edition: int
) -> tuple[Plan, Proof]:
    """A plan and what counting it came to; one with a fault is never offered."""
    plan = PLANS[stage.kind](stage, game, size, seed, edition)
    if stage.plays_same_deals and not plays_alone(stage, game):
        wrong = movement_faults(plan, shortened=is_shortened(plan))
        assert not wrong, wrong  # as in `count_plan`
    return plan, count_plan(plan)


def count_plan(plan: Plan) -> Proof:
    """Return the verified counts of a plan."""
    wrong = faults(plan)
    assert not wrong, wrong  # a construction of ours that counts otherwise is our own bug
    return prove(plan)


def draw_planned(tournament: Tournament, number: int, players: Sequence[Contender]) -> Draw:
    """The round of the plan, without who is missing, and with who came late where there is room.

    Raises RuleViolation `game_over` after the last round of the plan.
    """
    whole = planned(tournament)
    if number > len(whole.plan.rounds):
        raise RuleViolation(
            "game_over",
            "the plan %(construction)s has %(rounds)s rounds for %(entries)s entries",
            path="stage.rounds",
            construction=whole.plan.construction,
            rounds=len(whole.plan.rounds),
            entries=len(whole.numbers),
        )
    playing = {player.entry for player in players}
    planned_round = whole.plan.rounds[number - 1]
    holders = whole.holders(tournament, number)
    tables = _fill_tables(tournament, number, planned_round, holders, playing, meetings(players))
    seated = {entry for table in tables for entry in table.entries}
    met, roving = meetings(players), _explain_rover(whole, tournament, number)
    explained = tuple(_explain_table(table, whole, number, met, roving) for table in tables)
    byes = tuple(player.entry for player in players if player.entry not in seated)
    return Draw(
        round=number,
        tables=explained,
        byes=byes,
        byes_why=tuple(_find_rover_reasons(entry, roving) for entry in byes) if roving else (),
        broken=again_in_all(explained),
        engine=tournament.engine,
        digest=digest(tournament, number, players),
        construction=whole.plan.construction,
        counted=plan_counts(whole),
    )


def meetings(players: Sequence[Contender]) -> Met:
    """Return how often each two met before."""
    return {
        frozenset((player.entry, other)): times
        for player in players
        for other, times in player.met.items()
    }


def again(entries: Sequence[str], met: Met) -> int:
    """Return the number of pairs of a table that have met before."""
    return sum(met.get(frozenset(pair), 0) > 0 for pair in combinations(entries, 2))


def again_in_all(tables: Sequence[DrawnTable]) -> tuple[Reason, ...]:
    """Return the reason for the repeats that a round could not avoid: pairs that meet
    again beyond the plan.
    """
    cost = sum(why.cost for table in tables for why in table.why if why.tier == "met_again")
    return (Reason(tier="met_again", cost=cost),) if cost else ()


def plan_counts(whole: Planned) -> PlanCounts:
    """The counts of a plan as they are stored with a draw."""
    return plan_counts_of(whole.plan, whole.proof, whole.numbers)


def plan_counts_of(plan: Plan, proof: Proof, numbers: Sequence[str]) -> PlanCounts:
    """Return the counts of a plan; pairs that never meet are listed by the entries of
    the `numbers`, if they are few.
    """
    if plan.most_met == 0:  # everybody alone
        return PlanCounts(size=plan.size, rounds=len(plan.rounds), deals=_pairs(proof.deals))
    named = proof.never_met if len(proof.never_met) <= MOST_NAMED else ()
    return PlanCounts(
        size=plan.size,
        rounds=len(plan.rounds),
        meetings=_pairs(proof.meetings),
        partners=_pairs(proof.partners),
        opponents=_pairs(proof.opponents),
        left=_pairs(proof.left) if plan.partners else (),
        sit_outs=_pairs(proof.sit_outs),
        deals=_pairs(proof.deals),
        never_met=tuple((numbers[one], numbers[two]) for one, two in named),
        moves=plan.moves,
        table_sizes=tuple((size, _pairs(counts)) for size, counts in proof.table_sizes.items()),
    )


def _pairs(counts: Counts) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(counts.items()))


def _fill_tables(
    tournament: Tournament,
    number: int,
    planned_round: PlannedRound,
    holders: Sequence[str | None],
    playing: set[str],
    met: Met,
) -> list[DrawnTable]:
    """The tables of the round with the entries that are there; a table that is too small for the
    game is given up, and who is left over sits where there is room.
    """
    least, most = _seats_at(tournament)
    there = [
        DrawnTable(
            table=sitting.table,
            entries=tuple(
                entry
                for place in sitting.places
                if (entry := holders[place]) is not None and entry in playing
            ),
            deals=sitting.deals,
        )
        for sitting in planned_round.tables
    ]
    kept = [table for table in there if len(table.entries) >= least]
    out = {holders[place] for place in planned_round.out}
    seated = {entry for table in kept for entry in table.entries}
    waiting = [entry for entry in sorted(playing) if entry not in seated | out]
    spare = sorted(playing.intersection(out))
    alone = plays_alone(tournament.stage, tournament.game)
    if tournament.stage.plays_same_deals and not alone:
        waiting, spare = [], []  # the deals at a table are for the pairs that the plan has there
    free = [table.table for table in there if len(table.entries) < least]
    even = EDITIONS[tournament.engine] >= EVEN_EDITION
    waiting = _with_spare(waiting, spare, least)
    kept = _with_waiting(kept, waiting, free, (least, most), met, even=even)
    if even and not tournament.stage.plays_same_deals:
        strays = playing.difference(holder for holder in holders if holder is not None)
        kept = _in_turn(kept, strays, count_sit_outs(tournament, number), playing, met)
    if alone:  # who came late plays the same deals, too
        deals = planned_round.tables[0].deals
        kept = [replace(table, deals=deals) for table in kept]
    return [
        _set_dealer(tournament, number, table) for table in sorted(kept, key=lambda one: one.table)
    ]


def _seats_at(tournament: Tournament) -> tuple[int, int]:
    """The fewest and the most entries that a table can have."""
    if tournament.stage.kind == "pods":
        return min(sizes_for(tournament.game)), max(sizes_for(tournament.game))
    if plays_alone(tournament.stage, tournament.game):
        return 1, 1
    size = 4 if tournament.stage.kind == "rotating" else 2
    return size, size


def _with_spare(waiting: list[str], spare: Sequence[str], least: int) -> list[str]:
    """Those who wait, and as many who sit out by the plan as make up a table with the last of
    them.
    """
    lacking = -len(waiting) % least
    return [*waiting, *spare[:lacking]] if waiting and lacking <= len(spare) else waiting


def _with_waiting(
    tables: list[DrawnTable],
    waiting: Sequence[str],
    free: Sequence[int],
    sizes: tuple[int, int],
    met: Met,
    *,
    even: bool,
) -> list[DrawnTable]:
    """The tables with those who wait: at tables of their own, the last of them at the smallest
    table where fewest have met them, or with others from larger tables; whoever finds no place is
    left over. `even`: at the smallest tables first.
    """
    least, most = sizes
    left = list(waiting)
    while len(left) >= least:
        size = min(most, len(left))
        size = size if len(left) - size == 0 or len(left) - size >= least else least
        tables = [*tables, _own_table(tables, left[:size], free)]
        left = left[size:]
    room = sum(most - len(table.entries) for table in tables)
    if room < len(left) and sum(len(table.entries) - least for table in tables) >= least - len(
        left
    ):
        tables, came = _from_larger(tables, left, least, met)
        return [*tables, _own_table(tables, came, free)]
    for entry in left[:room]:
        smallest = min(len(table.entries) for table in tables)
        best = min(
            (table for table in tables if len(table.entries) < most),
            key=lambda table: (
                even and len(table.entries) > smallest,
                _times_met(entry, table, met),
                len(table.entries),
                table.table,
            ),
        )
        tables = [
            replace(table, entries=(*table.entries, entry)) if table is best else table
            for table in tables
        ]
    return tables


def count_sit_outs(tournament: Tournament, number: int) -> Counter[str]:
    """Return how often each entry sat out of the rounds before round `number` without
    having asked.
    """
    return Counter(
        bye.entry
        for each in tournament.rounds[: number - 1]
        for bye in each.byes
        if bye.kind == "pairing"
    )


def _in_turn(
    tables: list[DrawnTable],
    strays: Collection[str],
    times: Counter[str],
    playing: Collection[str],
    met: Met,
) -> list[DrawnTable]:
    """The tables if the plan has no place for the `strays`, who came late: whoever sat out more
    often than someone who is seated takes that place, where the fewest have met.
    """
    seated = {entry for table in tables for entry in table.entries}
    if not strays:
        return tables
    for entry in sorted(set(playing) - seated, key=lambda each: (-times[each], each)):
        found = [
            (times[other], _times_met(entry, _without(table, other), met), table.table, other)
            for table in tables
            for other in table.entries
            if times[other] < times[entry]
        ]
        if not found:
            break
        *_cost, number, other = min(found)
        tables = [
            _with_in_place(table, other, entry) if table.table == number else table
            for table in tables
        ]
    return tables


def _without(table: DrawnTable, entry: str) -> DrawnTable:
    return replace(table, entries=tuple(each for each in table.entries if each != entry))


def _with_in_place(table: DrawnTable, one: str, other: str) -> DrawnTable:
    return replace(table, entries=tuple(other if each == one else each for each in table.entries))


def _own_table(
    tables: Sequence[DrawnTable], entries: Sequence[str], free: Sequence[int]
) -> DrawnTable:
    """A further table with the first number that none has, one given up before a new one."""
    taken = {table.table for table in tables}
    last = max((*taken, *free), default=0)
    number = next(number for number in (*free, last + 1) if number not in taken)
    return DrawnTable(table=number, entries=tuple(entries))


def _from_larger(
    tables: list[DrawnTable], left: list[str], least: int, met: Met
) -> tuple[list[DrawnTable], list[str]]:
    """The tables without as many as those who are left lack for one of their own, and these
    together: of the largest tables who has met them least.
    """
    came = list(left)
    while len(came) < least:
        largest = max(tables, key=lambda table: (len(table.entries), table.table))
        goes = min(
            largest.entries,
            key=lambda entry: sum(met.get(frozenset((entry, other)), 0) for other in came),
        )
        came.append(goes)
        tables = [
            replace(table, entries=tuple(entry for entry in table.entries if entry != goes))
            if table is largest
            else table
            for table in tables
        ]
    return tables, came


def _times_met(entry: str, table: DrawnTable, met: Met) -> int:
    return sum(met.get(frozenset((entry, other)), 0) for other in table.entries)


def _set_dealer(tournament: Tournament, number: int, table: DrawnTable) -> DrawnTable:
    """The table with its first dealer: the first entry of a pod, else a seat drawn by lot."""
    seats = next(
        (seats for seats in GAMES[tournament.game].seatings if len(seats) == len(table.entries)),
        GAMES[tournament.game].seatings[0],
    )
    if tournament.stage.kind == "pods":
        return replace(table, dealer=seats[0])
    drawn = seats[lot(tournament.lots_seed, "dealer", number, table.table) % len(seats)]
    return replace(table, dealer=drawn)


def _explain_rover(whole: Planned, tournament: Tournament, number: int) -> Mapping[str, Reason]:
    """Return the reasons of the rover and of the entry it displaces in a round, by
    entry.
    """
    holders, concerned = whole.holders(tournament, number), whole.roving(tournament, number)
    reason = Reason(tier="rover", cost=0, numbers=tuple(place + 1 for place in concerned))
    return {entry: reason for place in concerned if (entry := holders[place]) is not None}


def _find_rover_reasons(entry: str, roving: Mapping[str, Reason]) -> tuple[Reason, ...]:
    return (roving[entry],) if entry in roving else ()


def _explain_table(
    table: DrawnTable, whole: Planned, number: int, met: Met, roving: Mapping[str, Reason]
) -> DrawnTable:
    """Why these sit together: their numbers in the plan, and what it could not foresee."""
    if len(table.entries) == 1:
        alone = Reason(tier="same_deals", cost=0, numbers=(table.deals[0], table.deals[-1]))
        return replace(table, why=(alone,))
    of = {entry: place for place, entry in enumerate(whole.numbers, start=1)}
    places = tuple(of.get(entry, 0) for entry in table.entries)
    most = whole.plan.most_met
    why = [Reason(tier="plan", cost=0, numbers=(number, len(whole.plan.rounds), *places))]
    if most == 1 or not all(places):
        pairs = again(table.entries, met)
        why.append(Reason(tier="met_again", cost=pairs, numbers=(pairs,)))
    why += [roving[entry] for entry in table.entries if entry in roving]
    return replace(table, why=tuple(why))


def _pods(stage: Stage, game: str, size: int, seed: int, edition: int) -> Plan:
    """Some sit out only where no size of tables that the game has seats everybody; clubs are kept
    apart by the groups of a plan.
    """
    sizes = sizes_of_pods(stage, game)
    if set(sizes) != set(sizes_for(game)):
        table_sizes(size, sizes)
    plan = pod_plan(
        size,
        sizes,
        stage.rounds,
        seed=seed,
        in_groups=stage.clubs_apart,
        edition=edition,
        choice=_choice_of_sizes(sizes, game, edition),
    )
    return with_dealers(plan, seed=seed)


def _choice_of_sizes(sizes: tuple[int, ...], game: str, edition: int) -> Choice:
    """Return the rule for choosing the sizes of tables: freely, if they are all the
    game has, as usual.
    """
    if edition < EVEN_EDITION:
        return "in order"
    return "fewest repeats" if sizes == sizes_for(game) else "even"


def sizes_of_pods(stage: Stage, game: str) -> tuple[int, ...]:
    """The sizes of tables that a stage has, the usual one first."""
    return stage.pods.sizes or sizes_for(game)


def _build_rotating_plan(stage: Stage, _game: str, size: int, _seed: int, edition: int) -> Plan:
    return build_rotating_plan(
        size, stage.rounds, games_a_sitting=stage.rotating.games_a_sitting, edition=edition
    )


def _movement(stage: Stage, _game: str, size: int, _seed: int, _edition: int) -> Plan:
    return movement_plan(
        size,
        "howell" if stage.movement.movement == HOWELL else "mitchell",
        stage.rounds,
        deals_a_round=stage.movement.deals_a_round,
        winners=1 if stage.movement.winners == 1 else 2,
        rover=stage.movement.rover and size % 2 == 1,
    )


def _duplicate(stage: Stage, game: str, size: int, _seed: int, _edition: int) -> Plan:
    plan = plan_alone if plays_alone(stage, game) else plan_of_pairs
    return plan(size, stage.duplicate.deals, stage.rounds)


PLANS: Mapping[str, Callable[[Stage, str, int, int, int], Plan]] = {
    "pods": _pods,
    "rotating": _build_rotating_plan,
    "movement": _movement,
    "duplicate": _duplicate,
}
