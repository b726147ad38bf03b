"""A tournament of several stages as its pages show one of them: the bracket, plan and deals of a
stage stay to be seen when the next one is played.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tournament.domain.standings.values import Stage
from tournament.queries.tournament import Directed, stage_words


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLink:
    """A stage that a page can show, in words; `is_shown` for the one it shows."""

    number: int
    words: str
    is_shown: bool


def is_knockout(stage: Stage) -> bool:
    """Whether a stage has a bracket."""
    return stage.kind == "knockout"


def is_planned(stage: Stage) -> bool:
    """Whether a stage has a plan."""
    return stage.is_planned


def plays_same_deals(stage: Stage) -> bool:
    """Whether tables of a stage have deals in common."""
    return stage.plays_same_deals


def stages_shown(at: Directed, fits: Callable[[Stage], bool]) -> list[int]:
    """The numbers of the stages that have begun and that `fits` says yes to."""
    begun = at.state.every_stage[: at.state.stage_number]
    return [number for number, stage in enumerate(begun, start=1) if fits(stage)]


def stage_asked(typed: str, shown: list[int]) -> int | None:
    """The one of these stages that was asked for, the last where none was; None for no such
    stage.
    """
    if not typed:
        return shown[-1] if shown else None
    return next((number for number in shown if str(number) == typed), None)


def at_stage(at: Directed, number: int) -> Directed:
    """The tournament with stage `number` as the one that is played, all its results in: the rounds
    of later stages are left out.
    """
    state = at.state
    if number == state.stage_number:
        return at
    return replace(
        at,
        state=replace(
            state,
            stage=state.every_stage[number - 1],
            rounds=tuple(each for each in state.rounds if each.stage <= number),
            begun=state.begun[: number - 1],
        ),
    )


def seen_at(at: Directed, typed: str, fits: Callable[[Stage], bool]) -> Directed | None:
    """The tournament at the stage that was asked for, the last that fits where none was; None where
    there is none.
    """
    number = stage_asked(typed, stages_shown(at, fits))
    return None if number is None else at_stage(at, number)


def stage_links(at: Directed, fits: Callable[[Stage], bool], seen: Directed) -> list[StageLink]:
    """The stages that a page can show where they are several, [] for one; `seen` is at the one it
    shows.
    """
    return links_to(at, stages_shown(at, fits), seen.state.stage_number)


def links_to(at: Directed, shown: list[int], seen: int) -> list[StageLink]:
    """The same of these stages, of which the page shows `seen`."""
    if len(shown) < 2:
        return []
    return [
        StageLink(
            number=number,
            words=stage_words(at.state.every_stage[number - 1]),
            is_shown=number == seen,
        )
        for number in shown
    ]
