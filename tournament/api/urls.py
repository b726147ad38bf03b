"""Every address of the API, below /api/v1/."""

from django.urls import URLPattern, path, register_converter

from tournament.api import (
    acts,
    confirmation,
    corrections,
    files,
    games,
    hands,
    history,
    house,
    ledger,
    nowhere,
    proofs,
    rounds,
    salon,
    seasons,
    stocks,
    tokens,
    tournaments,
)
from tournament.api.places import AccountKey, Code, Id, Key, Label, Number, Seat
from tournament.api.resources import resource

register_converter(Id, "id")
register_converter(Label, "label")
register_converter(Number, "number")
register_converter(Code, "code")
register_converter(AccountKey, "account")
register_converter(Seat, "seat")
register_converter(Key, "key")

GAME = "games/<id:game>/"
EVENT = "tournaments/<id:tournament>/"
OF_A_SALON = {
    "": resource(get=salon.read_salon),
    "players/": resource(get=salon.list_players),
    "players/<id:player>/": resource(get=salon.read_player),
    "tables/": resource(get=salon.list_tables),
    "tables/<label:label>/link/": resource(get=salon.read_table_link, post=salon.renew_table_link),
    "tables/<label:label>/tokens/": resource(post=tokens.create_table_token),
    "tokens/": resource(get=tokens.list_tokens, post=tokens.create_token),
    "tokens/<id:token>/": resource(delete=tokens.end_token),
    "games/": resource(get=games.list_games, post=games.start_game),
    GAME: resource(get=games.read_game),
    f"{GAME}record/": resource(get=games.export_record),
    f"{GAME}seats/": resource(get=salon.list_seats),
    f"{GAME}seats/<seat:seat>/link/": resource(post=salon.renew_seat_link),
    f"{GAME}acts/": resource(get=acts.read_offer),
    f"{GAME}acts/<slug:collection>/": resource(post=acts.record_act),
    f"{GAME}hands/": resource(get=hands.list_hands, post=hands.record_hand),
    f"{GAME}hands/<number:hand>/second-entries/": resource(post=hands.enter_hand_again),
    f"{GAME}hand-previews/": resource(post=hands.preview_hand),
    f"{GAME}corrections/": resource(get=corrections.list_recorded_hands, post=corrections.correct_game),
    f"{GAME}correction-previews/": resource(post=corrections.preview_game_correction),
    f"{GAME}confirmation/": resource(get=confirmation.read_confirmation),
    f"{GAME}attestations/<slug:collection>/": resource(post=confirmation.attest),
    f"{GAME}events/": resource(get=history.list_game_events),
    f"{GAME}as-of/": resource(get=history.read_game_as_of),
    f"{GAME}numbers/": resource(get=history.list_numbers),
    f"{GAME}numbers/<code:code>/": resource(get=history.explain_number),
    f"{GAME}accounts/": resource(get=ledger.list_accounts),
    f"{GAME}accounts/<account:account>/": resource(get=ledger.read_account_statement),
    f"{GAME}log/": resource(get=files.export_game_log),
    f"{GAME}stock-deals/": resource(post=stocks.deal_from_stock),
    "rules/": resource(get=games.list_rules),
    "game-records/": resource(get=files.export_records, post=files.import_record),
    "tournaments/": resource(get=tournaments.list_tournaments, post=tournaments.create_tournament),
    EVENT: resource(get=tournaments.read_tournament),
    f"{EVENT}stage/": resource(post=tournaments.set_stage),
    f"{EVENT}acts/<slug:collection>/": resource(post=tournaments.direct_tournament),
    f"{EVENT}games/": resource(post=tournaments.start_tournament_game),
    f"{EVENT}rounds/<number:number>/": resource(get=rounds.read_round),
    f"{EVENT}entries/<key:entry>/": resource(get=rounds.read_entry),
    f"{EVENT}standings/": resource(get=rounds.read_standings),
    f"{EVENT}parked-standings/": resource(delete=tournaments.resume_standings),
    f"{EVENT}events/": resource(get=tournaments.list_tournament_events),
    f"{EVENT}file/": resource(get=files.export_tournament_file),
    f"{EVENT}log/": resource(get=files.export_tournament_log),
    "seasons/": resource(get=seasons.list_seasons, post=seasons.begin_season),
    "seasons/<id:season>/": resource(get=seasons.read_season),
    "seasons/<id:season>/acts/<slug:collection>/": resource(post=seasons.act_in_season),
    "seasons/<id:season>/events/": resource(get=seasons.list_season_events),
    "tournament-files/": resource(post=files.import_tournament_file),
    "stocks/": resource(get=stocks.list_stocks, post=stocks.draw_stock),
    "stocks/<id:stock>/": resource(get=stocks.read_stock),
    "stocks/<id:stock>/seed/": resource(post=stocks.reveal_seed),
    "checkpoints/": resource(get=proofs.list_checkpoints, post=proofs.sign_checkpoint),
    "checkpoints/<number:size>/": resource(get=proofs.read_checkpoint),
    "checkpoints/<number:size>/cosignatures/": resource(post=proofs.add_cosignature),
    "proofs/entries/<number:position>/": resource(get=proofs.prove_entry),
    "proofs/consistency/": resource(get=proofs.prove_consistency),
    "audits/": resource(get=proofs.list_audits, post=proofs.begin_audit),
    "log/": resource(get=files.export_log),
    "archive/": resource(get=files.export_salon),
    "house/": resource(get=house.read_house),
    "house/correction-periods/": resource(post=house.set_correction_period),
    "events/": resource(get=history.list_events),
    "ledger/": resource(get=ledger.read_books),
    "ledger/players/<id:player>/": resource(get=ledger.read_player_statement),
}
urlpatterns: list[URLPattern] = [path(f"salons/<slug:salon>/{place}", view) for place, view in OF_A_SALON.items()]
urlpatterns.append(path("<path:rest>", nowhere.nowhere))
