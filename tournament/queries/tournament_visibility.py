"""The parts of a tournament that its visitors may see: the tournament itself, its
rounds, the standings.
"""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournament.accounts.permissions import Permission, Visitor
from tournament.accounts.silent_rounds import sees_silent
from tournament.domain.standings.ranking import Standing, Standings
from tournament.domain.standings.stages import whole_standings
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import EntryState, RoundState
from tournament.models import Tournament
from tournament.queries.tournament import (
    ComputedStandings,
    TournamentView,
    computed,
    is_silent,
    load_tournament,
    silent_from,
)

PODIUM = 3


def read_visible_standings(at: TournamentView, visitor: Visitor) -> tuple[Standings | None, bool]:
    """The standings as computed last, and whether later rounds are hidden from this visitor and
    left out of them.
    """
    return hide_silent_rounds(at, visitor, computed(at))


def hide_silent_rounds(
    at: TournamentView, visitor: Visitor, found: ComputedStandings
) -> tuple[Standings | None, bool]:
    """The same of those that were computed."""
    table, shown = found.standings, rounds_shown(at, visitor)
    if table is None or table.after_round <= shown:
        return table, False
    return whole_standings(field_of(at.state, at.outcomes), after_round=shown), True


def podium(at: TournamentView, visitor: Visitor) -> list[Standing]:
    """The first three places as this visitor sees them, each with all who share it; nothing before
    the first round counts.
    """
    table, _hidden = read_visible_standings(at, visitor)
    if table is None or not table.after_round:
        return []
    return [row for row in table.rows if row.rank <= PODIUM]


def rounds_shown(at: TournamentView, visitor: Visitor) -> int:
    """The number of rounds that show their results to this visitor: all, or those before
    the first silent one.
    """
    begun = silent_from(at, visitor)
    return begun - 1 if begun is not None else len(at.state.rounds)


def round_or_404(at: TournamentView, number: int, *, published: bool = False) -> RoundState:
    """The round with this number as it is drawn, or once it is `published`."""
    each = at.state.round(number)
    if each is None or (published and not each.published):
        raise Http404
    return each


def entry_or_404(at: TournamentView, key: str) -> EntryState:
    """The entry with this number."""
    entry = at.state.entry(key)
    if entry is None:
        raise Http404
    return entry


def draw_or_404(visitor: Visitor, at: TournamentView, number: int) -> RoundState:
    """The round as an engine drew it; 404 for one seated by hand, and before it is published for
    who neither directs nor audits.

    Raises PermissionDenied where it was drawn by silent results.
    """
    each = round_or_404(at, number)
    if not each.digest or not (each.published or sees_silent(visitor)):
        raise Http404
    if is_silent(at, visitor, number - 1):
        raise PermissionDenied(
            _(
                "This round was drawn by results that are silent: they are shown when the "
                "tournament is over."
            )
        )
    return each


def public_or_404(visitor: Visitor, key: str) -> TournamentView:
    """The tournament with this id; a draft is there for the director alone, practice for those who
    read the history.
    """
    return load_tournament(row_or_404(visitor, key), visitor.audience)


def row_or_404(visitor: Visitor, key: str) -> Tournament:
    """The row of this tournament, as `public_or_404`."""
    row = get_object_or_404(Tournament.objects.select_related("salon"), salon=visitor.salon, pk=key)
    if row.phase == "draft" and not visitor.may(Permission.DIRECT):
        raise Http404
    if row.practice and not visitor.may(Permission.READ_HISTORY):
        raise Http404
    return row
