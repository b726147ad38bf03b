"""The open tasks of the director, the next step first."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.brackets.places import is_over
from tournament.domain.brackets.progress import MatchState, ready
from tournament.domain.pairing.berger import rounds_of
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.knockout import find_misplaced, has_tree, knockout_so_far
from tournament.domain.tournament.counting import (
    ABANDONED,
    Outcomes,
    differing,
    goes_on,
    list_held_tables,
    missing,
    what_counts,
)
from tournament.domain.tournament.cuts import next_stage
from tournament.domain.tournament.leavers import games_played, list_unsettled_leavers
from tournament.domain.tournament.presence import not_here
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import RoundState, State, TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One thing to do: `step` names it, `round` the round it is about (0: none), `count` and
    `names` what it is about.

    Of a leaver `count` games of `of` were played.

    `act` is the collection that one tap adds to, "" where it takes more than a tap; `by_hand`: a
    director changed the draw.
    """

    step: str
    act: str = ""
    round: int = 0
    count: int = 0
    names: tuple[str, ...] = ()
    by_hand: bool = False
    stage: int = 0
    of: int = 0

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
                *_deals(state),
                Todo(
                    step="start",
                    act="phases",
                    count=sum(not entry.has_left(1) for entry in state.entries),
                ),
            ]
        case "running":
            leavers = tuple(list_unsettled_leavers(state, outcomes))
            return [
                *_singles(state),
                *_deals(state),
                *(_leaver(key, state, outcomes) for key in leavers),
                *_in_play(state, outcomes),
            ]
        case "finished":
            return [Todo(step="archive", act="phases")]
        case _:
            return []


def _deals(state: State) -> list[Todo]:
    """The deals that everybody plays, where no game can begin before they are drawn."""
    needs = plays_alone(state.stage, state.game) and not state.stocks
    begun = any(each.has_started for each in state.rounds)
    return [Todo(step="deals")] if needs and not begun else []


def _leaver(entry: str, state: State, outcomes: Outcomes) -> Todo:
    played, meetings = games_played(state, entry, outcomes)
    act = "settled-leavers"
    return Todo(step="leaver", act=act, count=played, of=meetings, names=(entry,))


def last_round(state: State) -> int:
    """The number of the last round of the stage that is played: as many as it says, else as many as
    the plan that it is drawn from; 0 while that is not known, or where its results say when it is
    over.
    """
    before = len(state.rounds) - state.rounds_of_stage
    if state.stage.kind == "round_robin":
        begun = sum(entry.joined_in == 1 for entry in state.entries)
        entries = len(state.begun[-1].cut.entries) if state.begun else begun
        return before + rounds_of(entries, double=state.stage.double)
    planned = [each.counted.rounds for each in state.rounds[before:] if each.counted is not None]
    there = state.stage.rounds or max(planned, default=0)
    return before + there if there else 0


def needs_clock(each: RoundState, state: State, outcomes: Outcomes) -> bool:
    """Whether a clock is of use to a round: it is published, and somebody still plays it."""
    return (
        each.published
        and not each.closed
        and bool(missing(each, outcomes, state.stage_in(each.number)))
    )


def _at_the_door(state: State) -> list[Todo]:
    away = tuple(
        entry.id
        for entry in state.entries
        if not entry.checked_in and not entry.has_left(state.next_round)
    )
    return [
        *([] if state.entries else [Todo(step="enter")]),
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
    if state.stage.kind == "knockout":
        playing = {entry for each in _to_be_drawn(state, outcomes) for entry in each.entries}
        missing = tuple(entry for entry in missing if entry in playing)
    return Todo(step="draw", act="draws", round=state.next_round, count=len(missing), names=missing)


def _in_play(state: State, outcomes: Outcomes) -> list[Todo]:
    last = state.last
    earlier = [
        *_find_misplaced_tables(state, outcomes),
        *_tables_held(state, outcomes),
        *(step for each in state.rounds[:-1] for step in _earlier_steps(each, state, outcomes)),
    ]
    if last is None:
        return [_draw(state, outcomes)]
    if not last.closed:
        return [*earlier, *_round_steps(last, state, outcomes)]
    doubts = _doubts(last, state, outcomes)
    if last.stage == state.stage_number and _is_over(last, state, outcomes):
        following = next_stage(state)
        if following is not None:
            step = Todo(step="begin_stage", act="stage-beginnings", stage=following)
            return [*earlier, *doubts, step]
        return [*earlier, *doubts, Todo(step="finish", act="phases", round=last.number)]
    return [*earlier, *doubts, *_find_held_up(state, outcomes), _draw(state, outcomes)]


def _is_over(last: RoundState, state: State, outcomes: Outcomes) -> bool:
    """Whether no round follows the last one."""
    seen, _before = view_current_stage(state, outcomes)
    if state.stage.kind == "knockout" and has_tree(seen):
        return is_over(knockout_so_far(seen))
    return last.number >= last_round(state)


def _find_misplaced_tables(state: State, outcomes: Outcomes) -> list[Todo]:
    """The tables, round by round, at which a match of a knock-out was played on a wrong premise and
    waits for those who should play it.
    """
    open_tables: dict[int, list[str]] = {}
    seen, before = view_current_stage(state, outcomes)
    for each in find_misplaced(seen):
        if not each.settled:
            open_tables.setdefault(each.round + before, []).append(str(each.table))
    return [
        Todo(step="premise", round=number, count=len(tables), names=tuple(tables))
        for number, tables in open_tables.items()
    ]


def _to_be_drawn(state: State, outcomes: Outcomes) -> tuple[MatchState, ...]:
    """The matches of a knock-out that can be played next; of another stage there are none."""
    field, _before = view_current_stage(state, outcomes)
    if state.stage.kind != "knockout" or not has_tree(field):
        return ()
    return ready(knockout_so_far(field))


def _find_held_up(state: State, outcomes: Outcomes) -> list[Todo]:
    """Return the entries that keep a match of a knock-out from being drawn: they are
    away in the next round.
    """
    away = {entry.id for entry in state.entries if not entry.plays_in(state.next_round)}
    matches = [
        away & set(each.entries)
        for each in _to_be_drawn(state, outcomes)
        if away & set(each.entries)
    ]
    names = tuple(entry.id for entry in state.entries if any(entry.id in each for each in matches))
    if not matches:
        return []
    return [Todo(step="held_up", round=state.next_round, count=len(matches), names=names)]


def _tables_held(state: State, outcomes: Outcomes) -> list[Todo]:
    """The tables that games of earlier rounds still hold, once the next round is drawn."""
    tables = list_held_tables(state.rounds, outcomes)
    names = tuple(str(table.table) for _number, table in tables)
    if not tables:
        return []
    return [
        Todo(
            step="held", act="freed-tables", round=len(state.rounds), count=len(tables), names=names
        )
    ]


def _earlier_steps(each: RoundState, state: State, outcomes: Outcomes) -> list[Todo]:
    return _doubts(each, state, outcomes) if each.closed else _round_steps(each, state, outcomes)


def _doubts(each: RoundState, state: State, outcomes: Outcomes) -> list[Todo]:
    """Return what the director should check in a round in any case: results that games
    contradict, games beside results.
    """
    doubtful = {
        "differences": differing(each, outcomes, state.stage_in(each.number)),
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
    if each.manual:
        return [
            Todo(
                step="manual_pairing",
                act="manual-pairing-endings",
                round=number,
                by_hand=each.drawn is not None,
            )
        ]
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
    lacking = missing(each, outcomes, state.stage_in(each.number))
    doubts = _doubts(each, state, outcomes)
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
