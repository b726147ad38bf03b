"""URL patterns of the salon."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, register_converter
from django.views.generic.base import RedirectView

from tournament.pages.accounts.account import sign_in, sign_out
from tournament.pages.accounts.invitation import first_visit, invitation, welcome
from tournament.pages.books.audit import (
    audit,
    audit_run,
    audits,
    game_file,
    resume_projection,
    salon_file,
    tournament_file,
    verifier,
)
from tournament.pages.books.checkpoints import (
    checkpoint,
    checkpoints,
    consistency,
    cosignatures,
    countersign,
    entry_proof,
)
from tournament.pages.books.ledger import game_ledger, ledger
from tournament.pages.books.statements import account_statement, player_statement
from tournament.pages.common.health import healthz
from tournament.pages.common.page_rules import page_rules_file
from tournament.pages.common.worker import worker
from tournament.pages.desk.acts import desk_acts, desk_games, desk_results, desk_standings
from tournament.pages.desk.advice import format_advice, practices
from tournament.pages.desk.calls import call, call_acts, calls, desk_calls
from tournament.pages.desk.captains import captain, captain_link
from tournament.pages.desk.entries import desk_entries, desk_entry, desk_slips
from tournament.pages.desk.event_link import event_join, event_link, own_link
from tournament.pages.desk.lists import desk_lists
from tournament.pages.desk.overview import (
    desk,
    desk_deal_sheets,
    desk_deals,
    desk_deals_on_paper,
    desk_seeds,
)
from tournament.pages.desk.results_by_key import desk_result_rows
from tournament.pages.desk.rounds import desk_result_slips, desk_round
from tournament.pages.history.corrections import correction, corrections
from tournament.pages.history.game_history import game_certificate, game_history
from tournament.pages.history.hand_moves import hand_move
from tournament.pages.history.history import history
from tournament.pages.history.numbers import number
from tournament.pages.players.own_page import (
    own_calls,
    own_door,
    own_page_view,
    own_phones,
    own_rounds,
)
from tournament.pages.players.person_corrections import person_correction
from tournament.pages.players.player import erasure, person, person_file, player
from tournament.pages.players.player_list import player_list, players
from tournament.pages.salon.api_documents import api_documents, api_schema
from tournament.pages.salon.backups import archive_file, backup_file, backups
from tournament.pages.salon.home import home
from tournament.pages.salon.house import house, salon_tables
from tournament.pages.salon.people import invitation_end, member, people
from tournament.pages.salon.permissions import general_rules, permissions, rules
from tournament.pages.salon.programs import (
    delivery_repeat,
    token_end,
    tokens,
    webhook,
    webhook_acts,
    webhooks,
)
from tournament.pages.salon.salons import new_salon, salons
from tournament.pages.salon.settings import (
    logo,
    logo_change,
    preset_end,
    presets,
    public_name,
    settings,
    task_retry,
)
from tournament.pages.salon.trust import trust, trust_file
from tournament.pages.table.acts import acts
from tournament.pages.table.board import board, game_clock
from tournament.pages.table.calls import call_cancellations, table_calls
from tournament.pages.table.confirming import attestations, confirmation
from tournament.pages.table.offline_pack import handover, pack
from tournament.pages.table.outbox import game_outbox, outbox
from tournament.pages.table.pad import pad
from tournament.pages.table.paper import blank_sheets, cards
from tournament.pages.table.practice import practice_act, practice_pad, practice_tables
from tournament.pages.table.rulings import ruling
from tournament.pages.table.seats import seat_join, seats
from tournament.pages.table.second_entry import second_entry
from tournament.pages.table.sheet import sheet, sheet_preview
from tournament.pages.table.start import start
from tournament.pages.table.stocks import deal_from_stock, stock, stock_seed, stocks
from tournament.pages.table.table_link import table_join, table_link, table_slips
from tournament.pages.table.tables import tables
from tournament.pages.tournaments.bracket import tournament_bracket
from tournament.pages.tournaments.comparison import comparison, tournament_comparison
from tournament.pages.tournaments.deals import tournament_deal, tournament_deals
from tournament.pages.tournaments.draws import (
    round_why,
    snapshot,
    snapshot_file,
    swap_preview,
)
from tournament.pages.tournaments.history import tournament_history, tournament_points
from tournament.pages.tournaments.plans import tournament_crosstable, tournament_plan
from tournament.pages.tournaments.seasons import new_season, season, season_acts, season_history
from tournament.pages.tournaments.sheets import tournament_feed, tournament_sheet
from tournament.pages.tournaments.short_addresses import short_entry, short_event, table_door
from tournament.pages.tournaments.tournament import (
    tournament,
    tournament_entry,
    tournament_round,
    tournament_standings,
)
from tournament.pages.tournaments.tournaments import new_tournament, tournament_stage, tournaments
from tournament.pages.wall.screen import embed_standings, embed_table, overlay, screen
from tournament.pages.wall.screens import screen_acts, screen_history, screen_set_up, screens


class Token:
    """The part of a link that opens something: 32 hexadecimal digits, which no short
    address is.
    """

    regex = "[0-9a-f]{32}"

    def to_python(self, value: str) -> str:
        """As it stands."""
        return value

    def to_url(self, value: str) -> str:
        """As it stands."""
        return value


def below(start: str, *pages: URLPattern | URLResolver) -> URLResolver:
    """Pages whose addresses begin alike: they are looked through only where one begins so."""
    return path(start, include(list(pages)))


register_converter(Token, "link")
# Where two fit an address the first has it: a word that may be anything stands last.
urlpatterns = [
    path("", home, name="home"),
    below(
        "games/",
        path("new/", start, name="start"),
        below(
            "<str:game>/",
            path("", board, name="board"),
            path("clock/", game_clock, name="game_clock"),
            path("history/", game_history, name="game_history"),
            path("certificate.pdf", game_certificate, name="game_certificate"),
            path("corrections/", corrections, name="corrections"),
            path("corrections/moved/", hand_move, name="hand_move"),
            path("corrections/<slug:what>/", correction, name="correction"),
            path("confirmation/", confirmation, name="confirmation"),
            path("attestations/<slug:collection>/", attestations, name="attestations"),
            path("hands/<int:hand>/second-entry/", second_entry, name="second_entry"),
            path("outbox/", game_outbox, name="game_outbox"),
            path("comparison/", comparison, name="comparison"),
            path("numbers/<str:code>/", number, name="number"),
            path("log.jsonl", game_file, name="game_file"),
        ),
    ),
    below(
        "practice/",
        path("", practice_tables, name="practice_tables"),
        path("<slug:label>/", practice_pad, name="practice_pad"),
        path("<slug:label>/<slug:collection>/", practice_act, name="practice_act"),
    ),
    below(
        "tables/",
        path("", tables, name="tables"),
        below(
            "<str:label>/",
            path("link/", table_link, name="table_link"),
            path("", pad, name="pad"),
            path("games/<str:game>/", pad, name="game_pad"),
            path("sheet/", sheet, name="sheet"),
            path("sheet/preview/", sheet_preview, name="sheet_preview"),
            path("stock-deals/", deal_from_stock, name="deal_from_stock"),
            path("handover/", handover, name="handover"),
            path("seats/", seats, name="seats"),
            path("ruling/", ruling, name="ruling"),
            path("director/", table_calls, name="table_calls"),
            path("director/cancellations/", call_cancellations, name="call_cancellations"),
            path("pack/", pack, name="pack"),
            path("outbox/", outbox, name="outbox"),
            path("<slug:collection>/", acts, name="acts"),
        ),
    ),
    below(
        "tournaments/",
        path("", tournaments, name="tournaments"),
        path("new/", new_tournament, name="new_tournament"),
        path("advice/", format_advice, name="format_advice"),
        path("practice/", practices, name="practices"),
        below(
            "<str:tournament>/",
            below(
                "desk/",
                path("link/", event_link, name="event_link"),
                path("", desk, name="desk"),
                path("stage/", tournament_stage, name="tournament_stage"),
                below(
                    "entries/",
                    path("", desk_entries, name="desk_entries"),
                    path("<str:entry>/", desk_entry, name="desk_entry"),
                    path("<str:entry>/captain/", captain_link, name="captain_link"),
                    path("<str:entry>/page/", own_link, name="own_link"),
                ),
                path("slips/", desk_slips, name="desk_slips"),
                below(
                    "rounds/",
                    below(
                        "<int:number>/",
                        path("", desk_round, name="desk_round"),
                        path("slips.pdf", desk_result_slips, name="desk_result_slips"),
                        path("swap/", swap_preview, name="swap_preview"),
                        path("results/", desk_results, name="desk_results"),
                        path("result-rows/", desk_result_rows, name="desk_result_rows"),
                    ),
                ),
                path("calls/", desk_calls, name="desk_calls"),
                path("lists/", desk_lists, name="desk_lists"),
                path("games/", desk_games, name="desk_games"),
                below(
                    "deals/",
                    path("", desk_deals, name="desk_deals"),
                    path("seeds/", desk_seeds, name="desk_seeds"),
                    path("sheets.pdf", desk_deals_on_paper, name="desk_deals_on_paper"),
                    path("sheets/", desk_deal_sheets, name="desk_deal_sheets"),
                ),
                path("standings/", desk_standings, name="desk_standings"),
            ),
            path("", tournament, name="tournament"),
            path("plan/", tournament_plan, name="tournament_plan"),
            path("plan/crosstable/", tournament_crosstable, name="tournament_crosstable"),
            path("bracket/", tournament_bracket, name="tournament_bracket"),
            path("standings/", tournament_standings, name="tournament_standings"),
            below(
                "rounds/",
                below(
                    "<int:number>/",
                    path("", tournament_round, name="tournament_round"),
                    path("why/", round_why, name="round_why"),
                    path("snapshot/", snapshot, name="draw_snapshot"),
                    path("snapshot/file/", snapshot_file, name="draw_snapshot_file"),
                ),
            ),
            path("entries/<str:entry>/", tournament_entry, name="tournament_entry"),
            path("entries/<str:entry>/points/", tournament_points, name="tournament_points"),
            path("files/<slug:what>.<slug:ending>", tournament_sheet, name="tournament_sheet"),
            path("results.atom", tournament_feed, name="tournament_feed"),
            path("history/", tournament_history, name="tournament_history"),
            path("comparison/", tournament_comparison, name="tournament_comparison"),
            path("deals/", tournament_deals, name="tournament_deals"),
            path("deals/<int:number>/", tournament_deal, name="tournament_deal"),
            path("acts/<slug:collection>/", desk_acts, name="desk_acts"),
            path("log.jsonl", tournament_file, name="tournament_file"),
        ),
    ),
    path("api/v1/", include("tournament.api.urls")),
    path("welcome/", welcome, name="welcome"),
    path("first-visit/<str:token>/", first_visit, name="first_visit"),
    path("sign-in/", sign_in, name="sign_in"),
    path("sign-out/", sign_out, name="sign_out"),
    path("t/", table_door, name="table_door"),
    path("t/<str:token>/", table_join, name="table_join"),
    path("table-slips/", table_slips, name="table_slips"),
    path("table-slips/cards.pdf", cards, name="table_cards"),
    path("table-slips/score-sheets/<slug:kind>.pdf", blank_sheets, name="score_sheets"),
    path("account/", include("tournament.pages.accounts.urls")),
    path("invitations/<str:token>/", invitation, name="invitation"),
    path("people/", people, name="people"),
    path("people/invitations/<int:invitation>/end/", invitation_end, name="invitation_end"),
    path("people/<int:member>/<slug:what>/", member, name="member"),
    below(
        "settings/",
        path("salon.jsonl", archive_file, name="archive_file"),
        path("", settings, name="settings"),
        path("tables/", salon_tables, name="salon_tables"),
        path("backups/", backups, name="backups"),
        path("backups/<str:name>", backup_file, name="backup_file"),
        path("logo/", logo_change, name="logo_change"),
        path("presets/", presets, name="presets"),
        path("presets/<int:preset>/end/", preset_end, name="preset_end"),
        path("tasks/<slug:projection>/", task_retry, name="task_retry"),
    ),
    path("logo/<str:digest>/", logo, name="logo"),
    below(
        "players/",
        path("", players, name="players"),
        path("list/", player_list, name="player_list"),
        below(
            "<str:player>/",
            path("public-name/", public_name, name="public_name"),
            path("", player, name="player"),
            path("held/", person, name="person"),
            path("held.json", person_file, name="person_file"),
            path("erasure/", erasure, name="erasure"),
            path("correction/", person_correction, name="person_correction"),
        ),
    ),
    path("salons/", salons, name="salons"),
    path("salons/new/", new_salon, name="new_salon"),
    path("e/<link:token>/", event_join, name="event_join"),
    path("e/<str:event>/", short_event, name="short_event"),
    path("e/<str:event>/<str:entry>/", short_entry, name="short_entry"),
    path("captains/<link:token>/", captain, name="captain"),
    path("me/", own_door, name="own_door"),
    path("me/<link:token>/", own_page_view, name="own_page"),
    path("me/<link:token>/rounds.ics", own_rounds, name="own_rounds"),
    path("me/<link:token>/calls/", own_calls, name="own_calls"),
    path("me/<link:token>/phones/", own_phones, name="own_phones"),
    path("permissions/", permissions, name="permissions"),
    path("calls/", calls, name="calls"),
    path("calls/<str:call>/", call, name="call"),
    path("calls/<str:call>/acts/<slug:collection>/", call_acts, name="call_acts"),
    path("s/<str:address>/", screen, name="screen"),
    path("overlays/<str:label>/", overlay, name="overlay"),
    path("embed/tables/<str:label>/", embed_table, name="embedded_table"),
    path(
        "embed/tournaments/<str:tournament>/standings/",
        embed_standings,
        name="embedded_standings",
    ),
    below(
        "screens/",
        path("", screens, name="screens"),
        path("<str:screen>/", screen_set_up, name="screen_set_up"),
        path("<str:screen>/history/", screen_history, name="screen_history"),
        path("<str:screen>/acts/<slug:collection>/", screen_acts, name="screen_acts"),
    ),
    path("house/", house, name="house"),
    path("stocks/", stocks, name="stocks"),
    path("stocks/<str:stock>/", stock, name="stock"),
    path("stocks/<str:stock>/seed/", stock_seed, name="stock_seed"),
    below(
        "seasons/",
        path("new/", new_season, name="new_season"),
        path("<str:season>/", season, name="season"),
        path("<str:season>/history/", season_history, name="season_history"),
        path("<str:season>/acts/<slug:collection>/", season_acts, name="season_acts"),
    ),
    path("rules/", general_rules, name="general_rules"),
    path("rules/<slug:kind>/", rules, name="rules"),
    path("history/", history, name="history"),
    path("c/<str:token>/", seat_join, name="seat_join"),
    below(
        "ledger/",
        path("", ledger, name="ledger"),
        path("games/<str:game>/", game_ledger, name="game_ledger"),
        path("games/<str:game>/<str:account>/", account_statement, name="account_statement"),
        path("players/<str:player>/", player_statement, name="player_statement"),
    ),
    below(
        "audit/",
        path("", audit, name="audit"),
        path("runs/", audits, name="audits"),
        path("runs/<int:run>/", audit_run, name="audit_run"),
        path("projections/<slug:projection>/", resume_projection, name="parked"),
        path("log.jsonl", salon_file, name="salon_file"),
        path("verify_export.py", verifier, name="verifier"),
    ),
    path("checkpoints/", checkpoints, name="checkpoints"),
    path("checkpoints/<int:size>/", checkpoint, name="checkpoint"),
    path("checkpoints/<int:size>/cosignatures/", cosignatures, name="cosignatures"),
    path("proofs/entries/<int:position>/", entry_proof, name="entry_proof"),
    path("proofs/consistency/", consistency, name="consistency"),
    path("countersigning/", countersign, name="countersigning"),
    below(
        "webhooks/",
        path("", webhooks, name="webhooks"),
        path("<str:hook>/", webhook, name="webhook"),
        path("<str:hook>/<slug:what>/", webhook_acts, name="webhook_acts"),
        path(
            "<str:hook>/deliveries/<str:delivery>/repeats/", delivery_repeat, name="delivery_repeat"
        ),
    ),
    path("healthz", healthz, name="healthz"),
    path("worker.js", worker, name="worker"),
    path("page-rules/<str:edition>/<str:name>", page_rules_file, name="page_rules"),
    path("trust/", trust, name="trust"),
    path("trust/<str:name>", trust_file, name="trust_file"),
    path("api/docs/", api_documents, name="api_documents"),
    path("api/tokens/", tokens, name="tokens"),
    path("api/tokens/<str:token>/end/", token_end, name="token_end"),
    path("api/openapi.json", api_schema, name="api_schema"),
    # One door with one count of wrong tries: the admin's own has none.
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),
    path("admin/", admin.site.urls),
]
handler400 = "tournament.server.http.failures.bad_request"
handler403 = "tournament.pages.common.refused.not_allowed"
handler404 = "tournament.pages.common.refused.not_found"
handler500 = "tournament.server.http.failures.our_error"
