"""The links of the seats at a table: shown by the scorer or a director, opened by each player on
the own phone.

A director sees and prints them. Whoever else records at the table sees one when it is made, this
once; who wants to see it again makes another, and the player's phone that used the old one stops
confirming. So nobody at the table's phone speaks for a player who doesn't notice.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires, table_or_404, visitor_of
from tournament.accounts.permissions import Permission
from tournament.accounts.seat_links import links_of, take_seat
from tournament.models import Game, SeatLink
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.form_values import NOT_RECORDED, read_game_id, status_of, why_not
from tournament.pages.common.pin import PinForm, link_or_404, opens
from tournament.pages.common.qr import PhoneLink, link_to
from tournament.queries.accounts import seats_of
from tournament.queries.table import game_at
from tournament.recording.seat_links import make_seat_link
from tournament.salons.prefix import address_in
from tournament.salons.public_names import Audience, find_shown_names


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSlip:
    """The slip of a player at a seat: the address as text and as a picture, and the PIN."""

    seat: str
    player: str
    link: PhoneLink
    pin: str


class SeatPinForm(PinForm):
    """The PIN of a seat."""

    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data)
        self.fields["pin"].help_text = _("Four digits. The scorer or a director shows them to you.")


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.RECORD)
def seats(request: SalonRequest, label: str) -> HttpResponse:
    """The links and PINs of the seats of a table's game, to a director; POST makes a new one, which
    ends every use of the old one.
    """
    at = game_at(request.visitor, label, game=read_game_id(request))
    if at is None:
        table_or_404(request.visitor, label)
        return redirect("pad", label=label)
    links = links_of(at.row, GAMES[at.row.kind].seat_names.keys() & at.players.keys())
    sees_all = request.visitor.may(Permission.MANAGE_TABLES)
    seat = request.POST.get("seat", "") if request.method == "POST" else ""
    problem = None
    if seat in links:
        try:
            make_seat_link(request.visitor, at.row, links[seat])
        except NOT_RECORDED as failure:
            words = _("Somebody recorded meanwhile. Make the link again.")
            problem, seat = why_not(failure, words), ""
    if request.method == "POST" and sees_all and problem is None:
        return redirect(request.get_full_path())
    shown = at.players if sees_all else {seat: at.players[seat]} if seat in links else {}
    slips = [_slip(request, links[each], player) for each, player in shown.items()]
    others = [
        (each, player) for each, player in at.players.items() if each in links and each not in shown
    ]
    context = {"label": label, "row": at.row, "slips": slips, "others": others}
    return render(
        request,
        "confirming/seats.html",
        context | {"sees_all": sees_all, "problem": problem},
        status=status_of(problem),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_join(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the PIN, then let this browser confirm for the seat."""
    link = link_or_404(request, SeatLink.objects.all(), token)
    row = get_object_or_404(Game.objects.select_related("salon"), pk=link.game)
    # Before the PIN the public, unless another key says more.
    audience = visitor_of(request).audience
    form = SeatPinForm(request.POST or None)
    if opens(request, form, link, of="seat", wrong=_("This is not the PIN of that seat.")):
        take_seat(request.session, link)
        return redirect(address_in(link.salon, "confirmation", row.pk))
    player, salon = _player(row, link.seat, audience), link.salon.name
    shown = {"row": row, "seat": link.seat, "salon_name": salon, "player": player}
    return form_page(request, "confirming/join.html", form, **shown)


def _player(row: Game, seat: str, audience: Audience) -> str:
    player = seats_of(row)[seat]
    return find_shown_names(row.salon, [player], audience).get(player, seat)


def _slip(request: HttpRequest, link: SeatLink, player: str) -> SeatSlip:
    phones = link_to(request, link.salon, "seat_join", link.token)
    return SeatSlip(seat=link.seat, player=player, link=phones, pin=link.pin)
