"""Verification of e-mail addresses: an account's address is verified once a link was
used that was sent there and shown nowhere else.

Nothing is given to an account for its address alone, so one that isn't verified
opens nothing more than any name would.
"""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from tournament.accounts import access_log
from tournament.accounts.mail import send_template_mail
from tournament.models import Membership

SALT = "tournament.own_address"
SECONDS_VALID = 24 * 60 * 60


def with_verified(memberships: QuerySet[Membership]) -> QuerySet[Membership]:
    """The memberships with `has_verified`: whether the address of each account is known to be its
    person's.
    """
    proven = EmailAddress.objects.filter(
        user=OuterRef("user"), email=Lower(OuterRef("user__email")), verified=True
    )
    return memberships.annotate(has_verified=Exists(proven))


def is_verified(user: AbstractBaseUser) -> bool:
    """Whether a link that was sent to the address of this account was used."""
    address = getattr(user, "email", "").lower()
    proven = EmailAddress.objects.filter(user_id=user.pk, email=address, verified=True)
    return bool(address) and proven.exists()


def token_for(user: User) -> str:
    """Return the token in the link sent to the account's address, shown nowhere else."""
    return signing.dumps([user.pk, user.email.lower()], salt=SALT)


def send_link(user: User, url: str) -> bool:
    """Send the link to the address; whether it is on its way. Where the server sends no mail,
    nothing is done.
    """
    if not settings.MAIL_IS_SENT or not user.email:
        return False
    subject = _("Is this your address?")
    return send_template_mail(subject, "account/own_address.txt", user.email, url=url, user=user)


def account_of(token: str) -> User | None:
    """The account that a link speaks for, while it has the address that the link went to."""
    try:
        pk, address = signing.loads(token, salt=SALT, max_age=SECONDS_VALID)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=pk, email__iexact=address).first()


def verify(user: AbstractBaseUser) -> None:
    """A link that went to the address of this account was used; said twice it changes nothing."""
    address = str(getattr(user, "email", "")).lower()
    if not address:
        return
    EmailAddress.objects.update_or_create(
        user_id=user.pk, email=address, defaults={"verified": True, "primary": True}
    )
    access_log.note("address_verified", account=user.pk)
