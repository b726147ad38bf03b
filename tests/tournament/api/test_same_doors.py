"""Whatever a page lets change, a program can change too, through the API; what stays with the pages
says why.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.models import User
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from django.views.generic.base import RedirectView

from tests.tournament.api.calling import actions
from tournament.domain.tournament.subjects import ACTS as ACTS_OF_DIRECTORS
from tournament.pages.salon import people

SAFE = {"get", "head", "options"}
# Every page that takes a POST, and the operations by which a program does what it does.
DOORS = {
    "start": "start_game deal_from_stock record_act",
    "acts": "record_act",
    "sheet": "record_hand",
    "outbox": "record_act record_hand attest enter_hand_again",
    "game_outbox": "attest enter_hand_again",
    "sheet_preview": "preview_hand",
    "deal_from_stock": "deal_from_stock",
    "seats": "renew_seat_link",
    "correction": "correct_game preview_game_correction",
    "hand_move": "correct_game preview_game_correction",
    "attestations": "attest",
    "second_entry": "enter_hand_again",
    "table_link": "renew_table_link",
    "captain_link": "renew_captain_link",
    "own_link": "renew_own_link end_own_link",
    "event_link": "renew_event_link end_event_link",
    "house": "set_correction_period set_way_of_confirming",
    "stocks": "draw_stock",
    "stock_seed": "reveal_seed",
    "new_tournament": "create_tournament",
    "tournament_stage": "set_stage",
    "desk_acts": "direct_tournament",
    "desk_results": "direct_tournament",
    "desk_result_rows": "direct_tournament",
    "desk_games": "start_tournament_game start_round_games",
    "desk_lists": "preview_entry_list enter_entry_list",
    "desk_deals": "draw_deals",
    "desk_seeds": "reveal_deals",
    "desk_standings": "resume_standings",
    "practices": "begin_practice",
    "table_calls": "call_director",
    "own_calls": "call_director take_call_back",
    "call_cancellations": "take_call_back",
    "call_acts": "act_on_call",
    "screens": "add_screen",
    "screen_acts": "act_on_screen",
    "new_season": "begin_season",
    "season_acts": "act_in_season",
    "player_list": "preview_player_list keep_player_list take_player_list_back",
    "public_name": "set_public_name",
    "erasure": "look_at_erasure erase_person",
    "person_correction": "rename_person merge_persons separate_persons",
    "people": "invite_somebody",
    "invitation_end": "withdraw_invitation",
    "member": "set_role end_member",
    "settings": "set_settings",
    "logo_change": "show_logo take_logo_away",
    "salon_tables": "add_tables rename_table retire_table",
    "presets": "keep_house_rules",
    "preset_end": "forget_preset",
    "task_retry": "resume_work",
    "parked": "resume_work",
    "audits": "begin_audit",
    "checkpoints": "sign_checkpoint",
    "cosignatures": "add_cosignature",
    "countersigning": "countersign_checkpoint",
    "webhooks": "add_webhook",
    "webhook_acts": (
        "renew_webhook_secret pause_webhook end_webhook_pause ping_webhook remove_webhook"
    ),
    "delivery_repeat": "repeat_delivery",
    "tokens": "create_token",
    "token_end": "end_token",
    "table_join": "create_table_token",
}
BROWSER = "it is about this browser and its session, which a program has not"
CREDENTIAL = (
    "passwords and second steps are given and taken by people at a page: a token "
    "that was lost must not open accounts"
)
BY_HAND = {
    "sign_in": BROWSER,
    "sign_out": BROWSER,
    "salons": BROWSER,  # which salon addresses without one mean; those of the API name it
    "event_join": BROWSER,
    "captain": BROWSER,
    "table_door": BROWSER,
    "own_door": "a program asks for the link of an entry itself",
    "own_phones": "what is told goes to the browser whose page asked for it",
    "seat_join": BROWSER,  # programs send the PIN with what they confirm
    "account_session": BROWSER,
    "account_sessions": BROWSER,
    "first_visit": "the key that the server prints opens its first salon, once",
    "new_salon": "the server's owner opens salons; a token is for one of them",
    "practice_pad": BROWSER,
    "practice_act": BROWSER,
    "backups": "a backup holds every salon of the server; a token is for one of them",
    "invitation": CREDENTIAL,
    "account": CREDENTIAL,
    "address_links": CREDENTIAL,
    "address_link": CREDENTIAL,
    "new_password": CREDENTIAL,
    "past_second_step": CREDENTIAL,
    "mfa_authenticate": CREDENTIAL,
    "mfa_reauthenticate": CREDENTIAL,
    "mfa_activate_totp": CREDENTIAL,
    "mfa_deactivate_totp": CREDENTIAL,
    "mfa_generate_recovery_codes": CREDENTIAL,
    "account_change_password": CREDENTIAL,
    "account_reauthenticate": CREDENTIAL,
    "account_reset_password": CREDENTIAL,
    "account_reset_password_from_key": CREDENTIAL,
}
MEMBERS_BY_HAND = {"password-link", "second-step"}


def pages(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    """Every page but the admin's, which change nothing recorded, and what is the API itself."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if not str(pattern.pattern).startswith(("admin/", "api/")):
                yield from pages(list(pattern.url_patterns))
        elif not str(pattern.pattern).startswith("admin/"):
            yield pattern


def takes_a_post(view: Callable[..., HttpResponseBase], arguments: dict[str, Any]) -> bool:
    """Whether the view answers to POST: its class says so, or the view itself when it is asked in a
    way that nothing is asked.
    """
    view_class = getattr(view, "view_class", None)
    if view_class is not None:
        return hasattr(view_class, "post") and view_class is not RedirectView
    request = RequestFactory().generic("NO-SUCH-METHOD", "/")
    request.user = User()
    answer = view(request, **arguments)
    assert answer.status_code == 405, view
    return "POST" in answer.headers["Allow"]


def names_of_pages_that_change() -> set[str]:
    found = pages(get_resolver().url_patterns)
    return {
        str(page.name)
        for page in found
        if takes_a_post(page.callback, dict.fromkeys(page.pattern.converters, "1"))
    }


def test_every_page_that_changes_something_has_its_operations_or_a_reason() -> None:
    assert names_of_pages_that_change() == DOORS.keys() | BY_HAND.keys()
    assert not DOORS.keys() & BY_HAND.keys()


def test_the_operations_named_are_there_and_are_writes() -> None:
    known = {operation.name: operation.method for operation in actions()}

    named = {name for names in DOORS.values() for name in names.split()}
    assert named <= known.keys()
    assert {name for name, method in known.items() if method not in SAFE} - named == {
        "import_record",  # files come in on the command line otherwise
        "import_tournament_file",
    }


def test_what_a_page_does_in_several_ways_is_done_in_all_of_them() -> None:
    assert set(people.CHANGES) - MEMBERS_BY_HAND == {"role", "end"}
    assert len(ACTS_OF_DIRECTORS) > 20  # the same table is read by the desk and by the API
