"""The admin: it shows the books and never edits them. A player's and the salon's name are all that can be changed here."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ledger.models import Account, Command, Event, Log, Transfer
from tournament.models import Game, Hand, Membership, Player, Progress, Salon, Table, Text
from tournament.shapes import SHAPES

if TYPE_CHECKING:

    class ModelAdmin[M: Model](admin.ModelAdmin[M]):
        """As the type checker knows it."""

else:

    class ModelAdmin(admin.ModelAdmin):
        """As it runs: Django's own takes no parameter."""

        def __class_getitem__(cls, _model: type) -> type:
            return cls


admin.site.site_title = admin.site.site_header = _("Accord")


class Named[M: Model](ModelAdmin[M]):
    """Rows of which nothing but a name can be changed; none is added or deleted here."""

    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Recorded[M: Model](Named[M]):
    """Rows that are what was recorded: to look at only."""

    show_full_result_count = False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class TypeFilter(admin.SimpleListFilter):
    """The types of events there can be, so that the log needn't be searched for them."""

    title = _("type")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, name) for name in sorted({name for name, _schema in SHAPES})]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        return queryset.filter(type=self.value()) if self.value() else queryset


def in_words(microseconds: int) -> str:
    """A stored time, in the salon's own."""
    if not microseconds:
        return "–"
    return date_format(timezone.localtime(datetime.fromtimestamp(microseconds / 1_000_000, UTC)), "Y-m-d H:i:s")


def pretty(text: str) -> str:
    """JSON as people read it."""
    try:
        shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        shown = text
    return format_html("<pre>{}</pre>", shown)


