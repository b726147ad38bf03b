"""Signing in and out, and one's own account: name, password, second step, the browsers in which it
is signed in, and showing that its address is one's own. Five wrong tries from an address, and the
door waits a minute for it.
"""

from typing import cast
from urllib.parse import urlencode

from allauth.account.utils import perform_login
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from tournament.accounts import access_log, login_limits
from tournament.accounts.access import memberships_of
from tournament.accounts.browser_mark import COOKIE as WHOSE
from tournament.accounts.trusted_devices import an_account, make_attempt
from tournament.accounts.two_factor import GRACE, has_second_step, put_off_until
from tournament.accounts.verified_email import account_of, is_verified, send_link, token_for, verify
from tournament.models import Membership
from tournament.pages.common.form_fields import form_page

LONGEST_NAME = 80


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """The account page: its name, its roles in each salon, how it signs in, and its
    sessions; POST renames it.
    """
    user = cast("User", request.user)
    if request.method == "POST":
        name = " ".join(request.POST.get("name", "").split())[:LONGEST_NAME]
        if name:
            User.objects.filter(pk=user.pk).update(first_name=name)
            messages.success(request, _("You are called %(name)s now.") % {"name": name})
        return redirect("account")
    context = {
        "memberships": memberships_of(request),
        "second_step": has_second_step(user),
        "verified": is_verified(user),
        "sends_mail": settings.MAIL_IS_SENT,
        "put_off_until": put_off_until(Membership.objects.filter(user=user)),
        "sessions": sorted(
            UserSession.objects.purge_and_list(user), key=lambda each: each.created_at, reverse=True
        ),
        "current": request.session.session_key,
    }
    return render(request, "account/account.html", context)


@require_POST
@login_required
def account_session(request: HttpRequest, session: int) -> HttpResponse:
    """End one session of the account; that browser has to sign in again."""
    get_object_or_404(UserSession, pk=session, user=cast("User", request.user)).end()
    messages.success(request, _("That browser is signed out."))
    return redirect("account")


@require_POST
@login_required
def account_sessions(request: HttpRequest) -> HttpResponse:
    """End every session of the account but this one."""
    others = UserSession.objects.filter(user=cast("User", request.user)).exclude(
        session_key=request.session.session_key or ""
    )
    for each in others:
        each.end()
    messages.success(request, _("Every other browser is signed out."))
    return redirect("account")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def second_step(request: HttpRequest) -> HttpResponse:
    """The page about the second step: its reason, how to set it up, and, while it can
    wait, how to do it later.
    """
    user, onward = cast("User", request.user), onward_of(request)
    if has_second_step(user):
        return redirect(onward)
    until = put_off_until(Membership.objects.filter(user=user))
    context = {
        "until": until,
        "onward": onward,
        "days": GRACE.days,
        "needed": until is not None,
        "may_wait": until is not None and timezone.now() <= until,
    }
    return render(request, "account/second_step.html", context)


@require_POST
@login_required
def address_links(request: HttpRequest) -> HttpResponse:
    """Send a link to the address of this account; so many a minute and a day as there may be wrong
    tries.
    """
    user = cast("User", request.user)
    asked = login_limits.LoginAttempt(
        target=f"address-link:{user.pk}", address=str(user.pk), device=str(user.pk)
    )
    seconds = login_limits.seconds_to_wait(asked)
    if seconds:
        messages.error(request, login_limits.too_many_tries(seconds))
    elif send_own_link(request, user):
        login_limits.note_wrong_try(asked)
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
    user = _authenticate_user(request, form) if form.is_valid() else None
    if user is not None:
        return complete_sign_in(request, user, second_step_first(user, onward))
    return form_page(request, "sign_in.html", form, next=onward)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Forget the account and the table of this browser, and the pages it keeps: over HTTPS by the
    browser itself. Over plain HTTP it does not listen to that: a kept page shows itself only to
    whom it was kept for (theme.js).
    """
    logout(request)
    answer = redirect("home")
    answer.delete_cookie(WHOSE)
    answer["Clear-Site-Data"] = '"cache"'
    return answer


def complete_sign_in(request: HttpRequest, user: User, onward: str) -> HttpResponse:
    """Sign this account in, by its second step where it has one, and lead onward."""
    return cast(
        "HttpResponse", perform_login(request, user, email_verification="none", redirect_url=onward)
    )


def second_step_first(user: User, onward: str) -> str:
    """Return the address to open after signing in: setting up the second step for an
    account that needs it and lacks it, else `onward`.
    """
    if has_second_step(user) or put_off_until(Membership.objects.filter(user=user)) is None:
        return onward
    return f"{reverse('second_step')}?{urlencode({'next': onward})}"


def _authenticate_user(request: HttpRequest, form: SignInForm) -> User | None:
    """Check the address and password of a sign-in form. Return None if they are wrong or
    there were too many attempts; the form then has the error.
    """
    email = form.cleaned_data["email"].strip().lower()
    tried = make_attempt(request, an_account(email), opened=an_account(email))
    seconds = login_limits.seconds_to_wait(tried)
    if seconds:
        form.add_error("password", login_limits.too_many_tries(seconds))
        return None
    user = authenticate(request, username=email, password=form.cleaned_data["password"])
    if user is None:
        login_limits.note_wrong_try(tried)
        account = User.objects.filter(username=email).values_list("pk", flat=True).first()
        access_log.note("sign_in_refused", account=account or "none", address=tried.address)
        form.add_error("password", _("This address and this password don't go together."))
        return None
    login_limits.forget(tried)
    return user


def onward_of(request: HttpRequest) -> str:
    """Return the address to go to afterwards: always a page of this server."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    here = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if here else resolve_url(settings.LOGIN_REDIRECT_URL)
