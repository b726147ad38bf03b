"""The whole plan of a stage whose rounds are known ahead, by name: what was drawn as it was drawn,
what is to come as the plan has it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import overload

from django.http import Http404

from scoring.errors import RuleViolation
from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.pairing.forecast import as_it_stands, meetings_in
from tournament.domain.pairing.planned import CHOSEN_AGAIN
from tournament.domain.pairing.schedule import Schedule, find_holders, find_rover, schedule
from tournament.domain.pairing.team_matches import matches_at
from tournament.domain.pairing.values import PlanCounts
from tournament.domain.standings.values import Round, SeatedTable, Tournament
from tournament.domain.tournament.counting import plays_with_partners
from tournament.domain.tournament.leavers import list_left_out
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import RoundState
from tournament.queries import plan_words
from tournament.queries.entry_paths import company_words
from tournament.queries.sides import side_words
from tournament.queries.stage_views import is_planned, seen_at
from tournament.queries.tournament import TournamentView, is_silent, points_by_round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSeat:
    """A seat of a planned table: who takes it, None while nobody does, and what the seat is called,
    "" where that is drawn with the round.
    """

    entry: str | None
    name: str
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTable:
    """A table of a plan in the order of its seats, and the deals played there."""

    table: int
    seats: Sequence[PlanSeat]
    deals: Sequence[int] = ()
    partners: bool = False

    @property
    def entries(self) -> list[str]:
        """The entries at the table."""
        return [seat.entry for seat in self.seats if seat.entry is not None]

    @property
    def deals_text(self) -> str:
        """The deals by number, `5–6`, "" for none."""
        if len(self.deals) < 2:
            return "".join(map(str, self.deals))
        return f"{self.deals[0]}\N{EN DASH}{self.deals[-1]}"

    def as_seated(self) -> SeatedTable:
        """The table as results have it."""
        return SeatedTable(
            table=self.table,
            entries=tuple(seat.entry or "" for seat in self.seats),
            partners=self.partners,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRound:
    """A round of a plan: its tables and who sits out, by number and name; `drawn`: as it was really
    drawn. `roving` are the entries of the rover and of whom it displaces, where one does, and
    `rover` says so by name.
    """

    number: int
    tables: Sequence[PlanTable]
    out: Sequence[tuple[str, str]]
    drawn: bool
    roving: Sequence[str] = ()
    rover: str = ""

    def table_of(self, entry: str) -> PlanTable | None:
        """The table of an entry."""
        return next((table for table in self.tables if entry in table.entries), None)


class PlanRounds(Sequence[PlanRound]):
    """The rounds of a plan, each made when it is asked for; `numbers` are theirs, and the first
    `drawn` of them as they were drawn.
    """

    def __init__(
        self, numbers: Sequence[int], drawn: int, plan_round: Callable[[int, str], PlanRound]
    ) -> None:
        self.numbers, self.drawn, self._plan_round = numbers, drawn, plan_round

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> PlanRound: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[PlanRound]: ...
    def __getitem__(self, place: int | slice) -> PlanRound | Sequence[PlanRound]:
        if isinstance(place, slice):
            return [self._plan_round(number, "") for number in self.numbers[place]]
        return self._plan_round(self.numbers[place], "")

    def of(self, entry: str) -> Iterator[PlanRound]:
        """All rounds, each with the table of one entry alone."""
        return (self._plan_round(number, entry) for number in self.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """A plan as pages show it: what was counted in it, the sentence for the room, what is to be
    said of tables of different sizes, and its rounds.
    `preview`: nothing of it is drawn yet, and whoever enters changes it.

    `never_met` are those who never share a table, by name, where they are few; `apart` is how many
    pairs never do. `seats` are those of all rounds together; rounds are put into words when they
    are asked for, of a long plan a page shows one. `rover` is who displaces another pair each
    round, "" where nobody does, or not to the end.
    """

    construction: str
    seed: int
    counted: PlanCounts
    lines: Sequence[plan_words.CountedLine]
    moves: str
    table_sizes: str
    never_met: Sequence[tuple[str, str]]
    apart: int
    rounds: PlanRounds
    seats: int
    has_deals: bool
    preview: bool
    rover: str


def is_shown(at: TournamentView, visitor: Visitor) -> bool:
    """Whether a stage has a plan that this visitor may see: everybody once its first round is
    published, the director as soon as there are entries.
    """
    if not at.state.stage.is_planned or at.state.phase == "draft":
        return False
    before = len(at.state.rounds) - at.state.rounds_of_stage
    published = any(each.published for each in at.state.rounds[before:])
    return published or (visitor.may(Permission.DIRECT) and len(at.state.entries) > 1)


def get_plan_or_404(at: TournamentView, visitor: Visitor, typed: str = "") -> TournamentView:
    """The tournament at the stage with a plan that was asked for, the last where none was. Raises
    Http404 where this visitor may see none.
    """
    seen = seen_at(at, typed, is_planned)
    if seen is None or not is_shown(seen, visitor):
        raise Http404
    return seen


def whole_plan(at: TournamentView, visitor: Visitor | None = None) -> Schedule:
    """The plan for the entries that began; if anything is otherwise by now, the rounds as they were
    drawn and as they will be, counted anew. A draw that this visitor may not see is none; without
    a visitor all are seen.

    Raises RuleViolation where no plan fits the entries.
    """
    seen, before = view_current_stage(at.state, at.outcomes)
    if visitor is not None and not visitor.may(Permission.DIRECT):
        shown = [each.published for each in at.state.rounds[before:]]
        seen = replace(seen, rounds=seen.rounds[: (*shown, False).index(False)])
    # Who sat where says by which edition of plans a stage began.
    again = seen.stage.kind in CHOSEN_AGAIN
    made_for = replace(seen, rounds=_who_sat(seen) if again else ())
    return _recount(replace(seen, rounds=_as_met(seen)), made_for)


@lru_cache(maxsize=16)
def _recount(field: Tournament, made_for: Tournament) -> Schedule:
    """Kept, as the plan itself, which was `made_for` those who began."""
    return as_it_stands(field, _make_schedule(made_for))


def count_plan_now(
    at: TournamentView, each: RoundState, visitor: Visitor | None = None
) -> PlanCounts | None:
    """The counts of the plan of a round as it stands by now; None where it follows no plan. That of
    an earlier stage stays as it was drawn.
    """
    if each.counted is None or each.stage != at.state.stage_number:
        return each.counted
    try:
        return whole_plan(at, visitor).counted
    except RuleViolation:  # nobody of the entries that there are now can be planned for
        return each.counted


def met_again(before: TournamentView, after: TournamentView) -> list[tuple[str, str, int]]:
    """The pairs that meet oftener in the whole plan `after` a change, and more than once; each with
    how often.
    """
    if not before.state.stage.is_planned:
        return []
    try:
        then, now = meetings_in(whole_plan(before)), meetings_in(whole_plan(after))
    except RuleViolation:  # no plan fits, and the page says so
        return []
    return [
        (one, two, times)
        for (one, two), times in sorted(now.items())
        if times > max(1, then[one, two])
    ]


def _as_met(seen: Tournament) -> tuple[Round, ...]:
    """The rounds without what nobody's next table depends on."""
    return tuple(
        replace(
            each,
            tables=tuple(
                replace(table, results=(), boards=(), hands=None, excused=False)
                if table.results and not table.forfeit
                else table
                for table in each.tables
            ),
        )
        for each in seen.rounds
    )


