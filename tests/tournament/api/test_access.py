"""Every operation of the API against every role, from the table of grants; what belongs to another
salon is not there.
"""

import uuid
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone
from pytest_django.fixtures import Settings

from ledger.models import Log
from tests.tournament.api.calling import (
    ELSEWHERE,
    HERE,
    Action,
    Caller,
    a_game,
    actions,
    caller,
    owner_calls,
    version_of,
)
from tests.tournament.api.walk import walked
from tests.tournament.helpers.guarded_pages import GUARDED
from tests.tournament.helpers.reading import link_in
from tests.tournament.helpers.salons import PASSWORD, member, opened_salon
from tournament.accounts.access import as_member
from tournament.accounts.api_tokens import give_token
from tournament.accounts.members import drop_second_step_of
from tournament.accounts.permissions import AT_OWN_TABLES, GRANTS, OF_ITS_OWN, Permission, Role
from tournament.accounts.recovery_links import Purpose, hand_out, set_password
from tournament.accounts.table_links import renew
from tournament.api.http.schema import examples
from tournament.models import (
    ApiToken,
    Call,
    Delivery,
    Game,
    Membership,
    Player,
    Salon,
    Screen,
    Season,
    Stock,
    Table,
    Tournament,
    Webhook,
)

OF_SALON = "salons/<slug:salon>/"
ROLES = (
    "owner",
    "director",
    "scorer",
    "auditor",
    "player",
    "scorer here",
    "scorer elsewhere",
    "anyone",
    "narrow token",
    "owner of another salon",
)
OFTEN = {"scorer", "scorer elsewhere", "anyone", "narrow token", "owner of another salon"}
STANDS_FOR = {
    "id": "0" * 32,
    "label": HERE,
    "number": "1",
    "code": "score.NS",
    "account": "N",
    "seat": "N",
    "slug": "bids",
    "key": "1",
}


def operations() -> Iterator[tuple[str, str, Action]]:
    """Each operation with its method and an address below the salon's."""
    for operation in actions():
        yield operation.method, address_of(operation.pattern), operation


def address_of(pattern: URLPattern) -> str:
    """An address of this pattern, with something for each of its parts."""
    address = str(pattern.pattern)
    address = address.removeprefix(OF_SALON) if address.startswith(OF_SALON) else f"/{address}"
    for part in pattern.pattern.converters:
        kind = (
            next(
                kind
                for kind in STANDS_FOR
                if f"<{kind}:{part}>" in address or (kind == "slug" and f"<slug:{part}>" in address)
            )
            if part != "salon"
            else ""
        )
        address = address.replace(f"<{kind}:{part}>", STANDS_FOR.get(kind, ""))
    return address


