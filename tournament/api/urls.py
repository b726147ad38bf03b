"""Every address of the API, below /api/v1/."""

from django.urls import URLPattern, path, re_path, register_converter

from tournament.api.acts import ActViewSet
from tournament.api.as_of import AsOfViewSet
from tournament.api.brackets import BracketViewSet
from tournament.api.calls import CallViewSet
from tournament.api.captain_links import CaptainLinkViewSet
from tournament.api.confirmation import ConfirmationViewSet
from tournament.api.corrections import CorrectionViewSet
from tournament.api.countersigning import CountersignatureViewSet
from tournament.api.deals import DealViewSet
from tournament.api.draws import DrawViewSet
from tournament.api.event_links import EventLinkViewSet
from tournament.api.files import FileViewSet
from tournament.api.games import GameViewSet
from tournament.api.hands import HandViewSet
from tournament.api.history import EventViewSet
from tournament.api.house import HouseViewSet
from tournament.api.http.converters import AccountKey, Code, Id, Key, Label, Number, Seat
from tournament.api.http.viewsets import NoSuchAddress
from tournament.api.ledger import LedgerViewSet
from tournament.api.lists import ListViewSet
from tournament.api.members import MemberViewSet
from tournament.api.narrated_history import HistoryViewSet
from tournament.api.own_links import OwnLinkViewSet
from tournament.api.player_data import PersonViewSet
from tournament.api.proofs import ProofViewSet
from tournament.api.round_games import RoundGameViewSet
from tournament.api.rounds import RoundViewSet
from tournament.api.salon import SalonViewSet
from tournament.api.salons import OwnSalonViewSet
from tournament.api.screens import ScreenViewSet
from tournament.api.seasons import SeasonViewSet
from tournament.api.settings import SettingsViewSet
from tournament.api.standing_points import StandingPointsViewSet
from tournament.api.stocks import StockViewSet
from tournament.api.tables import TableViewSet
from tournament.api.tokens import TokenViewSet
from tournament.api.tournaments import TournamentViewSet
from tournament.api.webhooks import WebhookViewSet

register_converter(Id, "id")
register_converter(Label, "label")
register_converter(Number, "number")
register_converter(Code, "code")
register_converter(AccountKey, "account")
register_converter(Seat, "seat")
register_converter(Key, "key")