def _who_sat(seen: Tournament) -> tuple[Round, ...]:
    return tuple(
        Round(
            tables=tuple(SeatedTable(table=one.table, entries=one.entries) for one in each.tables)
        )
        for each in seen.rounds
    )


def read_plan(at: TournamentView, visitor: Visitor) -> ShownPlan:
    """The plan of a stage by name; a round that this visitor may not see yet as the plan has it.

    Raises RuleViolation where no plan fits the entries, with what would.
    """
    whole = whole_plan(at, visitor)
    field, before = view_current_stage(at.state, at.outcomes)
    drawn = {
        each.number: each
        for each in at.state.rounds[before:]
        if each.published or visitor.may(Permission.DIRECT)
    }

    def plan_round(number: int, entry: str) -> PlanRound:
        if number in drawn:
            each = _as_drawn(at, drawn[number], entry)
        else:
            each = _to_come(at, field, whole, number, before=before, alone=entry)
        return _with_rover(at, each, find_rover(field, number - before))

    planned_tables = [table for tables, _out in whole.rounds for table in tables]
    last = max(before + len(whole.rounds), *drawn, 0)
    counted = whole.counted
    return ShownPlan(
        construction=whole.construction,
        seed=at.state.seed,
        counted=counted,
        lines=plan_words.counted_lines(counted),
        moves=plan_words.moves_words(whole.moves),
        table_sizes=plan_words.table_sizes_words(counted),
        never_met=[(at.entries[one], at.entries[two]) for one, two in counted.never_met],
        apart=dict(counted.meetings).get(0, 0),
        rounds=PlanRounds(range(before + 1, last + 1), len(drawn), plan_round),
        seats=sum(len(table.entries) for table in planned_tables),
        has_deals=any(table.deals for table in planned_tables),
        preview=not at.state.rounds_of_stage,
        rover="".join(at.entries[entry] for entry in find_rover(field, len(whole.rounds))[:1]),
    )


