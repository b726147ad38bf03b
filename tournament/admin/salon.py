"""The salon in the admin: games and hands as their events left them, people, tables and texts."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from tournament import models
from tournament.admin.read_only import (
    Named,
    OfLog,
    Recorded,
    event_link,
    link,
    make_json_column,
    make_page_column,
    make_row_column,
)


@admin.register(models.Game)
class GameAdmin(Recorded[models.Game]):
    list_display = (
        "record",
        "kind",
        "table",
        "played_on",
        "finished",
        "final",
        "disputed",
        "not_played",
        "version",
    )
    list_filter = ("kind", "finished", "final", "disputed", "not_played", "table")
    search_fields = ("record", "=id", "gameseat__player__name", "=gameseat__player__id")
    ordering = ("-started_position",)
    fields = (
        "record",
        "salon",
        "kind",
        "table",
        "played_on",
        "finished",
        "final",
        "disputed",
        "not_played",
        "players",
        "hands",
        "history",
        "books",
        "version",
        "first_event",
        "shown_state",
    )

    history = make_page_column(_("history"), _("Line by line"), "game_history", "pk")
    books = make_page_column(_("books"), _("Accounts and pots"), "game_ledger", "pk")

    @admin.display(description=_("players"))
    def players(self, row: models.Game) -> str:
        seats = row.seats
        names = dict(models.Player.objects.filter(pk__in=seats.values()).values_list("pk", "name"))
        return ", ".join(f"{seat} {names.get(player, player)}" for seat, player in seats.items())

    @admin.display(description=_("hands"))
    def hands(self, row: models.Game) -> str:
        url = f"{reverse('admin:tournament_hand_changelist')}?game__id__exact={row.pk}"
        return format_html('<a href="{}">{}</a>', url, models.Hand.objects.filter(game=row).count())

    @admin.display(description=_("first event"))
    def first_event(self, row: models.Game) -> str:
        return event_link(row.salon.log_id, row.started_position)


class OfStream[M: Model](Recorded[M]):
    """Rows of a stream, which has a row of its own."""

    salon_path = "stream__salon"
    list_select_related = ("stream",)


class OfPlayers[M: Model](Recorded[M]):
    """Rows that lead to a player, whose own row may be lost."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Each with the name of its player."""
        name = models.Player.objects.filter(pk=OuterRef("player_id")).values("name")
        rows: Any = super().get_queryset(request)
        named: QuerySet[M] = rows.annotate(name=Subquery(name))
        return named

    @admin.display(description=_("player"), ordering="name")
    def its_player(self, row: M) -> str:
        player, name = getattr(row, "player_id"), getattr(row, "name")  # noqa: B009 - `name` is annotated
        return link("tournament_player", player, name or player)


@admin.register(models.GameSeat)
class GameSeatAdmin(OfPlayers[models.GameSeat]):
    salon_path = "game__salon"
    list_display = ("seat", "its_player", "its_game")
    list_filter = ("game__kind", "seat")
    list_select_related = ("game",)
    search_fields = ("player__name", "=player__id", "game__record")
    ordering = ("-started_position", "seat")
    fields = ("its_game", "seat", "its_player", "started_position")

    its_game = make_row_column("game", "tournament_game", _("game"), ordering="started_position")


@admin.register(models.Stock)
class StockAdmin(Recorded[models.Stock]):
    list_display = ("name", "drawn_on", "commitment", "seed")
    search_fields = ("name", "=commitment")
    ordering = ("-started_position",)
    fields = ("name", "salon", "drawn_on", "commitment", "seed", "version", "started_position")


@admin.register(models.StockDeal)
class StockDealAdmin(OfStream[models.StockDeal]):
    list_display = ("stream", "game", "number")
    search_fields = ("=game", "stream__name")
    ordering = ("-stream__started_position", "number")


@admin.register(models.House)
class HouseAdmin(Recorded[models.House]):
    list_display = ("salon", "correction_hours", "version")
    list_select_related = ("salon",)
    fields = ("salon", "correction_hours", "version", "started_position")


@admin.register(models.Tournament)
class TournamentAdmin(Recorded[models.Tournament]):
    list_display = ("name", "record", "game", "phase", "rounds", "practice")
    list_filter = ("phase", "game", "practice")
    search_fields = (
        "name",
        "record",
        "=id",
        "tournamentplayer__player__name",
        "=tournamentplayer__player__id",
    )
    ordering = ("-started_position",)
    fields = (
        "name",
        "salon",
        "record",
        "game",
        "phase",
        "rounds",
        "practice",
        "version",
        "started_position",
        "shown_state",
    )


@admin.register(models.TournamentPlayer)
class TournamentPlayerAdmin(OfPlayers[models.TournamentPlayer], OfStream[models.TournamentPlayer]):
    list_display = ("stream", "its_player")
    list_filter = ("stream__phase", "stream__practice")
    search_fields = ("player__name", "=player__id", "stream__name")
    ordering = ("-stream__started_position", "player")


@admin.register(models.TournamentRound)
class TournamentRoundAdmin(OfStream[models.TournamentRound]):
    list_display = ("stream", "number", "published", "closed")
    list_filter = ("published", "closed")
    search_fields = ("stream__name",)
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "number", "published", "closed", "shown_state")


