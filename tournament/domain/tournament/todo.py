"""What waits for the director, the next step first."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.pairing.berger import rounds_of
from tournament.domain.tournament.counting import (
    ABANDONED,
    Outcomes,
    differing,
    goes_on,
    held_tables,
    missing,
    what_counts,
)
from tournament.domain.tournament.presence import not_here
from tournament.domain.tournament.state import RoundState, State, TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One thing to do: `step` names it, `round` the round it is about (0: none), `count` and
    `names` what it is about.

    `act` is the collection that one tap adds to, "" where it takes more than a tap; `by_hand`: a
    director changed the draw.
    """

    step: str
    act: str = ""
    round: int = 0
    count: int = 0
    names: tuple[str, ...] = ()
    by_hand: bool = False

    @property
    def round_text(self) -> str:
        """The round's number as text, for an address."""
        return str(self.round)


def todo(state: State, outcomes: Outcomes) -> list[Todo]:
    """The steps that are open now, in the order in which they should be taken."""
    match state.phase:
        case "draft":
            return [Todo(step="open_registration", act="phases")]
        case "registration":
            return [
                *_at_the_door(state),
                Todo(
                    step="start",
                    act="phases",
                    count=sum(not entry.is_withdrawn for entry in state.entries),
                ),
            ]
        case "running":
            return [*_singles(state), *_in_play(state, outcomes)]
        case "finished":
            return [Todo(step="archive", act="phases")]
        case _:
            return []


def last_round(state: State) -> int:
    """How many rounds the stage has."""
    if state.stage.kind == "round_robin":
        return rounds_of(len(state.entries), double=state.stage.double)
    return state.stage.rounds or 0


def needs_clock(each: RoundState, state: State, outcomes: Outcomes) -> bool:
    """Whether a clock is of use to a round: it is published, and somebody still plays it."""
    return each.published and not each.closed and bool(missing(each, outcomes, state.stage))


def _at_the_door(state: State) -> list[Todo]:
    away = tuple(
        entry.id for entry in state.entries if not entry.checked_in and not entry.is_withdrawn
    )
    return [
        *_singles(state),
        *([Todo(step="check_in", count=len(away), names=away)] if away else []),
    ]


def _singles(state: State) -> list[Todo]:
    waiting = tuple(str(single.number) for single in state.singles)
    return [Todo(step="singles", count=len(waiting), names=waiting)] if waiting else []


def _draw(state: State, outcomes: Outcomes) -> Todo:
    """The next draw, with those who are not known to be here: the director says whether
    they play.
    """
    missing = not_here(state, outcomes)
    return Todo(step="draw", act="draws", round=state.next_round, count=len(missing), names=missing)


def _in_play(state: State, outcomes: Outcomes) -> list[Todo]:
    last = state.last
    earlier = [
        *_held(state, outcomes),
        *(step for each in state.rounds[:-1] for step in _earlier_steps(each, state, outcomes)),
    ]
    if last is None:
        return [_draw(state, outcomes)]
    if not last.closed:
        return [*earlier, *_round_steps(last, state, outcomes)]
    doubts = _doubts(last, state, outcomes)
    if last.number >= last_round(state):
        return [*earlier, *doubts, Todo(step="finish", act="phases", round=last.number)]
    return [*earlier, *doubts, _draw(state, outcomes)]


def _held(state: State, outcomes: Outcomes) -> list[Todo]:
    """The tables that games of earlier rounds still hold, once the next round is drawn."""
    held = held_tables(state.rounds, outcomes)
    names = tuple(str(table.table) for _number, table in held)
    return (
        [
            Todo(
                step="held",
                act="freed-tables",
                round=len(state.rounds),
                count=len(held),
                names=names,
            )
        ]
        if held
        else []
    )


def _earlier_steps(each: RoundState, state: State, outcomes: Outcomes) -> list[Todo]:
    return _doubts(each, state, outcomes) if each.closed else _round_steps(each, state, outcomes)


def _doubts(each: RoundState, state: State, outcomes: Outcomes) -> list[Todo]:
    """What the director should look at in a round whatever else is to be done: results that games
    contradict, games beside results.
    """
    doubtful = {
        "differences": differing(each, outcomes, state.stage),
        "beside": [
            table
            for table in each.tables
            if table.is_settled and not table.detached and goes_on(table, outcomes)
        ],
    }
    return [_of_tables(step, each.number, tables) for step, tables in doubtful.items() if tables]


def _of_tables(step: str, number: int, tables: Sequence[TableState]) -> Todo:
    return Todo(
        step=step,
        round=number,
        count=len(tables),
        names=tuple(str(table.table) for table in tables),
    )


def _round_steps(each: RoundState, state: State, outcomes: Outcomes) -> list[Todo]:
    number = each.number
    if not each.published:
        broken = sum(why.cost for why in each.broken)
        return [
            Todo(
                step="publish",
                act="publications",
                round=number,
                count=broken,
                by_hand=each.drawn is not None,
            )
        ]
    lacking, doubts = missing(each, outcomes, state.stage), _doubts(each, state, outcomes)
    if not lacking:
        return [*doubts, Todo(step="close", act="closings", round=number)]
    abandoned = [table for table in lacking if what_counts(table, outcomes) == ABANDONED]
    steps = (
        []
        if each.clock is not None or each != state.last
        else [Todo(step="clock", act="clock-starts", round=number)]
    )
    asked = [_of_tables("abandoned", number, abandoned)] if abandoned else []
    rest = [table for table in lacking if table not in abandoned]
    return [*doubts, *asked, *steps, *([_of_tables("results", number, rest)] if rest else [])]
