"""Identifies the visitor of a request and checks their permission.

A view names the act it is for with `@requires(Permission.…)`; the table GRANTS in
`tournament/accounts/permissions.py` says which role has it. Rows of another salon
do not exist for a visitor: 404.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Concatenate, cast

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import Resolver404, ResolverMatch, resolve, reverse

from ledger.reading import fetch_all
from tournament.accounts.actors import actor_of_account
from tournament.accounts.browser_mark import COOKIE as WHOSE
from tournament.accounts.browser_mark import tell_whose
from tournament.accounts.event_links import actor_of, find_used_link, tables_of
from tournament.accounts.invitations import open_invitations
from tournament.accounts.permissions import Permission, Role, Visitor, refusal
from tournament.accounts.seat_links import actor_for, find_taken_seat
from tournament.accounts.silent_rounds import AllSilent, SightOf
from tournament.accounts.table_links import actor_at, find_linked_table
from tournament.accounts.two_factor import is_due, with_second_step
from tournament.models import EventLink, Game, Membership, Salon, SeatLink, Table
from tournament.models.visibility import SilentGame, set_visibility, use_visibility
from tournament.salons.persons import ids_of_person, merged_players
from tournament.salons.prefix import first_salon, salon_of_prefix
from tournament.salons.public_names import Audience
from tournament.salons.time_zones import speak_as

# Parameters of views, and what they say to `may`.
ABOUT_ONE = {"label": "table", "game": "game", "player": "player"}
PAGES = 2048  # addresses of which it is remembered what is there
LED_TO = {  # pages that are linked from pages for all
    "ledger": Permission.READ_LEDGER,
    "history": Permission.READ_HISTORY,
    "audit": Permission.AUDIT,
    "start": Permission.START_GAME,
}
CHOSEN = "salon"  # in the session: the salon that an account with several chose last
OPEN_BEFORE_THE_FIRST_VISIT = frozenset(
    {
        "welcome",
        "first_visit",
        "healthz",
        "trust",
        "trust_file",
        "worker",
        "practice_tables",
        "practice_pad",
        "practice_act",
    }
)
# Every request asks it: composed by Django, or made a row of a model, it costs three times as much.
_OWNED = "SELECT EXISTS (SELECT 1 FROM tournament_membership WHERE role = %s)"
SECONDS_OPEN = 1.0
_opened_until: dict[str, float] = {}  # by database

BOARD = "board"  # one answer is kept for all who see the same, so it tells nobody whose it is


class SalonRequest(HttpRequest):
    """A request whose visitor is known: what a view behind `needs` gets."""

    visitor: Visitor


def requires[**P](
    act: Permission,
) -> Callable[
    [Callable[Concatenate[SalonRequest, P], HttpResponseBase]],
    Callable[Concatenate[HttpRequest, P], HttpResponseBase],
]:
    """A view only for those who may do `act`: a visitor without any key is asked to sign in,
    everybody else gets 403.

    A view that is about one table, game or player has the parameter `label`, `game` or `player`,
    which is checked too. The view gets `request.visitor`, and carries its act as `act`.
    """

    def decorate(
        view: Callable[Concatenate[SalonRequest, P], HttpResponseBase],
    ) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
        @wraps(view)
        def guard(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            visitor = visitor_of(request)
            given = {name: kwargs.get(key) for key, name in ABOUT_ONE.items()}
            if visitor.may(act, **cast("dict[str, str]", given)):
                known = cast("SalonRequest", request)
                known.visitor = visitor
                answer = view(known, *args, **kwargs)
                if request.resolver_match and request.resolver_match.url_name == BOARD:
                    return answer
                return tell_whose(answer, visitor, request.COOKIES.get(WHOSE, ""))
            if request.method == "GET" and "HX-Request" not in request.headers:
                if visitor.due:
                    return redirect_to_login(request.get_full_path(), reverse("second_step"))
                if visitor.role is Role.ANYONE:
                    return redirect_to_login(request.get_full_path())
            raise PermissionDenied(refusal(visitor, act))

        guard.act = act  # type: ignore[attr-defined]
        return guard

    return decorate


def visitor_of(request: HttpRequest) -> Visitor:
    """Return the visitor of a request, as `_visitor_of` finds them, and activate them with
    `activate_visitor`.
    """
    return activate_visitor(_visitor_of(request))


def activate_visitor(visitor: Visitor) -> Visitor:
    """Activate the salon's time zone and language, and the visitor's visibility of silent
    games.
    """
    speak_as(visitor.salon)
    set_visibility(SightOf(visitor))
    return visitor


def audience_of(request: HttpRequest) -> Audience:
    """Return the audience of the names on this page: the public, if no view has identified
    the visitor.
    """
    visitor: Visitor | None = getattr(request, "visitor", None)
    return visitor.audience if visitor is not None else Audience.PUBLIC


def _visitor_of(request: HttpRequest) -> Visitor:
    """Find the visitor: a member by account, a scorer by table link, a player by the link
    of a seat, or anyone.

    In the salon that the address names; without one in that of the account or the link,
    else in the first. 404 while there is no salon.
    """
    wanted = salon_of_prefix(request)
    membership = membership_of(request, wanted)
    if membership is not None:
        return as_member(membership)
    table = _of_salon(find_linked_table(request.session), wanted)
    seat = _of_salon(find_taken_seat(request.session), wanted)
    if table is not None:
        return _at_table(table, seat)
    event = _of_salon(find_used_link(request.session), wanted)
    if event is not None:
        return Visitor(
            salon=event.salon, role=Role.TABLE_LINK, actor=actor_of(event), tables=tables_of(event)
        )
    if seat is not None:
        return Visitor(
            salon=seat.salon,
            role=Role.SEAT_LINK,
            actor=actor_for(seat),
            game=seat.game,
            seat=seat.seat,
        )
    salon = wanted or first_salon()
    if salon is None:
        raise Http404
    return Visitor(salon=salon, role=Role.ANYONE)


def memberships_of(request: HttpRequest) -> list[Membership]:
    """Return the memberships of this account in its salons, in the order in which it
    joined them; looked up once a request.
    """
    account = request.user.pk
    if account is None:
        return []
    known: tuple[int, list[Membership]] | None = getattr(request, "known_memberships", None)
    if known is None or known[0] != account:
        memberships = with_second_step(Membership.objects.filter(user=account))
        known = account, list(memberships.select_related("salon").order_by("pk"))
        request.known_memberships = known  # type: ignore[attr-defined]
    return known[1]


def membership_of(request: HttpRequest, wanted: Salon | None) -> Membership | None:
    """Return the membership of this account in the wanted salon; without one in the salon
    chosen last, or the first it joined.
    """
    found = memberships_of(request)
    if wanted is not None:
        return next((each for each in found if each.salon_id == wanted.pk), None)
    chosen = request.session.get(CHOSEN) if len(found) > 1 else None
    return next((each for each in found if each.salon.slug == chosen), found[0] if found else None)


def as_member(membership: Membership) -> Visitor:
    """The visitor behind an account, as what it is in the salon: anyone, while its second step of
    signing in is due.
    """
    if is_due(membership):
        return Visitor(salon=membership.salon, role=Role.ANYONE, due=True)
    player = membership.player_id or ""
    if player:
        player = merged_players(membership.salon).get(player, player)
    return Visitor(
        salon=membership.salon,
        role=Role(membership.role),
        actor=actor_of_account(membership.salon, membership.user_id),
        player=player,
        players=frozenset(ids_of_person(membership.salon, player) if player else ()),
    )


def _of_salon[T: (Table, SeatLink, EventLink)](found: T | None, wanted: Salon | None) -> T | None:
    return None if found is None or (wanted is not None and found.salon_id != wanted.pk) else found


def _at_table(table: Table, seat: SeatLink | None) -> Visitor:
    """Return the visitor who records at a table: its phone, or a player of its game who
    holds the phone and gave the PIN of their seat.
    """
    phone = Visitor(
        salon=table.salon,
        role=Role.TABLE_LINK,
        actor=actor_at(table),
        table=table.label,
        tables=frozenset({table.label}),
    )
    if seat is None:
        return phone
    here = Game.objects.filter(pk=seat.game, salon=table.salon, table=table.label)
    if not here.exists():
        return phone
    return replace(phone, actor=actor_for(seat), game=seat.game, seat=seat.seat)


def table_or_404(visitor: Visitor, label: str) -> Table:
    """The table with this label in the visitor's salon; 404 when there is none in use."""
    return get_object_or_404(Table, salon=visitor.salon, label=label, retired=False)


