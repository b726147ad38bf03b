"""The second step of signing in: a code from the phone, which owners and directors need.

They are asked for it at every sign-in until they have it. For GRACE after they first became what
they are, in whatever salon, they may say "later"; from then on their account is like anyone's to
every salon in which it needs it, until it is set up.
"""

from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone

from tournament.models import Membership

GRACE = timedelta(days=14)
NEED_IT = frozenset({Membership.Role.OWNER, Membership.Role.DIRECTOR})


def with_second_step(memberships: QuerySet[Membership]) -> QuerySet[Membership]:
    """The memberships with `has_second_step`, whether the account of each has it, and
    `needed_since`, when it first needed it.
    """
    codes = Authenticator.objects.filter(user=OuterRef("user"), type=Authenticator.Type.TOTP)
    needing = Membership.objects.filter(user=OuterRef("user"), role__in=NEED_IT).order_by("since")
    first = Subquery(needing.values("since")[:1])
    return memberships.annotate(has_second_step=Exists(codes), needed_since=first)


def has_second_step(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether signing in with this account takes a code."""
    codes = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP)
    return user.is_authenticated and codes.exists()


def put_off_until(memberships: QuerySet[Membership]) -> datetime | None:
    """Return the moment until which an account with these roles can put off its second
    step; None if none of them needs it.
    """
    needing = memberships.filter(role__in=NEED_IT).order_by("since")
    first = needing.values_list("since", flat=True).first()
    return None if first is None else first + GRACE


def may_put_off_until(membership: Membership) -> datetime | None:
    """The same for the account of a membership read by `with_second_step`, None also where it has
    the second step.
    """
    since = getattr(membership, "needed_since", None)
    has_it = getattr(membership, "has_second_step", False)
    return None if since is None or has_it else since + GRACE


def is_due(membership: Membership) -> bool:
    """Whether this membership, read by `with_second_step`, lacks what it needs and can't put it off
    any more.
    """
    needs = membership.role in NEED_IT and not getattr(membership, "has_second_step", False)
    return needs and timezone.now() > getattr(membership, "needed_since", membership.since) + GRACE


def is_due_of_server(user: User) -> bool:
    """Whether the account of the server's owner lacks it too long, whatever it is in salons."""
    return not has_second_step(user) and timezone.now() > user.date_joined + GRACE
