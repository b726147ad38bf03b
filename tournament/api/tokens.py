"""Tokens by the API itself: given with scopes for some days, listed, ended; and a table's phone
without an account.
"""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import asdict
from rest_framework.request import Request

from scoring.errors import RuleViolation
from tournament.accounts import login_limits
from tournament.accounts.access import table_or_404
from tournament.accounts.api_tokens import give_table_token, give_token, tokens_of
from tournament.accounts.permissions import Permission
from tournament.accounts.trusted_devices import a_link, make_attempt
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, requires
from tournament.models import ApiToken, Table


class TokenLine(Struct, frozen=True, kw_only=True):
    """A token: for which acts, until when (ISO), and who acts by it."""

    id: str
    name: str
    scopes: list[str]
    expires: str
    actor: str


class GivenToken(TokenLine, frozen=True, kw_only=True):
    """A token just given. `token` is said this once: sent again, the same write answers
    without it.
    """

    token: str


class NewToken(Struct, frozen=True, kw_only=True):
    """A token to be given: what it is called, the acts it is for (those of `may` of the salon), and
    for how many days.
    """

    name: str
    scopes: list[str] = []
    days: int = 90


class TableKey(Struct, frozen=True, kw_only=True):
    """The link of a table (the last part of its address) and its PIN, as they stand on its slip."""

    link: str
    pin: str


class TokenViewSet(ApiViewSet):
    """Tokens for programs, and for a table's phone."""

    act = Permission.GIVE_TOKENS

    def list_tokens(self, request: Request) -> list[TokenLine]:
        """The tokens that were given in the salon, the latest first."""
        return [_line(row) for row in tokens_of(self.visitor)]

    @document_action(body=NewToken)
    def create_token(self, request: Request) -> Answer[GivenToken]:
        """Give a token for some acts and some days; it acts as whoever gave it. One that was given
        by a token ends with that at the latest.
        """
        new = self.body(NewToken)
        parent = request.auth if isinstance(request.auth, ApiToken) else None

        def make_token() -> GivenToken:
            return _build_given_token(*give_token(self.visitor, **asdict(new), parent=parent))

        return answer_idempotently(self, ["token"], make_token, unsaid="token")

    def end_token(self, request: Request, token: str) -> None:
        """End a token: from now on it opens nothing, nor does any that was given by it."""
        get_object_or_404(ApiToken, salon=self.salon, identity=token).delete()

    @document_action(body=TableKey)
    @requires(None)
    def create_table_token(self, request: Request, label: str) -> Answer[GivenToken]:
        """Give the phone of a table its token, for the link and the PIN of its slip; it records at
        this table and no other.
        """
        table = table_or_404(self.visitor, label)
        _check_pin(request, self.body(TableKey), table)
        return answer_idempotently(
            self,
            ["table-token", table.pk],
            lambda: _build_given_token(*give_table_token(table)),
            unsaid="token",
        )


def _check_pin(request: Request, given: TableKey, table: Table) -> None:
    """Raise RuleViolation unless the PIN is that of the table, Http404 unless the link is.

    Who doesn't know the link tries at no table: that counts against the address alone.
    """
    tried = make_attempt(request._request, f"table:{table.pk}", opened=a_link(table))
    seconds = login_limits.seconds_to_wait(tried)
    if seconds:
        raise RuleViolation("too_many", login_limits.too_many_tries(seconds), path="pin")
    if not constant_time_compare(given.link, table.token):
        login_limits.note_wrong_link(tried.address)
        raise Http404
    if not constant_time_compare(given.pin.strip(), table.pin):
        login_limits.note_wrong_try(tried)
        raise RuleViolation("wrong_pin", _("This is not the PIN of that table."), path="pin")
    login_limits.forget(tried)


def _line(row: ApiToken) -> TokenLine:
    return build_struct(
        TokenLine,
        row,
        id=row.identity,
        scopes=row.scopes or [],
        expires=row.expiry.isoformat() if row.expiry is not None else "",
    )


def _build_given_token(row: ApiToken, text: str) -> GivenToken:
    return build_struct(GivenToken, _line(row), token=text)
