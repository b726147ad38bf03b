"""Links that an owner hands to a member who can't sign in: to a new password, or past a second step
that is lost.

One works for an hour, once, and only while the owner who made it is one and the account is in that
salon alone: who has come into another salon meanwhile is nobody's to open from here. All of that is
asked when the link is used. The person is told by mail when one is made and when it is used.
"""

import json
from dataclasses import dataclass
from enum import StrEnum

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from tournament.accounts import access_log
from tournament.accounts.mail import send_template_mail
from tournament.accounts.members import OfOtherSalons, drop_second_step_of, of_this_salon_alone
from tournament.models import Membership

SECONDS_VALID = 60 * 60


class Purpose(StrEnum):
    """The purposes of a link."""

    PASSWORD = "password"  # noqa: S105 - a word
    SECOND_STEP = "second-step"


class NotValid(Exception):
    """The link was used or is too old, or the account is no longer in that salon alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryLink:
    """A link that holds: whose membership it is for, and what the owner is called who made it."""

    membership: Membership
    by: str

    @property
    def user(self) -> User:
        """The account that it opens."""
        return self.membership.user


def hand_out(membership: Membership, purpose: Purpose, *, by: User) -> str:
    """The token of a new link for a member of the salon; they are told. Raises OfOtherSalons."""
    user = of_this_salon_alone(membership)
    token = signing.dumps([membership.pk, by.pk, _state(user, purpose)], salt=_salt(purpose))
    access_log.note("link_made", purpose=purpose, account=user.pk, by=by.pk)
    _mail_member(
        user, "people/link_made.txt", by=name_account(by), membership=membership, purpose=purpose
    )
    return token


def read_link(token: str, purpose: Purpose) -> RecoveryLink:
    """Return the account that a link recovers now. Raises NotValid."""
    try:
        pk, by, state = signing.loads(token, salt=_salt(purpose), max_age=SECONDS_VALID)
        membership = Membership.objects.select_related("user", "salon").get(pk=pk)
        owner = Membership.objects.select_related("user").get(
            salon=membership.salon_id, user=by, role=Membership.Role.OWNER
        )
        user = of_this_salon_alone(membership)
    except (signing.BadSignature, Membership.DoesNotExist, OfOtherSalons) as refused:
        raise NotValid from refused
    if not constant_time_compare(state, _state(user, purpose)):
        raise NotValid
    return RecoveryLink(membership=membership, by=name_account(owner.user))


def set_password(token: str, password: str) -> User:
    """Use a link to a new password: every session and token of the account ends. Raises
    NotValid.
    """
    with transaction.atomic():
        user = _lock_link(token, Purpose.PASSWORD).user
        user.set_password(password)
        user.save(update_fields=["password"])
    access_log.note("link_used", purpose=Purpose.PASSWORD, account=user.pk)
    _mail_member(user, "people/password_set.txt")
    return user


def pass_second_step(token: str) -> User:
    """Use a link past the second step: it is gone, and so are the sessions and tokens of the
    account. Raises NotValid.
    """
    with transaction.atomic():
        found = _lock_link(token, Purpose.SECOND_STEP)
        drop_second_step_of(found.user, by=found.by)
    access_log.note("link_used", purpose=Purpose.SECOND_STEP, account=found.user.pk)
    return found.user


def name_account(user: User) -> str:
    """Return the name of an account in words."""
    return user.first_name or user.username


def _lock_link(token: str, purpose: Purpose) -> RecoveryLink:
    """Read the link with the account's row locked, so that it can't join another salon at
    the same time (invitations.accept).
    """
    User.objects.select_for_update().get(pk=read_link(token, purpose).user.pk)
    return read_link(token, purpose)


def _state(user: User, purpose: Purpose) -> str:
    """Return a digest of the state that the link changes, so that it works once."""
    steps = sorted(Authenticator.objects.filter(user=user).values_list("pk", flat=True))
    kept = user.password if purpose is Purpose.PASSWORD else json.dumps(steps)
    return salted_hmac(
        "tournament.handed_links", f"{user.pk} {kept}", algorithm="sha256"
    ).hexdigest()[:32]


def _salt(purpose: Purpose) -> str:
    return f"tournament.handed_links.{purpose}"


def _mail_member(user: User, template: str, **words: object) -> None:
    subject, to = _("About signing in with your account"), user.email or user.username
    send_template_mail(subject, template, to, account=user.username, **words)
