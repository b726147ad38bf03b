"""Captains of teams: the slip of a captain's link, and the page it opens on a phone, where a
line-up is handed in without an account.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.captain_links import actor_for, links_of, may_hand_in, renew, use
from tournament.accounts.event_links import UNDER_WAY
from tournament.accounts.permissions import Permission
from tournament.domain.tournament.subjects import ACTS
from tournament.models import CaptainLink, Tournament
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.form_values import (
    Problem,
    command_of,
    new_command,
    plain_value,
    problem_of,
    why_not,
)
from tournament.pages.common.pin import PinForm, link_or_404, opens
from tournament.pages.common.qr import link_to
from tournament.pages.desk.event_link import over
from tournament.pages.desk.line_up_fields import LineUpForm, line_up_form
from tournament.queries.line_ups import TeamToSeat, to_hand_in
from tournament.queries.tournament import TournamentView, load_tournament
from tournament.queries.tournament_visibility import row_or_404
from tournament.recording.tournaments import direct_on_top
from tournament.salons.prefix import address_in
from tournament.salons.public_names import Audience
from tournament.salons.time_zones import speak_as


@dataclass(frozen=True, slots=True, kw_only=True)
class NotHandedIn:
    """The reason that a line-up of a round was not taken, and the players in it."""

    problem: Problem
    round: object = None
    players: object = ()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.MANAGE_TABLES)
def captain_link(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """The slip of a captain's link; POST makes a new one, which ends the old."""
    row = row_or_404(request.visitor, tournament)
    at = load_tournament(row, Audience.SALON)
    if not at.state.stage.line_up or at.state.entry(entry) is None:
        raise Http404
    link = links_of(row, [entry])[entry]
    if request.method == "POST":
        renew(link)
        messages.success(request, _("There is a new link and a new PIN."))
        return redirect("captain_link", tournament=row.pk, entry=entry)
    context = {
        "here": "tournaments",
        "row": row,
        "entry": entry,
        "what": _("Captain of entry %(entry)s") % {"entry": entry},
        "name": at.entries[entry],
        "link": link,
        "phones": link_to(request, row.salon, "captain", link.token),
    }
    return render(request, "captain_link.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def captain(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the PIN; then take the team's line-ups, until the tournament is over."""
    link = link_or_404(request, CaptainLink.objects.all(), token)
    row = get_object_or_404(Tournament.objects.select_related("salon"), pk=link.tournament)
    if row.phase not in UNDER_WAY:
        return over(request, row)
    speak_as(link.salon)
    if not may_hand_in(request.session, link):
        return _ask_for_pin(request, row, link)
    failed = None
    if request.method == "POST":
        failed = _record_line_up(request, row, link)
        if failed is None:
            messages.success(request, _("The line-up is handed in, sealed."))
            return redirect(address_in(link.salon, "captain", link.token))
        row.refresh_from_db()
    return _page(request, load_tournament(row, Audience.SALON), link, failed)


def _ask_for_pin(request: HttpRequest, row: Tournament, link: CaptainLink) -> HttpResponse:
    form = PinForm(request.POST or None)
    if opens(request, form, link, of="captain", wrong=_("This is not the PIN of this captain.")):
        use(request.session, link)
        return redirect(address_in(link.salon, "captain", link.token))
    return form_page(request, "captain_join.html", form, event=row.name, entry=link.entry)


def _record_line_up(request: HttpRequest, row: Tournament, link: CaptainLink) -> NotHandedIn | None:
    """Record the captain's line-up. Return the problem, None if it is recorded."""
    said: dict[str, object] = {"round": 0, "players": []}
    try:
        command = command_of(request.POST)
        said |= plain_value(request.POST) | {"entry": link.entry}
        _record(row, link, said, command)
    except Refusal as refusal:
        problem = problem_of(refusal, unread=400)
        return NotHandedIn(problem=problem, round=said["round"], players=said["players"])
    except (StreamMoved, CommandReused) as moved:
        return NotHandedIn(problem=why_not(moved))
    return None


def _record(row: Tournament, link: CaptainLink, said: dict[str, object], command: str) -> None:
    """Hand in on top of whatever there is by now: it depends on nothing that others do."""
    act, actor = ACTS["line-ups"](said, 0), actor_for(link)
    direct_on_top(row.salon, row.pk, [act], actor=actor, command=command, version=row.version)


def _page(
    request: HttpRequest, at: TournamentView, link: CaptainLink, failed: NotHandedIn | None
) -> HttpResponse:
    teams = [(team, _form(team, failed), new_command()) for team in to_hand_in(at, link.entry)]
    at_field = any(form.is_wrong for _team, form, _command in teams)
    context = {
        "event": at.row.name,
        "name": at.entries.get(link.entry, link.entry),
        "entry": link.entry,
        "teams": teams,
        "problem": failed.problem if failed is not None and not at_field else None,
    }
    return render(request, "captain.html", context, status=failed.problem.status if failed else 200)


def _form(team: TeamToSeat, failed: NotHandedIn | None) -> LineUpForm:
    """The form of a line-up, with why it was refused where it was."""
    if failed is None or failed.round != team.round or not team.may_hand_in:
        return line_up_form(team)
    return line_up_form(team, failed.players, failed.problem)
