"""The link of an invitation: whoever follows it makes an account, or brings one along, and is in
the salon.
"""

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournament.accounts.invitations import AlreadyThere, NotValid, accept, invitation_by, join
from tournament.models import Invitation
from tournament.pages.accounts.account_fields import (
    check_password,
    email_field,
    name_field,
    password_field,
)
from tournament.pages.accounts.own_address import send_own_link
from tournament.pages.accounts.sign_in import second_step_first, signed_in
from tournament.pages.common.form_fields import shown
from tournament.salons.prefix import address_in, salon_of_prefix


class JoinForm(forms.Form):
    """Name, address and password of a new account; an invitation that names an address is for that
    one.
    """

    name = name_field(gettext_lazy("Every step you record carries it."))
    email = email_field(gettext_lazy("To sign in. It is shown to the owner and the directors."))
    password = password_field()

    def clean_email(self) -> str:
        """The address in small letters."""
        return str(self.cleaned_data["email"]).lower()

    def clean(self) -> None:
        """The password is not too short, too common or too much like the name."""
        check_password(self, "name")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whoever is signed in whether to join, everybody else for a new account; then lead into
    the salon.
    """
    found = invitation_by(token, salon_of_prefix(request))
    if found is None:
        return _not_valid(request)
    if request.user.is_authenticated:
        return _joined(request, found) if request.method == "POST" else _asked(request, found)
    form = JoinForm(request.POST or None, initial={"email": found.email})
    if not form.is_valid():
        return _asked(request, found, form, status=422 if form.is_bound else 200)
    if found.email and form.cleaned_data["email"] != found.email:
        form.add_error("email", _("This invitation is for another address."))
        return _asked(request, found, form, status=422)
    try:
        user = join(found, **form.cleaned_data)
    except NotValid:
        return _not_valid(request)
    except AlreadyThere:
        form.add_error(
            "email",
            _("There is an account with this address. Sign in with it, then open this link again."),
        )
        return _asked(request, found, form, status=422)
    send_own_link(request, user)
    onward = second_step_first(user, address_in(found.salon, "home"))
    return signed_in(request, user, onward)


def _joined(request: HttpRequest, found: Invitation) -> HttpResponse:
    try:
        accept(found, cast("User", request.user))
    except NotValid:
        return _not_valid(request)
    except AlreadyThere:
        messages.error(
            request, _("This account is in %(salon)s already.") % {"salon": found.salon.name}
        )
        return _asked(request, found, status=422)
    messages.success(request, _("You are in %(salon)s now.") % {"salon": found.salon.name})
    return redirect(address_in(found.salon, "home"))


def _asked(
    request: HttpRequest, found: Invitation, form: JoinForm | None = None, *, status: int = 200
) -> HttpResponse:
    context = {
        "invitation": found,
        "fields": shown(form) if form is not None else (),
        "here": request.get_full_path(),
    }
    return render(request, "people/invitation.html", context, status=status)


def _not_valid(request: HttpRequest) -> HttpResponse:
    return render(request, "people/invitation.html", {"invitation": None}, status=404)
