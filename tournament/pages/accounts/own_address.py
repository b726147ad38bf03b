"""Showing that the address of an account is one's own: a link goes there, and whoever opens it says
yes.
"""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.accounts.login_limits import Try, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.own_address import account_of, send_link, token_for, verify


@require_POST
@login_required
def address_links(request: HttpRequest) -> HttpResponse:
    """Send a link to the address of this account; so many a minute and a day as there may be wrong
    tries.
    """
    user = cast("User", request.user)
    asked = Try(target=f"address-link:{user.pk}", address=str(user.pk), device=str(user.pk))
    seconds = seconds_to_wait(asked)
    if seconds:
        messages.error(request, too_many_tries(seconds))
    elif send_own_link(request, user):
        note_wrong_try(asked)
        messages.success(
            request, _("A link is on its way to %(address)s.") % {"address": user.email}
        )
    else:
        messages.error(request, _("This server sends no mail, or it did not go out."))
    return redirect("account")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def address_link(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether it is one's own; POST says yes."""
    user = account_of(token)
    if user is None:
        return render(request, "account/own_address.html", {"account": None}, status=404)
    if request.method == "POST":
        verify(user)
        return render(request, "account/own_address.html", {"account": user, "verified": True})
    return render(request, "account/own_address.html", {"account": user})


def send_own_link(request: HttpRequest, user: User) -> bool:
    """Send the link to the address of an account; whether it is on its way."""
    return send_link(
        user, request.build_absolute_uri(reverse("address_link", args=[token_for(user)]))
    )