def game_or_404(visitor: Visitor, game: str) -> Game:
    """The game with this id in the visitor's salon; 404 when there is none. Raises SilentGame where
    its content may not be seen.
    """
    row = seats_of_game_or_404(visitor, game)
    if row.is_silent:
        raise SilentGame(row)
    return row


def seats_of_game_or_404(visitor: Visitor, game: str) -> Game:
    """The same for a page that shows who sits there, and nothing else where the row `is_silent`."""
    row = Game.objects.filter(salon=visitor.salon, pk=game).first()
    if row is None:
        raise Http404
    row.salon = visitor.salon  # which it was found by: nobody asks for it again
    return row


def answer_opened(
    request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    """Answer the request; while no one owns a salon, lead it to the page that says how to open one.

    Until a page knows its visitor, all silent games are unseen.
    """
    page = _page(request)
    speak_as(_find_speaking_salon(request, page))
    with use_visibility(AllSilent()):
        name = page.url_name if page is not None else None
        if name in OPEN_BEFORE_THE_FIRST_VISIT or _is_opened():
            return get_response(request)
        return redirect("welcome")


def _find_speaking_salon(request: HttpRequest, page: ResolverMatch | None) -> Salon | None:
    """The salon as which a page speaks from its beginning: a page that knows its visitor asks again
    for theirs.
    """
    named, knows_its_visitor = salon_of_prefix(request), hasattr(getattr(page, "func", None), "act")
    return named if named is not None or knows_its_visitor else first_salon()


def _is_opened() -> bool:
    """Whether somebody owns a salon here, or did a moment ago: every request asks, and a yes that
    was committed holds for a second.
    """
    database, now = str(connection.settings_dict["NAME"]), time.monotonic()
    if now < _opened_until.get(database, 0.0):
        return True
    opened = has_owner()
    if opened and not connection.in_atomic_block:
        _opened_until[database] = now + SECONDS_OPEN
    return opened


def has_owner() -> bool:
    """Whether somebody owns a salon here, or is invited to: by the operator, to one that came from
    another server.
    """
    (owned,) = fetch_all(_OWNED, [Membership.Role.OWNER])[0]
    return bool(owned) or open_invitations().filter(role=Membership.Role.OWNER).exists()


def in_templates(request: HttpRequest) -> dict[str, object]:
    """Context processor: `visitor`, `salon`, what the foot of a page offers, which pages that
    others are led to would refuse this visitor (`closed_links`), and where links to games lead:
    to their history, or to the board for who may not read every history; wherever a view has
    asked who is there.
    """
    visitor: Visitor | None = getattr(request, "visitor", None)
    if visitor is None:
        return {}
    return {
        "visitor": visitor,
        "salon": visitor.salon,
        "invites": visitor.may(Permission.INVITE),
        "administers": visitor.may(Permission.ADMINISTER),
        "closed_links": [name for name, act in LED_TO.items() if not visitor.is_led_to(act)],
        "game_page": "game_history" if visitor.may(Permission.READ_HISTORY) else "board",
    }


def _page(request: HttpRequest) -> ResolverMatch | None:
    try:
        return _page_at(request.path_info, settings.ROOT_URLCONF)
    except Resolver404:
        return None


@lru_cache(maxsize=PAGES)
def _page_at(path: str, pages: str) -> ResolverMatch:
    """Resolve a path as Django does again in every request, behind all middleware."""
    return resolve(path, pages)
