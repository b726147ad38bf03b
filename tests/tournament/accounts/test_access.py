"""Every address of the salon against every role. A new address must be entered here, or the first
test fails.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from ledger.models import Event, Log
from tests.tournament.helpers.evenings import in_round_1, of_teams
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import member, opened_salon, owner_of, scorer_at, seated
from tournament.accounts.captain_links import links_of as captains_of
from tournament.accounts.event_links import open_link
from tournament.accounts.permissions import GRANTS, Act, Role
from tournament.models import (
    AuditRun,
    CaptainLink,
    EventLink,
    Membership,
    Player,
    Salon,
    SeatLink,
    Table,
)
from tournament.pages.salon.promises import PROMISES

HERE, ELSEWHERE = "4", "5"
ROLES = (
    "owner", "director", "scorer", "auditor", "player",
    "table link here", "table link elsewhere", "seat link", "captain link", "event link",
    "account without a role", "anyone",
)  # fmt: skip
MEMBERS = ROLES[:5]
FEW = ("owner", "scorer", "seat link", "anyone")  # are asked in every run
# Of every page these are, too.
OFTEN = {*FEW, "table link elsewhere", "player"}
BY_DEFAULT = [
    role if role in OFTEN else pytest.param(role, marks=pytest.mark.long) for role in ROLES
]
OTHER_TABLES = {"table link elsewhere", "event link"}  # than the one that is asked for
WITHOUT_A_ROLE = {"anyone", "account without a role", "captain link"}  # but for their one page
AT_A_TABLE = frozenset({Act.START_GAME, Act.RECORD, Act.CALL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What an address is for; `methods` are those it answers to, `table` whether it happens at one
    table, `sent` a form for it.
    """

    act: Act
    methods: tuple[str, ...] = ("get",)
    arguments: dict[str, Any] = field(default_factory=dict)
    table: bool = False
    sent: dict[str, str] = field(default_factory=dict)


