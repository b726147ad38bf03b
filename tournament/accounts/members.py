"""The people of a salon who have accounts: what they are, the end of it, and the way back for one
who can't sign in.
"""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.accounts import access_log
from tournament.accounts.api_tokens import end_tokens_of
from tournament.accounts.mail import send_template_mail
from tournament.models import Membership, Player


class LastOwner(RuleViolation):
    """A salon keeps one owner at least."""

    def __init__(self) -> None:
        super().__init__(
            "last_owner", _("A salon keeps one owner at least. Make somebody else an owner first.")
        )


class OfOtherSalons(RuleViolation):
    """The account is in another salon too, or is the server's own: no owner of this one alone opens
    it.
    """

    def __init__(self) -> None:
        words = _(
            "This account is in other salons too, or is the server's own. You can't "
            "change how it signs in."
        )
        super().__init__("of_other_salons", words)


def change_role(membership: Membership, role: str, player: Player | None) -> None:
    """Make a member something else from now on. Raises LastOwner."""
    with transaction.atomic():
        if role != Membership.Role.OWNER:
            _keep_an_owner(membership)
        Membership.objects.filter(pk=membership.pk).update(role=role, player=player)


def end_membership(membership: Membership) -> None:
    """The account is nothing in this salon any more; what it recorded stays. Raises LastOwner."""
    with transaction.atomic():
        _keep_an_owner(membership)
        membership.delete()


def of_this_salon_alone(membership: Membership) -> User:
    """The account of a member who is in this salon and no other, and isn't the server's own. Raises
    OfOtherSalons.
    """
    user = membership.user
    if user.is_superuser or Membership.objects.filter(user=user).exclude(pk=membership.pk).exists():
        raise OfOtherSalons
    return user


def drop_second_step_of(user: User, *, by: str) -> None:
    """Take away the codes of an account and end its sessions and tokens; `by` says who did it, in
    the log and in a mail to the person.
    """
    Authenticator.objects.filter(user=user).delete()
    for session in UserSession.objects.filter(user=user):
        session.end()
    end_tokens_of(user)
    access_log.note("second_step_dropped", account=user.pk, by=by)
    subject, to = _("Your second step of signing in is gone"), user.email or user.username
    send_template_mail(subject, "people/second_step_gone.txt", to, account=user.username, by=by)


def _keep_an_owner(membership: Membership) -> None:
    """Raises LastOwner when no other owner would be left; two who end each other wait for one
    another.
    """
    owners = Membership.objects.select_for_update().filter(
        salon=membership.salon_id, role=Membership.Role.OWNER
    )
    if membership.role == Membership.Role.OWNER and [each.pk for each in owners] == [membership.pk]:
        raise LastOwner