GAME = "games/<id:game>/"
EVENT = "tournaments/<id:tournament>/"
PLAYER = "players/<id:player>/"
HOOK = "webhooks/<id:hook>/"
OF_A_SALON = {
    "": SalonViewSet.as_view({"get": "read_salon"}),
    "players/": SalonViewSet.as_view({"get": "list_players"}),
    PLAYER: SalonViewSet.as_view({"get": "read_player"}),
    f"{PLAYER}records/": PersonViewSet.as_view({"get": "read_player_records"}),
    f"{PLAYER}held/": PersonViewSet.as_view({"get": "read_held"}),
    f"{PLAYER}public-name/": PersonViewSet.as_view({"post": "set_public_name"}),
    f"{PLAYER}erasure/": PersonViewSet.as_view({"get": "look_at_erasure", "post": "erase_person"}),
    f"{PLAYER}names/": PersonViewSet.as_view({"post": "rename_person"}),
    f"{PLAYER}merges/": PersonViewSet.as_view({"post": "merge_persons"}),
    f"{PLAYER}separations/": PersonViewSet.as_view({"post": "separate_persons"}),
    "player-lists/": ListViewSet.as_view({"post": "keep_player_list"}),
    "player-list-removals/": ListViewSet.as_view({"post": "take_player_list_back"}),
    "player-list-previews/": ListViewSet.as_view({"post": "preview_player_list"}),
    "people/": MemberViewSet.as_view({"get": "list_members"}),
    "people/<number:member>/": MemberViewSet.as_view({"delete": "end_member"}),
    "people/<number:member>/role/": MemberViewSet.as_view({"post": "set_role"}),
    "invitations/": MemberViewSet.as_view({"get": "list_invitations", "post": "invite_somebody"}),
    "invitations/<number:invitation>/": MemberViewSet.as_view({"delete": "withdraw_invitation"}),
    "settings/": SettingsViewSet.as_view({"get": "read_settings", "post": "set_settings"}),
    "logo/": SettingsViewSet.as_view({"post": "show_logo", "delete": "take_logo_away"}),
    "presets/": SettingsViewSet.as_view({"get": "list_presets", "post": "keep_house_rules"}),
    "presets/<number:preset>/": SettingsViewSet.as_view({"delete": "forget_preset"}),
    "work/": SettingsViewSet.as_view({"get": "list_work"}),
    "parked-work/<slug:projection>/": SettingsViewSet.as_view({"delete": "resume_work"}),
    "webhooks/": WebhookViewSet.as_view({"get": "list_webhooks", "post": "add_webhook"}),
    HOOK: WebhookViewSet.as_view({"get": "read_webhook", "delete": "remove_webhook"}),
    f"{HOOK}secrets/": WebhookViewSet.as_view({"post": "renew_webhook_secret"}),
    f"{HOOK}pause/": WebhookViewSet.as_view(
        {"post": "pause_webhook", "delete": "end_webhook_pause"}
    ),
    f"{HOOK}pings/": WebhookViewSet.as_view({"post": "ping_webhook"}),
    f"{HOOK}deliveries/": WebhookViewSet.as_view({"get": "list_deliveries"}),
    f"{HOOK}deliveries/<id:delivery>/repeats/": WebhookViewSet.as_view({"post": "repeat_delivery"}),
    "tables/": TableViewSet.as_view({"get": "list_tables", "post": "add_tables"}),
    "tables/<label:label>/label/": TableViewSet.as_view({"post": "rename_table"}),
    "retired-tables/": TableViewSet.as_view({"get": "list_retired_tables", "post": "retire_table"}),
    "tables/<label:label>/link/": SalonViewSet.as_view(
        {"get": "read_table_link", "post": "renew_table_link"}
    ),
    "tables/<label:label>/tokens/": TokenViewSet.as_view({"post": "create_table_token"}),
    "tables/<label:label>/calls/": CallViewSet.as_view(
        {"get": "read_table_call", "post": "call_director"}
    ),
    "tables/<label:label>/calls/<id:call>/cancellations/": CallViewSet.as_view(
        {"post": "take_call_back"}
    ),
    "calls/": CallViewSet.as_view({"get": "list_calls"}),
    "calls/<id:call>/": CallViewSet.as_view({"get": "read_call"}),
    "calls/<id:call>/acts/<slug:collection>/": CallViewSet.as_view({"post": "act_on_call"}),
    "calls/<id:call>/events/": CallViewSet.as_view({"get": "list_call_events"}),
    "calls/<id:call>/history/": HistoryViewSet.as_view({"get": "list_call_acts"}),
    "tokens/": TokenViewSet.as_view({"get": "list_tokens", "post": "create_token"}),
    "tokens/<id:token>/": TokenViewSet.as_view({"delete": "end_token"}),
    "games/": GameViewSet.as_view({"get": "list_games", "post": "start_game"}),
    GAME: GameViewSet.as_view({"get": "read_game"}),
    f"{GAME}record/": GameViewSet.as_view({"get": "export_record"}),
    f"{GAME}seats/": SalonViewSet.as_view({"get": "list_seats"}),
    f"{GAME}seats/<seat:seat>/link/": SalonViewSet.as_view({"post": "renew_seat_link"}),
    f"{GAME}acts/": ActViewSet.as_view({"get": "read_offer"}),
    f"{GAME}acts/<slug:collection>/": ActViewSet.as_view({"post": "record_act"}),
    f"{GAME}hands/": HandViewSet.as_view({"get": "list_hands", "post": "record_hand"}),
    f"{GAME}hands/<number:hand>/second-entries/": HandViewSet.as_view({"post": "enter_hand_again"}),
    f"{GAME}hand-previews/": HandViewSet.as_view({"post": "preview_hand"}),
    f"{GAME}corrections/": CorrectionViewSet.as_view(
        {"get": "list_recorded_hands", "post": "correct_game"}
    ),
    f"{GAME}correction-previews/": CorrectionViewSet.as_view({"post": "preview_game_correction"}),
    f"{GAME}confirmation/": ConfirmationViewSet.as_view({"get": "read_confirmation"}),
    f"{GAME}attestations/<slug:collection>/": ConfirmationViewSet.as_view({"post": "attest"}),
    f"{GAME}events/": EventViewSet.as_view({"get": "list_game_events"}),
    f"{GAME}as-of/": AsOfViewSet.as_view({"get": "read_game_as_of"}),
    f"{GAME}comparison/": AsOfViewSet.as_view({"get": "compare_game"}),
    f"{GAME}history/": HistoryViewSet.as_view({"get": "list_game_acts"}),
    f"{GAME}numbers/": EventViewSet.as_view({"get": "list_numbers"}),
    f"{GAME}numbers/<code:code>/": EventViewSet.as_view({"get": "explain_number"}),
    f"{GAME}accounts/": LedgerViewSet.as_view({"get": "list_accounts"}),
    f"{GAME}accounts/<account:account>/": LedgerViewSet.as_view({"get": "read_account_statement"}),
    f"{GAME}log/": FileViewSet.as_view({"get": "export_game_log"}),
    f"{GAME}stock-deals/": StockViewSet.as_view({"post": "deal_from_stock"}),
    "rules/": GameViewSet.as_view({"get": "list_rules"}),
    "game-records/": FileViewSet.as_view({"get": "export_records", "post": "import_record"}),
    "tournaments/": TournamentViewSet.as_view(
        {"get": "list_tournaments", "post": "create_tournament"}
    ),
    EVENT: TournamentViewSet.as_view({"get": "read_tournament"}),
    f"{EVENT}stage/": TournamentViewSet.as_view({"post": "set_stage"}),
    f"{EVENT}acts/<slug:collection>/": TournamentViewSet.as_view({"post": "direct_tournament"}),
    f"{EVENT}games/": TournamentViewSet.as_view({"post": "start_tournament_game"}),
    f"{EVENT}round-games/": RoundGameViewSet.as_view({"post": "start_round_games"}),
    f"{EVENT}link/": EventLinkViewSet.as_view(
        {"get": "read_event_link", "post": "renew_event_link", "delete": "end_event_link"}
    ),
    f"{EVENT}entries/<key:entry>/captain/": CaptainLinkViewSet.as_view(
        {"get": "read_captain_link", "post": "renew_captain_link"}
    ),
    f"{EVENT}entries/<key:entry>/own-page/": OwnLinkViewSet.as_view(
        {"get": "read_own_link", "post": "renew_own_link", "delete": "end_own_link"}
    ),
    f"{EVENT}entry-lists/": ListViewSet.as_view({"post": "enter_entry_list"}),
    f"{EVENT}entry-list-previews/": ListViewSet.as_view({"post": "preview_entry_list"}),
    f"{EVENT}deals/": DealViewSet.as_view({"get": "read_deals", "post": "draw_deals"}),
    f"{EVENT}deals/seeds/": DealViewSet.as_view({"post": "reveal_deals"}),
    f"{EVENT}rounds/<number:number>/": RoundViewSet.as_view({"get": "read_round"}),
    f"{EVENT}rounds/<number:number>/swap-preview/": DrawViewSet.as_view({"get": "preview_swap"}),
    f"{EVENT}rounds/<number:number>/snapshot/": DrawViewSet.as_view({"get": "read_draw_snapshot"}),
    f"{EVENT}schedule/": DrawViewSet.as_view({"get": "read_schedule"}),
    f"{EVENT}entries/<key:entry>/": RoundViewSet.as_view({"get": "read_entry"}),
    f"{EVENT}entries/<key:entry>/points/": StandingPointsViewSet.as_view({"get": "explain_points"}),
    f"{EVENT}bracket/": BracketViewSet.as_view({"get": "read_bracket"}),
    f"{EVENT}standings/": RoundViewSet.as_view({"get": "read_standings"}),
    f"{EVENT}parked-standings/": TournamentViewSet.as_view({"delete": "resume_standings"}),
    f"{EVENT}as-of/": AsOfViewSet.as_view({"get": "read_tournament_as_of"}),
    f"{EVENT}comparison/": AsOfViewSet.as_view({"get": "compare_tournament"}),
    f"{EVENT}history/": HistoryViewSet.as_view({"get": "list_tournament_acts"}),
    f"{EVENT}events/": TournamentViewSet.as_view({"get": "list_tournament_events"}),
    f"{EVENT}sheets/<slug:what>/<slug:ending>/": FileViewSet.as_view({"get": "export_sheet"}),
    f"{EVENT}file/": FileViewSet.as_view({"get": "export_tournament_file"}),
    f"{EVENT}log/": FileViewSet.as_view({"get": "export_tournament_log"}),
    "practices/": DrawViewSet.as_view({"post": "begin_practice"}),
    "screens/": ScreenViewSet.as_view({"get": "list_screens", "post": "add_screen"}),
    "screens/<id:screen>/": ScreenViewSet.as_view({"get": "read_screen"}),
    "screens/<id:screen>/acts/<slug:collection>/": ScreenViewSet.as_view({"post": "act_on_screen"}),
    "screens/<id:screen>/events/": ScreenViewSet.as_view({"get": "list_screen_events"}),
    "screens/<id:screen>/history/": HistoryViewSet.as_view({"get": "list_screen_acts"}),
    "seasons/": SeasonViewSet.as_view({"get": "list_seasons", "post": "begin_season"}),
    "seasons/<id:season>/": SeasonViewSet.as_view({"get": "read_season"}),
    "seasons/<id:season>/acts/<slug:collection>/": SeasonViewSet.as_view({"post": "act_in_season"}),
    "seasons/<id:season>/events/": SeasonViewSet.as_view({"get": "list_season_events"}),
    "seasons/<id:season>/history/": HistoryViewSet.as_view({"get": "list_season_acts"}),
    "tournament-files/": FileViewSet.as_view({"post": "import_tournament_file"}),
    "stocks/": StockViewSet.as_view({"get": "list_stocks", "post": "draw_stock"}),
    "stocks/<id:stock>/": StockViewSet.as_view({"get": "read_stock"}),
    "stocks/<id:stock>/seed/": StockViewSet.as_view({"post": "reveal_seed"}),
    "stocks/<id:stock>/events/": StockViewSet.as_view({"get": "list_stock_events"}),
    "stocks/<id:stock>/history/": HistoryViewSet.as_view({"get": "list_stock_acts"}),
    "checkpoints/": ProofViewSet.as_view({"get": "list_checkpoints", "post": "sign_checkpoint"}),
    "checkpoints/<number:size>/": ProofViewSet.as_view({"get": "read_checkpoint"}),
    "checkpoints/<number:size>/cosignatures/": ProofViewSet.as_view({"post": "add_cosignature"}),
    "proofs/entries/<number:position>/": ProofViewSet.as_view({"get": "prove_entry"}),
    "proofs/consistency/": ProofViewSet.as_view({"get": "prove_consistency"}),
    "audits/": ProofViewSet.as_view({"get": "list_audits", "post": "begin_audit"}),
    "audits/<number:run>/": ProofViewSet.as_view({"get": "read_audit"}),
    "countersignatures/": CountersignatureViewSet.as_view(
        {"get": "list_countersigned", "post": "countersign_checkpoint"}
    ),
    "log/": FileViewSet.as_view({"get": "export_log"}),
    "log/verifier/": FileViewSet.as_view({"get": "read_verifier"}),
    "archive/": FileViewSet.as_view({"get": "export_salon"}),
    "house/": HouseViewSet.as_view({"get": "read_house"}),
    "house/correction-periods/": HouseViewSet.as_view({"post": "set_correction_period"}),
    "house/confirmings/": HouseViewSet.as_view({"post": "set_way_of_confirming"}),
    "house/events/": HouseViewSet.as_view({"get": "list_house_events"}),
    "house/history/": HistoryViewSet.as_view({"get": "list_house_acts"}),
    "events/": EventViewSet.as_view({"get": "list_events"}),
    "history/": HistoryViewSet.as_view({"get": "list_acts"}),
    "ledger/": LedgerViewSet.as_view({"get": "read_books"}),
    "ledger/players/<id:player>/": LedgerViewSet.as_view({"get": "read_player_statement"}),
}
urlpatterns: list[URLPattern] = [
    path(f"salons/<slug:salon>/{place}", view) for place, view in OF_A_SALON.items()
]
urlpatterns.append(path("salons/", OwnSalonViewSet.as_view({"get": "list_salons"})))
# Whatever it holds, a line break too.
urlpatterns.append(re_path(r"^[\s\S]*$", NoSuchAddress.as_view()))
