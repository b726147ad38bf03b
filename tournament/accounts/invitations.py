"""Invitations: a link, sent by mail or printed, by which one person joins a salon in one role,
once, within a week.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.accounts import mail
from tournament.models import Invitation, Membership, Player, Salon

DAYS_VALID = 7
INVITES: Mapping[str, frozenset[str]] = {
    Membership.Role.OWNER: frozenset(Membership.Role.values),
    Membership.Role.DIRECTOR: frozenset(
        {Membership.Role.SCORER, Membership.Role.AUDITOR, Membership.Role.PLAYER}
    ),
}


class NotValid(Exception):
    """The invitation was used, withdrawn or is too old."""


class AlreadyThere(Exception):
    """The account is in the salon already, in whatever role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitee:
    """The person to invite: the role, the player (needed for that role), and the address
    of the invitation, "" for anyone with the link.
    """

    role: str
    player: Player | None = None
    email: str = ""


def problems_of(wanted: Invitee) -> dict[str, str]:
    """Return the reasons against this invitation or this role, by `email` and `player`;
    empty if there are none.
    """
    problems: dict[str, str] = {}
    if wanted.email:
        try:
            validate_email(wanted.email)
        except ValidationError:
            problems["email"] = _(
                "This is no e-mail address. Leave it empty to hand the link over yourself."
            )
    if wanted.role == Membership.Role.PLAYER and wanted.player is None:
        problems["player"] = _("Say which of the salon's players this is.")
    return problems


def invite(salon: Salon, wanted: Invitee, *, by: User | None) -> tuple[Invitation, str]:
    """A new invitation, and the token of its link, which can't be read again."""
    token = secrets.token_urlsafe(24)
    made = Invitation.objects.create(
        salon=salon,
        role=wanted.role,
        player=wanted.player,
        email=wanted.email.strip().lower(),
        digest=_digest(token),
        made_by=by,
        expires_at=timezone.now() + timedelta(days=DAYS_VALID),
    )
    return made, token


def mail_invitation(made: Invitation, url: str) -> bool:
    """Mail the link of an invitation to its address. Return whether it was sent: a server
    that takes no mail raises no error.
    """
    if not made.email:
        return False
    subject = _("Invitation to %(salon)s") % {"salon": made.salon.name}
    words = {"invitation": made, "url": url, "days": DAYS_VALID}
    return mail.send_template_mail(subject, "people/invitation.txt", made.email, **words) and (
        settings.MAIL_IS_SENT
    )


def invitation_by(token: str, salon: Salon | None) -> Invitation | None:
    """The invitation whose link has this token, while it holds; with a salon only one of that
    salon.
    """
    found = (
        open_invitations().select_related("salon", "player").filter(digest=_digest(token)).first()
    )
    return None if found is None or (salon is not None and found.salon_id != salon.pk) else found


def open_invitations() -> QuerySet[Invitation]:
    """Those that somebody can still use."""
    return Invitation.objects.filter(used_at=None, expires_at__gt=timezone.now())


def accept(invitation: Invitation, user: User) -> Membership:
    """Make the account what the invitation says; of many who try at once one gets in. Raises
    NotValid, AlreadyThere.
    """
    try:
        with transaction.atomic():
            # Nobody opens the account from its other salon meanwhile.
            User.objects.select_for_update().get(pk=user.pk)
            if not open_invitations().filter(pk=invitation.pk).update(used_at=timezone.now()):
                raise NotValid
            return Membership.objects.create(
                salon=invitation.salon, user=user, role=invitation.role, player=invitation.player
            )
    except IntegrityError as error:
        raise AlreadyThere from error


def join(invitation: Invitation, *, name: str, email: str, password: str) -> User:
    """A new account in the salon. Raises NotValid, AlreadyThere when the address has an account;
    then nothing is made.
    """
    with transaction.atomic():
        try:
            with transaction.atomic():
                user = User.objects.create_user(
                    username=email, email=email, password=password, first_name=name
                )
        except IntegrityError as error:
            raise AlreadyThere from error
        accept(invitation, user)
        return user


def _digest(token: str) -> str:
    return hashlib.sha256(f"accord invitation {token}".encode()).hexdigest()
