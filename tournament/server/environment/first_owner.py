"""Opening a salon: the key that the server prints at its first start, and what its owner gets for
it.
"""

import hashlib
import itertools
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.text import slugify

from ledger.store import open_log
from tournament.accounts.invitations import Invitee, invite
from tournament.accounts.table_links import set_up_tables
from tournament.models import Invitation, Membership, Salon
from tournament.salons.prefix import NO_SLUGS
from tournament.server.environment.secret_file import write_secret

TABLES_TO_BEGIN_WITH = 8


class KeyUsed(Exception):
    """Somebody else opened the salon with this key a moment ago."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The answers of the first visit; `email` is the owner's name for signing in."""

    owner: str
    email: str
    password: str
    salon: str


def new_key() -> str:
    """A key for the first visit. Only its digest is kept; a key made earlier no longer opens
    anything.
    """
    key = secrets.token_urlsafe(24)
    write_secret(_digest_file(), _digest(key))
    return key


def is_key(key: str) -> bool:
    """Whether this is the key for the first visit."""
    try:
        kept = _digest_file().read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return constant_time_compare(kept, _digest(key))


def open_salon(opening: Opening) -> User:
    """Make the salon with its log and eight tables, and its owner; the key is used up. Raises
    KeyUsed.
    """
    with transaction.atomic():
        owner = _owner(opening)
        slug = slugify(opening.salon)[:64] or "salon"
        salon = Salon.objects.create(name=opening.salon, slug=slug, log=open_log())
        Membership.objects.create(salon=salon, user=owner, role=Membership.Role.OWNER)
        set_up_tables(salon, [str(number + 1) for number in range(TABLES_TO_BEGIN_WITH)])
        # Last, so that of two who come at once only one gets through: a file can be removed once.
        try:
            _digest_file().unlink()
        except FileNotFoundError as used:
            raise KeyUsed from used
    return owner


def open_further_salon(
    name: str, owner_email: str, *, by: User | None
) -> tuple[Salon, Invitation | None, str]:
    """One more salon on this server, an invitation to own it and the token of its link.

    An address alone gives nothing: whoever has an account with it accepts like anyone. Only who
    opens the salon for the own account, in which they are signed in, owns it at once.
    """
    with transaction.atomic():
        salon = Salon.objects.create(name=name, slug=_free_slug(name), log=open_log())
        set_up_tables(salon, [str(number + 1) for number in range(TABLES_TO_BEGIN_WITH)])
        email = owner_email.strip().lower()
        if by is not None and by.username == email:
            Membership.objects.create(salon=salon, user=by, role=Membership.Role.OWNER)
            return salon, None, ""
        made, token = invite(salon, Invitee(role=Membership.Role.OWNER, email=email), by=by)
        return salon, made, token


def _free_slug(name: str) -> str:
    """An address made of the name that no salon has yet."""
    plain = slugify(name)[:56] or "salon"
    alike = Salon.objects.filter(slug__startswith=plain).values_list("slug", flat=True)
    taken = {*alike, *NO_SLUGS}
    numbered = (f"{plain}-{number}" for number in itertools.count(2))
    return next(slug for slug in itertools.chain([plain], numbered) if slug not in taken)


def _owner(opening: Opening) -> User:
    """The account of the owner, who also owns the server and so may look into the admin pages."""
    name, email, password = opening.owner, opening.email, opening.password
    return User.objects.create_superuser(email, email, password, first_name=name)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _digest_file() -> Path:
    return Path(settings.DATA_DIR) / "first-visit"
