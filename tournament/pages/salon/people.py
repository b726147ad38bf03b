"""The people of the salon with accounts: who is what, inviting others, and for the owner changing
or ending what somebody is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.invitations import (
    DAYS_VALID,
    INVITES,
    Invitee,
    invite,
    mail_invitation,
    open_invitations,
    problems_of,
)
from tournament.accounts.members import LastOwner, OfOtherSalons, change_role, end_membership
from tournament.accounts.permissions import Permission
from tournament.accounts.recovery_links import Purpose, hand_out, name_account
from tournament.accounts.two_factor import NEED_IT, with_second_step
from tournament.accounts.verified_email import with_verified
from tournament.models import Membership, Player, Salon
from tournament.pages.common.qr import PhoneLink, link_to
from tournament.queries.players import match_name, offer_known_names
from tournament.salons.persons import persons


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link to hand over; `what` says what it does, `sent_to` to whom a mail went."""

    what: str
    phones: PhoneLink
    sent_to: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.INVITE)
def people(request: SalonRequest) -> HttpResponse:
    """Everybody with an account, the open invitations, and the form that invites; POST makes an
    invitation and shows its link.
    """
    if request.method != "POST":
        return _page(request)
    role = request.POST.get("role", "")
    if role not in INVITES[request.visitor.role]:
        raise PermissionDenied(_("Only an owner invites owners and directors."))
    invitee, problems = _invitee(request, role)
    if problems:
        return _page(request, problems=problems)
    made, token = invite(request.visitor.salon, invitee, by=cast("User", request.user))
    phones = link_to(request, made.salon, "invitation", token)
    words = _("Makes one person %(role)s of the salon.") % {"role": made.get_role_display()}
    sent_to = made.email if mail_invitation(made, phones.url or phones.here) else ""
    return _page(request, link=Link(what=words, phones=phones, sent_to=sent_to))


@require_POST
@requires(Permission.INVITE)
def invitation_end(request: SalonRequest, invitation: int) -> HttpResponse:
    """Withdraw an invitation that nobody has used."""
    open_ones = open_invitations().filter(salon=request.visitor.salon)
    found = get_object_or_404(open_ones, pk=invitation)
    if found.role not in INVITES[request.visitor.role]:
        raise PermissionDenied(_("Only an owner invites owners and directors."))
    found.delete()
    messages.success(request, _("The invitation is withdrawn; its link no longer works."))
    return redirect("people")


@never_cache
@require_POST
@requires(Permission.ADMINISTER)
def member(request: SalonRequest, member: int, what: str) -> HttpResponse:
    """Change what a member is (`role`), end it (`end`), make a `password-link`, or one past the
    second step (`second-step`).
    """
    found = get_object_or_404(
        Membership.objects.select_related("user"), salon=request.visitor.salon, pk=member
    )
    if what not in CHANGES:
        raise Http404
    try:
        return CHANGES[what](request, found)
    except (LastOwner, OfOtherSalons) as refused:
        messages.error(request, refused.message)
    return redirect("people")


def _change_role(request: SalonRequest, found: Membership) -> HttpResponse:
    role = request.POST.get("role", "")
    if role not in Membership.Role.values:
        raise Http404
    invitee, problems = _invitee(request, role)
    if problems:
        return _page(request, problems=problems)
    change_role(found, role, invitee.player)
    messages.success(request, _("%(name)s has another role now.") % {"name": found.user.first_name})
    return redirect("people")


def _end(request: SalonRequest, found: Membership) -> HttpResponse:
    end_membership(found)
    messages.success(
        request, _("%(name)s is no longer in this salon.") % {"name": found.user.first_name}
    )
    return redirect("people")


def _password_link(request: SalonRequest, found: Membership) -> HttpResponse:
    words = _("Lets %(name)s set a new password, once, within an hour.")
    return _hand_out_link(request, found, Purpose.PASSWORD, "new_password", words)


def _second_step(request: SalonRequest, found: Membership) -> HttpResponse:
    words = _(
        "Lets %(name)s sign in with the password alone and set up a new second step, "
        "once, within an hour."
    )
    return _hand_out_link(request, found, Purpose.SECOND_STEP, "past_second_step", words)


def _hand_out_link(
    request: SalonRequest, found: Membership, purpose: Purpose, page: str, words: str
) -> HttpResponse:
    """Make a link to this page for a member, who is named in the message."""
    token = hand_out(found, purpose, by=cast("User", request.user))
    phones = link_to(request, request.visitor.salon, page, token)
    return _page(request, link=Link(what=words % {"name": name_account(found.user)}, phones=phones))


CHANGES: Mapping[str, Callable[[SalonRequest, Membership], HttpResponse]] = {
    "role": _change_role,
    "end": _end,
    "password-link": _password_link,
    "second-step": _second_step,
}


def _invitee(request: SalonRequest, role: str) -> tuple[Invitee, dict[str, str]]:
    """Return the invitee in the form, and its errors by field."""
    player = _player(request.visitor.salon, request.POST.get("player", ""))
    invitee = Invitee(role=role, player=player, email=request.POST.get("email", "").strip().lower())
    problems = problems_of(invitee)
    if request.POST.get("player", "").strip() and player is None and "player" not in problems:
        problems["player"] = _("The salon has no player of this name.")
    return invitee, problems


def _player(salon: Salon, name: str) -> Player | None:
    names = list(persons(salon).values_list("name", flat=True))
    return persons(salon).filter(name=match_name(" ".join(name.split()), names)).first()


def _page(
    request: SalonRequest, *, link: Link | None = None, problems: Mapping[str, str] | None = None
) -> HttpResponse:
    salon = request.visitor.salon
    members = (
        with_verified(with_second_step(Membership.objects.filter(salon=salon)))
        .select_related("user", "player")
        .order_by("since", "pk")
    )
    may_invite = INVITES[request.visitor.role]
    context: dict[str, object] = {
        "members": members,
        "need_it": NEED_IT,
        "invitations": open_invitations()
        .filter(salon=salon)
        .select_related("player")
        .order_by("-made_at"),
        "roles": [
            (value, label) for value, label in Membership.Role.choices if value in may_invite
        ],
        "all_roles": Membership.Role.choices,
        "may_invite": may_invite,
        "may_administer": request.visitor.may(Permission.ADMINISTER),
        "listed": offer_known_names(salon),
        "link": link,
        "problems": problems or {},
        "typed": request.POST,
        "people_url": reverse("people"),
        "days": DAYS_VALID,
        "sends_mail": settings.MAIL_IS_SENT,
    }
    return render(request, "people/people.html", context, status=422 if problems else 200)
