"""Every address of the salon against every role. A new address must be entered here, or the first test fails."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from ledger.models import Log
from tests.tournament.salons import opened_salon, owner_of, scorer_at
from tournament.access import Act
from tournament.models import Game, Salon, Table

HERE, ELSEWHERE = "4", "5"
ROLES = ("owner", "scorer here", "scorer elsewhere", "account without a role", "anyone")
AT_A_TABLE = frozenset({Act.START_GAME, Act.RECORD})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What an address is for; `methods` are those it answers to, `table` whether it happens at one table."""

    act: Act
    methods: tuple[str, ...] = ("get",)
    arguments: dict[str, str | int] = field(default_factory=dict)
    table: bool = False


EVERYBODY = frozenset(ROLES)
SCORERS = frozenset({"owner", "scorer here", "scorer elsewhere"})
WHO_MAY = {
    Act.SEE_SALON: EVERYBODY,
    Act.READ_HISTORY: SCORERS,
    Act.READ_LEDGER: frozenset({"owner"}),
    Act.START_GAME: SCORERS,
    Act.RECORD: SCORERS,
    Act.END_GAME: frozenset({"owner"}),
    Act.CONFIRM: SCORERS,
    Act.RULE: frozenset({"owner"}),
    Act.CORRECT: frozenset({"owner"}),
    Act.MANAGE_TABLES: frozenset({"owner"}),
    Act.DIRECT: frozenset({"owner"}),
    Act.AUDIT: frozenset({"owner"}),
    Act.SIGN: frozenset({"owner"}),
    Act.KEEP_HOUSE: frozenset({"owner"}),
}
AT_TABLE_4 = {"label": HERE}
AN_EVENT = {"tournament": "0" * 32}
GUARDED = {
    "home": Page(act=Act.SEE_SALON),
    "start": Page(act=Act.START_GAME, methods=("get", "post")),
    "players": Page(act=Act.START_GAME),
    "tables": Page(act=Act.SEE_SALON),
    "board": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32}),
    "rules": Page(act=Act.SEE_SALON, arguments={"kind": "precedence"}),
    "pad": Page(act=Act.RECORD, arguments=AT_TABLE_4, table=True),
    "acts": Page(act=Act.RECORD, methods=("get", "post"), arguments=AT_TABLE_4 | {"collection": "bids"}, table=True),
    "seats": Page(act=Act.RECORD, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "confirmation": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32}),
    "attestations": Page(act=Act.CONFIRM, methods=("post",), arguments={"game": "0" * 32, "collection": "confirmations"}),
    "second_entry": Page(act=Act.CONFIRM, methods=("get", "post"), arguments={"game": "0" * 32, "hand": 1}),
    "ruling": Page(act=Act.RULE, arguments=AT_TABLE_4),
    "sheet": Page(act=Act.RECORD, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "sheet_preview": Page(act=Act.RECORD, methods=("post",), arguments=AT_TABLE_4, table=True),
    "player": Page(act=Act.SEE_SALON, arguments={"player": "0" * 32}),
    "history": Page(act=Act.READ_HISTORY),
    "game_history": Page(act=Act.READ_HISTORY, arguments={"game": "0" * 32}),
    "number": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32, "code": "score.NS"}),
    "comparison": Page(act=Act.READ_HISTORY, arguments={"game": "0" * 32}),
    "corrections": Page(act=Act.CORRECT, arguments={"game": "0" * 32}),
    "correction": Page(act=Act.CORRECT, methods=("get", "post"), arguments={"game": "0" * 32, "what": "reopened"}),
    "ledger": Page(act=Act.READ_LEDGER),
    "game_ledger": Page(act=Act.READ_LEDGER, arguments={"game": "0" * 32}),
    "account_statement": Page(act=Act.READ_LEDGER, arguments={"game": "0" * 32, "account": "N"}),
    "player_statement": Page(act=Act.READ_LEDGER, arguments={"player": "0" * 32}),
    "audit": Page(act=Act.AUDIT),
    "audits": Page(act=Act.AUDIT, methods=("post",)),
    "salon_file": Page(act=Act.AUDIT),
    "game_file": Page(act=Act.AUDIT, arguments={"game": "0" * 32}),
    "verifier": Page(act=Act.SEE_SALON),
    "checkpoints": Page(act=Act.SIGN, methods=("post",)),
    "checkpoint": Page(act=Act.SEE_SALON, arguments={"size": "1"}),
    "cosignatures": Page(act=Act.SIGN, methods=("post",), arguments={"size": "1"}),
    "entry_proof": Page(act=Act.SEE_SALON, arguments={"position": "1"}),
    "consistency": Page(act=Act.SEE_SALON),
    "countersigning": Page(act=Act.SIGN, methods=("get", "post")),
    "tournaments": Page(act=Act.SEE_SALON),
    "new_tournament": Page(act=Act.DIRECT, methods=("get", "post")),
    "tournament": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_standings": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_round": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "tournament_entry": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"entry": "1"}),
    "tournament_history": Page(act=Act.READ_HISTORY, arguments=AN_EVENT),
    "desk": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_entries": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_entry": Page(act=Act.DIRECT, arguments=AN_EVENT | {"entry": "1"}),
    "desk_slips": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "tournament_stage": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_results": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT | {"number": "1"}),
    "desk_round": Page(act=Act.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "desk_lists": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_games": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_standings": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_acts": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT | {"collection": "results"}),
    "house": Page(act=Act.SEE_SALON),
    "stocks": Page(act=Act.SEE_SALON),
    "stock": Page(act=Act.SEE_SALON, arguments={"stock": "0" * 32}),
    "stock_seed": Page(act=Act.DIRECT, methods=("post",), arguments={"stock": "0" * 32}),
    "deal_from_stock": Page(act=Act.RECORD, methods=("post",), arguments=AT_TABLE_4, table=True),
    "table_slips": Page(act=Act.MANAGE_TABLES),
    "table_link": Page(act=Act.MANAGE_TABLES, methods=("get", "post"), arguments=AT_TABLE_4),
}
OPEN = {"welcome", "first_visit", "sign_in", "sign_out", "table_join", "seat_join", "healthz"}


