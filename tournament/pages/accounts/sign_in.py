"""Signing in and out. Five wrong tries from an address, and the door waits a minute for it
(tournament/accounts/login_limits.py).
"""

from typing import cast
from urllib.parse import urlencode

from allauth.account.utils import perform_login
from django import forms
from django.conf import settings
from django.contrib.auth import authenticate, logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from tournament.accounts import access_log
from tournament.accounts.known_devices import an_account, trying
from tournament.accounts.login_limits import forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.two_factor import has_second_step, put_off_until
from tournament.models import Membership
from tournament.pages.common.form_fields import form_page


class SignInForm(forms.Form):
    """An e-mail address and a password."""

    email = forms.CharField(
        label=gettext_lazy("E-mail"),
        max_length=150,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "inputmode": "email"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        max_length=1024,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for address and password, then go on to where the visitor wanted to be."""
    form = SignInForm(request.POST or None)
    onward = onward_of(request)
    user = _known(request, form) if form.is_valid() else None
    if user is not None:
        return signed_in(request, user, second_step_first(user, onward))
    return form_page(request, "sign_in.html", form, next=onward)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Forget the account and the table of this browser."""
    logout(request)
    return redirect("home")


def signed_in(request: HttpRequest, user: User, onward: str) -> HttpResponse:
    """Sign this account in, by its second step where it has one, and lead onward."""
    return cast(
        "HttpResponse", perform_login(request, user, email_verification="none", redirect_url=onward)
    )


def second_step_first(user: User, onward: str) -> str:
    """Where to go after signing in: to setting up the second step for one who needs it and lacks
    it, else onward.
    """
    if has_second_step(user) or put_off_until(Membership.objects.filter(user=user)) is None:
        return onward
    return f"{reverse('second_step')}?{urlencode({'next': onward})}"


def _known(request: HttpRequest, form: SignInForm) -> User | None:
    """Whose address and password these are; None where the form says why nobody's."""
    email = form.cleaned_data["email"].strip().lower()
    tried = trying(request, an_account(email), opened=an_account(email))
    seconds = seconds_to_wait(tried)
    if seconds:
        form.add_error("password", too_many_tries(seconds))
        return None
    user = authenticate(request, username=email, password=form.cleaned_data["password"])
    if user is None:
        note_wrong_try(tried)
        account = User.objects.filter(username=email).values_list("pk", flat=True).first()
        access_log.note("sign_in_refused", account=account or "none", address=tried.address)
        form.add_error("password", _("This address and this password don't go together."))
        return None
    forget(tried)
    return user


def onward_of(request: HttpRequest) -> str:
    """Where to go afterwards: a page of this server, never another one."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    here = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if here else resolve_url(settings.LOGIN_REDIRECT_URL)