EVERYBODY = frozenset(ROLES)
OWNER = frozenset({"owner"})
DIRECTORS = OWNER | {"director"}
SCORERS = DIRECTORS | {"scorer", "table link here", "table link elsewhere", "event link"}
WHO_MAY = {
    Act.SEE_SALON: EVERYBODY,
    Act.READ_HISTORY: SCORERS | {"auditor"},
    Act.READ_LEDGER: DIRECTORS | {"auditor"},
    Act.START_GAME: SCORERS - {"event link"},  # whose games the desk starts
    Act.RECORD: SCORERS,
    Act.END_GAME: DIRECTORS,
    Act.CONFIRM: SCORERS | {"player", "seat link"},
    Act.RULE: DIRECTORS,
    Act.CORRECT: DIRECTORS,
    Act.MANAGE_TABLES: DIRECTORS,
    Act.DIRECT: DIRECTORS,
    Act.CALL: SCORERS | {"player", "seat link"},
    Act.AUDIT: DIRECTORS | {"auditor"},
    Act.SIGN: OWNER,
    Act.INVITE: DIRECTORS,
    Act.CHOOSE_NAME: OWNER,
    Act.ADMINISTER: OWNER,
    Act.KEEP_HOUSE: OWNER,
    Act.TAKE_ALONG: OWNER,
    Act.READ_PERSON: OWNER,
    Act.ERASE_PERSON: OWNER,
    Act.GIVE_TOKENS: DIRECTORS,
}
KEPT_BID = json.dumps(
    [{"command": "0" * 32, "collection": "bids", "body": "seat=W&tricks:number=1"}]
)
AT_TABLE_4 = {"label": HERE}
AN_EVENT = {"tournament": "0" * 32}
GUARDED = {
    "home": Page(act=Act.SEE_SALON),
    "permissions": Page(act=Act.SEE_SALON),
    "settings": Page(act=Act.ADMINISTER, methods=("get", "post")),
    "logo_change": Page(act=Act.ADMINISTER, methods=("post",)),
    "logo": Page(act=Act.SEE_SALON, arguments={"digest": "0" * 64}),
    "salon_tables": Page(act=Act.MANAGE_TABLES, methods=("get", "post")),
    "archive_file": Page(act=Act.TAKE_ALONG),
    "backups": Page(act=Act.ADMINISTER, methods=("post",)),
    "backup_file": Page(act=Act.ADMINISTER, arguments={"name": "none"}),
    "presets": Page(act=Act.ADMINISTER, methods=("post",)),
    "preset_end": Page(act=Act.ADMINISTER, methods=("post",), arguments={"preset": "0"}),
    "task_retry": Page(act=Act.ADMINISTER, methods=("post",), arguments={"projection": "checked"}),
    "public_name": Page(act=Act.CHOOSE_NAME, methods=("post",), arguments={"player": "0" * 32}),
    "captain_link": Page(
        act=Act.MANAGE_TABLES, methods=("get", "post"), arguments=AN_EVENT | {"entry": "1"}
    ),
    "own_link": Page(
        act=Act.MANAGE_TABLES, methods=("get", "post"), arguments=AN_EVENT | {"entry": "1"}
    ),
    "event_link": Page(act=Act.MANAGE_TABLES, methods=("get", "post"), arguments=AN_EVENT),
    "people": Page(act=Act.INVITE, methods=("get", "post"), sent={"role": "scorer"}),
    "invitation_end": Page(act=Act.INVITE, methods=("post",), arguments={"invitation": "0"}),
    "member": Page(act=Act.ADMINISTER, methods=("post",), arguments={"member": "0", "what": "end"}),
    "api_documents": Page(act=Act.SEE_SALON),
    "tokens": Page(act=Act.GIVE_TOKENS, methods=("get", "post")),
    "token_end": Page(act=Act.GIVE_TOKENS, methods=("post",), arguments={"token": "0" * 32}),
    "start": Page(act=Act.START_GAME, methods=("get", "post")),
    "players": Page(act=Act.START_GAME),
    "tables": Page(act=Act.SEE_SALON),
    "board": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32}),
    "game_clock": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32}),
    "general_rules": Page(act=Act.SEE_SALON),
    "rules": Page(act=Act.SEE_SALON, arguments={"kind": "precedence"}),
    "pad": Page(act=Act.RECORD, arguments=AT_TABLE_4, table=True),
    "game_pad": Page(act=Act.RECORD, arguments=AT_TABLE_4 | {"game": "0" * 32}, table=True),
    "acts": Page(
        act=Act.RECORD,
        methods=("get", "post"),
        arguments=AT_TABLE_4 | {"collection": "bids"},
        table=True,
    ),
    "handover": Page(act=Act.RECORD, arguments=AT_TABLE_4, table=True),
    "seats": Page(act=Act.RECORD, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "table_calls": Page(act=Act.CALL, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "call_cancellations": Page(
        act=Act.CALL, methods=("post",), arguments=AT_TABLE_4, table=True, sent={"call": "0" * 32}
    ),
    "calls": Page(act=Act.AUDIT),
    "call": Page(act=Act.READ_HISTORY, arguments={"call": "0" * 32}),
    "call_acts": Page(
        act=Act.DIRECT, methods=("post",), arguments={"call": "0" * 32, "collection": "answers"}
    ),
    "desk_calls": Page(act=Act.AUDIT, arguments=AN_EVENT),
    "screen": Page(act=Act.SEE_SALON, arguments={"address": "bar"}),
    "overlay": Page(act=Act.SEE_SALON, arguments=AT_TABLE_4),
    "embedded_table": Page(act=Act.SEE_SALON, arguments=AT_TABLE_4),
    "embedded_standings": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "screens": Page(act=Act.DIRECT, methods=("get", "post")),
    "screen_set_up": Page(act=Act.DIRECT, arguments={"screen": "0" * 32}),
    "screen_history": Page(act=Act.READ_HISTORY, arguments={"screen": "0" * 32}),
    "screen_acts": Page(
        act=Act.DIRECT, methods=("post",), arguments={"screen": "0" * 32, "collection": "releases"}
    ),
    "confirmation": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32}),
    "attestations": Page(
        act=Act.CONFIRM,
        methods=("post",),
        arguments={"game": "0" * 32, "collection": "confirmations"},
    ),
    "second_entry": Page(
        act=Act.CONFIRM, methods=("get", "post"), arguments={"game": "0" * 32, "hand": 1}
    ),
    "ruling": Page(act=Act.RULE, arguments=AT_TABLE_4),
    "pack": Page(act=Act.RECORD, arguments=AT_TABLE_4, table=True),
    "outbox": Page(
        act=Act.RECORD,
        methods=("get", "post"),
        arguments=AT_TABLE_4,
        table=True,
        sent={"acts": KEPT_BID},
    ),
    "game_outbox": Page(act=Act.CONFIRM, methods=("get", "post"), arguments={"game": "0" * 32}),
    "sheet": Page(act=Act.RECORD, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "sheet_preview": Page(act=Act.RECORD, methods=("post",), arguments=AT_TABLE_4, table=True),
    "player_list": Page(act=Act.DIRECT, methods=("get", "post")),
    "player": Page(act=Act.SEE_SALON, arguments={"player": "0" * 32}),
    "person": Page(act=Act.READ_PERSON, arguments={"player": "0" * 32}),
    "person_file": Page(act=Act.READ_PERSON, arguments={"player": "0" * 32}),
    "erasure": Page(act=Act.ERASE_PERSON, methods=("get", "post"), arguments={"player": "0" * 32}),
    "person_correction": Page(
        act=Act.DIRECT, methods=("get", "post"), arguments={"player": "0" * 32}
    ),
    "history": Page(act=Act.READ_HISTORY),
    "game_history": Page(act=Act.READ_HISTORY, arguments={"game": "0" * 32}),
    "game_certificate": Page(act=Act.READ_HISTORY, arguments={"game": "0" * 32}),
    "number": Page(act=Act.SEE_SALON, arguments={"game": "0" * 32, "code": "score.NS"}),
    "comparison": Page(act=Act.READ_HISTORY, arguments={"game": "0" * 32}),
    "corrections": Page(act=Act.CORRECT, arguments={"game": "0" * 32}),
    "correction": Page(
        act=Act.CORRECT, methods=("get", "post"), arguments={"game": "0" * 32, "what": "reopened"}
    ),
    "hand_move": Page(act=Act.CORRECT, methods=("get", "post"), arguments={"game": "0" * 32}),
    "ledger": Page(act=Act.READ_LEDGER),
    "game_ledger": Page(act=Act.READ_LEDGER, arguments={"game": "0" * 32}),
    "account_statement": Page(act=Act.READ_LEDGER, arguments={"game": "0" * 32, "account": "N"}),
    "player_statement": Page(act=Act.READ_LEDGER, arguments={"player": "0" * 32}),
    "audit": Page(act=Act.AUDIT),
    "audits": Page(act=Act.AUDIT, methods=("post",)),
    "audit_run": Page(act=Act.AUDIT, arguments={"run": 1}),
    "parked": Page(act=Act.DIRECT, methods=("post",), arguments={"projection": "standings"}),
    "salon_file": Page(act=Act.AUDIT),
    "game_file": Page(act=Act.AUDIT, arguments={"game": "0" * 32}),
    "tournament_file": Page(act=Act.AUDIT, arguments=AN_EVENT),
    "verifier": Page(act=Act.SEE_SALON),
    "checkpoints": Page(act=Act.SIGN, methods=("post",)),
    "checkpoint": Page(act=Act.SEE_SALON, arguments={"size": "1"}),
    "cosignatures": Page(act=Act.SIGN, methods=("post",), arguments={"size": "1"}),
    "entry_proof": Page(act=Act.SEE_SALON, arguments={"position": "1"}),
    "consistency": Page(act=Act.SEE_SALON),
    "countersigning": Page(act=Act.SIGN, methods=("get", "post")),
    "new_season": Page(act=Act.DIRECT, methods=("get", "post")),
    "season": Page(act=Act.SEE_SALON, arguments={"season": "0" * 32}),
    "season_history": Page(act=Act.READ_HISTORY, arguments={"season": "0" * 32}),
    "season_acts": Page(
        act=Act.DIRECT, methods=("post",), arguments={"season": "0" * 32, "collection": "events"}
    ),
    "webhooks": Page(act=Act.ADMINISTER, methods=("get", "post")),
    "webhook": Page(act=Act.ADMINISTER, arguments={"hook": "0" * 32}),
    "webhook_acts": Page(
        act=Act.ADMINISTER, methods=("post",), arguments={"hook": "0" * 32, "what": "pings"}
    ),
    "delivery_repeat": Page(
        act=Act.ADMINISTER, methods=("post",), arguments={"hook": "0" * 32, "delivery": "0" * 32}
    ),
    "tournaments": Page(act=Act.SEE_SALON),
    "new_tournament": Page(act=Act.DIRECT, methods=("get", "post")),
    "format_advice": Page(act=Act.DIRECT),
    "practices": Page(act=Act.DIRECT, methods=("post",)),
    "tournament": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_bracket": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_standings": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_plan": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_crosstable": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_deals": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "tournament_deal": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "tournament_round": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "tournament_entry": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"entry": "1"}),
    "tournament_points": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"entry": "1"}),
    "tournament_sheet": Page(
        act=Act.SEE_SALON, arguments=AN_EVENT | {"what": "standings", "ending": "csv"}
    ),
    "tournament_feed": Page(act=Act.SEE_SALON, arguments=AN_EVENT),
    "round_why": Page(act=Act.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "swap_preview": Page(act=Act.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "draw_snapshot": Page(act=Act.READ_HISTORY, arguments=AN_EVENT | {"number": "1"}),
    "draw_snapshot_file": Page(act=Act.READ_HISTORY, arguments=AN_EVENT | {"number": "1"}),
    "tournament_history": Page(act=Act.READ_HISTORY, arguments=AN_EVENT),
    "tournament_comparison": Page(act=Act.READ_HISTORY, arguments=AN_EVENT),
    "desk": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_entries": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_entry": Page(act=Act.DIRECT, arguments=AN_EVENT | {"entry": "1"}),
    "desk_slips": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "tournament_stage": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_results": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT | {"number": "1"}),
    "desk_result_rows": Page(
        act=Act.DIRECT, methods=("get", "post"), arguments=AN_EVENT | {"number": "1"}
    ),
    "desk_result_slips": Page(act=Act.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "desk_round": Page(act=Act.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "desk_deals": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_seeds": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_deal_sheets": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_deals_on_paper": Page(act=Act.DIRECT, arguments=AN_EVENT),
    "desk_lists": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_games": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_standings": Page(act=Act.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_acts": Page(
        act=Act.DIRECT, methods=("post",), arguments=AN_EVENT | {"collection": "results"}
    ),
    "house": Page(act=Act.SEE_SALON),
    "stocks": Page(act=Act.SEE_SALON),
    "stock": Page(act=Act.SEE_SALON, arguments={"stock": "0" * 32}),
    "stock_seed": Page(act=Act.DIRECT, methods=("post",), arguments={"stock": "0" * 32}),
    "deal_from_stock": Page(act=Act.RECORD, methods=("post",), arguments=AT_TABLE_4, table=True),
    "table_slips": Page(act=Act.MANAGE_TABLES),
    "table_cards": Page(act=Act.MANAGE_TABLES),
    "score_sheets": Page(act=Act.MANAGE_TABLES, arguments={"kind": "precedence"}),
    "table_link": Page(act=Act.MANAGE_TABLES, methods=("get", "post"), arguments=AT_TABLE_4),
}
ACCOUNT = {
    "address_links", "address_link", "new_password", "past_second_step",
    "account", "account_sessions", "account_session", "second_step", "mfa_authenticate",
    "mfa_activate_totp", "mfa_deactivate_totp",
    "mfa_reauthenticate", "mfa_index", "mfa_view_recovery_codes", "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes",
    "account_change_password", "account_set_password", "account_reauthenticate",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key", "account_reset_password_from_key_done", "account_inactive",
    "account_login",
}  # fmt: skip
OPEN = ACCOUNT | {
    "welcome",
    "event_join",
    "captain",
    "own_door",
    "own_page",
    "own_rounds",
    "own_calls",
    "own_phones",
    "short_event",
    "short_entry",
    "table_door",
    "new_salon",
    "invitation",
    "first_visit",
    "sign_in",
    "sign_out",
    "table_join",
    "seat_join",
    "healthz",
    "trust",
    "trust_file",
    "worker",
    "page_rules",
    "api_schema",
    "salons",
    "practice_tables",
    "practice_pad",
    "practice_act",
}


def browser(salon: Salon, role: str) -> Client:
    """A browser of this role."""
    if role in MEMBERS:
        return member(salon, role)
    match role:
        case "table link here":
            return scorer_at(salon, HERE)
        case "table link elsewhere":
            return scorer_at(salon, ELSEWHERE)
        case "seat link":
            return seated(game_at(salon), "E")
        case "captain link":
            return with_pin("/captains/{}/", captains_of(of_teams(salon), ["1"])["1"])
        case "event link":
            return with_pin("/e/{}/", open_link(in_round_1(salon)))
        case "account without a role":
            client = Client()
            client.force_login(User.objects.create_user("nobody@example.org"))
            return client
        case _:
            return Client()


def with_pin(door: str, link: CaptainLink | EventLink) -> Client:
    """A browser that came by this link and gave its PIN."""
    client = Client()
    assert client.post(door.format(link.token), {"pin": link.pin}).status_code == 302
    return client


def may(role: str, page: Page) -> bool:
    """Whether this role may do what the page is for; a link lets record at the own tables only."""
    away = OTHER_TABLES | ({"player"} if page.act is Act.CALL else set())  # who sits nowhere
    elsewhere = role in away and page.table and page.act in AT_A_TABLE
    return role in WHO_MAY[page.act] and not elsewhere


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all addresses but the admin's and the API's, which have tests of their own."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if not str(pattern.pattern).startswith(("admin/", "api/")):
                yield from names(list(pattern.url_patterns))
        elif not str(pattern.pattern).startswith("admin/"):
            yield pattern.name or str(pattern.pattern)


def everything_kept() -> list[object]:
    """What no refused request may change."""
    return [
        list(Log.objects.order_by("pk").values_list("pk", "position")),
        list(Table.objects.order_by("pk").values_list("token", "pin")),
        list(SeatLink.objects.order_by("pk").values_list("token", "pin")),
        list(Membership.objects.order_by("pk").values_list("user", "salon", "role")),
        AuditRun.objects.count(),
    ]


def wrong_answers(
    client: Client, role: str, allowed: Callable[[Page], bool], prefix: str
) -> Iterator[str]:
    """Each page and method that answered this browser otherwise than the table of permissions has
    it, first those that refuse it; and whether one of these changed something.
    """
    kept = everything_kept()
    for name, page in sorted(GUARDED.items(), key=lambda named: allowed(named[1])):
        if allowed(page) and kept:
            if everything_kept() != kept:
                yield f"{role}: {prefix}: a request was refused and changed something"
            kept = []
        for method in page.methods:
            answer = getattr(client, method)(
                prefix + reverse(name, kwargs=page.arguments)[1:], page.sent
            )
            asked = answer.status_code == 302 and answer["Location"].startswith(f"{prefix}sign-in/")
            if allowed(page):
                right = answer.status_code in {200, 302, 404, 422} and not asked
            else:
                asks = method == "get" and role in WITHOUT_A_ROLE
                right = asked if asks else answer.status_code == 403
            if not right:
                yield f"{role}: {method} {prefix} {name}: {answer.status_code}"


def test_every_act_is_in_the_table() -> None:
    assert WHO_MAY.keys() == set(Act)


def test_every_address_is_in_the_table() -> None:
    assert set(names(get_resolver().url_patterns)) == GUARDED.keys() | OPEN


@pytest.mark.parametrize("role", BY_DEFAULT)
def test_every_page_lets_in_whom_the_grants_name_and_nobody_else(salon: Salon, role: str) -> None:
    client = browser(salon, role)

    assert list(wrong_answers(client, role, lambda page: may(role, page), "/")) == []


@pytest.mark.parametrize(
    "role",
    [
        "table link here",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("owner", "anyone")),
    ],
)
def test_an_address_with_the_salon_in_it_lets_in_the_same(salon: Salon, role: str) -> None:
    client = browser(salon, role)

    assert (
        list(wrong_answers(client, role, lambda page: may(role, page), f"/salons/{salon.slug}/"))
        == []
    )


@pytest.mark.parametrize(
    "role", [role if role in FEW else pytest.param(role, marks=pytest.mark.long) for role in ROLES]
)
def test_in_another_salon_everybody_is_anyone(salon: Salon, role: str) -> None:
    other = opened_salon("Elsewhere", "nela@example.org")
    client = browser(salon, role)

    assert (
        list(
            wrong_answers(
                client, "anyone", lambda page: may("anyone", page), f"/salons/{other.slug}/"
            )
        )
        == []
    )


def test_the_page_of_permissions_says_what_the_table_says(salon: Salon) -> None:
    page = Client().get("/permissions/").text

    for act in Act:
        line = page.split(f">{act.value}</th>")[1].split("</tr>")[0]
        cells = [re.sub(r"<[^>]+>", "", cell).strip("– \n") for cell in line.split("<td>")[1:]]
        assert [cell != "no" for cell in cells] == [role in GRANTS[act] for role in Role]
    assert "own games" in page
    assert "own tables" in page


def test_the_page_of_permissions_says_what_is_promised_and_what_not(salon: Salon) -> None:
    page = html.unescape(Client().get("/permissions/").text)

    said = [words for each in PROMISES for words in (each.against, each.holds, each.does_not)]
    assert [words for words in said if words not in page] == []


def test_a_player_sees_and_confirms_the_own_games_alone(salon: Salon) -> None:
    game = game_at(salon)
    version = record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    seats = game.seats
    player, stranger = (
        member(salon, "player", Player.objects.get(pk=seats["E"])),
        member(salon, "player", email="odo@example.org"),
    )
    said = {"command": "c" * 32, "game": game.pk, "version": version, "number:number": "1"}

    for client, status in ((player, 200), (stranger, 403)):
        assert client.get(reverse("game_history", args=[game.pk])).status_code == status
        assert client.get(reverse("game_ledger", args=[game.pk])).status_code == status
        assert client.get(reverse("player_statement", args=[seats["E"]])).status_code == status
        assert client.get(reverse("player_statement", args=[seats["N"]])).status_code == 403
        assert client.get(reverse("history")).status_code == 403
    confirm = reverse("attestations", args=[game.pk, "confirmations"])
    assert stranger.post(confirm, said).status_code == 403
    assert player.post(confirm, said).status_code == 303
    last = Event.objects.get(stream=game.pk, version=version + 1)
    assert (last.type, last.actor) == ("hand.confirmed", f"user:{player.session['_auth_user_id']}")


@pytest.mark.parametrize("name", ["table_link", "start"])
def test_a_fragment_is_refused_without_a_page_to_sign_in(salon: Salon, name: str) -> None:
    answer = Client().get(
        reverse(name, kwargs=GUARDED[name].arguments), headers={"HX-Request": "true"}
    )

    assert answer.status_code == 403


@pytest.mark.parametrize("role", ROLES)
def test_the_admin_is_the_owners(salon: Salon, role: str) -> None:
    answer = browser(salon, role).get("/admin/", follow=True)

    assert ("Site administration" in answer.text) == (role == "owner")


@pytest.mark.parametrize("role", ROLES)
def test_names_are_whole_for_whoever_has_an_account_or_a_link_in_the_salon(
    salon: Salon, role: str
) -> None:
    Salon.objects.filter(pk=salon.pk).update(names_shown="first")
    otter = Player.objects.create(salon=salon, name="Brass Otter")

    answer = browser(salon, role).get(reverse("player", args=[otter.pk]))

    assert "Brass" in answer.text
    assert ("Otter" in answer.text) == (role not in WITHOUT_A_ROLE)


def test_a_refusal_says_why(salon: Salon) -> None:
    assert (
        "Only the owner or a director of the salon can do that."
        in scorer_at(salon, HERE).get("/table-slips/").text
    )


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
