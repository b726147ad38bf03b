"""The salon in the admin: games and hands as their events left them, people, tables and texts."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from tournament import models
from tournament.admin.read_only import Named, Recorded, event_link, link, shown_json


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
    readonly_fields = fields

    @admin.display(description=_("players"))
    def players(self, row: models.Game) -> str:
        seats = row.seats
        names = dict(models.Player.objects.filter(pk__in=seats.values()).values_list("pk", "name"))
        return ", ".join(f"{seat} {names.get(player, player)}" for seat, player in seats.items())

    @admin.display(description=_("hands"))
    def hands(self, row: models.Game) -> str:
        url = f"{reverse('admin:tournament_hand_changelist')}?game__id__exact={row.pk}"
        return format_html('<a href="{}">{}</a>', url, models.Hand.objects.filter(game=row).count())

    @admin.display(description=_("history"))
    def history(self, row: models.Game) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("game_history", args=[row.pk]), _("Line by line")
        )

    @admin.display(description=_("books"))
    def books(self, row: models.Game) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("game_ledger", args=[row.pk]), _("Accounts and pots")
        )

    @admin.display(description=_("first event"))
    def first_event(self, row: models.Game) -> str:
        return event_link(row.salon.log_id, row.started_position)

    shown_state = shown_json("state", _("state"))


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
    readonly_fields = fields

    @admin.display(description=_("game"), ordering="started_position")
    def its_game(self, row: models.GameSeat) -> str:
        return link("tournament_game", row.game_id, row.game)


@admin.register(models.Stock)
class StockAdmin(Recorded[models.Stock]):
    list_display = ("name", "drawn_on", "commitment", "seed")
    search_fields = ("name", "=commitment")
    ordering = ("-started_position",)
    fields = ("name", "salon", "drawn_on", "commitment", "seed", "version", "started_position")
    readonly_fields = fields


@admin.register(models.StockDeal)
class StockDealAdmin(Recorded[models.StockDeal]):
    salon_path = "stream__salon"
    list_display = ("stream", "game", "number")
    list_select_related = ("stream",)
    search_fields = ("=game", "stream__name")
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "game", "number")
    readonly_fields = fields


@admin.register(models.House)
class HouseAdmin(Recorded[models.House]):
    list_display = ("salon", "correction_hours", "version")
    list_select_related = ("salon",)
    fields = ("salon", "correction_hours", "version", "started_position")
    readonly_fields = fields


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
    readonly_fields = fields

    shown_state = shown_json("state", _("state"))


@admin.register(models.TournamentPlayer)
class TournamentPlayerAdmin(OfPlayers[models.TournamentPlayer]):
    salon_path = "stream__salon"
    list_display = ("stream", "its_player")
    list_filter = ("stream__phase", "stream__practice")
    list_select_related = ("stream",)
    search_fields = ("player__name", "=player__id", "stream__name")
    ordering = ("-stream__started_position", "player")
    fields = ("stream", "its_player")
    readonly_fields = fields


@admin.register(models.TournamentRound)
class TournamentRoundAdmin(Recorded[models.TournamentRound]):
    salon_path = "stream__salon"
    list_display = ("stream", "number", "published", "closed")
    list_filter = ("published", "closed")
    list_select_related = ("stream",)
    search_fields = ("stream__name",)
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "number", "published", "closed", "shown_state")
    readonly_fields = fields

    shown_state = shown_json("state", _("state"))


@admin.register(models.TournamentGame)
class TournamentGameAdmin(Recorded[models.TournamentGame]):
    salon_path = "stream__salon"
    list_display = ("stream", "round", "table", "game", "silent")
    list_filter = ("silent",)
    list_select_related = ("stream",)
    search_fields = ("=game", "stream__name")
    ordering = ("-stream__started_position", "round", "table")
    fields = ("stream", "round", "table", "game", "silent")
    readonly_fields = fields


@admin.register(models.Standing)
class StandingAdmin(Recorded[models.Standing]):
    salon_path = "stream__salon"
    list_display = ("stream", "rank", "entry", "points", "tie_breaks", "played")
    list_filter = ("stream__phase", "stream__practice", "rank")
    list_select_related = ("stream",)
    search_fields = ("stream__name", "=entry")
    ordering = ("-stream__started_position", "rank", "entry")
    fields = list_display
    readonly_fields = fields


@admin.register(models.Season)
class SeasonAdmin(Recorded[models.Season]):
    list_display = ("name", "closed", "version")
    list_filter = ("closed",)
    search_fields = ("name",)
    ordering = ("-started_position",)
    fields = ("name", "salon", "closed", "version", "started_position", "shown_state")
    readonly_fields = fields

    shown_state = shown_json("state", _("state"))


@admin.register(models.SeasonEvent)
class SeasonEventAdmin(Recorded[models.SeasonEvent]):
    salon_path = "stream__salon"
    list_display = ("stream", "number", "tournament")
    list_select_related = ("stream",)
    search_fields = ("=tournament", "stream__name")
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "number", "tournament")
    readonly_fields = fields


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
    readonly_fields = fields


@admin.register(models.Screen)
class ScreenAdmin(Recorded[models.Screen]):
    list_display = ("name", "address", "retired", "version")
    list_filter = ("retired",)
    search_fields = ("name", "address")
    ordering = ("name",)
    fields = ("name", "salon", "address", "retired", "version", "started_position", "shown_state")
    readonly_fields = fields

    shown_state = shown_json("state", _("state"))


@admin.register(models.Reckoning)
class ReckoningAdmin(Recorded[models.Reckoning]):
    salon_path = "log"
    list_display = ("projection", "subject", "about", "position", "generation")
    list_filter = ("projection",)
    search_fields = ("=subject", "=about")
    ordering = ("-position",)
    fields = ("projection", "subject", "about", "position", "generation", "shown_state")
    readonly_fields = fields

    shown_state = shown_json("state", _("state"))


@admin.register(models.Mark)
class MarkAdmin(Recorded[models.Mark]):
    salon_path = "log"
    list_display = ("projection", "subject", "since", "position", "log")
    list_filter = ("projection",)
    fields = ("projection", "subject", "since", "position", "log")


@admin.register(models.Turn)
class TurnAdmin(Recorded[models.Turn]):
    salon_path = "log"
    list_display = ("log", "holder", "until")
    fields = ("log", "holder", "until")


@admin.register(models.Hand)
class HandAdmin(Recorded[models.Hand]):
    salon_path = "game__salon"
    list_display = ("number", "its_game")
    list_select_related = ("game",)
    list_filter = ("game__kind", "game__final", "game__disputed")
    search_fields = ("game__record", "game__gameseat__player__name")
    ordering = ("-game__started_position", "number")
    fields = ("its_game", "number", "shown_result")
    readonly_fields = fields

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == "game__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("game"), ordering="game__started_position")
    def its_game(self, row: models.Hand) -> str:
        return link("tournament_game", row.game_id, row.game)

    shown_result = shown_json("result", _("result"))


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
    fields = list_display
    readonly_fields = fields

    @admin.display(description=_("game"), ordering="game__started_position")
    def its_game(self, row: models.HandSide) -> str:
        return link("tournament_game", row.game_id, row.game)


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

    @admin.display(description=_("page"))
    def page(self, row: models.Player) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("player", args=[row.pk]), _("Results and partners")
        )

    @admin.display(description=_("chips"))
    def statement(self, row: models.Player) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("player_statement", args=[row.pk]), _("Statement")
        )


@admin.register(models.Table)
class TableAdmin(Recorded[models.Table]):
    list_display = ("label", "retired")
    list_filter = ("retired",)
    fields = ("label", "retired", "number", "salon")


@admin.register(models.Membership)
class MembershipAdmin(Recorded[models.Membership]):
    list_display = ("user", "role")
    list_filter = ("role",)
