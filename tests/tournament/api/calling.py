"""A client of the API in the tests: JSON out and in, a key for every write, a token where one is
given.
"""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any, cast

from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern

from tests.tournament.helpers.salons import opened_salon
from tournament.accounts.access import as_member
from tournament.accounts.api_tokens import give_table_token, give_token
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.api.http.viewsets import act_of
from tournament.api.urls import urlpatterns
from tournament.models import ApiToken, Game, Membership, Salon, Table

SEATED = {"N": "Asha Renn", "E": "Ilse Marrow", "S": "Cato Liss", "W": "Juno Dray"}
A_HAND = {"bids": {"N": 4, "E": 3, "S": 3, "W": 2}, "tricks": {"NS": 7, "EW": 6}}
HERE, ELSEWHERE = "4", "5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the API answered: its status, its JSON (None for none) and its headers."""

    status: int
    value: Any
    headers: Any

    @property
    def etag(self) -> str:
        """What a later If-Match sends."""
        return str(self.headers["ETag"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Calls the API of one salon, and with a path from / what lies beside the salons."""

    salon: str
    token: str = ""
    browser: Client = field(default_factory=Client)

    def get(self, path: str, *, seen: str = "", **query: object) -> Answered:
        """Read; with `seen` only what is new."""
        return self._send("get", path, {"If-None-Match": seen} if seen else {}, query)

    def post(
        self, path: str, body: object = None, *, version: int | str | None = None, key: str = ""
    ) -> Answered:
        """Write on top of a version (or an ETag), under a key of its own unless one is given."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if version is not None:
            headers["If-Match"] = version if isinstance(version, str) else f'"{version}"'
        return self._send("post", path, headers, {} if body is None else body)

    def delete(self, path: str) -> Answered:
        """Take away."""
        return self._send("delete", path, {}, None)

    def _send(self, method: str, path: str, headers: dict[str, str], sent: Any) -> Answered:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        address = (
            f"/api/v1{path}" if path.startswith("/") else f"/api/v1/salons/{self.salon}/{path}"
        )
        if method == "get":
            answer = self.browser.get(address, sent, headers=headers)
        else:
            answer = getattr(self.browser, method)(
                address, json.dumps(sent), content_type="application/json", headers=headers
            )
        text = b"".join(answer) if answer.streaming else answer.content
        is_json = (
            "json" in answer.headers.get("Content-Type", "")
            and "jsonl" not in answer.headers["Content-Type"]
        )
        value = json.loads(text) if text and is_json else text.decode() or None
        return Answered(status=answer.status_code, value=value, headers=answer.headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What can be done at an address of the API, and which act it is (None: anybody may)."""

    name: str
    act: Permission | None
    method: str
    pattern: URLPattern


def actions() -> list[Action]:
    """Everything that can be done by the API."""
    return [
        Action(name=name, act=act_of(view.cls, name), method=method, pattern=pattern)
        for pattern in urlpatterns
        for view in [cast("Any", pattern.callback)]
        for method, name in getattr(view, "actions", {}).items()
        if method != "head"
    ]


def owner_calls(salon: Salon, *scopes: Permission) -> Caller:
    """The owner of the salon with a token for these acts, for all without any."""
    membership = Membership.objects.get(salon=salon, role=Membership.Role.OWNER)
    visitor = Visitor(salon=salon, role=Role.OWNER, actor=f"user:{membership.user_id}")
    _row, token = give_token(visitor, name="In a test", scopes=scopes or tuple(Permission), days=1)
    return Caller(salon=salon.slug, token=token)


def anyone_calls(salon: Salon) -> Caller:
    """Somebody without any key."""
    return Caller(salon=salon.slug)


def a_game(caller: Caller, **changes: Any) -> str:
    """The id of a game of Precedence that was just begun."""
    answer = caller.post(
        "games/", {"game": "precedence", "players": SEATED, "table": "4"} | changes
    )
    assert answer.status == 201, answer.value
    return str(answer.value["stream"])


def version_of(game: str) -> int:
    """The version a game is at."""
    return Game.objects.get(pk=game).version


def a_hand(caller: Caller, game: str, **changes: Any) -> Answered:
    """Record a whole hand; the first one says who deals."""
    first = {} if Game.objects.get(pk=game).hand_set.exists() else {"dealer": "S"}
    return caller.post(f"games/{game}/hands/", first | A_HAND | changes, version=version_of(game))


def caller(salon: Salon, role: str) -> Caller:
    """A client of this role."""
    match role:
        case "owner":
            return owner_calls(salon)
        case "narrow token":
            return owner_calls(salon, Permission.SEE_SALON)
        case "director" | "scorer" | "auditor" | "player":
            membership = membership_of(salon, Role(role))
            row, token = give_token(
                as_member(owner_of(salon)), name="Theirs", scopes=list(Permission), days=1
            )
            ApiToken.objects.filter(pk=row.pk).update(user=membership.user, scopes=None)
            return Caller(salon=salon.slug, token=token)
        case "scorer here" | "scorer elsewhere":
            table = Table.objects.get(
                salon=salon, label=HERE if role == "scorer here" else ELSEWHERE
            )
            return Caller(salon=salon.slug, token=give_table_token(table)[1])
        case "owner of another salon":
            return Caller(
                salon=salon.slug,
                token=owner_calls(opened_salon("Elsewhere", "pim@example.org")).token,
            )
        case _:
            return Caller(salon=salon.slug)


def membership_of(salon: Salon, role: Role) -> Membership:
    """A new member of this role."""
    user = User.objects.create_user(f"{role}@example.org")
    return Membership.objects.create(salon=salon, user=user, role=Membership.Role(role))


def owner_of(salon: Salon) -> Membership:
    """The owner."""
    return Membership.objects.get(salon=salon, role=Membership.Role.OWNER)