@lru_cache(maxsize=16)
def _make_schedule(field: Tournament) -> Schedule:
    """Kept, for a page that is asked for by a whole room counts the same plan each time."""
    return schedule(field)


def _as_drawn(at: TournamentView, each: RoundState, alone: str) -> PlanRound:
    return PlanRound(
        number=each.number,
        tables=[
            PlanTable(
                table=table.table,
                seats=_seats(at, each.number, table.entries, named=True),
                deals=table.deals,
                partners=plays_with_partners(at.state.stage, table),
            )
            for table in matches_at(each.tables)
            if not alone or alone in table.entries
        ],
        out=[(bye.entry, at.name_in(each.number, bye.entry)) for bye in each.byes],
        drawn=True,
    )


def _to_come(
    at: TournamentView, field: Tournament, whole: Schedule, number: int, *, before: int, alone: str
) -> PlanRound:
    """Round `number` as the plan has it, with who holds each of its numbers by now; `before` rounds
    were those of earlier stages.
    """
    tables, out = whole.rounds[number - before - 1]
    named = at.state.stage.kind != "pods"  # there the first dealer is drawn with the round
    holds = (
        {entry.id: entry.id for entry in field.entries}
        if whole.as_now
        else find_holders(field, number - before)
    )
    shown = [
        PlanTable(
            table=(table.table - 1) * at.state.stage.tables_a_match + 1,
            seats=_seats(at, number, [holds.get(entry) for entry in table.entries], named=named),
            deals=table.deals,
            partners=whole.partners,
        )
        for table in tables
        if not alone or alone in map(holds.get, table.entries)
    ]
    left = [entry for entry in map(holds.get, out) if entry is not None]
    return PlanRound(
        number=number,
        tables=shown,
        out=[(entry, at.name_in(number, entry)) for entry in left],
        drawn=False,
    )


def _with_rover(at: TournamentView, each: PlanRound, roving: Sequence[str]) -> PlanRound:
    """The round with who displaces whom in it, where that is as planned."""
    if len(roving) < 2 or roving[1] not in dict(each.out):
        return each
    rover, displaced = (at.name_in(each.number, entry) for entry in roving)
    return replace(each, roving=roving, rover=plan_words.rover_words(rover, displaced))


