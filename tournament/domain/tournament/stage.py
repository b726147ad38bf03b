"""What a tournament is: opened with a name, a game, a stage and conditions, and set anew before its
first round.
"""

from dataclasses import dataclass, field, replace

from scoring.errors import NotationError
from scoring.games import GAMES
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import SEEDINGS, Stage
from tournament.domain.tournament.clock import MOST_MINUTES
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.lifecycle import RatedSet, silence_begun
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.short_addresses import claimed, short_name
from tournament.domain.tournament.sides import allowed_by
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event, Subject

FORMATS = ("swiss", "round_robin")
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament(Command):
    """Set up a tournament as a draft."""

    record: str
    name: str
    game: str
    seed: int
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)
    silent_from: int | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened(Event):
    """A tournament was set up as a draft. `record` is its id as a file, `seed` what all its lots
    are drawn from.
    """

    record: str
    name: str
    game: str
    seed: int
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeStage(Command):
    """Set name, stage and conditions anew, before the first round."""

    name: str
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChanged(Event):
    """Name, stage and conditions were set anew before the first round."""

    name: str
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)


def open_tournament(command: Command) -> list[Event]:
    """The first facts of a tournament. Raises a Refusal for anything but a sound opening."""
    if not isinstance(command, OpenTournament):
        raise refused("wrong_phase", "there is no such tournament; open it first")
    if command.game not in GAMES:
        raise NotationError(
            "one of %(games)s is expected here", path="game", games=", ".join(GAMES)
        )
    _check_stage(command.name, command.stage)
    _check_conditions(command.conditions, command.game)
    opened = TournamentOpened(
        record=command.record,
        name=command.name,
        game=command.game,
        seed=command.seed,
        stage=command.stage,
        conditions=command.conditions,
    )
    silence = silence_begun(command.silent_from) if command.silent_from is not None else []
    return [opened, *silence, *([] if command.rated else [RatedSet(rated=False)])]


def _change_stage(command: ChangeStage, state: State) -> list[Event]:
    if state.rounds:
        raise refused(
            "wrong_phase",
            "the first round is drawn; drop its draw before the stage is changed",
            "stage",
        )
    _check_stage(command.name, command.stage)
    _check_conditions(command.conditions, state.game)
    if state.entries and command.conditions.players not in (
        None,
        *(len(entry.players) for entry in state.entries),
    ):
        raise refused(
            "bad_entry",
            "there are entries already; how many people an entry has can't change now",
            "conditions.players",
        )
    return [StageChanged(name=command.name, stage=command.stage, conditions=command.conditions)]


def _check_stage(name: str, stage: Stage) -> None:
    if not 0 < len(name.strip()) <= LONGEST_NAME:
        raise NotationError(
            "a name of 1 to %(longest_name)s characters is expected here",
            path="name",
            longest_name=LONGEST_NAME,
        )
    if stage.kind not in FORMATS:
        raise NotationError(
            "one of %(formats)s is expected here; the other formats are not there yet",
            path="stage.kind",
            formats=", ".join(FORMATS),
        )
    if stage.kind == "swiss" and not 1 <= (stage.rounds or 0) <= 99:
        raise NotationError("a Swiss has 1 to 99 rounds", path="stage.rounds")
    if stage.seeding not in SEEDINGS[stage.kind]:
        raise NotationError(
            "one of %(seedings)s is expected here",
            path="stage.seeding",
            seedings=", ".join(SEEDINGS[stage.kind]),
        )
    unknown = [each for each in stage.tie_breaks if each not in TIE_BREAKS]
    if unknown:
        raise NotationError(
            "there is no tie-break %(tie_break)s; there are %(tie_breaks)s",
            path="stage.tie_breaks",
            tie_break=repr(unknown[0]),
            tie_breaks=", ".join(TIE_BREAKS),
        )
    if len(set(stage.tie_breaks)) < len(stage.tie_breaks):
        raise NotationError("a tie-break stands twice in the list", path="stage.tie_breaks")


def _check_conditions(conditions: Conditions, game: str) -> None:
    allowed = allowed_by(game)
    if conditions.players is not None and conditions.players not in allowed:
        raise NotationError(
            "an entry has %(allowed)s players here",
            path="conditions.players",
            allowed=" or ".join(map(str, allowed)),
        )
    if not 1 <= conditions.minutes <= MOST_MINUTES:
        raise NotationError(
            "a round lasts 1 to %(most_minutes)s minutes",
            path="conditions.minutes",
            most_minutes=MOST_MINUTES,
        )
    GAMES[game].read_rules(dict(conditions.options))


def as_opened(event: TournamentOpened) -> State:
    """The state after the first fact of all."""
    return State(
        version=1,
        record=event.record,
        name=event.name,
        game=event.game,
        seed=event.seed,
        stage=event.stage,
        conditions=event.conditions,
        claims=((short_name(event.name), 1),),
    )


def _renamed(state: State, name: str) -> State:
    """Called otherwise; another name is another short address."""
    return replace(claimed(state, short_name(name)) if name != state.name else state, name=name)


# What the conditions of a tournament were before they were stored (schema 1) is what `Conditions()`
# says; before schema 3 nothing was seeded, and who sits out was no choice.
SUBJECT = Subject(
    decisions={ChangeStage: _change_stage},
    changes={
        StageChanged: lambda state, event: replace(
            _renamed(state, event.name), stage=event.stage, conditions=event.conditions
        )
    },
    shapes={
        ("tournament.opened", 1): TournamentOpened,
        ("tournament.opened", 2): TournamentOpened,
        ("tournament.opened", 3): TournamentOpened,
        ("tournament.stage_changed", 1): StageChanged,
        ("tournament.stage_changed", 2): StageChanged,
        ("tournament.stage_changed", 3): StageChanged,
    },
    readers={},
)