ALL = list(operations())
BESIDE = {"list_salons"}  # what is about no salon in particular
# The page that does what these operations do.
PAGES = {
    "home": "read_salon list_games",
    "players": "list_players",
    "tables": "list_tables",
    "table_link": "read_table_link renew_table_link",
    "tokens": "list_tokens create_token",
    "token_end": "end_token",
    "start": "start_game list_presets",
    "board": "read_game list_hands list_numbers read_offer",
    "seats": "list_seats renew_seat_link",
    "acts": "record_act",
    "sheet": "record_hand",
    "sheet_preview": "preview_hand",
    "second_entry": "enter_hand_again",
    "corrections": "list_recorded_hands",
    "correction": "correct_game preview_game_correction",
    "confirmation": "read_confirmation",
    "attestations": "attest",
    "game_history": "list_game_events list_game_acts read_game_as_of export_record",
    "comparison": "compare_game",
    "history": "list_events list_acts export_records",
    "number": "explain_number",
    "game_ledger": "list_accounts",
    "account_statement": "read_account_statement",
    "ledger": "read_books",
    "player_statement": "read_player_statement",
    "game_file": "export_game_log",
    "salon_file": "export_log",
    "archive_file": "export_salon",
    "tournament_file": "export_tournament_log",
    "deal_from_stock": "deal_from_stock",
    "rules": "list_rules",
    "tournaments": "list_tournaments",
    "new_tournament": "create_tournament",
    "tournament": "read_tournament",
    "tournament_stage": "set_stage",
    "desk_acts": "direct_tournament",
    "desk_games": "start_tournament_game start_round_games",
    "tournament_plan": "read_schedule",
    "tournament_deals": "read_deals",
    "desk_deals": "draw_deals",
    "desk_seeds": "reveal_deals",
    "tournament_round": "read_round",
    "tournament_entry": "read_entry",
    "tournament_points": "explain_points",
    "tournament_bracket": "read_bracket",
    "tournament_standings": "read_standings",
    "desk_standings": "resume_standings",
    "tournament_history": "list_tournament_events list_tournament_acts read_tournament_as_of",
    "tournament_comparison": "compare_tournament",
    "season": "list_seasons read_season",
    "new_season": "begin_season",
    "season_acts": "act_in_season",
    "season_history": "list_season_events list_season_acts",
    "table_calls": "read_table_call call_director",
    "call_cancellations": "take_call_back",
    "calls": "list_calls",
    "call": "read_call list_call_events list_call_acts",
    "call_acts": "act_on_call",
    "screens": "list_screens add_screen",
    "screen_set_up": "read_screen",
    "screen_history": "list_screen_events list_screen_acts",
    "screen_acts": "act_on_screen",
    "stocks": "list_stocks",
    "stock": "read_stock",
    "stock_seed": "reveal_seed",
    "checkpoint": "list_checkpoints read_checkpoint",
    "checkpoints": "sign_checkpoint",
    "cosignatures": "add_cosignature",
    "entry_proof": "prove_entry",
    "consistency": "prove_consistency",
    "countersigning": "list_countersigned countersign_checkpoint",
    "verifier": "read_verifier",
    "audit": "list_audits",
    "audit_run": "read_audit",
    "audits": "begin_audit",
    "house": "read_house",
    "player": "read_player read_player_records",
    "public_name": "set_public_name",
    "person": "read_held",
    "erasure": "look_at_erasure erase_person",
    "person_correction": "rename_person merge_persons separate_persons",
    "player_list": "preview_player_list keep_player_list take_player_list_back",
    "people": "list_members list_invitations invite_somebody",
    "invitation_end": "withdraw_invitation",
    "member": "set_role end_member",
    "settings": "read_settings set_settings list_work",
    "logo_change": "show_logo take_logo_away",
    "salon_tables": "add_tables rename_table list_retired_tables retire_table",
    "presets": "keep_house_rules",
    "preset_end": "forget_preset",
    "parked": "resume_work",
    "webhooks": "list_webhooks add_webhook",
    "webhook": "read_webhook list_deliveries",
    "webhook_acts": (
        "remove_webhook renew_webhook_secret pause_webhook end_webhook_pause ping_webhook"
    ),
    "delivery_repeat": "repeat_delivery",
    "captain_link": "read_captain_link renew_captain_link",
    "own_link": "read_own_link renew_own_link end_own_link",
    "event_link": "read_event_link renew_event_link end_event_link",
    "desk_lists": "preview_entry_list enter_entry_list",
    "draw_snapshot": "read_draw_snapshot",
    "swap_preview": "preview_swap",
    "practices": "begin_practice",
    "tournament_sheet": "export_sheet",
}
# Files come in and go out on the command line; a stock is drawn and the house changed by a form on
# a page that everybody sees, and what became of them stands there for those who read the history.
WITHOUT_A_PAGE = {
    "create_table_token": None,
    "list_salons": None,
    "import_record": Permission.DIRECT,
    "import_tournament_file": Permission.DIRECT,
    "export_tournament_file": Permission.DIRECT,
    "draw_stock": Permission.DIRECT,
    "set_correction_period": Permission.KEEP_HOUSE,
    "set_way_of_confirming": Permission.KEEP_HOUSE,
    **dict.fromkeys(
        ("list_stock_events", "list_stock_acts", "list_house_events", "list_house_acts"),
        Permission.READ_HISTORY,
    ),
}


