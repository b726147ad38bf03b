"""Tonight: the tables that play now, what waits for somebody, the way to one's own pad, and the
games that are over.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from ledger import times
from ledger.models import Event
from tournament.accounts.access import CHOSEN, SalonRequest, memberships_of, requires
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.accounts.two_factor import may_put_off_until
from tournament.domain.house.table_labels import place_of
from tournament.formats.local.dates import date_text
from tournament.models import AuditRun, Game, Mark, Progress, Salon
from tournament.models.visibility import unseen_games
from tournament.pages.desk.calls import queue_context
from tournament.pages.salon.home_events import Tonight, tonight
from tournament.pages.table.confirmation_waiting import (
    Waiting,
    disputes,
    list_unconfirmed,
    own_hands,
    to_look_at,
)
from tournament.pages.table.game_summary import Glance, list_glances
from tournament.projections.chain_check import CHECKED
from tournament.projections.standings import STANDINGS
from tournament.queries.calls import no_queue, queue_of
from tournament.queries.home_flags import HomeFlags, read_home_flags
from tournament.queries.listed_games import ListedGame, list_games_by_id, playing
from tournament.queries.stopped_projections import list_parked_subjects
from tournament.salons.prefix import address_in, first_salon_id, salon_of_prefix

FINISHED_SHOWN = 8
LATEST = 60  # games that are over, among which those are found
PLAYING_SHOWN = 240  # tables of the largest event
STANDS_STILL = timedelta(hours=12)


@require_GET
@requires(Permission.SEE_SALON)
def home(request: SalonRequest) -> HttpResponse:
    """The salon tonight; asked by htmx, the tables that play now alone."""
    visitor = request.visitor
    address = _own_salon_address(request)
    if address:
        return redirect(address)
    salon = visitor.salon
    found = playing(salon, PLAYING_SHOWN + 1)
    games = sorted(
        found[:PLAYING_SHOWN], key=lambda game: (place_of(game.line.table), game.started_position)
    )
    live = list_glances(salon, games, visitor.audience)
    context: dict[str, object] = {
        "here": "home",
        "live": live,
        "more_play": len(found) > PLAYING_SHOWN,
    }
    if request.headers.get("HX-Request"):
        return render(request, "home.html#live", context)
    there = read_home_flags(salon)
    pads = _pads(visitor, games, live)
    events = tonight(visitor) if there.on else []
    waiting = list(_list_waiting(visitor, games, there))
    context |= {
        "greeting": _greeting(timezone.localtime()),
        "now": timezone.localtime(),
        "waiting": waiting,
        "unconfirmed": list(list_unconfirmed(visitor)) if there.unconfirmed else [],
        "later": list(_second_step(request)),
        "pads": pads,
        "events": events,
        "filled": _choose_filled_button(visitor, waiting, events, pads),
        "desk_first": next((event for event in events if event.missing is not None), None),
        "may_direct": visitor.may(Permission.DIRECT),
        "over": _over(visitor) if there.over else [],
        "moved_to": there.moved_to,
        "may_start": visitor.may(Permission.START_GAME),
        "is_new": not (found or there.over or there.tournaments),
    }
    if visitor.may(Permission.DIRECT):
        queue = queue_of(salon, "") if there.calls else no_queue(salon)
        context |= queue_context(request, queue)
    return render(request, "home.html", context)


def _over(visitor: Visitor) -> list[Glance]:
    """The games that are over, found by when they began, which no act changes: of the latest, those
    come first in which something was recorded last.
    """
    unseen = unseen_games()
    over = Game.objects.filter(salon=visitor.salon, finished=True).order_by("-started_position")
    rows = [
        (position, game)
        for game, position, not_played in over.values_list("pk", "position", "not_played")[:LATEST]
        if not not_played or game in unseen
    ]
    latest = [game for _position, game in sorted(rows, reverse=True)[:FINISHED_SHOWN]]
    return list_glances(visitor.salon, list_games_by_id(visitor.salon, latest), visitor.audience)


def _own_salon_address(request: SalonRequest) -> str:
    """Return the address of this visitor's salon if an address without a prefix leads
    others to another one; "" for here.
    """
    if salon_of_prefix(request) is not None or request.headers.get("HX-Request"):
        return ""
    if request.visitor.role is Role.ANYONE and not request.visitor.due:
        return ""  # they are in the first salon
    if CHOSEN not in request.session and len(memberships_of(request)) > 1:
        return reverse("salons")
    salon = request.visitor.salon
    return "" if salon.pk == first_salon_id() else address_in(salon, "home")


def _greeting(now: datetime) -> str:
    if now.hour < 12:
        return _("Good morning")
    return _("Good afternoon") if now.hour < 18 else _("Good evening")


def _pads(visitor: Visitor, games: list[ListedGame], live: list[Glance]) -> list[Glance]:
    """The live games this visitor may record, where something was recorded last first; their own
    table's alone for a scorer by link.
    """
    latest = {game.line.game: game.position for game in games}
    mine = [
        glance
        for glance in live
        if glance.table and visitor.may(Permission.RECORD, table=glance.table)
    ]
    return sorted(mine, key=lambda glance: -latest[glance.game])


def _choose_filled_button(
    visitor: Visitor, waiting: list[Waiting], events: list[Tonight], pads: list[Glance]
) -> str:
    """Return the one button of the page to fill, the most pressing: the first to-do item,
    a running round's desk, a pad, a new game.
    """
    if waiting and (waiting[0].kind == "bad" or not visitor.may(Permission.START_GAME)):
        return "waiting"
    if any(event.round and event.missing is not None for event in events):
        return "desk"
    return "pad" if pads else "start"


def _list_waiting(visitor: Visitor, games: list[ListedGame], there: HomeFlags) -> Iterator[Waiting]:
    """Yield the to-do items, the worst first; none for visitors who can do nothing about
    them.
    """
    if visitor.may(Permission.CONFIRM) and there.disputed:
        yield from disputes(visitor)
    if visitor.may(Permission.AUDIT) and there.found:
        yield from _audit_findings(visitor.salon)
    if visitor.may(Permission.AUDIT) and there.stopped:
        yield from _list_stopped(visitor.salon)
    if visitor.may(Permission.CONFIRM):
        yield from own_hands(visitor)
    if visitor.may(Permission.MANAGE_TABLES):
        yield from _standing_still(visitor.salon, games)


def _second_step(request: SalonRequest) -> Iterator[Waiting]:
    """The second step of signing in, for one who needs it and has put it off."""
    found = memberships_of(request)
    until = may_put_off_until(found[0]) if found else None
    if until is not None:
        yield Waiting(
            kind="wait",
            what=_("Your password alone opens this salon"),
            why=_("Add a code from your phone; it can wait until %s.") % date_text(until, "j F"),
            step=_("Set it up"),
            url=reverse("mfa_activate_totp"),
        )


def _list_stopped(salon: Salon) -> Iterator[Waiting]:
    """Yield the background jobs that have stopped."""
    stopped_ones = Progress.objects.filter(log=salon.log_id).exclude(error="")
    for progress in stopped_ones.order_by("projection"):
        if progress.projection == CHECKED.name:
            what = _("The check of the log stopped at line %d")
        elif progress.projection == STANDINGS.name:
            what = _("The standings of tournaments stopped at line %d")
        else:
            what = _("What is computed in the background stopped at line %d")
        stopped = what % (progress.error_position or 0)
        yield to_look_at("bad", stopped, progress.error, reverse("audit") + "#work")
    if Mark.objects.filter(log=salon.log_id).exclude(error="").exists():
        for each in list_parked_subjects(salon):
            words = (
                _("The %(what)s of %(name)s could not be computed")
                if each.name
                else _("The %(what)s could not be computed in full")
            ) % {"what": each.projection, "name": each.name}
            yield to_look_at("bad", words, each.error, reverse("audit") + "#work")


def _audit_findings(salon: Salon) -> Iterator[Waiting]:
    """Yield the findings of the last audit, until another one finds nothing."""
    run = AuditRun.objects.filter(salon=salon, ended_at__gt=0).order_by("-pk").first()
    if run is None or (not run.count and not run.error):
        return
    url = reverse("audit_run", args=[run.pk])
    if run.error:
        yield to_look_at("bad", _("The last audit did not come to its end"), run.error, url)
        return
    what = ngettext(
        "The last audit has %(count)d finding", "The last audit has %(count)d findings", run.count
    )
    why = _("Something is not as it was recorded; each finding leads to what it is about.")
    yield to_look_at("bad", what % {"count": run.count}, why, url)


def _standing_still(salon: Salon, games: list[ListedGame]) -> Iterator[Waiting]:
    """Games in which nothing was recorded for half a day: they keep their table from the
    next game.
    """
    since = _last_recorded(salon, games)
    for game in games:
        last = since.get(game.position)
        if last is not None and timezone.now() - last > STANDS_STILL:
            table = game.line.table
            yield Waiting(
                kind="wait",
                what=_("Table %s stands still") % table,
                why=_("Nothing has been recorded since %s. Go on with the game, or end it.")
                % date_text(timezone.localtime(last), "j F, H:i"),
                step=_("Open the pad"),
                url=reverse("pad", args=[table]),
            )


def _last_recorded(salon: Salon, games: list[ListedGame]) -> dict[int, datetime]:
    """When something was recorded last at these positions; of the first alone, where that is not
    long ago: time never goes back in a log.
    """
    positions = sorted(game.position for game in games)
    first = _times(salon, positions[:1])
    if all(timezone.now() - at <= STANDS_STILL for at in first.values()):
        return first
    return _times(salon, positions)


def _times(salon: Salon, positions: list[int]) -> dict[int, datetime]:
    events = Event.objects.filter(log=salon.log_id, position__in=positions)
    return {
        position: times.moment(microseconds)
        for position, microseconds in events.values_list("position", "recorded_at")
    }
