"""A tournament of several stages as its pages show one of them: the bracket, plan and deals of a
stage stay to be seen when the next one is played. The bracket that a page shows: of a knock-out
that is played, or of one still to come.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.accounts.permissions import Visitor
from tournament.domain.brackets.progress import Absent, MatchState, Progress
from tournament.domain.brackets.values import FEWEST, MOST, tree_of
from tournament.domain.standings.values import BY_RATING, Scale, Stage
from tournament.queries.bracket_drawing import NOT_PLAYED, DrawnPage, bracket_pages
from tournament.queries.brackets import ShownBracket, list_rounds_by_match, read_visible_bracket
from tournament.queries.tournament import TournamentView, stage_words


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


def scale_of_entry(at: TournamentView, entry: str) -> Scale:
    """The scale that the points of an entry's row are counted by: that of the last stage it is
    in.
    """
    there = (each.stage for each in reversed(at.state.begun) if entry in each.cut.entries)
    return at.state.every_stage[next(there, 1) - 1].scale


def stages_shown(at: TournamentView, fits: Callable[[Stage], bool]) -> list[int]:
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


def at_stage(at: TournamentView, number: int) -> TournamentView:
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


def seen_at(at: TournamentView, typed: str, fits: Callable[[Stage], bool]) -> TournamentView | None:
    """The tournament at the stage that was asked for, the last that fits where none was; None where
    there is none.
    """
    number = stage_asked(typed, stages_shown(at, fits))
    return None if number is None else at_stage(at, number)


def stage_links(
    at: TournamentView, fits: Callable[[Stage], bool], seen: TournamentView
) -> list[StageLink]:
    """The stages that a page can show where they are several, [] for one; `seen` is at the one it
    shows.
    """
    return links_to(at, stages_shown(at, fits), seen.state.stage_number)


def links_to(at: TournamentView, shown: list[int], seen: int) -> list[StageLink]:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBracket:
    """The bracket of `stage`. Of one to come (`is_coming`) no entry is known: `origins` say where
    its seeds come from, the first seed's first. `rounds` are those that each match has tables in.
    """

    stage: int
    shown: ShownBracket
    rounds: Mapping[int, tuple[int, ...]]
    is_coming: bool = False
    clubs_apart: bool = False
    origins: Sequence[str] = ()

    def pages(self, names: Mapping[str, str], *, paged: bool) -> tuple[DrawnPage, ...]:
        """Its drawing, as one, or `paged` to be printed; none while it has no tree."""
        so_far = self.shown.progress
        if so_far is None:
            return ()
        return bracket_pages(
            so_far,
            names,
            paged=paged,
            played_in=self.rounds,
            origins=self.origins,
            scores=self.shown.scores,
        )


def bracket_stages(at: TournamentView) -> list[int]:
    """The stages that have a bracket to be seen: knock-outs that have begun, and those to come."""
    return [*stages_shown(at, is_knockout), *_list_coming_stages(at)]


def find_bracket(at: TournamentView, visitor: Visitor, typed: str = "") -> SeenBracket | None:
    """The bracket of the stage that was asked for; where none was, of the last knock-out that has
    begun, else of the first to come. None where there is none.
    """
    begun, coming = stages_shown(at, is_knockout), _list_coming_stages(at)
    number = stage_asked(typed, [*begun, *coming] if typed else begun or coming[:1])
    if number is None:
        return None
    if number in coming:
        return _to_come(number, at.state.stages[number - 1])
    seen = at_stage(at, number)
    return SeenBracket(
        stage=number,
        shown=read_visible_bracket(seen, visitor),
        rounds=list_rounds_by_match(seen, visitor),
    )


def bracket_links(at: TournamentView, seen: SeenBracket) -> list[StageLink]:
    """The brackets that a page can show, [] for one."""
    return links_to(at, bracket_stages(at), seen.stage)


def _list_coming_stages(at: TournamentView) -> list[int]:
    begun = at.state.stage_number
    later = enumerate(at.state.every_stage[begun:], start=begun + 1)
    return [number for number, stage in later if is_knockout(stage)]


def _to_come(number: int, stage: Stage) -> SeenBracket:
    origins = tuple(_origins(stage))
    shown = ShownBracket(
        progress=_build_empty_bracket(stage, len(origins)), hidden=False, wrong=(), scores={}
    )
    return SeenBracket(
        stage=number,
        shown=shown,
        rounds=NOT_PLAYED,
        is_coming=True,
        clubs_apart=stage.clubs_apart,
        origins=origins,
    )


def _build_empty_bracket(stage: Stage, entries: int) -> Progress | None:
    """A knock-out of so many entries, none of whom is known; None where it can't be one."""
    if not FEWEST <= entries <= MOST:
        return None
    knockout = stage.knockout
    matches = tree_of(knockout, entries)
    nobody_yet = (Absent.UNKNOWN, Absent.UNKNOWN)
    states = tuple(MatchState(match=each, entries=nobody_yet, status="waits") for each in matches)
    return Progress(knockout=knockout, seeds=(), states=states)


def _origins(stage: Stage) -> Iterator[str]:
    """The sources of a stage's seeds: a place of an earlier one, or any by rating."""
    places = [
        (place, takes.from_stage)
        for takes in stage.sources
        for place in range(takes.first, takes.last + 1)
    ]
    for seed, (place, source) in enumerate(places, start=1):
        if stage.knockout.seeds == BY_RATING:
            yield _("no. %(seed)d by rating") % {"seed": seed}
        else:
            yield _("place %(place)d of stage %(stage)d") % {"place": place, "stage": source}
