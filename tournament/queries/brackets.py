"""The knock-out of a tournament as a visitor may see it: how far it has come, what was played on a
wrong premise, and which match is played at which table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.brackets.places import is_over, places
from tournament.domain.brackets.progress import MatchState, Progress
from tournament.domain.standings.knockout import find_misplaced, has_tree, knockout_so_far
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.stages import standing_above
from tournament.domain.standings.values import Tournament
from tournament.domain.tournament.standings_view import field_of, view_current_stage, view_for_draw
from tournament.domain.tournament.state import RoundState
from tournament.queries.bracket_words import (
    last_rounds,
    match_state_words,
    names_at,
    names_of_match,
    round_name,
)
from tournament.queries.team_matches import part_words
from tournament.queries.tournament import TournamentView
from tournament.queries.tournament_visibility import rounds_shown

KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongTable:
    """A table at which a match was played, or is, by `played`, where by the results of today
    `should` play it. `settled`: the director has nothing to do about it any more.
    """

    round: int
    table: int
    match: int
    played: tuple[str, ...]
    should: tuple[str, ...]
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMatch:
    """A match that can be played now: between whom, `said` is which of its games is next and how it
    stands, "" for its only one; it waits for those who are `away` in the next round.
    """

    match: int
    bracket: str
    names: tuple[str, str]
    said: str
    away: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMatch:
    """A match of an entry: in which round of which bracket, and what came of it, in words."""

    match: int
    bracket: str
    state_words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBracket:
    """The progress of a knock-out, None before it has entries enough; `hidden`: later rounds are
    silent for this visitor and left out. `scores` (hundredths) are those of each match's last game,
    by entry.
    """

    progress: Progress | None
    hidden: bool
    wrong: tuple[WrongTable, ...]
    scores: Mapping[int, Mapping[str, int]]

    @property
    def waits_for_draw(self) -> bool:
        """Whether something that was played on a wrong premise is still to be played anew."""
        return any(not each.settled for each in self.wrong)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won it."""
        return self.progress is not None and is_over(self.progress)


def has_bracket(at: TournamentView) -> bool:
    """Whether the tournament is a knock-out."""
    return at.state.stage.kind == KNOCKOUT


def read_visible_bracket(at: TournamentView, visitor: Visitor) -> ShownBracket:
    """Return the part of the bracket that this visitor may know: the rounds before the
    first silent one.
    """
    (field, before), shown = view_current_stage(at.state, at.outcomes), rounds_shown(at, visitor)
    known = replace(field, rounds=field.rounds[: max(0, shown - before)])
    so_far = progress_of(known)
    return ShownBracket(
        progress=so_far,
        hidden=shown < before + len(field.rounds),
        wrong=_wrong(at, known, so_far, before) if so_far is not None else (),
        scores={
            table.match: {
                entry: result.score
                for entry, result in zip(table.entries, table.results, strict=False)
                if result.score is not None and not table.forfeit
            }
            for each in known.rounds
            for table in each.tables
            if table.match is not None
        },
    )


def progress_of(tournament: Tournament) -> Progress | None:
    """The progress of a knock-out; None for another stage, or with too few or too many
    entries.
    """
    if tournament.stage.kind != KNOCKOUT or not has_tree(tournament):
        return None
    return knockout_so_far(tournament)


def open_matches(at: TournamentView) -> list[OpenMatch]:
    """The matches that can be played now by all results, for the desk."""
    so_far = progress_of(view_current_stage(at.state, at.outcomes)[0])
    if so_far is None:
        return []
    away = {
        entry.id: at.entries[entry.id]
        for entry in at.state.entries
        if not entry.plays_in(at.state.next_round)
    }
    return [
        OpenMatch(
            match=state.match.number,
            bracket=round_of(so_far, state),
            names=names_of_match(state, at.entries),
            said=_standing(state, so_far.knockout.best_of, shown=True),
            away=tuple(away[str(each)] for each in state.entries if each in away),
        )
        for state in so_far.states
        if state.status == "ready"
    ]


def entry_matches(at: TournamentView, visitor: Visitor, entry: str) -> list[EntryMatch]:
    """The matches of an entry as far as they are known to this visitor."""
    so_far = read_visible_bracket(at, visitor).progress
    if so_far is None:
        return []
    return [
        EntryMatch(
            match=state.match.number,
            bracket=round_of(so_far, state),
            state_words=match_state_words(state, names_of_match(state, at.entries)),
        )
        for state in so_far.states
        if entry in state.entries
    ]


