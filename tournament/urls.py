"""Every address of the salon."""

from django.contrib import admin
from django.urls import include, path, register_converter
from django.views.generic.base import RedirectView

from tournament.pages.accounts.first_visit import first_visit, welcome
from tournament.pages.accounts.invitation import invitation
from tournament.pages.accounts.sign_in import sign_in, sign_out
from tournament.pages.books.audit import (
    audit,
    audit_run,
    audits,
    game_file,
    parked,
    salon_file,
    tournament_file,
    verifier,
)
from tournament.pages.books.checkpoints import (
    checkpoint,
    checkpoints,
    consistency,
    cosignatures,
    entry_proof,
)
from tournament.pages.books.countersigning import countersigning
from tournament.pages.books.ledger import game_ledger, ledger
from tournament.pages.books.statements import account_statement, player_statement
from tournament.pages.common.health import healthz
from tournament.pages.common.worker import worker
from tournament.pages.desk.acts import desk_acts, desk_games, desk_results, desk_standings
from tournament.pages.desk.advice import format_advice
from tournament.pages.desk.calls import call, call_acts, calls, desk_calls
from tournament.pages.desk.captains import captain, captain_link
from tournament.pages.desk.deals import (
    desk_deal_sheets,
    desk_deals,
    desk_deals_on_paper,
    desk_seeds,
)
from tournament.pages.desk.entries import desk_entries, desk_entry, desk_slips
from tournament.pages.desk.event_link import event_join, event_link
from tournament.pages.desk.lists import desk_lists
from tournament.pages.desk.overview import desk
from tournament.pages.desk.own_links import own_link
from tournament.pages.desk.paper import desk_result_slips
from tournament.pages.desk.practice import practices
from tournament.pages.desk.results_by_key import desk_result_rows
from tournament.pages.desk.rounds import desk_round
from tournament.pages.history.certificate import game_certificate
from tournament.pages.history.corrections import correction, corrections
from tournament.pages.history.game_history import game_history
from tournament.pages.history.history import history
from tournament.pages.history.numbers import number
from tournament.pages.players.own_page import own_door, own_page_view
from tournament.pages.players.own_rounds import own_rounds
from tournament.pages.players.person import erasure, person, person_file
from tournament.pages.players.player import player
from tournament.pages.players.player_list import player_list
from tournament.pages.players.players import players
from tournament.pages.salon.api_documents import api_documents, api_schema
from tournament.pages.salon.archive import archive_file
from tournament.pages.salon.backups import backup_file, backups
from tournament.pages.salon.home import home
from tournament.pages.salon.house import house
from tournament.pages.salon.people import invitation_end, member, people
from tournament.pages.salon.permissions import permissions
from tournament.pages.salon.rules import rules
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
from tournament.pages.salon.tables import salon_tables
from tournament.pages.salon.tokens import token_end, tokens
from tournament.pages.salon.trust import trust, trust_file
from tournament.pages.salon.webhooks import delivery_repeat, webhook, webhook_acts, webhooks
from tournament.pages.table.acts import acts
from tournament.pages.table.board import board
from tournament.pages.table.calls import call_cancellations, table_calls
from tournament.pages.table.clock import game_clock
from tournament.pages.table.confirming import attestations, confirmation
from tournament.pages.table.handover import handover
from tournament.pages.table.outbox import game_outbox, outbox
from tournament.pages.table.pack import pack
from tournament.pages.table.pad import pad
from tournament.pages.table.paper import blank_sheets, cards
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
from tournament.pages.tournaments.draw_snapshots import snapshot, snapshot_file
from tournament.pages.tournaments.feed import tournament_feed
from tournament.pages.tournaments.history import tournament_history
from tournament.pages.tournaments.plans import tournament_crosstable, tournament_plan
from tournament.pages.tournaments.round_reasons import round_why, swap_preview
from tournament.pages.tournaments.seasons import new_season, season, season_acts, season_history
from tournament.pages.tournaments.sheets import tournament_sheet
from tournament.pages.tournaments.short_addresses import short_entry, short_event, table_door
from tournament.pages.tournaments.standing_points import tournament_points
from tournament.pages.tournaments.tournament import (
    tournament,
    tournament_entry,
    tournament_round,
    tournament_standings,
)
from tournament.pages.tournaments.tournaments import new_tournament, tournament_stage, tournaments
from tournament.pages.wall.framed import embedded_standings, embedded_table, overlay
from tournament.pages.wall.screen import screen
from tournament.pages.wall.screens import screen_acts, screen_history, screen_set_up, screens