def expected(role: str, operation: Action, address: str) -> set[int]:
    """With what an operation may answer this role before it looks at what was sent."""
    told = {200, 201, 204, 400, 404, 409, 422, 428}
    if operation.name in BESIDE:
        return {401} if role == "anyone" else {200}
    if role == "owner of another salon":
        return {404}
    act = operation.act
    if act is None:
        return told
    role_of = {
        "scorer here": Role.TABLE_LINK,
        "scorer elsewhere": Role.TABLE_LINK,
        "narrow token": Role.OWNER,
    }
    known = role_of[role] if role in role_of else Role(role)
    granted = act is Permission.SEE_SALON if role == "narrow token" else known in GRANTS[act]
    if not granted:
        return {401} if role == "anyone" else {403}
    bound = known in AT_OWN_TABLES.get(act, ()) or known in OF_ITS_OWN.get(act, ())
    return told | ({403} if bound else set())


@pytest.mark.parametrize(
    "role",
    [role if role in OFTEN else pytest.param(role, marks=pytest.mark.long) for role in ROLES],
)
def test_an_operation_is_for_whom_the_grants_name_and_nobody_else(salon: Salon, role: str) -> None:
    client = caller(salon, role)
    before = kept()

    answers = [
        (operation, address, getattr(client, method)(address)) for method, address, operation in ALL
    ]

    otherwise = [
        (each.name, answer.status)
        for each, address, answer in answers
        if answer.status not in expected(role, each, address)
    ]
    assert otherwise == []
    if role not in ("owner", "director"):  # who may renew the link of a table
        assert kept() == before
    assert all(
        answer.value["status"] == answer.status
        for _each, _address, answer in answers
        if answer.status in {401, 403}
    )


def kept() -> tuple[object, ...]:
    """What a refused write must not touch."""
    return (
        set(Table.objects.values_list("token", flat=True)),
        ApiToken.objects.count(),
        Log.objects.order_by("pk")[0].position,
    )


def test_an_operation_is_for_whom_the_page_is_that_does_the_same() -> None:
    acts = {operation.name: operation.act for _method, _address, operation in ALL}

    assert acts.keys() == {
        *(name for names in PAGES.values() for name in names.split()),
        *WITHOUT_A_PAGE,
    }
    assert {name: acts[name] for name in WITHOUT_A_PAGE} == WITHOUT_A_PAGE
    for page, names in PAGES.items():
        for name in names.split():
            assert acts[name] is GUARDED[page].act, (name, page)


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [operation.name for _method, _address, operation in ALL]

    assert len(names) == len(set(names)) > 30


def test_nothing_of_another_salon_is_there_whatever_is_asked(salon: Salon) -> None:
    walked(salon)
    other_salon = opened_salon("Elsewhere", "pim@example.org")
    other, before = owner_calls(other_salon), Log.objects.get(pk=salon.log_id).position
    bodies = {
        operation.name: examples()[operation.name]["request"]
        for _method, _address, operation in ALL
    }
    reached = []

    for method, address, operation in ALL:
        if "0" * 32 not in address:
            continue
        for key in ids_for(address, salon):
            path = address.replace("0" * 32, key)
            sent = {"body": bodies[operation.name], "version": 1} if method == "post" else {}
            answer = getattr(other, method)(path, **sent)
            if answer.status < 400:
                reached.append((operation.name, key))

    assert reached == []
    assert Log.objects.get(pk=salon.log_id).position == before
    assert Log.objects.get(pk=other_salon.log_id).position == 0


def ids_for(address: str, salon: Salon) -> list[str]:
    """What an address may name of a salon: an id of the kind that its first part says, and one of
    another kind.
    """
    kinds = {
        "games": Game.objects.filter(salon=salon).values_list("pk", flat=True),
        "tournaments": Tournament.objects.filter(salon=salon).values_list("pk", flat=True),
        "stocks": Stock.objects.filter(salon=salon).values_list("pk", flat=True),
        "calls": Call.objects.filter(salon=salon).values_list("pk", flat=True),
        "screens": Screen.objects.filter(salon=salon).values_list("pk", flat=True),
        "seasons": Season.objects.filter(salon=salon).values_list("pk", flat=True),
        "players": Player.objects.filter(salon=salon).values_list("pk", flat=True),
        "deliveries": Delivery.objects.filter(webhook__salon=salon).values_list("pk", flat=True),
        "webhooks": Webhook.objects.filter(salon=salon).values_list("pk", flat=True),
        "tokens": ApiToken.objects.filter(salon=salon).values_list("identity", flat=True),
    }
    own = [kind for kind in kinds if f"{kind}/{'0' * 32}" in address]
    another = next(kind for kind in kinds if kind not in own)
    return [kinds[kind].order_by("pk")[0] for kind in (*own, another)]