def _seats(
    at: TournamentView, number: int, entries: Sequence[str | None], *, named: bool
) -> list[PlanSeat]:
    """The seats of a table, `named` where it is known who takes which."""
    sides = side_words(at.state.game, len(entries)) if named else ("",) * len(entries)
    return [
        PlanSeat(
            entry=entry,
            name="" if entry is None else at.name_in(number, entry),
            side=side,
        )
        for side, entry in zip(sides, entries, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Two who share a table in a round: `together` as partners; `points` are what the first of the
    two has of it, in hundredths, None while they are not in or hidden. `struck`: one of them left,
    and its games are left out.
    """

    round: int
    table: int
    together: bool
    points: int | None
    struck: bool = False


type Crosstable = Mapping[tuple[str, str], Sequence[Meeting]]


def crosstable(at: TournamentView, visitor: Visitor, plan: ShownPlan) -> Crosstable:
    """In which rounds every two meet, both ways, and what came of it as far as it may be seen."""
    found: dict[tuple[str, str], list[Meeting]] = {}
    every = points_by_round(at)
    drawn = {each.number for each in at.state.rounds if each.published}
    for each in plan.rounds:
        told = each.number in drawn and not is_silent(at, visitor, each.number)
        points = every[each.number - 1] if told else {}
        there = at.state.round(each.number)
        out = list_left_out(at.state, there.stage) if there is not None else set()
        for table in each.tables:
            for one, two, together in _pairs(table):
                reached = points.get(table.table, ())
                seated = [seat.entry for seat in table.seats]
                for first, second in ((one, two), (two, one)):
                    place = seated.index(first)
                    found.setdefault((first, second), []).append(
                        Meeting(
                            round=each.number,
                            table=table.table,
                            together=together,
                            points=reached[place] if place < len(reached) else None,
                            struck=bool(out & {first, second}),
                        )
                    )
    return found


def _pairs(table: PlanTable) -> Iterator[tuple[str, str, bool]]:
    seated = table.as_seated()
    for one, two in combinations(range(len(seated.entries)), 2):
        first, second = seated.entries[one], seated.entries[two]
        if first and second:
            yield first, second, second in seated.partners_of(one)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStep:
    """A round of one entry's plan: its table (None: it sits out) and seat, and in words with whom
    and against whom; `drawn` as of the round, and `rover` where it is concerned.
    """

    number: int
    table: PlanTable | None
    side: str
    company: str
    drawn: bool
    rover: str


def own_plan(plan: ShownPlan, entry: str) -> list[OwnStep]:
    """The plan of one entry, round by round."""
    return [_own(each, entry) for each in plan.rounds.of(entry)]


def own_table_sizes(plan: ShownPlan, steps: Sequence[OwnStep]) -> str:
    """The number of times that the entry of these steps sits at tables of each size; "" if
    there is one size.
    """
    sizes = [sum(bool(seat.entry) for seat in step.table.seats) for step in steps if step.table]
    return plan_words.own_sizes_words(sizes, plan.counted)


def _own(each: PlanRound, entry: str) -> OwnStep:
    table = each.table_of(entry)
    rover = each.rover if entry in each.roving else ""
    if table is None:
        return OwnStep(
            number=each.number, table=None, side="", company="", drawn=each.drawn, rover=rover
        )
    seated = table.as_seated()
    place = seated.entries.index(entry)
    names = {seat.entry: seat.name for seat in table.seats if seat.entry}
    return OwnStep(
        number=each.number,
        table=table,
        side=table.seats[place].side,
        company=company_words(
            [names[other] for other in seated.partners_of(place) if other],
            [names[other] for other in seated.opponents(place) if other],
        ),
        drawn=each.drawn,
        rover=rover,
    )


def plan_refused(at: TournamentView) -> RuleViolation | None:
    """Why no plan fits the entries as they are, with what would; None where one does, and where
    there are too few to say.
    """
    try:
        whole_plan(at)
    except RuleViolation as refusal:
        return refusal
    return None
