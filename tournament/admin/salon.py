"""The salon in the admin: games and hands as their events left them, people, tables and texts."""

import json

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from tournament.admin.showing import Named, Recorded, event_link, link, pretty
from tournament.models import (
    Game,
    Hand,
    House,
    Mark,
    Membership,
    Player,
    Reckoning,
    Salon,
    Season,
    SeasonEvent,
    Stock,
    StockDeal,
    Table,
    Text,
    Tournament,
    TournamentGame,
    TournamentRound,
    Turn,
)


@admin.register(Game)
class GameAdmin(Recorded[Game]):
    list_display = ("record", "kind", "table", "played_on", "finished", "version")
    list_filter = ("kind", "finished", "table")
    search_fields = ("record", "=id")
    ordering = ("-started_position",)
    fields = (
        "record",
        "salon",
        "kind",
        "table",
        "played_on",
        "finished",
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
    def players(self, row: Game) -> str:
        seats = json.loads(row.seats)
        names = dict(Player.objects.filter(pk__in=seats.values()).values_list("pk", "name"))
        return ", ".join(f"{seat} {names.get(player, player)}" for seat, player in seats.items())

    @admin.display(description=_("hands"))
    def hands(self, row: Game) -> str:
        url = f"{reverse('admin:tournament_hand_changelist')}?game__id__exact={row.pk}"
        return format_html('<a href="{}">{}</a>', url, Hand.objects.filter(game=row).count())

    @admin.display(description=_("history"))
    def history(self, row: Game) -> str:
        return format_html('<a href="{}">{}</a>', reverse("game_history", args=[row.pk]), _("Entry by entry"))

    @admin.display(description=_("books"))
    def books(self, row: Game) -> str:
        return format_html('<a href="{}">{}</a>', reverse("game_ledger", args=[row.pk]), _("Accounts and pots"))

    @admin.display(description=_("first event"))
    def first_event(self, row: Game) -> str:
        return event_link(row.salon.log_id, row.started_position)

    @admin.display(description=_("state"))
    def shown_state(self, row: Game) -> str:
        return pretty(row.state)


@admin.register(Stock)
class StockAdmin(Recorded[Stock]):
    list_display = ("name", "drawn_on", "commitment", "seed")
    search_fields = ("name", "=commitment")
    ordering = ("-started_position",)
    fields = ("name", "salon", "drawn_on", "commitment", "seed", "version", "started_position")
    readonly_fields = fields


@admin.register(StockDeal)
class StockDealAdmin(Recorded[StockDeal]):
    salon_path = "stream__salon"
    list_display = ("stream", "game", "number")
    list_select_related = ("stream",)
    search_fields = ("=game", "stream__name")
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "game", "number")
    readonly_fields = fields


@admin.register(House)
class HouseAdmin(Recorded[House]):
    list_display = ("salon", "correction_hours", "version")
    list_select_related = ("salon",)
    fields = ("salon", "correction_hours", "version", "started_position")
    readonly_fields = fields


@admin.register(Tournament)
class TournamentAdmin(Recorded[Tournament]):
    list_display = ("name", "record", "game", "phase", "rounds")
    list_filter = ("phase", "game")
    search_fields = ("name", "record", "=id")
    ordering = ("-started_position",)
    fields = ("name", "salon", "record", "game", "phase", "rounds", "version", "started_position", "shown_state")
    readonly_fields = fields

    @admin.display(description=_("state"))
    def shown_state(self, row: Tournament) -> str:
        return pretty(row.state)


@admin.register(TournamentRound)
class TournamentRoundAdmin(Recorded[TournamentRound]):
    salon_path = "stream__salon"
    list_display = ("stream", "number")
    list_select_related = ("stream",)
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "number", "shown_state")
    readonly_fields = fields

    @admin.display(description=_("state"))
    def shown_state(self, row: TournamentRound) -> str:
        return pretty(row.state)