def test_an_id_that_another_salon_has_taken_says_nothing_of_what_is_there(salon: Salon) -> None:
    game = a_game(owner_calls(salon))
    other = owner_calls(opened_salon("Elsewhere", "pim@example.org"))

    moved = other.post(
        "games/",
        {"game": "precedence", "players": {"N": "A", "E": "B", "S": "C", "W": "D"}},
        key=game,
    )

    assert moved.status in {409, 422}
    assert moved.value["current"] is None


def test_a_scorers_token_records_at_its_table_and_no_other(salon: Salon) -> None:
    owner = owner_calls(salon)
    here, elsewhere = a_game(owner, table=HERE), a_game(owner, table=ELSEWHERE)
    scorer = caller(salon, "scorer here")

    assert (
        scorer.post(f"games/{here}/acts/hands/", {"dealer": "S"}, version=version_of(here)).status
        == 201
    )
    assert (
        scorer.post(
            f"games/{elsewhere}/acts/hands/", {"dealer": "S"}, version=version_of(elsewhere)
        ).status
        == 403
    )


def test_a_table_gives_its_phone_a_token_for_link_and_pin(salon: Salon) -> None:
    table = Table.objects.get(salon=salon, label=HERE)
    anyone = Caller(salon=salon.slug)

    given = anyone.post(f"tables/{HERE}/tokens/", {"link": table.token, "pin": table.pin})
    wrong = anyone.post(f"tables/{HERE}/tokens/", {"link": table.token, "pin": "wrong"})

    assert (given.status, wrong.status, wrong.value["code"]) == (201, 422, "wrong_pin")
    assert anyone.post(f"tables/{HERE}/tokens/", {"link": "x", "pin": table.pin}).status == 404
    phone = Caller(salon=salon.slug, token=given.value["token"])
    assert phone.get("").value["role"] == "table link"
    renew(table)
    assert phone.get("").status == 401


def test_a_token_that_has_expired_or_was_ended_opens_nothing(salon: Salon) -> None:
    owner = owner_calls(salon)
    new = owner.post("tokens/", {"name": "Overlay", "scopes": ["see the salon"], "days": 1}).value
    overlay = Caller(salon=salon.slug, token=new["token"])
    assert overlay.get("").status == 200

    assert owner.delete(f"tokens/{new['id']}/").status == 204
    assert overlay.get("").status == 401
    ApiToken.objects.update(expiry=timezone.now())
    assert owner.get("").status == 401


def test_a_token_is_told_once_and_kept_as_a_digest(salon: Salon) -> None:
    owner, key = owner_calls(salon), str(uuid.uuid4())
    new = {"name": "Overlay", "scopes": ["see the salon"], "days": 7}

    first, again = (owner.post("tokens/", new, key=key) for _ in range(2))

    assert again.value == first.value | {"token": ""}
    assert again.headers["Idempotency-Replayed"] == "true"
    assert ApiToken.objects.count() == 2
    assert not ApiToken.objects.filter(digest__contains=first.value["token"]).exists()


def test_nobody_gives_more_than_they_may_do(salon: Salon) -> None:
    narrow = owner_calls(salon, Permission.GIVE_TOKENS)

    refused = narrow.post("tokens/", {"name": "More", "scopes": ["correct what was recorded"]})

    assert (refused.status, refused.value["code"], refused.value["path"]) == (
        422,
        "not_allowed",
        "scopes",
    )


