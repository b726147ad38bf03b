"""Play-offs of those who are level at the edge of a cut, where that is how equals are parted
(formats.md F7): the order in which they came out, recorded before the stage begins.

`reason` stands as it was written until it is recorded, then by its digest.
"""

from dataclasses import dataclass, replace

from scoring.errors import RuleViolation
from scoring.events import NOT_PLAYED
from scoring.games import GAMES
from tournament.domain.same_fields import build_from
from tournament.domain.standings.cutting import LevelAt
from tournament.domain.standings.stage_checks import find_play_off_stages, is_order
from tournament.domain.standings.stages import play_offs_at
from tournament.domain.standings.values import BY_PLAY_OFF
from tournament.domain.tournament.counting import Outcomes
from tournament.domain.tournament.cuts import check_played, next_stage
from tournament.domain.tournament.lookups import need_reason, need_running, refused
from tournament.domain.tournament.outcomes import ChosenGame, Outcome, by_stream
from tournament.domain.tournament.reading import a_count, a_needed_reason, keys_of, reads
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import PlayOffState, State
from tournament.domain.tournament.subject import Command, Event, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPlayOff(Command):
    """The order in which those came out who were level at an edge of stage `stage`: all of them, or
    those who won the places in question, for the others stay as the tie-breaks have them. `reason`
    says what they played, `games` which games of the salon (their streams) decided it, none where
    it was not recorded. `outcomes` are the finished games of all tables and those of these games,
    `chosen` what these games are.
    """

    stage: int
    order: tuple[str, ...]
    reason: str
    games: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    chosen: tuple[ChosenGame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPlayOff(Command):
    """A play-off as a file has it, whatever the standings are by now."""

    stage: int
    order: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffRecorded(Event):
    """Those who were level at an edge of stage `stage` played it off, and came out in this order;
    `games` (their streams) decided it.
    """

    number: int
    stage: int
    order: tuple[str, ...]
    reason: str
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelPlayOff(Command):
    """Take the result of a play-off back, before a table of the stage after it has started."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffCancelled(Event):
    """The result of a play-off counts no longer."""

    number: int
    reason: str


def stage_to_begin(state: State) -> int | None:
    """The stage whose cut may still be made: the one that has begun while no table of it has
    started, else the next; None where there is none.
    """
    if state.begun and not _has_started(state, state.stage_number):
        return state.stage_number
    return next_stage(state)


def play_offs_now(state: State, outcomes: Outcomes) -> tuple[LevelAt, ...]:
    """The play-offs that the stage to begin takes by the results of now, those with their result
    among them. Raises RuleViolation `bad_cut`.
    """
    number = stage_to_begin(state)
    return () if number is None else play_offs_at(field_of(state, outcomes), number)


def may_change(state: State, stage: int) -> bool:
    """Whether the play-offs of a stage may still be recorded and taken back."""
    return _find_started_stage(state, stage) is None


def is_decisive(outcome: Outcome) -> bool:
    """Whether a game that is over was played to an end, so that it can decide a play-off."""
    return outcome.kind not in (NOT_PLAYED, "abandoned")


def _record(command: RecordPlayOff, state: State) -> list[Event]:
    _check_running(state)
    _check_not_started(state, command.stage)
    check_played(state, stage_to_begin(state) or state.stage_number + 1)
    level = [
        each
        for each in play_offs_now(state, by_stream(command.outcomes))
        if each.stage == command.stage
    ]
    if not level:
        raise refused(
            "bad_play_off",
            "nobody has to play off after stage %(stage)s: the points decide",
            "stage",
            stage=command.stage,
        )
    asked = next((each for each in level if set(each.entries) & set(command.order)), level[0])
    named = set(command.order)
    if (
        len(command.order) < min(asked.places, len(asked.entries))
        or len(named) != len(command.order)
        or not named.issubset(asked.entries)
    ):
        raise refused(
            "bad_play_off",
            "%(entries)s play off for %(places)s places; say who won them, each of them once, in "
            "the order in which they came out",
            "order",
            entries=", ".join(asked.entries),
            places=asked.places,
        )
    rest = (entry for entry in asked.entries if entry not in named)
    command = replace(command, order=(*command.order, *rest))
    need_reason(command.reason, "say what they played and how it ended")
    _check_games(command, state)
    return [_make_play_off(command, state)]


def _check_games(command: RecordPlayOff, state: State) -> None:
    """The games that decided a play-off are over, were played by nobody but those who play it off,
    and decide nothing else.

    Raises RuleViolation `bad_play_off`.
    """
    chosen = {each.stream: each for each in command.chosen}
    people = {
        player for entry in state.entries if entry.id in command.order for player in entry.everybody
    }
    outcomes = by_stream(command.outcomes)
    for place, game in enumerate(command.games):
        if game in command.games[:place]:
            raise _bad_game("a game decides a play-off once; name each one once")
        found = chosen.get(game)
        if found is None or found.game != state.game or not people.issuperset(found.players):
            raise _bad_game(
                "a play-off is decided by games of %(title)s between those alone who play it off; "
                "choose one of theirs, or none",
                title=GAMES[state.game].title,
            )
        _check_undecided(found, state)
        _check_over(outcomes.get(game))


def _check_undecided(game: ChosenGame, state: State) -> None:
    if game.counts:
        raise _bad_game(
            "this game counts at a table of a round; a play-off is decided by a game of its own"
        )
    other = next(
        (each for each in state.play_offs if game.stream in each.games and not each.cancelled), None
    )
    if other is not None:
        raise _bad_game(
            "this game decided play-off %(number)s; take that back first, or choose another",
            number=other.number,
        )


def _check_over(outcome: Outcome | None) -> None:
    if outcome is None:
        raise _bad_game("this game still goes on; end it first, or record the play-off without it")
    if not is_decisive(outcome):
        raise _bad_game(
            "this game was not played to an end, so that it decides nothing; choose another, or "
            "record the play-off without it"
        )


def _bad_game(message: str, **values: object) -> RuleViolation:
    return refused("bad_play_off", message, "games", **values)


def _seat(command: SeatPlayOff, state: State) -> list[Event]:
    there = {entry.id for entry in state.entries}
    known = (
        command.stage in find_play_off_stages(state.stages) and command.stage <= state.stage_number
    )
    if not known or not is_order(command.order, there):
        raise refused(
            "bad_play_off",
            "two entries or more play off, each once, after a stage that was played",
            "order",
        )
    return [_make_play_off(command, state)]


def _make_play_off(command: RecordPlayOff | SeatPlayOff, state: State) -> PlayOffRecorded:
    return build_from(PlayOffRecorded, command, number=len(state.play_offs) + 1)


def _cancel(command: CancelPlayOff, state: State) -> list[Event]:
    _check_running(state)
    found = next((each for each in state.play_offs if each.number == command.number), None)
    if found is None or found.cancelled:
        raise refused(
            "bad_play_off",
            "there is no play-off %(number)s that counts",
            "number",
            number=command.number,
        )
    _check_not_started(state, found.stage)
    need_reason(command.reason, "say why the play-off is taken back")
    return [PlayOffCancelled(number=command.number, reason=command.reason)]


def _check_running(state: State) -> None:
    need_running(state, "play-offs are recorded while the tournament runs; it is in %(phase)s")


def _check_not_started(state: State, stage: int) -> None:
    """Raise RuleViolation `round_started` where a table has started of a stage whose entries were
    found by play-offs of this one.
    """
    started = _find_started_stage(state, stage)
    if started is not None:
        raise refused(
            "round_started",
            "a table of stage %(stage)s has started; its play-offs stay as they are",
            "stage",
            stage=started,
        )


def _find_started_stage(state: State, stage: int) -> int | None:
    """The stage that took entries of this one by play-offs and of which a table has started; None
    where there is none.
    """
    return next(
        (
            begun.stage
            for begun in state.begun
            if any(
                takes.from_stage == stage and takes.ties == BY_PLAY_OFF
                for takes in state.stages[begun.stage - 1].sources
            )
            and _has_started(state, begun.stage)
        ),
        None,
    )


def _has_started(state: State, stage: int) -> bool:
    return any(each.has_started for each in state.rounds if each.stage == stage)


def _apply_play_off(state: State, event: PlayOffRecorded) -> State:
    """Of those who played off before, the last order counts."""
    return replace(state, play_offs=(*state.play_offs, build_from(PlayOffState, event)))


def _apply_cancellation(state: State, event: PlayOffCancelled) -> State:
    play_offs = tuple(
        replace(each, cancelled=True) if each.number == event.number else each
        for each in state.play_offs
    )
    return replace(state, play_offs=play_offs)


SUBJECT = Subject(
    decisions={RecordPlayOff: _record, SeatPlayOff: _seat, CancelPlayOff: _cancel},
    changes={PlayOffRecorded: _apply_play_off, PlayOffCancelled: _apply_cancellation},
    shapes={
        ("tournament.play_off_recorded", 1): PlayOffRecorded,
        ("tournament.play_off_recorded", 2): PlayOffRecorded,
        ("tournament.play_off_cancelled", 1): PlayOffCancelled,
    },
    readers={
        "play-offs": reads(
            RecordPlayOff, stage=a_count, order=keys_of, reason=a_needed_reason, games=keys_of
        ),
        "play-off-cancellations": reads(CancelPlayOff, number=a_count, reason=a_needed_reason),
    },
)
