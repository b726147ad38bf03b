"""The PIN of a link: asked for once, then the browser is let in."""

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy

from tournament.accounts.login_limits import forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.trusted_devices import a_link, make_attempt, remember
from tournament.models import CaptainLink, EventLink, SeatLink, Table
from tournament.salons.prefix import salon_of_prefix


class PinForm(forms.Form):
    """The PIN that stands on the slip of a table or an event."""

    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        max_length=12,
        help_text=gettext_lazy("Four digits. They stand on the slip, or the owner tells you."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )


def link_or_404[Link: (Table, SeatLink, EventLink, CaptainLink)](
    request: HttpRequest, links: QuerySet[Link], token: str
) -> Link:
    """The one of these links with this token, in the salon that the address names."""
    here = salon_of_prefix(request)
    links = links.select_related("salon")
    return get_object_or_404(links if here is None else links.filter(salon=here), token=token)


def opens(
    request: HttpRequest,
    form: forms.Form,
    link: Table | SeatLink | EventLink | CaptainLink,
    *,
    of: str,
    wrong: str,
) -> bool:
    """Whether the PIN in a form is the one of this link, `of` a table, seat, event or captain; else
    the form says why not, `wrong` where it is another one.
    """
    if not form.is_valid():
        return False
    tried = make_attempt(request, f"{of}:{link.pk}", opened=a_link(link))
    seconds = seconds_to_wait(tried)
    if seconds:
        form.add_error("pin", too_many_tries(seconds))
        return False
    if not constant_time_compare(form.cleaned_data["pin"].strip(), link.pin):
        note_wrong_try(tried)
        form.add_error("pin", wrong)
        return False
    forget(tried)
    remember(request, a_link(link))
    return True