@admin.register(TournamentGame)
class TournamentGameAdmin(Recorded[TournamentGame]):
    salon_path = "stream__salon"
    list_display = ("stream", "round", "table", "game")
    list_select_related = ("stream",)
    search_fields = ("=game",)
    ordering = ("-stream__started_position", "round", "table")
    fields = ("stream", "round", "table", "game")
    readonly_fields = fields


@admin.register(Season)
class SeasonAdmin(Recorded[Season]):
    list_display = ("name", "closed", "version")
    search_fields = ("name",)
    ordering = ("-started_position",)
    fields = ("name", "salon", "closed", "version", "started_position", "shown_state")
    readonly_fields = fields

    @admin.display(description=_("state"))
    def shown_state(self, row: Season) -> str:
        return pretty(row.state)


@admin.register(SeasonEvent)
class SeasonEventAdmin(Recorded[SeasonEvent]):
    salon_path = "stream__salon"
    list_display = ("stream", "number", "tournament")
    list_select_related = ("stream",)
    search_fields = ("=tournament", "stream__name")
    ordering = ("-stream__started_position", "number")
    fields = ("stream", "number", "tournament")
    readonly_fields = fields


@admin.register(Reckoning)
class ReckoningAdmin(Recorded[Reckoning]):
    salon_path = "log"
    list_display = ("projection", "subject", "about", "position", "generation")
    list_filter = ("projection",)
    search_fields = ("=subject", "=about")
    ordering = ("-position",)
    fields = ("projection", "subject", "about", "position", "generation", "shown_state")
    readonly_fields = fields

    @admin.display(description=_("state"))
    def shown_state(self, row: Reckoning) -> str:
        return pretty(row.state)


@admin.register(Mark)
class MarkAdmin(Recorded[Mark]):
    salon_path = "log"
    list_display = ("projection", "subject", "since", "position", "log")
    list_filter = ("projection",)
    fields = ("projection", "subject", "since", "position", "log")


@admin.register(Turn)
class TurnAdmin(Recorded[Turn]):
    salon_path = "log"
    list_display = ("log", "holder", "until")
    fields = ("log", "holder", "until")


@admin.register(Hand)
class HandAdmin(Recorded[Hand]):
    salon_path = "game__salon"
    list_display = ("number", "its_game")
    list_select_related = ("game",)
    search_fields = ("game__record",)
    ordering = ("-game__started_position", "number")
    fields = ("its_game", "number", "shown_result")
    readonly_fields = fields

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == "game__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("game"), ordering="game__started_position")
    def its_game(self, row: Hand) -> str:
        return link("tournament_game", row.game_id, row.game)

    @admin.display(description=_("result"))
    def shown_result(self, row: Hand) -> str:
        return pretty(row.result)


@admin.register(Text)
class TextAdmin(Recorded[Text]):
    list_display = ("text", "digest")
    search_fields = ("text", "=digest")
    fields = ("text", "digest", "salon")


@admin.register(Salon)
class SalonAdmin(Named[Salon]):
    salon_path = "pk"
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "log", "created_at")
    readonly_fields = ("slug", "log", "created_at")


@admin.register(Player)
class PlayerAdmin(Named[Player]):
    list_display = ("name",)
    search_fields = ("name", "=id")
    ordering = ("name",)
    fields = ("name", "id", "salon", "page", "statement")
    readonly_fields = ("id", "salon", "page", "statement")

    @admin.display(description=_("page"))
    def page(self, row: Player) -> str:
        return format_html('<a href="{}">{}</a>', reverse("player", args=[row.pk]), _("Results and partners"))

    @admin.display(description=_("chips"))
    def statement(self, row: Player) -> str:
        return format_html('<a href="{}">{}</a>', reverse("player_statement", args=[row.pk]), _("Statement"))


@admin.register(Table)
class TableAdmin(Recorded[Table]):
    list_display = ("label", "retired")
    list_filter = ("retired",)
    fields = ("label", "retired", "number", "salon")


@admin.register(Membership)
class MembershipAdmin(Recorded[Membership]):
    list_display = ("user", "role")
    list_filter = ("role",)
