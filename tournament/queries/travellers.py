"""The deals of a tournament as pages show them: who played each where, and what it was worth.

A deal is shown once everybody has played it or the tournament is over; until then it would tell
those who have still to play.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.errors import RuleViolation
from tournament.accounts.permissions import Visitor
from tournament.accounts.silent_rounds import sees_silent
from tournament.domain.pairing.planned import planned
from tournament.domain.schedules.verify_movement import MovementReport, movement_report
from tournament.domain.standings.deal_points import Played, bounds_of, travellers
from tournament.domain.standings.duplicate import SmallGroups
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.imps import published
from tournament.domain.standings.values import Tournament
from tournament.domain.tournament.standings_view import field_of, view_current_stage
from tournament.queries.number_format import signed
from tournament.queries.tournament import TournamentView, is_silent
from tournament.queries.tournament_visibility import rounds_shown

OVER = ("finished", "archived")


@dataclass(frozen=True, slots=True, kw_only=True)
class TravellerLine:
    """A deal at a table: who played it there in the order of the seats, their scores and what these
    were worth (hundredths), () where there are none; `awarded` and `version` as `BoardResult` has
    them. `opens_form`: the first of those that were dealt like this, where not all were, which
    count by a `regulation`; `factored` as `Played` has it.
    """

    round: int
    table: int
    entries: tuple[str, ...]
    names: tuple[str, ...]
    scores: tuple[int, ...]
    points: tuple[int, ...]
    awarded: tuple[int, ...]
    version: int
    regulation: SmallGroups
    factored: tuple[int, ...] = ()
    opens_form: bool = False

    @property
    def sides(self) -> list[tuple[str, int | None, int | None]]:
        """Each entry's name, score and points, None for what there is none of."""
        return list(zip_longest(self.names, self.scores, self.points))


@dataclass(frozen=True, slots=True, kw_only=True)
class Traveller:
    """A deal: at how many tables of all it was played, and its lines, () while it is hidden."""

    deal: int
    played: int
    tables: int
    shown: bool
    lines: Sequence[TravellerLine]

    @property
    def factored(self) -> list[tuple[int, ...]]:
        """Of how many results as if of how many, where Neuberg's formula was applied, once for each
        form of the deal.
        """
        return list(dict.fromkeys(line.factored for line in self.lines if line.factored))


def travellers_of(at: TournamentView, visitor: Visitor) -> list[Traveller]:
    """Every deal of the tournament that a drawn round has, in order."""
    field = field_of(at.state, at.outcomes)
    tables = _tables_of_deals(field)
    hidden = {
        each.number
        for each in at.state.rounds
        if not sees_silent(visitor) and (not each.published or is_silent(at, visitor, each.number))
    }
    return [
        _traveller(at, visitor, deal, lines, tables.get(deal), hidden)
        for deal, lines in travellers(field).items()
    ]


def scale_of_imps(at: TournamentView, visitor: Visitor) -> list[tuple[int, int | None, int]]:
    """The table of IMPs as it is put up, from which difference of score to which, in hundredths;
    [] where the deals are compared otherwise, and while it would tell this visitor of results that
    it is fitted to and that are silent.
    """
    scale = at.state.stage.scale
    if scale.kind not in ("imps", "victory_points"):
        return []
    if not scale.steps and rounds_shown(at, visitor) < len(at.state.rounds):
        return []
    return published(bounds_of(field_of(at.state, at.outcomes)))


def report_of(at: TournamentView) -> MovementReport | None:
    """The verifier's counts of the movement; None if there is none."""
    if not at.state.stage.plays_same_deals or plays_alone(at.state.stage, at.state.game):
        return None
    try:
        return movement_report(planned(view_current_stage(at.state, at.outcomes)[0]).plan)
    except RuleViolation:
        return None


def evenness_words(report: MovementReport) -> str:
    """The balance of a movement's comparisons between its pairs, "" if that is not
    counted.
    """
    if not report.calibre:
        return ""
    if len(report.calibre) == 1:
        return _("Perfectly balanced: every two pairs are compared to the same degree.")
    lines = [
        ngettext("%(calibre)s for %(count)d", "%(calibre)s for %(count)d", count)
        % {"calibre": signed(calibre), "count": count}
        for calibre, count in sorted(report.calibre.items())
    ]
    return _(
        "Some two pairs are compared more than others. Deals played in the same direction less "
        "those in opposite ones, and less the other tables where they meet: %(lines)s. The nearer "
        "these numbers are to each other, the fairer."
    ) % {"lines": ", ".join(lines)}


def _traveller(
    at: TournamentView,
    visitor: Visitor,
    deal: int,
    lines: Sequence[Played],
    tables: int | None,
    hidden: set[int],
) -> Traveller:
    settled = [
        each
        for each in lines
        if each.board.scores or each.board.awarded or each.table.results or each.table.excused
    ]
    everybody = tables is not None and len(settled) >= tables and len(settled) == len(lines)
    open_to_all = at.state.phase in OVER or (
        everybody and not any(each.round in hidden for each in lines)
    )
    shown = open_to_all or sees_silent(visitor)
    return Traveller(
        deal=deal,
        played=len(settled) if shown or not hidden else 0,
        tables=max(tables or 0, len(lines)),
        shown=shown,
        lines=_by_form([_line(at, each) for each in lines]) if shown else [],
    )


def _by_form(lines: Sequence[TravellerLine]) -> list[TravellerLine]:
    """The lines of a deal, those that are compared with each other together."""
    forms = {line.version for line in lines}
    if len(forms) == 1:
        return list(lines)
    first = {form: next(line for line in lines if line.version == form) for form in forms}
    ordered = sorted(lines, key=lambda line: line.version)
    return [replace(line, opens_form=line is first[line.version]) for line in ordered]


def _line(at: TournamentView, each: Played) -> TravellerLine:
    return TravellerLine(
        round=each.round,
        table=each.table.table,
        entries=each.table.entries,
        names=at.list_names_in(each.round, each.table.entries),
        scores=each.board.scores,
        points=each.points or (),
        awarded=each.board.awarded,
        version=each.board.version,
        regulation=each.regulation,
        factored=each.factored,
    )


def _tables_of_deals(field: Tournament) -> Mapping[int, int]:
    """At how many tables of the plan each deal is played; nothing where there is no plan."""
    try:
        plan = planned(field).plan
    except RuleViolation:
        return {}
    tables = [sitting for each in plan.rounds for sitting in each.tables]
    return Counter(deal for sitting in tables for deal in sitting.deals)