def round_of(progress: Progress, state: MatchState) -> str:
    """The name of the round of a match in its bracket."""
    last = last_rounds(each.match for each in progress.states)
    return round_name(state.match.bracket, state.match.round, last)


def list_rounds_by_match(at: TournamentView, visitor: Visitor) -> Mapping[int, tuple[int, ...]]:
    """By match: in which rounds of the tournament it has tables, those that a visitor may see."""
    found: dict[int, tuple[int, ...]] = {}
    for each in at.state.rounds:
        shown = each.published or visitor.may(Permission.DIRECT)
        if shown and each.stage == at.state.stage_number:
            for table in each.tables:
                if table.match is not None:
                    found[table.match] = (*found.get(table.match, ()), each.number)
    return found


def format_places(
    at: TournamentView, visitor: Visitor, table: Standings | None
) -> Mapping[str, str]:
    """The place of every entry of a knock-out, `3–4` where it is shared, "–" while it is still in
    it; the rank of those whom the cut left out; nothing for another stage.
    """
    shown = read_visible_bracket(at, visitor)
    so_far, before = shown.progress, len(at.state.rounds) - at.state.rounds_of_stage
    if so_far is None or table is None or (shown.hidden and table.after_round <= before):
        return {}
    field = field_of(at.state, at.outcomes)
    above = len(standing_above(field, at.state.stage_number))  # who waits for a later stage
    known = {
        entry: str(above + each.first)
        if each.first == each.last
        else f"{above + each.first}\N{EN DASH}{above + each.last}"
        for each in places(so_far)
        for entry in each.entries
    }
    still_in = at.state.begun[-1].cut.entries if at.state.begun else tuple(at.entries)
    return {
        row.entry: known.get(row.entry, "\N{EN DASH}" if row.entry in still_in else str(row.rank))
        for row in table.rows
    }


def match_lines(at: TournamentView, visitor: Visitor, each: RoundState) -> Mapping[int, str]:
    """A line on the match at each table of a round: `Match 3, Final, game 2, 1 : 0`; the
    score only if that is not silent for this visitor. For a match of teams at several
    tables also which of them it is.
    """
    lines = _lines_of_bracket(at, visitor, each)
    parts = {table.table: part_words(at.state, each, table) for table in each.tables}
    return {
        table: "; ".join(filter(None, (lines.get(table), part)))
        for table, part in parts.items()
        if part or table in lines
    }


def _lines_of_bracket(at: TournamentView, visitor: Visitor, each: RoundState) -> Mapping[int, str]:
    before = progress_of(view_for_draw(at.state, at.outcomes, each.number)[0])
    if before is None:
        return {}
    open_to_see = rounds_shown(at, visitor) >= each.number - 1
    lines = {}
    for table in each.tables:
        if table.match is None or not 1 <= table.match <= len(before.states):
            continue
        state = before.state(table.match)
        where = _("Match %(number)d, %(round)s") % {
            "number": table.match,
            "round": round_of(before, state),
        }
        seated = replace(state, entries=_as_seated(table.entries, state))
        said = _standing(seated, before.knockout.best_of, shown=open_to_see)
        lines[table.table] = f"{where}, {said}" if said else where
    return lines


def _as_seated(entries: tuple[str, ...], state: MatchState) -> tuple[str, str]:
    """The entries of a table in the order of its seats, in which scores are said."""
    one, two = entries if len(entries) == 2 else (str(state.entries[0]), str(state.entries[1]))
    return one, two


def _standing(state: MatchState, best_of: int, *, shown: bool) -> str:
    """Which game of a match is next and how it stands: `game 2, 1 : 0`; "" for an only game."""
    game = len(state.games) + 1
    if best_of == 1 and game == 1:
        return ""
    words = _("game %(game)d") % {"game": game}
    if not shown:
        return words
    won = [state.games.count(entry) if isinstance(entry, str) else 0 for entry in state.entries]
    return f"{words}, {won[0]} : {won[1]}"


def _wrong(
    at: TournamentView, known: Tournament, so_far: Progress, before: int
) -> tuple[WrongTable, ...]:
    """Those of published rounds; `before` are the rounds of earlier stages."""
    return tuple(
        WrongTable(
            round=each.round + before,
            table=each.table,
            match=each.match,
            played=at.list_names_in(each.round + before, each.entries),
            should=names_at(so_far.state(each.match).match, each.should, at.entries),
            settled=each.settled,
        )
        for each in find_misplaced(known)
        if at.state.rounds[each.round + before - 1].published
    )
