"""Every address of the salon."""

from django.contrib import admin
from django.urls import path
from django.views.generic.base import RedirectView

from tournament.pages.acts import acts
from tournament.pages.board import board
from tournament.pages.first_visit import first_visit, welcome
from tournament.pages.game_history import game_history
from tournament.pages.health import healthz
from tournament.pages.history import history
from tournament.pages.home import home
from tournament.pages.ledger import game_ledger, ledger
from tournament.pages.pad import pad
from tournament.pages.player import player
from tournament.pages.players import players
from tournament.pages.rules import rules
from tournament.pages.sheet import sheet, sheet_preview
from tournament.pages.sign_in import sign_in, sign_out
from tournament.pages.start import start
from tournament.pages.statements import account_statement, player_statement
from tournament.pages.table_link import table_join, table_link, table_slips
from tournament.pages.tables import tables

urlpatterns = [
    path("welcome/", welcome, name="welcome"),
    path("first-visit/<str:token>/", first_visit, name="first_visit"),
    path("sign-in/", sign_in, name="sign_in"),
    path("sign-out/", sign_out, name="sign_out"),
    path("t/<str:token>/", table_join, name="table_join"),
    path("table-slips/", table_slips, name="table_slips"),
    path("tables/<str:label>/link/", table_link, name="table_link"),
    path("", home, name="home"),
    path("games/new/", start, name="start"),
    path("games/<str:game>/", board, name="board"),
    path("tables/", tables, name="tables"),
    path("tables/<str:label>/", pad, name="pad"),
    path("tables/<str:label>/sheet/", sheet, name="sheet"),
    path("tables/<str:label>/sheet/preview/", sheet_preview, name="sheet_preview"),
    path("tables/<str:label>/<slug:collection>/", acts, name="acts"),
    path("players/", players, name="players"),
    path("rules/<slug:kind>/", rules, name="rules"),
    path("players/<str:player>/", player, name="player"),
    path("history/", history, name="history"),
    path("games/<str:game>/history/", game_history, name="game_history"),
    path("ledger/", ledger, name="ledger"),
    path("ledger/games/<str:game>/", game_ledger, name="game_ledger"),
    path("ledger/games/<str:game>/<str:account>/", account_statement, name="account_statement"),
    path("ledger/players/<str:player>/", player_statement, name="player_statement"),
    path("healthz", healthz, name="healthz"),
    # One door with one count of wrong tries: the admin's own has none.
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),
    path("admin/", admin.site.urls),
]
handler403 = "tournament.pages.refused.not_allowed"
handler404 = "tournament.pages.refused.not_found"
handler500 = "tournament.pages.refused.our_error"
