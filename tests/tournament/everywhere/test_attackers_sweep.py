"""What an attacker would ask: every address in every role and by every method, in the own salon and
in another one.

Nothing breaks, nobody gets past the table of grants, nothing of another salon answers, and no
secret of a salon is said to those who have no business with it. Whatever a request changes is taken
back before the next.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import Model
from django.test import Client
from django.urls import Resolver404, resolve

from tests.tournament.api.calling import owner_calls
from tests.tournament.api.walk import walked
from tests.tournament.helpers.evenings import does, of_teams
from tests.tournament.helpers.every_format import plays, running
from tests.tournament.helpers.played import game_at
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.reading import body
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.sweeping import browser, every_address
from tests.tournament.helpers.tables import for_a_while
from tournament.accounts import personal_links
from tournament.accounts.captain_links import links_of as captains_of
from tournament.accounts.event_links import open_link
from tournament.accounts.permissions import GRANTS, Permission, Role
from tournament.accounts.seat_links import links_of
from tournament.domain.tournament.team_line_ups import HandInLineUp
from tournament.models import (
    ApiToken,
    AuditRun,
    Call,
    CaptainLink,
    Delivery,
    EventLink,
    Game,
    Invitation,
    Membership,
    PersonalLink,
    Player,
    Preset,
    Salon,
    SealedLineUp,
    Season,
    SeatLink,
    Stock,
    StockSeed,
    Table,
    Tournament,
    Webhook,
)
from tournament.streams.tournament_rows import state_of

ROLES = (
    "anyone", "player", "table link", "seat link", "captain link", "scorer", "director", "auditor",
    "owner",
)  # fmt: skip
METHODS = ("get", "post", "delete")
REFUSED = {401, 403}
A_LONG_ID = 32  # characters: what names something of one salon alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """A salon with one of everything, what addresses name of it, and its secrets by the act for
    which one may know them.
    """

    salon: Salon
    ids: Mapping[str, list[str]]
    secrets: Mapping[Permission, frozenset[str]]

    @property
    def every_secret(self) -> frozenset[str]:
        return frozenset().union(*self.secrets.values())


@dataclass(slots=True, kw_only=True)
class Sweep:
    """Who asks where; `wrong` is what was answered otherwise than it should be, `asked` counts the
    answers by their status, `looked_at` are the statuses of a look at each page of a tournament.
    """

    client: Client
    attacked: Attacked
    prefix: str
    slug: str
    wrong: list[str] = field(default_factory=list)
    asked: Counter[int] = field(default_factory=Counter)
    looked_at: dict[str, set[int]] = field(default_factory=dict)

    def answers(self) -> Iterator[tuple[str, str, Permission | None, int, str]]:
        """Every address by every method: what was asked, the act that it is for, the status and the
        text of the answer.
        """
        named = {
            name: found[0] for name, found in self.attacked.ids.items() if name != "token"
        }  # what is sent may be said again
        signed_in = self.client.cookies.copy()
        for address in every_address(dict(self.attacked.ids) | {"salon": [self.slug]}):
            place = address if address.startswith("/api/v1/") else f"{self.prefix}{address}"
            for method in self._methods(address):
                cache.clear()
                self.client.cookies = SimpleCookie(signed_in)
                with for_a_while():
                    answer = self._ask(method, place, named)
                    text = body(answer)
                self.asked[answer.status_code] += 1
                self._note(method, place, answer.status_code)
                if answer.status_code >= 500:
                    self.wrong.append(f"{method} {address}: {answer.status_code}")
                refused = (
                    answer.status_code in REFUSED
                    or _asks_to_sign_in(answer)
                    or _only_takes_forms(method, place, answer)
                )
                yield (
                    f"{method} {address}",
                    address,
                    act_of(address, method),
                    403 if refused else answer.status_code,
                    text,
                )

    def _methods(self, address: str) -> tuple[str, ...]:
        """All of them for the first tournament; what another shows is looked at."""
        others = self.attacked.ids["tournament"][1:]
        return ("get",) if any(each in address for each in others) else METHODS

    def _note(self, method: str, place: str, status: int) -> None:
        found = resolve(place.removeprefix(self.prefix)) if method == "get" else None
        if found is not None and "tournament" in found.kwargs:
            self.looked_at.setdefault(found.route, set()).add(status)

    def _ask(self, method: str, place: str, named: Mapping[str, str]) -> Any:
        if place.startswith("/api/v1/"):
            if method == "get":
                return self.client.get(place)
            headers = {"Idempotency-Key": a_command(), "If-Match": '"1"'}
            return getattr(self.client, method)(
                place, json.dumps({}), content_type="application/json", headers=headers
            )
        form = {**named, "version": "1", "command": a_command(), "q": "a", "name": "x"}
        return getattr(self.client, method)(place, form if method != "delete" else "")


def _asks_to_sign_in(answer: Any) -> bool:
    return answer.status_code == 302 and (
        "/sign-in/" in answer["Location"] or "/account/" in answer["Location"]
    )


def _only_takes_forms(method: str, place: str, answer: Any) -> bool:
    """Whether an address that takes forms alone led to a page, which has an address of its own."""
    path = place.partition("?")[0]
    return (
        method == "get"
        and answer.status_code == 302
        and path.startswith(answer["Location"].removesuffix("desk/").removesuffix("entries/"))
        and answer["Location"] != path
    )


def act_of(address: str, method: str) -> Permission | None:
    """What one must be allowed to do for it; None where everybody is let in, and where there is no
    such method.
    """
    try:
        view: Any = resolve(address).func
    except Resolver404:
        return None
    operations = getattr(view, "operations", None)
    if operations is not None:
        return operations[method].act if method in operations else None
    return getattr(view, "act", None)


def attacked_salon(name: str, mail: str) -> Attacked:
    """A salon after an evening by the API, with marked links, PINs, addresses of mail and of
    webhooks.
    """
    salon = opened_salon(name, f"owner@{mail}")
    walked(salon)
    call = owner_calls(salon)
    assert (
        call.post(
            "presets/", {"game": "precedence", "name": "Sunday", "options": {"hands_limit": 8}}
        ).status
        == 201
    )
    assert call.post("invitations/", {"role": "scorer", "email": f"invited@{mail}"}).status == 201
    game = Game.objects.filter(salon=salon, kind="precedence").order_by("pk")[0]
    event = open_link(plays(running(salon, "movement"), 1))
    links_of(game, ["N", "E", "S", "W"])
    personal_links.links_of(_teams(salon), ["1", "2"])
    does(_teams(salon), HandInLineUp(round=1, entry="1", members=("Cato Liss", "Asha Renn")))
    return Attacked(salon=salon, ids=_ids_of(salon, game, event), secrets=_secrets_of(salon, mail))


def _teams(salon: Salon) -> Tournament:
    """Those whose captains say who plays."""
    links = CaptainLink.objects.filter(salon=salon).values("tournament")
    return Tournament.objects.filter(pk__in=links).order_by("pk")[0]


def _of_every_kind(salon: Salon) -> list[Tournament]:
    """A tournament of every format, one that is played before one that is over, what is most in it
    first; none to practise with.
    """
    different: dict[tuple[str, bool], Tournament] = {}
    for row in sorted(
        Tournament.objects.filter(salon=salon),
        key=lambda row: (row.phase != "running", -row.version, row.pk),
    ):
        if row.practice:
            continue
        stage = state_of(row).stage
        different.setdefault((stage.kind, bool(stage.line_up)), row)
    return list(different.values())


def _ids_of(salon: Salon, game: Game, event: EventLink) -> dict[str, list[str]]:
    def first(model: type[Model], by: str = "pk", **about: Any) -> list[str]:
        found = (
            model._default_manager.filter(**(about or {"salon": salon}))
            .order_by("pk")
            .values_list(by, flat=True)[:1]
        )
        assert found, f"the evening leaves no {model.__name__}"
        return [str(each) for each in found]

    links = [
        *first(Table, "token"),
        *first(SeatLink, "token", game=game.pk),
        event.token,
        *first(ApiToken, "identity"),
        *first(CaptainLink, "token"),
    ]
    return {
        "game": [game.pk], "player": first(Player),
        "tournament": [each.pk for each in _of_every_kind(salon)],
        "stock": first(Stock), "season": first(Season), "call": first(Call),
        "hook": first(Webhook), "delivery": first(Delivery, webhook__salon=salon), "token": links,
        "invitation": first(Invitation),
        "member": first(Membership), "preset": first(Preset), "run": first(AuditRun),
        "label": ["4"],
    }  # fmt: skip


def _secrets_of(salon: Salon, mail: str) -> dict[Permission, frozenset[str]]:
    for number, table in enumerate(Table.objects.filter(salon=salon).order_by("pk")):
        Table.objects.filter(pk=table.pk).update(pin=f"T7Q{number}Z{mail[:3]}")
    for number, seat in enumerate(SeatLink.objects.filter(salon=salon).order_by("pk")):
        SeatLink.objects.filter(pk=seat.pk).update(pin=f"S7Q{number}Z{mail[:3]}")
    for number, captain in enumerate(CaptainLink.objects.filter(salon=salon).order_by("pk")):
        CaptainLink.objects.filter(pk=captain.pk).update(pin=f"C7Q{number}Z{mail[:3]}")
    for number, user in enumerate(User.objects.filter(membership__salon=salon).order_by("pk")):
        User.objects.filter(pk=user.pk).update(
            email=f"somebody{number}@{mail}", username=f"somebody{number}@{mail}"
        )
    Webhook.objects.filter(salon=salon).update(address=f"https://{mail}/told")

    def of(rows: Any, *names: str) -> Iterable[str]:
        return (value for row in rows.values_list(*names) for value in row if value)

    tables, seats = (
        of(Table.objects.filter(salon=salon), "token", "pin"),
        of(SeatLink.objects.filter(salon=salon), "token", "pin"),
    )
    return {
        Permission.MANAGE_TABLES: frozenset(
            [
                *tables,
                *of(EventLink.objects.filter(salon=salon), "token"),
                *of(CaptainLink.objects.filter(salon=salon), "token", "pin"),
                *of(PersonalLink.objects.filter(salon=salon), "token", "code"),
            ]
        ),
        Permission.TAKE_ALONG: frozenset(
            [
                *of(StockSeed.objects.filter(salon=salon).exclude(seed__in=_known(salon)), "seed"),
                *of(SealedLineUp.objects.filter(salon=salon), "salt"),
            ]
        ),
        Permission.RECORD: frozenset(seats),
        Permission.INVITE: frozenset(
            [f"invited@{mail}", *of(User.objects.filter(membership__salon=salon), "email")]
        ),
        Permission.ADMINISTER: frozenset({f"https://{mail}/told"}),
    }


def _known(salon: Salon) -> set[str]:
    """The seeds that were made known."""
    of_pairs = (state_of(row).deals_seed for row in Tournament.objects.filter(salon=salon))
    return {*of_pairs, *Stock.objects.filter(salon=salon).values_list("seed", flat=True)}


@pytest.fixture(scope="module")
def attacked(stored_once: None) -> Attacked:
    """It takes longer to be made than half a sweep, and no sweep leaves a trace in it."""
    cache.clear()
    return attacked_salon("Umberhall", "umberhall.example")


@pytest.fixture
def own(attacked: Attacked, undone: None) -> Attacked:
    cache.clear()
    return attacked


def long(*roles: str) -> list[Any]:
    return [pytest.param(role, marks=pytest.mark.long) for role in roles]


@pytest.mark.parametrize("role", long(*ROLES))
def test_in_the_own_salon_nobody_gets_further_than_the_grants(
    own: Attacked, role: str, record_property: Any
) -> None:
    known = Role.ANYONE if role == "captain link" else Role(role)
    sweep = Sweep(
        client=_visitor_of(own.salon, role),
        attacked=own,
        prefix=f"/salons/{own.salon.slug}",
        slug=own.salon.slug,
    )
    unknown = frozenset().union(
        *(found for act, found in own.secrets.items() if known not in GRANTS[act])
    )

    for asked, address, act, status, text in sweep.answers():
        if act is not None and known not in GRANTS[act] and status not in {403, 404, 405}:
            sweep.wrong.append(f"{asked}: {status}, though {role} may not {act}")
        sweep.wrong += [
            f"{asked} tells {secret}"
            for secret in unknown
            if secret in text and secret not in address
        ]

    assert sweep.wrong == []
    if role == "owner":  # what nobody is shown in any tournament, no role was tried at
        hidden = {405} | REFUSED | {404}
        assert [at for at, seen in sweep.looked_at.items() if seen <= hidden and 404 in seen] == []
    record_property(
        "counted",
        f"{role} in the own salon: {sweep.asked.total()} requests, {_counts(sweep.asked)}",
    )


@pytest.mark.parametrize("role", long(*ROLES))
def test_of_another_salon_nobody_sees_more_than_anyone(
    own: Attacked, role: str, record_property: Any
) -> None:
    other = opened_salon("Rosewater", "nela@rosewater.example")
    visitor, asked_in_all = _visitor_of(other, role), Counter[int]()
    long_ids = {key for keys in own.ids.values() for key in keys if len(key) >= A_LONG_ID}
    wrong = []

    for slug in (other.slug, own.salon.slug):
        sweep = Sweep(client=visitor, attacked=own, prefix=f"/salons/{slug}", slug=slug)
        for asked, address, act, status, text in sweep.answers():
            if (
                slug == other.slug
                and 200 <= status < 300
                and any(key in address for key in long_ids)
            ):
                sweep.wrong.append(f"{asked}: {status} in another salon")
            if (
                slug == own.salon.slug
                and act is not None
                and Role.ANYONE not in GRANTS[act]
                and status not in {403, 404, 405}
            ):
                sweep.wrong.append(f"{asked}: {status}, though nobody else may {act}")
            sweep.wrong += [
                f"{asked} in {slug} tells {secret}"
                for secret in own.every_secret
                if secret in text and secret not in address
            ]
        wrong += sweep.wrong
        asked_in_all += sweep.asked

    assert wrong == []
    record_property(
        "counted",
        f"{role} of another salon: {asked_in_all.total()} requests, {_counts(asked_in_all)}",
    )


def _visitor_of(salon: Salon, role: str) -> Client:
    if role == "captain link":
        return _captain_of(salon)
    if role in ("seat link", "player") and not Game.objects.filter(salon=salon).exists():
        game_at(salon)
    return browser(salon, role)


def _captain_of(salon: Salon) -> Client:
    """A browser that came by a captain's link and gave its PIN."""
    found = CaptainLink.objects.filter(salon=salon).order_by("pk").first()
    link = found or captains_of(of_teams(salon), ["1"])["1"]
    client = Client()
    assert client.post(f"/captains/{link.token}/", {"pin": link.pin}).status_code == 302
    return client


def _counts(asked: Counter[int]) -> str:
    return ", ".join(f"{count} × {status}" for status, count in sorted(asked.items()))
