"""Tokens: keys to the API for programs, each for some acts and for some days, given by the owner or
to a table's phone.
"""

import re
from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.crypto import hash_token
from knox.settings import CONSTANTS

from scoring.errors import NotationError, RuleViolation
from scoring.shape import a_number, a_text, one_of
from tournament.accounts import access_log
from tournament.accounts.actors import account_behind
from tournament.accounts.permissions import Permission, Visitor
from tournament.accounts.table_links import actor_at
from tournament.models import ApiToken, Table

LONGEST_NAME = 80
HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2}){8,64}")
MOST_DAYS = 366
AT_A_TABLE = timedelta(hours=16)
ACTS_AT_A_TABLE = (
    Permission.SEE_SALON,
    Permission.READ_HISTORY,
    Permission.START_GAME,
    Permission.RECORD,
    Permission.CONFIRM,
    Permission.CALL,
)


def is_token_known(header: str) -> bool:
    """Whether an `Authorization` header has a token that was given and has not run out. The API
    itself finds out whether it holds.
    """
    scheme, _space, token = header.strip().partition(" ")
    if scheme.lower() != "bearer" or not HEXADECIMAL.fullmatch(token):
        return False
    found = ApiToken.objects.filter(token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH])
    return any(
        row.digest == hash_token(token) and (row.expiry is None or row.expiry > timezone.now())
        for row in found
    )


def give_token(
    visitor: Visitor,
    *,
    name: str,
    scopes: Collection[str],
    days: int,
    parent: ApiToken | None = None,
) -> tuple[ApiToken, str]:
    """A token that acts as this visitor, for these acts and so many days, and its text, which is
    seen this once.

    What is given by a token, the `parent`, ends with it and no later, whether it runs out or is
    ended.

    Raises NotationError for a name, an act or a number of days that can't be, RuleViolation for an
    act this visitor may not do.
    """
    written = a_text(" ".join(name.split()), "name", shortest=1, longest=LONGEST_NAME)
    acts = [
        Permission(one_of(each, [act.value for act in Permission], f"scopes[{place}]"))
        for place, each in enumerate(scopes)
    ]
    lasting = timedelta(days=a_number(days, "days", least=1, most=MOST_DAYS))
    if not acts:
        raise NotationError(_("choose at least one thing that the token is for"), path="scopes")
    beyond = [act for act in acts if not visitor.may(act)]
    if beyond:
        words = _("You can't give what you may not do yourself: %(act)s.") % {"act": beyond[0]}
        raise RuleViolation("not_allowed", words, path="scopes")
    bearer = {
        "salon": visitor.salon,
        "actor": visitor.actor,
        "user": User.objects.get(pk=account_behind(visitor.salon, visitor.actor) or 0),
    }
    ordered = [act for act in Permission if act in acts]
    kept, text = ApiToken.objects.create(
        **bearer, parent=parent, expiry=lasting, name=written, scopes=ordered
    )
    if parent is not None and parent.expiry is not None and kept.expiry > parent.expiry:
        kept.expiry = parent.expiry
        kept.save(update_fields=["expiry"])
    return kept, text


def give_table_token(table: Table) -> tuple[ApiToken, str]:
    """A token that acts as the phone of this table until the table gets another link, sixteen hours
    at most.
    """
    bearer = {"salon": table.salon, "actor": actor_at(table), "user": None, "table": table}
    kept, text = ApiToken.objects.create(
        **bearer, expiry=AT_A_TABLE, name=f"Table {table.label}", scopes=ACTS_AT_A_TABLE
    )
    return kept, text


def end_tokens_of(user: AbstractBaseUser) -> int:
    """End every token that an account gave, in whatever salon: with a new password the old keys
    open nothing. How many there were.
    """
    given = ApiToken.objects.filter(user_id=user.pk)
    ended: int = given.count()
    given.delete()
    if ended:
        access_log.note("tokens_ended", account=user.pk, tokens=ended)
    return ended


class TokensEnd:
    """Asked by Django about passwords: nothing is wrong with one, but when it is set, the tokens of
    the account end.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Every password is right."""

    def get_help_text(self) -> str:
        """Nothing to be said of a good one."""
        return ""

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """A new password was stored, by whatever page or command."""
        if user is not None and user.pk is not None:
            access_log.note("password_set", account=user.pk)
            end_tokens_of(user)


def tokens_of(visitor: Visitor) -> list[ApiToken]:
    """The tokens of the salon that members gave, the latest first; expired ones are gone when they
    are used next.
    """
    return list(
        ApiToken.objects.filter(salon=visitor.salon, table=None).order_by("-created", "identity")
    )
