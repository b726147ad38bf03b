"""The links of the seats at a table: shown by the scorer or the owner, opened by each player on the own phone."""

from dataclasses import dataclass

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.games import GAMES
from tournament.access import Act, SalonRequest, needs, table_or_404, visitor_of
from tournament.limits import address_of, forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.models import Game, SeatLink
from tournament.pages.codes import PhoneLink, phone_link
from tournament.pages.fields import shown as shown_fields
from tournament.public_names import shown_names
from tournament.queries.accounts import seats_of
from tournament.queries.table_game import game_at
from tournament.salon_prefix import address_in, salon_of_prefix
from tournament.seat_links import links_of, renew_seat, take_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSlip:
    """What a player at a seat gets: the address as text and as a picture, and the PIN."""

    seat: str
    player: str
    link: PhoneLink
    pin: str


class SeatPinForm(forms.Form):
    """The PIN of a seat."""

    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        max_length=12,
        help_text=gettext_lazy("Four digits. The scorer or the owner shows them to you."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )


@never_cache
@require_http_methods(["GET", "POST"])
@needs(Act.RECORD)
def seats(request: SalonRequest, label: str) -> HttpResponse:
    """The links and PINs of the seats of a table's game; POST renews one, which ends every use of the old one."""
    at = game_at(request.visitor, label)
    if at is None:
        table_or_404(request.visitor, label)
        return redirect("pad", label=label)
    links = links_of(at.row, GAMES[at.row.kind].seat_names.keys() & at.players.keys())
    if request.method == "POST":
        link = links.get(request.POST.get("seat", ""))
        if link is not None:
            renew_seat(link)
        return redirect("seats", label=label)
    slips = [_slip(request, links[seat], player) for seat, player in at.players.items()]
    return render(request, "confirming/seats.html", {"label": label, "row": at.row, "slips": slips})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_join(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the PIN, then let this browser confirm for the seat."""
    links = SeatLink.objects.select_related("salon")
    here = salon_of_prefix(request)
    link = get_object_or_404(links if here is None else links.filter(salon=here), token=token)
    row = get_object_or_404(Game.objects.select_related("salon"), pk=link.game)
    visitor_of(request)  # decides whose names are said: before the PIN the public ones
    form = SeatPinForm(request.POST or None)
    if form.is_valid() and _opens(request, form, link):
        take_seat(request.session, link)
        return redirect(address_in(link.salon, "confirmation", row.pk))
    context = {
        "fields": shown_fields(form),
        "row": row,
        "seat": link.seat,
        "salon_name": link.salon.name,
        "player": _player(row, link.seat),
    }
    return render(request, "confirming/join.html", context, status=422 if form.is_bound and not form.is_valid() else 200)


def _player(row: Game, seat: str) -> str:
    player = seats_of(row)[seat]
    return shown_names(row.salon, [player]).get(player, seat)


def _opens(request: HttpRequest, form: SeatPinForm, link: SeatLink) -> bool:
    """Whether the PIN is right; else the form says why not."""
    tried, address = f"seat:{link.pk}", f"address:{address_of(request)}"
    seconds = seconds_to_wait(tried, address)
    if seconds:
        form.add_error("pin", too_many_tries(seconds))
        return False
    if not constant_time_compare(form.cleaned_data["pin"].strip(), link.pin):
        note_wrong_try(tried, address)
        form.add_error("pin", _("This is not the PIN of that seat."))
        return False
    forget(tried)
    return True


def _slip(request: HttpRequest, link: SeatLink, player: str) -> SeatSlip:
    phones = phone_link(request, address_in(link.salon, "seat_join", link.token))
    return SeatSlip(seat=link.seat, player=player, link=phones, pin=link.pin)
