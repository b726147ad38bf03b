"""The terms of a tournament: opened with a name, a game, a stage and conditions,
and set anew before its first round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scoring.errors import NotationError
from scoring.games import GAMES
from tournament.domain.checks import check_length, check_word
from tournament.domain.names import LONGEST_NAME
from tournament.domain.pairing.contenders import lend_points
from tournament.domain.same_fields import build_from
from tournament.domain.standings.entry_sizes import (
    check_stages,
    find_common_sizes,
    find_entry_sizes,
)
from tournament.domain.standings.sequence import in_sequence
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import HUNDREDTHS, SEEDINGS, STAGE_KINDS, Scale, Stage
from tournament.domain.tournament.clock import MOST_MINUTES
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.lifecycle import RatedSet, silence_begun
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.short_addresses import claim_address, short_name
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event, Subject, schemas


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The name and the format of a tournament; `later` are the stages after the first."""

    name: str
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)
    later: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament(Terms, Command):
    """Set up a tournament as a draft."""

    record: str
    game: str
    seed: int
    silent_from: int | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened(Terms, Event):
    """A tournament was set up as a draft. `record` is its id as a file, `seed` what all its lots
    are drawn from.
    """

    record: str
    game: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeStage(Terms, Command):
    """Set name, stages and conditions anew, before the first round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChanged(Terms, Event):
    """Name, stages and conditions were set anew before the first round."""


def open_tournament(command: Command) -> list[Event]:
    """The first facts of a tournament. Raises a Refusal for anything but a sound opening."""
    if not isinstance(command, OpenTournament):
        raise refused("wrong_phase", "there is no such tournament; open it first")
    check_word(command.game, GAMES, "game")
    _check_terms(command, command.game)
    silent_from = command.silent_from
    if silent_from is None and command.stage.plays_same_deals:
        silent_from = 1  # who has still to play a deal must not hear what others made of it
    silence = silence_begun(silent_from) if silent_from is not None else []
    opened = build_from(TournamentOpened, command)
    return [opened, *silence, *([] if command.rated else [RatedSet(rated=False)])]


def _change_stage(command: ChangeStage, state: State) -> list[Event]:
    if state.rounds:
        raise refused(
            "wrong_phase",
            "the first round is drawn; drop its draw before the stage is changed",
            "stage",
        )
    if (state.stocks or state.deals_commitment) and command.stage != state.stage:
        raise refused(
            "deals_fixed",
            "the deals are fixed for this format; set up another tournament instead",
            "stage",
        )
    _check_terms(command, state.game, state.every_stage)
    if state.entries and command.conditions.players not in (
        None,
        *(len(entry.players) for entry in state.entries),
    ):
        raise refused(
            "bad_entry",
            "there are entries already; how many people an entry has can't change now",
            "conditions.players",
        )
    _check_teams(command.stage, state)
    return [build_from(StageChanged, command)]


def _check_terms(terms: Terms, game: str, kept: Sequence[Stage] = ()) -> None:
    """All stages in sequence, each as this game can be played, under conditions that they allow;
    `kept` are those that there are.
    """
    stages = (terms.stage, *terms.later)
    for place, stage in enumerate(in_sequence(stages)):
        path = f"stages[{place}]" if place else "stage"
        _check_stage(terms.name, stage, path)
    paths = ("stage", *(f"stages[{place}]" for place in range(1, len(stages))))
    check_stages(stages, game, paths, kept)
    _check_conditions(terms.conditions, game, stages)


def _check_stage(name: str, stage: Stage, path: str) -> None:
    check_length(name.strip(), LONGEST_NAME)
    check_word(stage.kind, STAGE_KINDS, f"{path}.kind")
    if stage.kind == "swiss" and not 1 <= (stage.rounds or 0) <= 99:
        raise NotationError("a Swiss has 1 to 99 rounds", path=f"{path}.rounds")
    if stage.kind == "pods" and not stage.is_planned and stage.rounds is None:
        raise NotationError(
            "say how many rounds there are where tables are made by score", path=f"{path}.rounds"
        )
    if stage.kind == "knockout" and stage.rounds is not None:
        raise NotationError(
            "a knock-out has as many rounds as its results make it", path=f"{path}.rounds"
        )
    check_word(stage.seeding, SEEDINGS[stage.kind], f"{path}.seeding")
    _check_acceleration(stage, path)
    _check_points(stage.scale, f"{path}.scale")
    unknown = [each for each in stage.tie_breaks if each not in TIE_BREAKS]
    if unknown:
        raise NotationError(
            "there is no tie-break %(tie_break)s; there are %(tie_breaks)s",
            path=f"{path}.tie_breaks",
            tie_break=repr(unknown[0]),
            tie_breaks=", ".join(TIE_BREAKS),
        )
    if len(set(stage.tie_breaks)) < len(stage.tie_breaks):
        raise NotationError("a tie-break stands twice in the list", path=f"{path}.tie_breaks")


def _check_points(scale: Scale, path: str) -> None:
    """Nobody gets more by sitting out than by winning, nor two at a table by agreeing on a draw
    than by playing it out. Raises NotationError.
    """
    if scale.kind != "match":
        return
    if scale.bye > scale.win:
        raise NotationError(
            "a bye is worth at most what a win is, %(win)s",
            path=f"{path}.bye",
            win=f"{scale.win / HUNDREDTHS:g}",
        )
    if 2 * scale.draw > scale.win + scale.loss:
        raise NotationError(
            "two draws are worth at most what a win and a loss are together, %(both)s",
            path=f"{path}.draw",
            both=f"{(scale.win + scale.loss) / HUNDREDTHS:g}",
        )


def _check_teams(stage: Stage, state: State) -> None:
    """Raises RuleViolation `bad_entry` where line-ups begin or end and an entry doesn't fit."""
    if stage.players_a_match == state.stage.players_a_match:
        return
    allowed = find_entry_sizes(stage, state.game)
    for entry in state.entries:
        if len(entry.players) not in allowed:
            raise refused(
                "bad_entry",
                "entry %(entry)s has %(players)s players; with this line-up an entry has %(least)s "
                "to %(most)s",
                "stage.line_up",
                entry=entry.id,
                players=len(entry.players),
                least=min(allowed),
                most=max(allowed),
            )


