"""Two moments of a game, or of a tournament, side by side."""

from collections.abc import Callable, Mapping, Sequence

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.reading import head_of
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.pages.common.tournament_context import context_of
from tournament.queries.comparison import Group, Moments, compared, differing, moment_asked
from tournament.queries.game_as_of import CLOCKS, RECORDED, Picture, game_as_of
from tournament.queries.tournament_as_of import TournamentPicture, tournament_as_of
from tournament.queries.tournament_comparison import compare_pictures
from tournament.queries.tournament_visibility import public_or_404
from tournament.streams.acts import moments_of


@require_GET
@requires(Permission.READ_HISTORY)
def comparison(request: SalonRequest, game: str) -> HttpResponse:
    """The game as of `?one=` and as of `?other=` (a time or an entry; nothing: now), each by the
    clock chosen for it.
    """
    row = game_or_404(request.visitor, game)
    moments, head = moments_of(row.salon.log_id, row.pk), head_of(row.salon.log_id).position

    def picture_at(typed: str, clock: str) -> Picture:
        return game_as_of(moments, typed, clock, head=head)

    one, other = (
        _read_moment(request, "one", picture_at),
        _read_moment(request, "other", picture_at),
    )
    audience = request.visitor.audience
    groups = (
        list(compared(row, one.picture, other.picture, audience=audience))
        if one.picture and other.picture
        else []
    )
    return _comparison_page(
        request, "history/comparison.html", {"here": "history", "game": row}, one, other, groups
    )


@require_GET
@requires(Permission.READ_HISTORY)
def tournament_comparison(request: SalonRequest, tournament: str) -> HttpResponse:
    """The tournament as of `?one=` and as of `?other=`, likewise; silent rounds stay silent."""
    visitor, at = request.visitor, public_or_404(request.visitor, tournament)
    moments = moments_of(at.row.salon.log_id, at.row.pk)

    def picture_at(typed: str, clock: str) -> TournamentPicture:
        return tournament_as_of(visitor, at, moments, typed, clock)

    one, other = (
        _read_moment(request, "one", picture_at),
        _read_moment(request, "other", picture_at),
    )
    groups = (
        list(compare_pictures(visitor, at, one.picture, other.picture))
        if one.picture and other.picture
        else []
    )
    return _comparison_page(
        request,
        "tournaments/comparison.html",
        context_of(request, at) | {"tab": "history"},
        one,
        other,
        groups,
    )


def _read_moment[P](
    request: SalonRequest, name: str, picture_of: Callable[[str, str], P]
) -> Moments[P]:
    clock = request.GET.get(f"{name}_clock", RECORDED)
    return moment_asked(
        request.GET.get(name, ""), clock if clock in CLOCKS else RECORDED, picture_of
    )


def _comparison_page(
    request: SalonRequest,
    template: str,
    context: Mapping[str, object],
    one: Moments[object],
    other: Moments[object],
    groups: Sequence[Group],
) -> HttpResponse:
    shown = {
        "one": one,
        "other": other,
        "groups": groups,
        "differing": differing(groups),
        "clocks": CLOCKS.items(),
    }
    return render(
        request, template, {**context, **shown}, status=400 if one.problem or other.problem else 200
    )
