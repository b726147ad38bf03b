"""Stages after the first: begun with those whom the cut lets through, and taken back before their
first round.
"""

from dataclasses import dataclass, replace

from tournament.domain.pairing.stages import check_drawable
from tournament.domain.same_fields import build_from
from tournament.domain.standings.cutting import CutMade
from tournament.domain.standings.sequence import in_sequence
from tournament.domain.standings.stages import as_taken, cut_before, cut_of
from tournament.domain.standings.values import Cut
from tournament.domain.tournament.counting import Outcomes
from tournament.domain.tournament.lifecycle import SilenceBegun
from tournament.domain.tournament.lookups import need_closed, need_reason, need_running, refused
from tournament.domain.tournament.outcomes import Outcome, by_stream
from tournament.domain.tournament.reading import (
    a_count,
    a_needed_reason,
    counts_of,
    perhaps_a_count,
    reads,
)
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import BegunStage, EntryState, State
from tournament.domain.tournament.subject import Command, Event, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginStage(Command):
    """Go on to stage `stage` with the best of those before it, or make its cut anew; `top` of them,
    of several sources so many of each (`tops`), or as many as the stage takes. `outcomes` are the
    finished games of all tables.
    """

    stage: int
    top: int | None = None
    tops: tuple[int, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStage(Command):
    """Go on to the next stage with those whom a file has in it, in the order of their seeds."""

    stage: int
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageBegun(Event):
    """A stage began after round `after_round`, with those of the `cut` in the order of their
    seeds.
    """

    stage: int
    after_round: int
    cut: CutMade


@dataclass(frozen=True, slots=True, kw_only=True)
class DropStage(Command):
    """Take back that a stage began, before its first round is drawn."""

    stage: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDropped(Event):
    """It was taken back that a stage had begun."""

    stage: int
    reason: str


def next_stage(state: State) -> int | None:
    """The number of the stage after the one that is played, None where there is none."""
    number = state.stage_number + 1
    return number if number <= len(state.stages) else None


def cut_now(
    state: State, outcomes: Outcomes, number: int, *, tops: tuple[int, ...] | None = None
) -> CutMade:
    """The cut to a stage by the standings as they are now, of so many of each source. Raises
    RuleViolation `bad_cut`, `play_off_missing`.
    """
    return cut_of(field_of(state, outcomes), number, tops=tops)


def _begin(command: BeginStage, state: State) -> list[Event]:
    need_running(state, "a stage begins while the tournament runs; it is in %(phase)s")
    again = bool(state.begun) and command.stage == state.stage_number
    if again:
        _check_not_drawn(state)
        state = _without_last(state)
    _check_next(command, state)
    check_played(state, command.stage)
    seen = field_of(state, by_stream(command.outcomes))
    tops = command.tops or (None if command.top is None else (command.top,))
    cut = cut_of(seen, command.stage, tops=tops)
    place = command.stage - 1
    taken = as_taken(state.stages[place], cut)
    in_sequence((*state.stages[:place], taken, *state.stages[place + 1 :]))
    check_drawable(seen, command.stage, len(cut.entries))
    begun = StageBegun(stage=command.stage, after_round=len(state.rounds), cut=cut)
    return [begun, *_begin_silence(state, command.stage)]


def _begin_silence(state: State, number: int) -> list[SilenceBegun]:
    """Silence from the next round on where a stage plays the same deals: who has still to play one
    must not hear what others made of it.
    """
    if state.silent_from == state.next_round or not state.stages[number - 1].plays_same_deals:
        return []
    return [SilenceBegun(from_round=state.next_round)]


def _seat(command: SeatStage, state: State) -> list[Event]:
    """The cut as the file has it; what decided it is told where today's standings say the same."""
    _check_next(command, state)
    unknown = [entry for entry in command.entries if state.entry(entry) is None]
    if unknown or len(set(command.entries)) < max(2, len(command.entries)):
        raise refused(
            "bad_cut", "two entries or more of the tournament go on, each once", "entries"
        )
    seen = field_of(state, {})
    recorded = Cut(stage=command.stage, entries=command.entries)
    cut = cut_before(replace(seen, cuts=(*seen.cuts, recorded)), command.stage)
    begun = StageBegun(stage=command.stage, after_round=len(state.rounds), cut=cut)
    return [begun, *_begin_silence(state, command.stage)]


def _check_next(command: BeginStage | SeatStage, state: State) -> None:
    following = next_stage(state)
    if following is None:
        raise refused(
            "stage_missing",
            "this tournament has no stage after stage %(stage)s",
            "stage",
            stage=state.stage_number,
        )
    if command.stage != following:
        raise refused(
            "stage_missing", "stage %(stage)s is the next to begin", "stage", stage=following
        )


def check_played(state: State, number: int) -> None:
    """All rounds of the stages before stage `number` are closed, and nobody is kept from seeing
    their results.
    """
    rounds = [each for each in state.rounds if each.stage < number]
    if not rounds or rounds[-1].stage != number - 1:
        raise refused("result_missing", "no round of this stage has been played yet", "rounds")
    need_closed(rounds)
    if state.is_silent(len(rounds)):
        raise refused(
            "silent",
            "the results of round %(silent)s on are silent, and who goes on would give them away; "
            "show them before the cut",
            "stage",
            silent=state.silent_from,
        )


def _check_not_drawn(state: State) -> None:
    if state.rounds_of_stage:
        raise refused(
            "round_drawn",
            "a round of stage %(stage)s is drawn; drop its draw before the cut is made anew",
            "stage",
            stage=state.stage_number,
        )


def _drop(command: DropStage, state: State) -> list[Event]:
    if not state.begun or command.stage != state.stage_number or state.phase != "running":
        raise refused(
            "stage_missing",
            "stage %(stage)s is the one that is played; only a later one can be taken back, while "
            "the tournament runs",
            "stage",
            stage=state.stage_number,
        )
    _check_not_drawn(state)
    need_reason(command.reason, "say why the stage is taken back")
    return [StageDropped(stage=command.stage, reason=command.reason)]


def _apply_stage_begun(state: State, event: StageBegun) -> State:
    """The stage is played by those who went on; made anew it replaces the one before. Of a stage
    that nobody set up nothing changes.
    """
    if event.stage > len(state.stages):
        return state
    while state.stage_number >= event.stage > 1:
        state = _without_last(state)
    chosen, place = set(event.cut.entries), event.stage - 1
    stage = as_taken(state.stages[place], event.cut)
    entries = tuple(
        _in_or_out(entry, event.after_round, is_in=entry.id in chosen) for entry in state.entries
    )
    return replace(
        state,
        stage=stage,
        stages=(*state.stages[:place], stage, *state.stages[place + 1 :]),
        begun=(*state.begun, build_from(BegunStage, event)),
        entries=entries,
    )


def _without_last(state: State) -> State:
    """The state before the last stage began."""
    last = state.begun[-1]
    entries = tuple(_as_before(entry, last.after_round) for entry in state.entries)
    return replace(
        state, stage=state.stages[last.stage - 2], begun=state.begun[:-1], entries=entries
    )


def _in_or_out(entry: EntryState, after: int, *, is_in: bool) -> EntryState:
    """The entry once a stage has begun after a round, for which it is in or not."""
    waits = bool(entry.out) and entry.out[-1][1] is None
    if is_in and waits:
        return replace(entry, out=(*entry.out[:-1], (entry.out[-1][0], after)))
    if is_in or waits:
        return entry
    return replace(entry, out=(*entry.out, (after, None)))


def _as_before(entry: EntryState, after: int) -> EntryState:
    """The entry as it was before a stage began after that round."""
    if not entry.out:
        return entry
    begun, until = entry.out[-1]
    if begun == after:
        return replace(entry, out=entry.out[:-1])
    return replace(entry, out=(*entry.out[:-1], (begun, None))) if until == after else entry


SUBJECT = Subject(
    decisions={BeginStage: _begin, SeatStage: _seat, DropStage: _drop},
    changes={
        StageBegun: _apply_stage_begun,
        StageDropped: lambda state, _event: _without_last(state) if state.begun else state,
    },
    shapes={
        ("tournament.stage_begun", 1): StageBegun,
        ("tournament.stage_begun", 2): StageBegun,
        ("tournament.stage_dropped", 1): StageDropped,
    },
    readers={
        "stage-beginnings": reads(BeginStage, stage=a_count, top=perhaps_a_count, tops=counts_of),
        "stage-cancellations": reads(DropStage, stage=a_count, reason=a_needed_reason),
    },
)