def _check_acceleration(stage: Stage, path: str) -> None:
    if not 0 <= stage.accelerated <= (stage.rounds or 0 if stage.kind == "swiss" else 0):
        raise NotationError(
            "as many rounds of a Swiss can be accelerated as it has, or none",
            path=f"{path}.accelerated",
        )
    if stage.accelerated and not lend_points(stage, 1):
        raise NotationError(
            "a table of this scale has no usual worth, so there is nothing to accelerate with",
            path=f"{path}.accelerated",
        )


def _check_conditions(conditions: Conditions, game: str, stages: tuple[Stage, ...]) -> None:
    allowed = find_common_sizes(stages, game)
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
    claims, stages = ((short_name(event.name), 1),), _several(event.stage, event.later)
    return build_from(State, event, version=1, claims=claims, stages=stages)


def _several(stage: Stage, later: tuple[Stage, ...]) -> tuple[Stage, ...]:
    return (stage, *later) if later else ()


def _rename_tournament(state: State, name: str) -> State:
    """Called otherwise; another name is another short address."""
    return replace(
        claim_address(state, short_name(name)) if name != state.name else state, name=name
    )


# What the conditions of a tournament were before they were stored (schema 1) is what `Conditions()`
# says; before schema 3 nothing was seeded, and who sits out was no choice; before schema 4 there
# were no formats but Swiss and round robin, and no round was accelerated; before schema 5 a stage
# took the first so many of the stage before; before schema 6 a Mitchell had no rover, and few
# results of a fouled deal counted as many do; before schema 7 teams met at one table.
SUBJECT = Subject(
    decisions={ChangeStage: _change_stage},
    changes={
        StageChanged: lambda state, event: replace(
            _rename_tournament(state, event.name),
            stage=event.stage,
            conditions=event.conditions,
            stages=_several(event.stage, event.later),
        )
    },
    shapes={
        **schemas("tournament.opened", 7, TournamentOpened),
        **schemas("tournament.stage_changed", 7, StageChanged),
    },
    readers={},
)