@pytest.fixture(autouse=True)
def nobody_tried_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


def browser(salon: Salon, role: str) -> Client:
    """A browser of this role."""
    match role:
        case "owner":
            return owner_of(salon)
        case "scorer here":
            return scorer_at(salon, HERE)
        case "scorer elsewhere":
            return scorer_at(salon, ELSEWHERE)
        case "account without a role":
            client = Client()
            client.force_login(User.objects.create_user("nobody@example.org"))
            return client
        case _:
            return Client()


def may(role: str, page: Page) -> bool:
    """Whether this role may do what the page is for; a scorer does it at the own table only."""
    elsewhere = role == "scorer elsewhere" and page.table and page.act in AT_A_TABLE
    return role in WHO_MAY[page.act] and not elsewhere


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all addresses but the admin's, which has its own test."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and not str(pattern.pattern).startswith("admin/"):
            yield pattern.name or str(pattern.pattern)


def test_every_act_is_in_the_table() -> None:
    assert WHO_MAY.keys() == set(Act)


def test_every_address_is_in_the_table() -> None:
    assert set(names(get_resolver().url_patterns)) == GUARDED.keys() | OPEN


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("name", "method"), [(name, method) for name, page in GUARDED.items() for method in page.methods])
def test_a_page_lets_in_whom_the_grants_name_and_nobody_else(salon: Salon, name: str, method: str, role: str) -> None:
    page = GUARDED[name]
    client = browser(salon, role)
    tokens = set(Table.objects.values_list("token", flat=True))

    answer = getattr(client, method)(reverse(name, kwargs=page.arguments))

    asked_to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/sign-in/")
    if may(role, page):
        assert answer.status_code in {200, 302, 404, 422}
        assert not asked_to_sign_in
        return
    assert asked_to_sign_in if method == "get" and not role.startswith("scorer") else answer.status_code == 403
    assert set(Table.objects.values_list("token", flat=True)) == tokens
    assert not Game.objects.exists()
    assert Log.objects.get().position == 0


@pytest.mark.parametrize("name", ["table_link", "start"])
def test_a_fragment_is_refused_without_a_page_to_sign_in(salon: Salon, name: str) -> None:
    answer = Client().get(reverse(name, kwargs=GUARDED[name].arguments), headers={"HX-Request": "true"})

    assert answer.status_code == 403


@pytest.mark.parametrize("role", ROLES)
def test_the_admin_is_the_owners(salon: Salon, role: str) -> None:
    answer = browser(salon, role).get("/admin/", follow=True)

    assert ("Site administration" in answer.text) == (role == "owner")


def test_a_refusal_says_why(salon: Salon) -> None:
    assert "Only the owner of the salon can do that." in scorer_at(salon, HERE).get("/table-slips/").text


def test_a_form_from_another_site_is_refused(salon: Salon) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = owner_of(salon).cookies
    before = Table.objects.get(label=HERE).token

    answer = careful.post("/tables/4/link/")

    assert answer.status_code == 403
    assert "This form is too old" in answer.text
    assert Table.objects.get(label=HERE).token == before


def test_a_page_that_is_not_there_says_so(salon: Salon) -> None:
    answer = Client().get("/no/such/page")

    assert answer.status_code == 404
    assert "There is no such page in this salon." in answer.text
