"""The cuts of a tournament as pages show them: those that were made, and the one to come."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.errors import Refusal
from tournament.accounts.permissions import Visitor
from tournament.domain.standings.cutting import CutMade
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.stages import stage_standings, tie_breaks_of, tops_of
from tournament.domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from tournament.domain.standings.values import Scale
from tournament.domain.tournament.cuts import cut_now, next_stage
from tournament.domain.tournament.play_offs import may_change, play_offs_now
from tournament.domain.tournament.standings_view import field_of
from tournament.queries.cut_words import cut_words, level_words, source_words, sources_words
from tournament.queries.play_off_games import (
    PlayOffGame,
    games_that_decided,
    games_that_may_decide,
    start_query,
)
from tournament.queries.refusal_text import refusal_words
from tournament.queries.tournament import TournamentView, is_silent, stage_words
from tournament.streams.texts import words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCut:
    """A cut in words: who goes on to `stage` by name in the order of their seeds.

    `problem` says why it can't be made. `differs`: by the results of today others would go on,
    `gained` and not `lost`, or the same with other seeds; `may_redo`: no round of its stage is
    drawn. `sources` are where its entries come from; `waits`: for a play-off.
    """

    stage: int
    words: Sequence[str]
    entries: Sequence[tuple[str, str]] = ()
    sources: Sequence["ShownSource"] = ()
    problem: str = ""
    differs: bool = False
    gained: Sequence[str] = ()
    lost: Sequence[str] = ()
    may_redo: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """A source of a stage in words, how many it takes of it, and who that is where it is known;
    the first with seed `begins`. `place` is which of the sources it is, from 0 on.
    """

    place: int
    words: str
    top: int
    begins: int = 1
    entries: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlayOff:
    """A play-off: who of stage `stage` plays it, in the order in which they came out where that is
    known, and for what, in words. `number` is that of its result, 0 before, `reason` what was
    played, `games` those that decided it, before the ones that may have, and `start` what the form
    that starts a game is asked for it. `may_change`: no table of the stage after it has started.
    `places` are asked for; the others follow as the `tie_breaks` have them.
    """

    stage: int
    words: str
    entries: Sequence[tuple[str, str]]
    number: int = 0
    reason: str = ""
    may_change: bool = False
    games: Sequence[PlayOffGame] = ()
    start: str = ""
    places: int = 0
    tie_breaks: Sequence[str] = ()

    @property
    def key(self) -> str:
        """The key that tells its form from those of other play-offs."""
        return self.entries[0][0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStage:
    """A stage after the first in words: its format, and where its entries come from."""

    stage: int
    format: str
    sources: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTable:
    """The standings of one stage, with its tie-breaks; a knock-out has places and no points, those
    that are played now as shared (`has_places`).
    """

    stage: int
    table: Standings
    tie_breaks: Sequence[TieBreak]
    scale: Scale
    is_knockout: bool = False
    has_places: bool = False


def cuts_made(at: TournamentView, visitor: Visitor) -> list[ShownCut]:
    """The cuts whose stages have begun, the last first; those made by results that are silent for
    this visitor are left out.
    """
    return [
        _compare_cut(at, each.stage, each.cut)
        for each in reversed(at.state.begun)
        if not is_silent(at, visitor, each.after_round)
    ]


def cut_to_come(at: TournamentView) -> ShownCut | None:
    """The cut to the next stage by the results of now; None where there is none."""
    number = next_stage(at.state)
    if number is None:
        return None
    try:
        cut = cut_now(at.state, at.outcomes, number)
    except Refusal as refusal:
        waits = refusal.code == "play_off_missing"  # which stands beside it, by names
        return ShownCut(
            stage=number,
            words=(),
            sources=_sources(at, number),
            problem="" if waits else refusal_words(refusal),
            waits=waits,
        )
    return _build_cut(at, number, cut)


def later_stages(at: TournamentView) -> list[ShownStage]:
    """The stages after the first, and who comes from where."""
    return [
        ShownStage(stage=number, format=stage_words(stage), sources=sources_words(stage))
        for number, stage in enumerate(at.state.stages[1:], start=2)
    ]


def play_offs_to_come(at: TournamentView) -> list[ShownPlayOff]:
    """Those who are level at an edge of the next cut and have still to play it off."""
    last = at.state.last
    if last is None or not last.closed:
        return []
    try:
        found = play_offs_now(at.state, at.outcomes)
    except Refusal:
        return []
    return [
        ShownPlayOff(
            stage=each.stage,
            words=level_words(each, at.entries),
            entries=_list_names(at, each.entries),
            places=each.places,
            tie_breaks=[
                TIE_BREAKS[name].title for name in at.state.every_stage[each.stage - 1].tie_breaks
            ],
        )
        for each in found
        if not each.order
    ]


def play_offs_to_record(at: TournamentView) -> list[ShownPlayOff]:
    """The same with the games between those who play off alone, for the director to choose from."""
    return [
        replace(each, games=games_that_may_decide(at, order), start=start_query(at, order))
        for each in play_offs_to_come(at)
        for order in [[entry for entry, _name in each.entries]]
    ]


def play_offs_played(at: TournamentView) -> list[ShownPlayOff]:
    """The play-offs whose results are in, the last first."""
    reasons = words_of(at.row.salon, {each.reason for each in at.state.play_offs})
    return [
        ShownPlayOff(
            stage=each.stage,
            words="",
            entries=_list_names(at, each.order),
            number=each.number,
            reason=reasons.get(each.reason, ""),
            games=games_that_decided(at, each.games, each.order) if each.games else (),
            may_change=at.state.phase == "running" and may_change(at.state, each.stage),
        )
        for each in reversed(at.state.play_offs)
        if not each.cancelled
    ]


def stage_tables(at: TournamentView, table: Standings) -> list[StageTable]:
    """The standings of each stage that has a result by the end of the rounds that `table` counts,
    the last first; `table` itself for a tournament of one stage.
    """
    whole = field_of(at.state, at.outcomes)
    seen = replace(whole, rounds=whole.rounds[: table.after_round])
    if not at.state.begun:
        names = tie_breaks_of(seen)
        return [
            StageTable(
                stage=0,
                table=table,
                tie_breaks=[TIE_BREAKS[name] for name in names],
                scale=at.state.stage.scale,
                is_knockout=at.state.stage.kind == "knockout",
                has_places=at.state.stage.kind == "knockout",
            )
        ]
    last = max((each.stage for each in seen.rounds), default=1)
    tables = [
        StageTable(
            stage=number,
            table=stage_standings(seen, number),
            tie_breaks=[TIE_BREAKS[name] for name in at.state.stages[number - 1].tie_breaks],
            scale=at.state.stages[number - 1].scale,
            is_knockout=at.state.stages[number - 1].kind == "knockout",
            has_places=number == at.state.stage_number
            and at.state.stages[number - 1].kind == "knockout",
        )
        for number in range(last, 0, -1)
    ]
    return [each for each in tables if each.table.after_round]


def _compare_cut(at: TournamentView, number: int, cut: CutMade) -> ShownCut:
    is_last, today = number == at.state.stage_number, _today(at, number, cut)
    return replace(
        _build_cut(at, number, cut),
        differs=today != cut.entries,
        gained=[at.entries.get(each, each) for each in today if each not in cut.entries],
        lost=[at.entries.get(each, each) for each in cut.entries if each not in today],
        may_redo=is_last and not at.state.rounds_of_stage,
    )


def _today(at: TournamentView, number: int, cut: CutMade) -> tuple[str, ...]:
    """The entries that would qualify by the results of today."""
    try:
        size = len(cut.entries)
        tops = tuple(len(part.entries) for part in cut.parts) or tops_of(
            field_of(at.state, at.outcomes), number, size
        )
        return cut_now(at.state, at.outcomes, number, tops=tops).entries
    except Refusal:
        return ()


def _build_cut(at: TournamentView, number: int, cut: CutMade) -> ShownCut:
    return ShownCut(
        stage=number,
        words=cut_words(cut, at.entries),
        entries=_list_names(at, cut.entries),
        sources=_sources(at, number, cut),
    )


def _sources(at: TournamentView, number: int, cut: CutMade | None = None) -> list[ShownSource]:
    """The sources of a stage's entries, with the entries once the cut is made."""
    sources = at.state.stages[number - 1].sources
    parts = cut.sources if cut is not None else ()
    known = len(parts) == len(sources)
    return [
        ShownSource(
            place=place,
            words=source_words(takes),
            top=len(parts[place].entries) if known else takes.top,
            begins=1 + sum(len(part.entries) for part in parts[:place]),
            entries=_list_names(at, parts[place].entries) if known else (),
        )
        for place, takes in enumerate(sources)
    ]


def _list_names(at: TournamentView, entries: Sequence[str]) -> list[tuple[str, str]]:
    return [(entry, at.entries.get(entry, entry)) for entry in entries]