@admin.register(models.TournamentGame)
class TournamentGameAdmin(OfStream[models.TournamentGame]):
    list_display = ("stream", "round", "table", "game", "silent")
    list_filter = ("silent",)
    search_fields = ("=game", "stream__name")
    ordering = ("-stream__started_position", "round", "table")


@admin.register(models.Standing)
class StandingAdmin(OfStream[models.Standing]):
    list_display = ("stream", "rank", "entry", "points", "tie_breaks", "played")
    list_filter = ("stream__phase", "stream__practice", "rank")
    search_fields = ("stream__name", "=entry")
    ordering = ("-stream__started_position", "rank", "entry")


@admin.register(models.Season)
class SeasonAdmin(Recorded[models.Season]):
    list_display = ("name", "closed", "version")
    list_filter = ("closed",)
    search_fields = ("name",)
    ordering = ("-started_position",)
    fields = ("name", "salon", "closed", "version", "started_position", "shown_state")


@admin.register(models.SeasonEvent)
class SeasonEventAdmin(OfStream[models.SeasonEvent]):
    list_display = ("stream", "number", "tournament")
    search_fields = ("=tournament", "stream__name")
    ordering = ("-stream__started_position", "number")


@admin.register(models.Call)
class CallAdmin(Recorded[models.Call]):
    list_display = ("table", "reason", "made_at", "taken_up_at", "ended_at", "ending")
    list_filter = ("reason", "ending")
    search_fields = ("=table", "=tournament", "=game")
    ordering = ("-made_at",)
    fields = (
        *("table", "salon", "reason", "game", "tournament", "round", "number"),
        *("made_at", "taken_up_at", "ended_at", "ending", "version", "started_position"),
    )


@admin.register(models.Screen)
class ScreenAdmin(Recorded[models.Screen]):
    list_display = ("name", "address", "retired", "version")
    list_filter = ("retired",)
    search_fields = ("name", "address")
    ordering = ("name",)
    fields = ("name", "salon", "address", "retired", "version", "started_position", "shown_state")


@admin.register(models.Reckoning)
class ReckoningAdmin(OfLog[models.Reckoning]):
    list_display = ("projection", "subject", "about", "position", "generation")
    list_filter = ("projection",)
    search_fields = ("=subject", "=about")
    ordering = ("-position",)
    fields = ("projection", "subject", "about", "position", "generation", "shown_state")


@admin.register(models.Mark)
class MarkAdmin(OfLog[models.Mark]):
    list_display = ("projection", "subject", "since", "position", "log")
    list_filter = ("projection",)


@admin.register(models.Turn)
class TurnAdmin(OfLog[models.Turn]):
    list_display = ("log", "holder", "until")


@admin.register(models.Hand)
class HandAdmin(Recorded[models.Hand]):
    salon_path = "game__salon"
    list_display = ("number", "its_game")
    list_select_related = ("game",)
    list_filter = ("game__kind", "game__final", "game__disputed")
    search_fields = ("game__record", "game__gameseat__player__name")
    ordering = ("-game__started_position", "number")
    fields = ("its_game", "number", "shown_result")

    its_game = make_row_column(
        "game", "tournament_game", _("game"), ordering="game__started_position"
    )
    shown_result = make_json_column("result", _("result"))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == "game__id__exact" or super().lookup_allowed(lookup, value, request)


@admin.register(models.HandSide)
class HandSideAdmin(Recorded[models.HandSide]):
    salon_path = "game__salon"
    list_display = (
        "its_game",
        "number",
        "side",
        "bid",
        "contract",
        "made",
        "taken",
        "points",
        "excess",
        "audits",
        "chips",
    )
    list_select_related = ("game",)
    list_filter = ("game__kind", "made", "contract", "side", "audits", "game__final")
    search_fields = ("game__record", "game__gameseat__player__name")
    ordering = ("-game__started_position", "number", "side")

    its_game = make_row_column(
        "game", "tournament_game", _("game"), ordering="game__started_position"
    )


@admin.register(models.Text)
class TextAdmin(Recorded[models.Text]):
    list_display = ("text", "digest")
    search_fields = ("text", "=digest")
    fields = ("text", "digest", "salon")


@admin.register(models.Salon)
class SalonAdmin(Named[models.Salon]):
    salon_path = "pk"
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "log", "created_at")
    readonly_fields = ("slug", "log", "created_at")


@admin.register(models.Player)
class PlayerAdmin(Named[models.Player]):
    list_display = ("name",)
    search_fields = ("name", "=id")
    ordering = ("name",)
    fields = ("name", "id", "salon", "page", "statement")
    readonly_fields = ("id", "salon", "page", "statement")

    page = make_page_column(_("page"), _("Results and partners"), "player", "pk")
    statement = make_page_column(_("chips"), _("Statement"), "player_statement", "pk")


@admin.register(models.Table)
class TableAdmin(Recorded[models.Table]):
    list_display = ("label", "retired")
    list_filter = ("retired",)
    fields = ("label", "retired", "number", "salon")


@admin.register(models.Membership)
class MembershipAdmin(Recorded[models.Membership]):
    list_display = ("user", "role")
    list_filter = ("role",)