class Token:
    """What stands in a link that opens something: 32 hexadecimal digits, which no short
    address is.
    """

    regex = "[0-9a-f]{32}"

    def to_python(self, value: str) -> str:
        """As it stands."""
        return value

    def to_url(self, value: str) -> str:
        """As it stands."""
        return value


register_converter(Token, "link")
urlpatterns = [
    path("welcome/", welcome, name="welcome"),
    path("first-visit/<str:token>/", first_visit, name="first_visit"),
    path("sign-in/", sign_in, name="sign_in"),
    path("sign-out/", sign_out, name="sign_out"),
    path("t/", table_door, name="table_door"),
    path("t/<str:token>/", table_join, name="table_join"),
    path("table-slips/", table_slips, name="table_slips"),
    path("table-slips/cards.pdf", cards, name="table_cards"),
    path("table-slips/score-sheets/<slug:kind>.pdf", blank_sheets, name="score_sheets"),
    path("tables/<str:label>/link/", table_link, name="table_link"),
    path("", home, name="home"),
    path("account/", include("tournament.pages.accounts.urls")),
    path("invitations/<str:token>/", invitation, name="invitation"),
    path("people/", people, name="people"),
    path("people/invitations/<int:invitation>/end/", invitation_end, name="invitation_end"),
    path("people/<int:member>/<slug:what>/", member, name="member"),
    path("settings/salon.jsonl", archive_file, name="archive_file"),
    path("settings/", settings, name="settings"),
    path("settings/tables/", salon_tables, name="salon_tables"),
    path("settings/backups/", backups, name="backups"),
    path("settings/backups/<str:name>", backup_file, name="backup_file"),
    path("settings/logo/", logo_change, name="logo_change"),
    path("logo/<str:digest>/", logo, name="logo"),
    path("settings/presets/", presets, name="presets"),
    path("settings/presets/<int:preset>/end/", preset_end, name="preset_end"),
    path("settings/tasks/<slug:projection>/", task_retry, name="task_retry"),
    path("players/<str:player>/public-name/", public_name, name="public_name"),
    path("salons/", salons, name="salons"),
    path("salons/new/", new_salon, name="new_salon"),
    path("e/<link:token>/", event_join, name="event_join"),
    path("e/<str:event>/", short_event, name="short_event"),
    path("e/<str:event>/<str:entry>/", short_entry, name="short_entry"),
    path("tournaments/<str:tournament>/desk/link/", event_link, name="event_link"),
    path("captains/<link:token>/", captain, name="captain"),
    path("me/", own_door, name="own_door"),
    path("me/<link:token>/", own_page_view, name="own_page"),
    path("me/<link:token>/rounds.ics", own_rounds, name="own_rounds"),
    path("permissions/", permissions, name="permissions"),
    path("games/new/", start, name="start"),
    path("games/<str:game>/", board, name="board"),
    path("games/<str:game>/clock/", game_clock, name="game_clock"),
    path("tables/", tables, name="tables"),
    path("tables/<str:label>/", pad, name="pad"),
    path("tables/<str:label>/sheet/", sheet, name="sheet"),
    path("tables/<str:label>/sheet/preview/", sheet_preview, name="sheet_preview"),
    path("tables/<str:label>/stock-deals/", deal_from_stock, name="deal_from_stock"),
    path("tables/<str:label>/handover/", handover, name="handover"),
    path("tables/<str:label>/seats/", seats, name="seats"),
    path("tables/<str:label>/ruling/", ruling, name="ruling"),
    path("tables/<str:label>/director/", table_calls, name="table_calls"),
    path(
        "tables/<str:label>/director/cancellations/", call_cancellations, name="call_cancellations"
    ),
    path("tables/<str:label>/pack/", pack, name="pack"),
    path("tables/<str:label>/outbox/", outbox, name="outbox"),
    path("tables/<str:label>/<slug:collection>/", acts, name="acts"),
    path("calls/", calls, name="calls"),
    path("calls/<str:call>/", call, name="call"),
    path("calls/<str:call>/acts/<slug:collection>/", call_acts, name="call_acts"),
    path("s/<str:address>/", screen, name="screen"),
    path("overlays/<str:label>/", overlay, name="overlay"),
    path("embed/tables/<str:label>/", embedded_table, name="embedded_table"),
    path(
        "embed/tournaments/<str:tournament>/standings/",
        embedded_standings,
        name="embedded_standings",
    ),
    path("screens/", screens, name="screens"),
    path("screens/<str:screen>/", screen_set_up, name="screen_set_up"),
    path("screens/<str:screen>/history/", screen_history, name="screen_history"),
    path("screens/<str:screen>/acts/<slug:collection>/", screen_acts, name="screen_acts"),
    path("house/", house, name="house"),
    path("stocks/", stocks, name="stocks"),
    path("stocks/<str:stock>/", stock, name="stock"),
    path("stocks/<str:stock>/seed/", stock_seed, name="stock_seed"),
    path("tournaments/", tournaments, name="tournaments"),
    path("seasons/new/", new_season, name="new_season"),
    path("seasons/<str:season>/", season, name="season"),
    path("seasons/<str:season>/history/", season_history, name="season_history"),
    path("seasons/<str:season>/acts/<slug:collection>/", season_acts, name="season_acts"),
    path("tournaments/new/", new_tournament, name="new_tournament"),
    path("tournaments/advice/", format_advice, name="format_advice"),
    path("tournaments/practice/", practices, name="practices"),
    path("tournaments/<str:tournament>/", tournament, name="tournament"),
    path("tournaments/<str:tournament>/plan/", tournament_plan, name="tournament_plan"),
    path(
        "tournaments/<str:tournament>/plan/crosstable/",
        tournament_crosstable,
        name="tournament_crosstable",
    ),
    path("tournaments/<str:tournament>/bracket/", tournament_bracket, name="tournament_bracket"),
    path(
        "tournaments/<str:tournament>/standings/", tournament_standings, name="tournament_standings"
    ),
    path(
        "tournaments/<str:tournament>/rounds/<int:number>/",
        tournament_round,
        name="tournament_round",
    ),
    path("tournaments/<str:tournament>/rounds/<int:number>/why/", round_why, name="round_why"),
    path(
        "tournaments/<str:tournament>/rounds/<int:number>/snapshot/", snapshot, name="draw_snapshot"
    ),
    path(
        "tournaments/<str:tournament>/rounds/<int:number>/snapshot/file/",
        snapshot_file,
        name="draw_snapshot_file",
    ),
    path(
        "tournaments/<str:tournament>/entries/<str:entry>/",
        tournament_entry,
        name="tournament_entry",
    ),
    path(
        "tournaments/<str:tournament>/entries/<str:entry>/points/",
        tournament_points,
        name="tournament_points",
    ),
    path(
        "tournaments/<str:tournament>/files/<slug:what>.<slug:ending>",
        tournament_sheet,
        name="tournament_sheet",
    ),
    path("tournaments/<str:tournament>/results.atom", tournament_feed, name="tournament_feed"),
    path("tournaments/<str:tournament>/history/", tournament_history, name="tournament_history"),
    path(
        "tournaments/<str:tournament>/comparison/",
        tournament_comparison,
        name="tournament_comparison",
    ),
    path("tournaments/<str:tournament>/deals/", tournament_deals, name="tournament_deals"),
    path(
        "tournaments/<str:tournament>/deals/<int:number>/", tournament_deal, name="tournament_deal"
    ),
    path("tournaments/<str:tournament>/desk/", desk, name="desk"),
    path("tournaments/<str:tournament>/desk/stage/", tournament_stage, name="tournament_stage"),
    path("tournaments/<str:tournament>/desk/entries/", desk_entries, name="desk_entries"),
    path("tournaments/<str:tournament>/desk/entries/<str:entry>/", desk_entry, name="desk_entry"),
    path(
        "tournaments/<str:tournament>/desk/entries/<str:entry>/captain/",
        captain_link,
        name="captain_link",
    ),
    path(
        "tournaments/<str:tournament>/desk/entries/<str:entry>/page/",
        own_link,
        name="own_link",
    ),
    path("tournaments/<str:tournament>/desk/slips/", desk_slips, name="desk_slips"),
    path("tournaments/<str:tournament>/desk/rounds/<int:number>/", desk_round, name="desk_round"),
    path(
        "tournaments/<str:tournament>/desk/rounds/<int:number>/slips.pdf",
        desk_result_slips,
        name="desk_result_slips",
    ),
    path(
        "tournaments/<str:tournament>/desk/rounds/<int:number>/swap/",
        swap_preview,
        name="swap_preview",
    ),
    path(
        "tournaments/<str:tournament>/desk/rounds/<int:number>/results/",
        desk_results,
        name="desk_results",
    ),
    path(
        "tournaments/<str:tournament>/desk/rounds/<int:number>/result-rows/",
        desk_result_rows,
        name="desk_result_rows",
    ),
    path("tournaments/<str:tournament>/desk/calls/", desk_calls, name="desk_calls"),
    path("tournaments/<str:tournament>/desk/lists/", desk_lists, name="desk_lists"),
    path("tournaments/<str:tournament>/desk/games/", desk_games, name="desk_games"),
    path("tournaments/<str:tournament>/desk/deals/", desk_deals, name="desk_deals"),
    path("tournaments/<str:tournament>/desk/deals/seeds/", desk_seeds, name="desk_seeds"),
    path(
        "tournaments/<str:tournament>/desk/deals/sheets.pdf",
        desk_deals_on_paper,
        name="desk_deals_on_paper",
    ),
    path(
        "tournaments/<str:tournament>/desk/deals/sheets/",
        desk_deal_sheets,
        name="desk_deal_sheets",
    ),
    path("tournaments/<str:tournament>/desk/standings/", desk_standings, name="desk_standings"),
    path("tournaments/<str:tournament>/acts/<slug:collection>/", desk_acts, name="desk_acts"),
    path("players/", players, name="players"),
    path("players/list/", player_list, name="player_list"),
    path("rules/<slug:kind>/", rules, name="rules"),
    path("players/<str:player>/", player, name="player"),
    path("players/<str:player>/held/", person, name="person"),
    path("players/<str:player>/held.json", person_file, name="person_file"),
    path("players/<str:player>/erasure/", erasure, name="erasure"),
    path("history/", history, name="history"),
    path("games/<str:game>/history/", game_history, name="game_history"),
    path("games/<str:game>/certificate.pdf", game_certificate, name="game_certificate"),
    path("games/<str:game>/corrections/", corrections, name="corrections"),
    path("games/<str:game>/corrections/<slug:what>/", correction, name="correction"),
    path("c/<str:token>/", seat_join, name="seat_join"),
    path("games/<str:game>/confirmation/", confirmation, name="confirmation"),
    path("games/<str:game>/attestations/<slug:collection>/", attestations, name="attestations"),
    path("games/<str:game>/hands/<int:hand>/second-entry/", second_entry, name="second_entry"),
    path("games/<str:game>/outbox/", game_outbox, name="game_outbox"),
    path("games/<str:game>/comparison/", comparison, name="comparison"),
    path("games/<str:game>/numbers/<str:code>/", number, name="number"),
    path("ledger/", ledger, name="ledger"),
    path("ledger/games/<str:game>/", game_ledger, name="game_ledger"),
    path("ledger/games/<str:game>/<str:account>/", account_statement, name="account_statement"),
    path("ledger/players/<str:player>/", player_statement, name="player_statement"),
    path("audit/", audit, name="audit"),
    path("audit/runs/", audits, name="audits"),
    path("audit/runs/<int:run>/", audit_run, name="audit_run"),
    path("audit/projections/<slug:projection>/", parked, name="parked"),
    path("audit/log.jsonl", salon_file, name="salon_file"),
    path("audit/verify_export.py", verifier, name="verifier"),
    path("games/<str:game>/log.jsonl", game_file, name="game_file"),
    path("tournaments/<str:tournament>/log.jsonl", tournament_file, name="tournament_file"),
    path("checkpoints/", checkpoints, name="checkpoints"),
    path("checkpoints/<int:size>/", checkpoint, name="checkpoint"),
    path("checkpoints/<int:size>/cosignatures/", cosignatures, name="cosignatures"),
    path("proofs/entries/<int:position>/", entry_proof, name="entry_proof"),
    path("proofs/consistency/", consistency, name="consistency"),
    path("countersigning/", countersigning, name="countersigning"),
    path("webhooks/", webhooks, name="webhooks"),
    path("webhooks/<str:hook>/", webhook, name="webhook"),
    path("webhooks/<str:hook>/<slug:what>/", webhook_acts, name="webhook_acts"),
    path(
        "webhooks/<str:hook>/deliveries/<str:delivery>/repeats/",
        delivery_repeat,
        name="delivery_repeat",
    ),
    path("healthz", healthz, name="healthz"),
    path("worker.js", worker, name="worker"),
    path("trust/", trust, name="trust"),
    path("trust/<str:name>", trust_file, name="trust_file"),
    path("api/docs/", api_documents, name="api_documents"),
    path("api/tokens/", tokens, name="tokens"),
    path("api/tokens/<str:token>/end/", token_end, name="token_end"),
    path("api/openapi.json", api_schema, name="api_schema"),
    path("api/v1/", include("tournament.api.urls")),
    # One door with one count of wrong tries: the admin's own has none.
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),
    path("admin/", admin.site.urls),
]
handler400 = "tournament.server.failures.bad_request"
handler403 = "tournament.pages.common.refused.not_allowed"
handler404 = "tournament.pages.common.refused.not_found"
handler500 = "tournament.server.failures.our_error"
