"""An entry that comes once rounds are drawn: whether it can join, and what becomes of it then."""

from dataclasses import dataclass, replace

from scoring.errors import RuleViolation
from tournament.domain.pairing.forecast import MOST_FORESEEN, foreseen
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.values import Entry
from tournament.domain.tournament.added_tables import seats_of_added, waiting
from tournament.domain.tournament.counting import Outcomes
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.todo import last_round

THE_LATE = "late"  # the id of an entry that isn't made yet

OWN_TABLE, AT_ONCE, MORE_TABLE, NEXT, IN_TURN, WAITS = (
    *("own_table", "at_once", "more_table", "next", "in_turn"),
    "waits",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntry:
    """The first round of an entry that is made now, and its place in it.

    `round` is the one that it plays first, or sits out first if it `plays` in some of a
    plan's rounds or in none. `kind`: it plays the round that is open at a table of its
    own, or at once against an entry that sits out (`other`) of it, or can do so; it
    plays from the next round on; it sits out in turn; or it waits until another leaves.
    """

    kind: str
    round: int
    other: str = ""
    plays: tuple[int, ...] = ()


def check_late(state: State) -> None:
    """Raise RuleViolation `wrong_phase` if an entry could join no round any more, or if a round
    robin has no chair for it.
    """
    if not state.rounds:
        return
    if state.stage.kind == "round_robin" and not free_chairs(state):
        raise refused(
            "wrong_phase",
            "a round robin is drawn for its entries as they were; nobody can join it now: no chair "
            "is free",
            "phase",
        )
    last = last_round(state)
    if last and state.next_round > last and find_seat_at_once(state) is None:
        raise refused(
            "wrong_phase",
            "round %(last)s is the last, and it is drawn; nobody can join now",
            "phase",
            last=last,
        )


def free_chairs(state: State) -> int:
    """Return the number of further entries for which the tables of a round robin have
    chairs: as many as began, and one more if these are odd.
    """
    begun = sum(entry.joined_in == 1 for entry in state.entries)
    there = sum(not entry.is_withdrawn for entry in state.entries)
    return begun + begun % 2 - there


def find_seat_at_once(state: State) -> tuple[RoundState, tuple[str, ...]] | None:
    """The round that is open, and who waits there for an entry that comes now: nobody if everybody
    plays alone, and whoever sits out of the last round of a Swiss. None if it is seated in no
    round that is drawn.
    """
    each = state.last
    if each is None or not each.published or state.phase != "running":
        return None
    seats = seats_of_added(state, each)
    if seats == 1:
        return each, ()
    out = [key for key, how in waiting(state, each).items() if how == "pairing"]
    if seats == 2 and out and state.next_round > last_round(state) > 0:
        return each, (out[0],)
    return None


def what_becomes(state: State, outcomes: Outcomes) -> LateEntry | None:
    """Return the place of an entry that is made now; None before the first draw, when
    it is there from the beginning.

    Raises RuleViolation if no one can join.
    """
    if not state.rounds:
        return None
    check_late(state)
    at_once = find_seat_at_once(state)
    if at_once is not None:
        each, others = at_once
        kind = AT_ONCE if others else OWN_TABLE
        return LateEntry(kind=kind, round=each.number, other="".join(others))
    each = state.rounds[-1]
    if seats_of_added(state, each) == 2:
        out = [key for key, how in waiting(state, each).items() if how == "pairing"]
        if out:
            return LateEntry(kind=MORE_TABLE, round=state.next_round, other=out[0])
    return _in_plan(state, outcomes)


def _in_plan(state: State, outcomes: Outcomes) -> LateEntry:
    """The rounds that it will play by the plan, if nobody else comes or leaves."""
    first, last = state.next_round, last_round(state)
    usual = LateEntry(kind=NEXT, round=first)
    if not state.stage.is_planned or plays_alone(state.stage, state.game) or not last:
        return usual
    seen, before = view_current_stage(state, outcomes)
    late = Entry(id=THE_LATE, name=THE_LATE, players=(THE_LATE,), joined_in=len(seen.rounds) + 1)
    if len(seen.entries) * last > MOST_FORESEEN:
        return usual
    try:
        draws = tuple(foreseen(replace(seen, entries=(*seen.entries, late)), last - before))
    except RuleViolation:
        return usual
    plays = tuple(
        each.round + before
        for each in draws
        if any(THE_LATE in table.entries for table in each.tables)
    )
    if len(plays) == len(draws):
        return usual
    return LateEntry(kind=IN_TURN if plays else WAITS, round=first, plays=plays)
