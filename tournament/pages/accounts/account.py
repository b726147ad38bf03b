"""One's own account: name, password, second step, and the browsers in which it is signed in."""

from typing import cast

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.accounts.access import memberships_of
from tournament.accounts.own_address import is_verified
from tournament.accounts.two_factor import GRACE, has_second_step, put_off_until
from tournament.models import Membership
from tournament.pages.accounts.sign_in import onward_of

LONGEST_NAME = 80


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """What the account is called, in which salons it is what, how it signs in and where it is
    signed in; POST renames it.
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
    """Why there is a second step, the way to set it up, and, while it may wait, the way to do it
    later.
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
