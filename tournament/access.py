"""Who may do what in a salon.

A view names the act it is for with `@needs(Act.…)`; the table GRANTS says which role may do it. What belongs to
another salon does not exist for a visitor: 404. A scorer by table link acts at one table and at no other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from tournament.models import Game, Membership, Salon, SeatLink, Table
from tournament.seat_links import actor_for, taken_seat
from tournament.table_links import actor_at, linked_table

AT_ONE_TABLE = "label"  # the parameter of a view that happens at one table
OPEN_BEFORE_THE_FIRST_VISIT = frozenset({"welcome", "first_visit", "healthz"})


class Role(StrEnum):
    """What a visitor is in the salon."""

    OWNER = "owner"
    AUDITOR = "auditor"  # reads all, changes nothing
    SCORER = "scorer"  # by the link of one table, without an account
    PLAYER = "player"  # by the link of one seat at one game
    ANYONE = "anyone"


class Act(StrEnum):
    """What can be done in a salon."""

    SEE_SALON = "see the salon"
    READ_HISTORY = "read the history"
    READ_LEDGER = "read the ledger"
    START_GAME = "start a game"
    RECORD = "record at a table"
    END_GAME = "end a game before its time"
    CONFIRM = "confirm or dispute a hand"
    RULE = "give a ruling"
    CORRECT = "correct what was recorded"
    MANAGE_TABLES = "manage the tables"
    DIRECT = "direct an event"
    AUDIT = "audit the salon"
    SIGN = "sign for the salon"
    KEEP_HOUSE = "lay down what holds in the house"


GRANTS: Mapping[Act, frozenset[Role]] = {
    Act.SEE_SALON: frozenset(Role),
    Act.READ_HISTORY: frozenset({Role.OWNER, Role.AUDITOR, Role.SCORER}),
    Act.READ_LEDGER: frozenset({Role.OWNER, Role.AUDITOR}),
    Act.START_GAME: frozenset({Role.OWNER, Role.SCORER}),
    Act.RECORD: frozenset({Role.OWNER, Role.SCORER}),
    Act.END_GAME: frozenset({Role.OWNER}),
    Act.CONFIRM: frozenset({Role.OWNER, Role.SCORER, Role.PLAYER}),
    Act.RULE: frozenset({Role.OWNER}),
    Act.CORRECT: frozenset({Role.OWNER}),
    Act.MANAGE_TABLES: frozenset({Role.OWNER}),
    Act.DIRECT: frozenset({Role.OWNER}),
    Act.AUDIT: frozenset({Role.OWNER, Role.AUDITOR}),
    Act.SIGN: frozenset({Role.OWNER}),
    Act.KEEP_HOUSE: frozenset({Role.OWNER}),
}
BOUND_TO_A_TABLE = frozenset({Act.START_GAME, Act.RECORD})


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who asks. `actor` is what events carry: "user:<id>", "table:<opaque>", or "" for one who may record nothing.

    `table` is the label of the one table a scorer acts at, else "". `game` and `seat` are those that a player confirms for,
    at a table's phone those for whom it records.
    """

    salon: Salon
    role: Role
    actor: str = ""
    table: str = ""
    game: str = ""
    seat: str = ""

    def may(self, act: Act, *, table: str | None = None) -> bool:
        """Whether this visitor may do `act`, at the table with this label where it happens at one."""
        if self.role not in GRANTS[act]:
            return False
        elsewhere = table is not None and table != self.table
        return not (self.role is Role.SCORER and act in BOUND_TO_A_TABLE and elsewhere)

    def seat_in(self, game: str) -> str:
        """The seat this visitor acts for in a game, "" for none."""
        return self.seat if self.game == game else ""

    def demand(self, act: Act, *, table: str | None = None) -> None:
        """Raise PermissionDenied (403) unless the visitor may: for views that know the table only after reading."""
        if not self.may(act, table=table):
            raise PermissionDenied(_refusal(self, act))