def link(name: str, key: object, text: object) -> str:
    """A link to a row's own page in the admin."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{name}_change", args=[key]), text)


def event_link(log: int, position: int) -> str:
    """A link to the event at this position."""
    found = Event.objects.filter(log=log, position=position).values_list("pk", flat=True).first()
    return link("ledger_event", found, position) if found else str(position)


def game_link(stream: str) -> str:
    """A link to the game whose stream this is."""
    record = Game.objects.filter(pk=stream).values_list("record", flat=True).first()
    return link("tournament_game", stream, record) if record else stream


@admin.register(Log)
class LogAdmin(Recorded[Log]):
    list_display = ("key", "position", "last_recorded")
    fields = ("key", "position", "hash", "last_recorded")

    @admin.display(description=_("last recorded"), ordering="recorded_at")
    def last_recorded(self, row: Log) -> str:
        return in_words(row.recorded_at)


@admin.register(Event)
class EventAdmin(Recorded[Event]):
    list_display = ("position", "type", "game", "version", "occurred", "actor", "log")
    list_filter = (TypeFilter, "log")
    search_fields = ("=stream", "=command", "=actor", "=position")
    search_help_text = _("The number of an entry, or the whole id of a game, a command or an actor")
    ordering = ("-position",)
    fields = (
        "log_key",
        "position",
        "type",
        "schema",
        "game",
        "version",
        "occurred",
        "recorded",
        "actor",
        "its_command",
        "shown_body",
        "prev_hash",
        "hash",
    )
    readonly_fields = fields

    @admin.display(description=_("game"), ordering="stream")
    def game(self, row: Event) -> str:
        return game_link(row.stream)

    @admin.display(description=_("log"))
    def log_key(self, row: Event) -> str:
        return link("ledger_log", row.log_id, row.log)

    @admin.display(description=_("occurred"), ordering="occurred_at")
    def occurred(self, row: Event) -> str:
        return in_words(row.occurred_at)

    @admin.display(description=_("recorded"), ordering="recorded_at")
    def recorded(self, row: Event) -> str:
        return in_words(row.recorded_at)

    @admin.display(description=_("command"))
    def its_command(self, row: Event) -> str:
        found = Command.objects.filter(log=row.log_id, key=row.command).values_list("pk", flat=True).first()
        return link("ledger_command", found, row.command) if found else row.command

    @admin.display(description=_("body"))
    def shown_body(self, row: Event) -> str:
        return pretty(row.body)


@admin.register(Command)
class CommandAdmin(Recorded[Command]):
    list_display = ("key", "first_position", "last_position", "recorded", "actor")
    list_filter = ("log",)
    search_fields = ("=key", "=actor")
    ordering = ("-first_position",)
    fields = ("key", "actor", "first_event", "last_event", "recorded", "digest")
    readonly_fields = fields

    @admin.display(description=_("first event"))
    def first_event(self, row: Command) -> str:
        return event_link(row.log_id, row.first_position)

    @admin.display(description=_("last event"))
    def last_event(self, row: Command) -> str:
        return event_link(row.log_id, row.last_position)

    @admin.display(description=_("recorded"), ordering="recorded_at")
    def recorded(self, row: Command) -> str:
        return in_words(row.recorded_at)


@admin.register(Account)
class AccountAdmin(Recorded[Account]):
    list_display = ("key", "game", "player", "chips")
    list_filter = ("log", "overdraft")
    search_fields = ("=stream", "=owner", "=key")
    ordering = ("-pk",)
    fields = ("key", "game", "player", "overdraft", "credits", "debits", "chips", "statement")
    readonly_fields = fields

    @admin.display(description=_("game"), ordering="stream")
    def game(self, row: Account) -> str:
        return game_link(row.stream)

    @admin.display(description=_("player"))
    def player(self, row: Account) -> str:
        name = Player.objects.filter(pk=row.owner).values_list("name", flat=True).first() if row.owner else None
        return link("tournament_player", row.owner, name) if name else "–"

    @admin.display(description=_("chips"))
    def chips(self, row: Account) -> int:
        return row.credits - row.debits

    @admin.display(description=_("statement"))
    def statement(self, row: Account) -> str:
        return format_html('<a href="{}">{}</a>', reverse("account_statement", args=[row.stream, row.key]), _("Line by line"))


@admin.register(Transfer)
class TransferAdmin(Recorded[Transfer]):
    list_display = ("position", "game", "source", "target", "chips", "reverses")
    list_filter = ("log",)
    list_select_related = ("source", "target")
    search_fields = ("=stream", "=position")
    ordering = ("-position",)
    fields = ("event", "game", "source_account", "target_account", "chips", "reversed_event")
    readonly_fields = fields

    @admin.display(description=_("event"))
    def event(self, row: Transfer) -> str:
        return event_link(row.log_id, row.position)

    @admin.display(description=_("game"), ordering="stream")
    def game(self, row: Transfer) -> str:
        return game_link(row.stream)

    @admin.display(description=_("source"))
    def source_account(self, row: Transfer) -> str:
        return link("ledger_account", row.source_id, row.source)

    @admin.display(description=_("target"))
    def target_account(self, row: Transfer) -> str:
        return link("ledger_account", row.target_id, row.target)

    @admin.display(description=_("takes back"))
    def reversed_event(self, row: Transfer) -> str:
        return event_link(row.log_id, row.reverses) if row.reverses else "–"


@admin.register(Game)
class GameAdmin(Recorded[Game]):
    list_display = ("record", "kind", "table", "played_on", "finished", "version")
    list_filter = ("kind", "finished", "salon", "table")
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


@admin.register(Hand)
class HandAdmin(Recorded[Hand]):
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
    list_display = ("text", "digest", "salon")
    list_filter = ("salon",)
    search_fields = ("text", "=digest")
    fields = ("text", "digest", "salon")


@admin.register(Progress)
class ProgressAdmin(Recorded[Progress]):
    list_display = ("projection", "log", "position", "moved_at", "error")
    list_filter = ("projection",)
    fields = ("projection", "log", "position", "hash", "moved_at", "error_position", "error")


@admin.register(Salon)
class SalonAdmin(Named[Salon]):
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "log", "created_at")
    readonly_fields = ("slug", "log", "created_at")


@admin.register(Player)
class PlayerAdmin(Named[Player]):
    list_display = ("name", "salon")
    list_filter = ("salon",)
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
    list_display = ("label", "salon")
    list_filter = ("salon",)
    fields = ("label", "salon")


@admin.register(Membership)
class MembershipAdmin(Recorded[Membership]):
    list_display = ("user", "role", "salon")
    list_filter = ("role", "salon")