def test_a_token_that_was_given_by_a_token_ends_no_later_and_with_it(salon: Salon) -> None:
    owner = owner_calls(salon)  # by a token of one day

    child = owner.post(
        "tokens/",
        {"name": "Child", "scopes": ["give tokens for the API", "see the salon"], "days": 366},
    ).value
    grandchild = Caller(salon=salon.slug, token=child["token"]).post(
        "tokens/", {"name": "Grandchild", "scopes": ["see the salon"], "days": 366}
    )

    rows = {row.name: row for row in ApiToken.objects.all()}
    assert rows["In a test"].expiry == rows["Child"].expiry == rows["Grandchild"].expiry
    assert child["expires"] == grandchild.value["expires"] == rows["In a test"].expiry.isoformat()
    shorter = owner.post("tokens/", {"name": "Shorter", "scopes": ["see the salon"], "days": 1})
    assert shorter.value["expires"] <= child["expires"]
    assert owner.delete(f"tokens/{rows['In a test'].identity}/").status == 204
    assert Caller(salon=salon.slug, token=grandchild.value["token"]).get("").status == 401
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    "way",
    [
        "the own page",
        "a link by mail",
        "a link of the owner",
        "a command",
        "no second step any more",
    ],
)
def test_tokens_end_with_a_new_password_and_with_a_dropped_second_step(
    salon: Salon, way: str
) -> None:
    client = member(salon, "director")
    user = User.objects.get(first_name="Director")
    user.set_password(PASSWORD)
    user.save()
    client.force_login(user)
    visitor = as_member(Membership.objects.get(user=user))
    program = Caller(
        salon=salon.slug,
        token=give_token(visitor, name="Overlay", scopes=[Permission.SEE_SALON], days=1)[1],
    )
    others = owner_calls(salon)
    assert program.get("").status == 200

    match way:
        case "the own page":
            new = {
                "oldpassword": PASSWORD,
                "password1": "paper lantern river",
                "password2": "paper lantern river",
            }
            assert "tokens that you gave to programs end" in client.get("/account/password/").text
            assert client.post("/account/password/", new).status_code == 302
        case "a link by mail":
            password_reset_by_mail(user)
        case "a link of the owner":
            token = hand_out(
                Membership.objects.get(user=user),
                Purpose.PASSWORD,
                by=Membership.objects.get(salon=salon, role="owner").user,
            )
            set_password(token, "paper lantern river")
        case "a command":
            found = User.objects.get(pk=user.pk)
            found.set_password("paper lantern river")
            found.save()
        case _:
            drop_second_step_of(user, by="the operator of the server")

    assert program.get("").status == 401
    assert others.get("").status == 200


def test_signing_in_ends_no_token(salon: Salon, settings: Settings) -> None:
    """Not even where the password is kept in a better way from then on."""
    program = owner_calls(salon)
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = User.objects.get().password

    Client().post("/sign-in/", {"email": "mara@example.org", "password": PASSWORD})

    assert User.objects.get().password != before
    assert program.get("").status == 200


def password_reset_by_mail(user: User) -> None:
    user.email = user.username
    user.save()
    Client().post("/account/password/forgotten/", {"email": user.email})
    client = Client()
    form = client.get(link_in(mail.outbox[-1]))["Location"]
    assert (
        client.post(
            form, {"password1": "paper lantern river", "password2": "paper lantern river"}
        ).status_code
        == 302
    )


def test_who_left_the_salon_has_no_token_any_more(salon: Salon) -> None:
    owner = owner_calls(salon)
    Membership.objects.all().delete()

    assert owner.get("").status in {302, 401}


def test_a_browser_that_signed_in_reads_and_writes_only_from_our_pages(salon: Salon) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(Membership.objects.get(salon=salon).user)
    signed_in = Caller(salon=salon.slug, browser=browser)

    assert signed_in.get("ledger/").status == 200
    assert signed_in.post("games/", {}).status == 403


def test_too_many_requests_are_asked_to_wait(salon: Salon, settings: Settings) -> None:
    settings.API_RATES = {"token": "2/min", "address": "100/min"}
    owner = owner_calls(salon)

    answers = [owner.get("") for _ in range(3)]

    assert [each.status for each in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert owner_calls(salon).get("").status == 200


def test_who_is_refused_has_asked_too(salon: Salon, settings: Settings) -> None:
    settings.API_RATES = {"token": "100/min", "address": "2/min"}
    anyone = Caller(salon=salon.slug)

    assert [anyone.get("ledger/").status for _ in range(3)] == [401, 401, 429]