class SalonRequest(HttpRequest):
    """A request whose visitor is known: what a view behind `needs` gets."""

    visitor: Visitor


def needs[**P](
    act: Act,
) -> Callable[[Callable[Concatenate[SalonRequest, P], HttpResponseBase]], Callable[Concatenate[HttpRequest, P], HttpResponseBase]]:
    """A view only for those who may do `act`: a visitor without any key is asked to sign in, everybody else gets 403.

    A view that happens at one table has the parameter `label`, which is checked too. The view gets `request.visitor`.
    """

    def decorate(view: Callable[Concatenate[SalonRequest, P], HttpResponseBase]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            visitor = visitor_of(request)
            label = kwargs.get(AT_ONE_TABLE)
            if visitor.may(act, table=label if isinstance(label, str) else None):
                known = cast("SalonRequest", request)
                known.visitor = visitor
                return view(known, *args, **kwargs)
            if visitor.role is Role.ANYONE and request.method == "GET" and "HX-Request" not in request.headers:
                return redirect_to_login(request.get_full_path())
            raise PermissionDenied(_refusal(visitor, act))

        return guarded

    return decorate


def visitor_of(request: HttpRequest) -> Visitor:
    """Who asks: a member by account, a scorer by table link, or anyone; 404 while there is no salon."""
    membership = _membership(request)
    if membership is not None:
        return Visitor(salon=membership.salon, role=Role(membership.role), actor=f"user:{membership.user_id}")
    table = linked_table(request.session)
    seat = taken_seat(request.session)
    if table is not None:
        return _at_table(table, seat)
    if seat is not None:
        return Visitor(salon=seat.salon, role=Role.PLAYER, actor=actor_for(seat), game=seat.game, seat=seat.seat)
    return Visitor(salon=get_object_or_404(Salon.objects.order_by("pk")[:1]), role=Role.ANYONE)


def _at_table(table: Table, seat: SeatLink | None) -> Visitor:
    """Who records at a table: its phone, or a player of its game who holds it and gave the PIN of the own seat."""
    if seat is not None and Game.objects.filter(pk=seat.game, salon=table.salon, table=table.label).exists():
        return Visitor(salon=table.salon, role=Role.SCORER, actor=actor_for(seat), table=table.label, game=seat.game, seat=seat.seat)
    return Visitor(salon=table.salon, role=Role.SCORER, actor=actor_at(table), table=table.label)


def table_or_404(visitor: Visitor, label: str) -> Table:
    """The table with this label in the visitor's salon; 404 when there is none."""
    return get_object_or_404(Table, salon=visitor.salon, label=label)


def game_or_404(visitor: Visitor, game: str) -> Game:
    """The game with this id in the visitor's salon; 404 when there is none."""
    return get_object_or_404(Game, salon=visitor.salon, pk=game)


def opened_first(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: while nobody owns a salon, every page leads to the one that says how to open it."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if _page(request) in OPEN_BEFORE_THE_FIRST_VISIT or has_owner():
            return get_response(request)
        return redirect("welcome")

    return answer


def has_owner() -> bool:
    """Whether somebody owns a salon here."""
    return Membership.objects.filter(role=Membership.Role.OWNER).exists()


def in_templates(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `visitor` and `salon` wherever a view has asked who is there."""
    visitor = getattr(request, "visitor", None)
    return {} if visitor is None else {"visitor": visitor, "salon": visitor.salon}


def _page(request: HttpRequest) -> str | None:
    try:
        return resolve(request.path_info).url_name
    except Resolver404:
        return None


def _membership(request: HttpRequest) -> Membership | None:
    if not request.user.is_authenticated:
        return None
    return Membership.objects.select_related("salon").filter(user=request.user).order_by("pk").first()


def _refusal(visitor: Visitor, act: Act) -> str:
    if visitor.role is Role.SCORER and act in BOUND_TO_A_TABLE:
        return _("This browser records at table %(table)s only.") % {"table": visitor.table}
    return _("Only the owner of the salon can do that.")
