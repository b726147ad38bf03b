"""Every page of the server: the act that it asks for, and a browser of each role."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.helpers.evenings import in_round_1, of_teams
from tests.tournament.helpers.played import game_at
from tests.tournament.helpers.salons import member, scorer_at, seated
from tournament.accounts.captain_links import links_of as captains_of
from tournament.accounts.event_links import open_link
from tournament.accounts.permissions import Permission
from tournament.models import CaptainLink, EventLink, Salon

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

WITHOUT_A_ROLE = {"anyone", "account without a role", "captain link"}  # but for their one page


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What an address is for; `methods` are those it answers to, `table` whether it happens at one
    table, `sent` a form for it.
    """

    act: Permission
    methods: tuple[str, ...] = ("get",)
    arguments: dict[str, Any] = field(default_factory=dict)
    table: bool = False
    sent: dict[str, str] = field(default_factory=dict)


KEPT_BID = json.dumps(
    [{"command": "0" * 32, "collection": "bids", "body": "seat=W&tricks:number=1"}]
)

AT_TABLE_4 = {"label": HERE}

AN_EVENT = {"tournament": "0" * 32}

GUARDED = {
    "home": Page(act=Permission.SEE_SALON),
    "permissions": Page(act=Permission.SEE_SALON),
    "settings": Page(act=Permission.ADMINISTER, methods=("get", "post")),
    "logo_change": Page(act=Permission.ADMINISTER, methods=("post",)),
    "logo": Page(act=Permission.SEE_SALON, arguments={"digest": "0" * 64}),
    "salon_tables": Page(act=Permission.MANAGE_TABLES, methods=("get", "post")),
    "archive_file": Page(act=Permission.TAKE_ALONG),
    "backups": Page(act=Permission.ADMINISTER, methods=("post",)),
    "backup_file": Page(act=Permission.ADMINISTER, arguments={"name": "none"}),
    "presets": Page(act=Permission.ADMINISTER, methods=("post",)),
    "preset_end": Page(act=Permission.ADMINISTER, methods=("post",), arguments={"preset": "0"}),
    "task_retry": Page(
        act=Permission.ADMINISTER, methods=("post",), arguments={"projection": "checked"}
    ),
    "public_name": Page(
        act=Permission.CHOOSE_NAME, methods=("post",), arguments={"player": "0" * 32}
    ),
    "captain_link": Page(
        act=Permission.MANAGE_TABLES, methods=("get", "post"), arguments=AN_EVENT | {"entry": "1"}
    ),
    "own_link": Page(
        act=Permission.MANAGE_TABLES, methods=("get", "post"), arguments=AN_EVENT | {"entry": "1"}
    ),
    "event_link": Page(act=Permission.MANAGE_TABLES, methods=("get", "post"), arguments=AN_EVENT),
    "people": Page(act=Permission.INVITE, methods=("get", "post"), sent={"role": "scorer"}),
    "invitation_end": Page(act=Permission.INVITE, methods=("post",), arguments={"invitation": "0"}),
    "member": Page(
        act=Permission.ADMINISTER, methods=("post",), arguments={"member": "0", "what": "end"}
    ),
    "api_documents": Page(act=Permission.SEE_SALON),
    "tokens": Page(act=Permission.GIVE_TOKENS, methods=("get", "post")),
    "token_end": Page(act=Permission.GIVE_TOKENS, methods=("post",), arguments={"token": "0" * 32}),
    "start": Page(act=Permission.START_GAME, methods=("get", "post")),
    "players": Page(act=Permission.START_GAME),
    "tables": Page(act=Permission.SEE_SALON),
    "board": Page(act=Permission.SEE_SALON, arguments={"game": "0" * 32}),
    "game_clock": Page(act=Permission.SEE_SALON, arguments={"game": "0" * 32}),
    "general_rules": Page(act=Permission.SEE_SALON),
    "rules": Page(act=Permission.SEE_SALON, arguments={"kind": "precedence"}),
    "pad": Page(act=Permission.RECORD, arguments=AT_TABLE_4, table=True),
    "game_pad": Page(act=Permission.RECORD, arguments=AT_TABLE_4 | {"game": "0" * 32}, table=True),
    "acts": Page(
        act=Permission.RECORD,
        methods=("get", "post"),
        arguments=AT_TABLE_4 | {"collection": "bids"},
        table=True,
    ),
    "handover": Page(act=Permission.RECORD, arguments=AT_TABLE_4, table=True),
    "seats": Page(act=Permission.RECORD, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "table_calls": Page(
        act=Permission.CALL, methods=("get", "post"), arguments=AT_TABLE_4, table=True
    ),
    "call_cancellations": Page(
        act=Permission.CALL,
        methods=("post",),
        arguments=AT_TABLE_4,
        table=True,
        sent={"call": "0" * 32},
    ),
    "calls": Page(act=Permission.AUDIT),
    "call": Page(act=Permission.READ_HISTORY, arguments={"call": "0" * 32}),
    "call_acts": Page(
        act=Permission.DIRECT,
        methods=("post",),
        arguments={"call": "0" * 32, "collection": "answers"},
    ),
    "desk_calls": Page(act=Permission.AUDIT, arguments=AN_EVENT),
    "screen": Page(act=Permission.SEE_SALON, arguments={"address": "bar"}),
    "overlay": Page(act=Permission.SEE_SALON, arguments=AT_TABLE_4),
    "embedded_table": Page(act=Permission.SEE_SALON, arguments=AT_TABLE_4),
    "embedded_standings": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "screens": Page(act=Permission.DIRECT, methods=("get", "post")),
    "screen_set_up": Page(act=Permission.DIRECT, arguments={"screen": "0" * 32}),
    "screen_history": Page(act=Permission.READ_HISTORY, arguments={"screen": "0" * 32}),
    "screen_acts": Page(
        act=Permission.DIRECT,
        methods=("post",),
        arguments={"screen": "0" * 32, "collection": "releases"},
    ),
    "confirmation": Page(act=Permission.SEE_SALON, arguments={"game": "0" * 32}),
    "attestations": Page(
        act=Permission.CONFIRM,
        methods=("post",),
        arguments={"game": "0" * 32, "collection": "confirmations"},
    ),
    "second_entry": Page(
        act=Permission.CONFIRM, methods=("get", "post"), arguments={"game": "0" * 32, "hand": 1}
    ),
    "ruling": Page(act=Permission.RULE, arguments=AT_TABLE_4),
    "pack": Page(act=Permission.RECORD, arguments=AT_TABLE_4, table=True),
    "outbox": Page(
        act=Permission.RECORD,
        methods=("get", "post"),
        arguments=AT_TABLE_4,
        table=True,
        sent={"acts": KEPT_BID},
    ),
    "game_outbox": Page(
        act=Permission.CONFIRM, methods=("get", "post"), arguments={"game": "0" * 32}
    ),
    "sheet": Page(act=Permission.RECORD, methods=("get", "post"), arguments=AT_TABLE_4, table=True),
    "sheet_preview": Page(
        act=Permission.RECORD, methods=("post",), arguments=AT_TABLE_4, table=True
    ),
    "player_list": Page(act=Permission.DIRECT, methods=("get", "post")),
    "player": Page(act=Permission.SEE_SALON, arguments={"player": "0" * 32}),
    "person": Page(act=Permission.READ_PERSON, arguments={"player": "0" * 32}),
    "person_file": Page(act=Permission.READ_PERSON, arguments={"player": "0" * 32}),
    "erasure": Page(
        act=Permission.ERASE_PERSON, methods=("get", "post"), arguments={"player": "0" * 32}
    ),
    "person_correction": Page(
        act=Permission.DIRECT, methods=("get", "post"), arguments={"player": "0" * 32}
    ),
    "history": Page(act=Permission.READ_HISTORY),
    "game_history": Page(act=Permission.READ_HISTORY, arguments={"game": "0" * 32}),
    "game_certificate": Page(act=Permission.READ_HISTORY, arguments={"game": "0" * 32}),
    "number": Page(act=Permission.SEE_SALON, arguments={"game": "0" * 32, "code": "score.NS"}),
    "comparison": Page(act=Permission.READ_HISTORY, arguments={"game": "0" * 32}),
    "corrections": Page(act=Permission.CORRECT, arguments={"game": "0" * 32}),
    "correction": Page(
        act=Permission.CORRECT,
        methods=("get", "post"),
        arguments={"game": "0" * 32, "what": "reopened"},
    ),
    "hand_move": Page(
        act=Permission.CORRECT, methods=("get", "post"), arguments={"game": "0" * 32}
    ),
    "ledger": Page(act=Permission.READ_LEDGER),
    "game_ledger": Page(act=Permission.READ_LEDGER, arguments={"game": "0" * 32}),
    "account_statement": Page(
        act=Permission.READ_LEDGER, arguments={"game": "0" * 32, "account": "N"}
    ),
    "player_statement": Page(act=Permission.READ_LEDGER, arguments={"player": "0" * 32}),
    "audit": Page(act=Permission.AUDIT),
    "audits": Page(act=Permission.AUDIT, methods=("post",)),
    "audit_run": Page(act=Permission.AUDIT, arguments={"run": 1}),
    "parked": Page(act=Permission.DIRECT, methods=("post",), arguments={"projection": "standings"}),
    "salon_file": Page(act=Permission.AUDIT),
    "game_file": Page(act=Permission.AUDIT, arguments={"game": "0" * 32}),
    "tournament_file": Page(act=Permission.AUDIT, arguments=AN_EVENT),
    "verifier": Page(act=Permission.SEE_SALON),
    "checkpoints": Page(act=Permission.SIGN, methods=("post",)),
    "checkpoint": Page(act=Permission.SEE_SALON, arguments={"size": "1"}),
    "cosignatures": Page(act=Permission.SIGN, methods=("post",), arguments={"size": "1"}),
    "entry_proof": Page(act=Permission.SEE_SALON, arguments={"position": "1"}),
    "consistency": Page(act=Permission.SEE_SALON),
    "countersigning": Page(act=Permission.SIGN, methods=("get", "post")),
    "new_season": Page(act=Permission.DIRECT, methods=("get", "post")),
    "season": Page(act=Permission.SEE_SALON, arguments={"season": "0" * 32}),
    "season_history": Page(act=Permission.READ_HISTORY, arguments={"season": "0" * 32}),
    "season_acts": Page(
        act=Permission.DIRECT,
        methods=("post",),
        arguments={"season": "0" * 32, "collection": "events"},
    ),
    "webhooks": Page(act=Permission.ADMINISTER, methods=("get", "post")),
    "webhook": Page(act=Permission.ADMINISTER, arguments={"hook": "0" * 32}),
    "webhook_acts": Page(
        act=Permission.ADMINISTER, methods=("post",), arguments={"hook": "0" * 32, "what": "pings"}
    ),
    "delivery_repeat": Page(
        act=Permission.ADMINISTER,
        methods=("post",),
        arguments={"hook": "0" * 32, "delivery": "0" * 32},
    ),
    "tournaments": Page(act=Permission.SEE_SALON),
    "new_tournament": Page(act=Permission.DIRECT, methods=("get", "post")),
    "format_advice": Page(act=Permission.DIRECT),
    "practices": Page(act=Permission.DIRECT, methods=("post",)),
    "tournament": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "tournament_bracket": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "tournament_standings": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "tournament_plan": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "tournament_crosstable": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "tournament_deals": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "tournament_deal": Page(act=Permission.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "tournament_round": Page(act=Permission.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "tournament_entry": Page(act=Permission.SEE_SALON, arguments=AN_EVENT | {"entry": "1"}),
    "tournament_points": Page(act=Permission.SEE_SALON, arguments=AN_EVENT | {"entry": "1"}),
    "tournament_sheet": Page(
        act=Permission.SEE_SALON, arguments=AN_EVENT | {"what": "standings", "ending": "csv"}
    ),
    "tournament_feed": Page(act=Permission.SEE_SALON, arguments=AN_EVENT),
    "round_why": Page(act=Permission.SEE_SALON, arguments=AN_EVENT | {"number": "1"}),
    "swap_preview": Page(act=Permission.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "draw_snapshot": Page(act=Permission.READ_HISTORY, arguments=AN_EVENT | {"number": "1"}),
    "draw_snapshot_file": Page(act=Permission.READ_HISTORY, arguments=AN_EVENT | {"number": "1"}),
    "tournament_history": Page(act=Permission.READ_HISTORY, arguments=AN_EVENT),
    "tournament_comparison": Page(act=Permission.READ_HISTORY, arguments=AN_EVENT),
    "desk": Page(act=Permission.DIRECT, arguments=AN_EVENT),
    "desk_entries": Page(act=Permission.DIRECT, arguments=AN_EVENT),
    "desk_entry": Page(act=Permission.DIRECT, arguments=AN_EVENT | {"entry": "1"}),
    "desk_slips": Page(act=Permission.DIRECT, arguments=AN_EVENT),
    "tournament_stage": Page(act=Permission.DIRECT, arguments=AN_EVENT),
    "desk_results": Page(
        act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT | {"number": "1"}
    ),
    "desk_result_rows": Page(
        act=Permission.DIRECT, methods=("get", "post"), arguments=AN_EVENT | {"number": "1"}
    ),
    "desk_result_slips": Page(act=Permission.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "desk_round": Page(act=Permission.DIRECT, arguments=AN_EVENT | {"number": "1"}),
    "desk_deals": Page(act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_seeds": Page(act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_deal_sheets": Page(act=Permission.DIRECT, arguments=AN_EVENT),
    "desk_deals_on_paper": Page(act=Permission.DIRECT, arguments=AN_EVENT),
    "desk_lists": Page(act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_games": Page(act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_standings": Page(act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT),
    "desk_acts": Page(
        act=Permission.DIRECT, methods=("post",), arguments=AN_EVENT | {"collection": "results"}
    ),
    "house": Page(act=Permission.SEE_SALON),
    "stocks": Page(act=Permission.SEE_SALON),
    "stock": Page(act=Permission.SEE_SALON, arguments={"stock": "0" * 32}),
    "stock_seed": Page(act=Permission.DIRECT, methods=("post",), arguments={"stock": "0" * 32}),
    "deal_from_stock": Page(
        act=Permission.RECORD, methods=("post",), arguments=AT_TABLE_4, table=True
    ),
    "table_slips": Page(act=Permission.MANAGE_TABLES),
    "table_cards": Page(act=Permission.MANAGE_TABLES),
    "score_sheets": Page(act=Permission.MANAGE_TABLES, arguments={"kind": "precedence"}),
    "table_link": Page(act=Permission.MANAGE_TABLES, methods=("get", "post"), arguments=AT_TABLE_4),
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
