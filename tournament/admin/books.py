"""The ledger in the admin: logs, events, commands, accounts and transfers."""

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ledger.models import Account, Command, Event, Log, Transfer
from tournament.admin.read_only import Recorded, event_link, game_link, link, shown_json, shown_time
from tournament.models import Player
from tournament.streams.codec import stored_names


class TypeFilter(admin.SimpleListFilter):
    """The types of events there can be, so that the log needn't be searched for them."""

    title = _("type")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, name) for name in stored_names()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        return queryset.filter(type=self.value()) if self.value() else queryset


@admin.register(Log)
class LogAdmin(Recorded[Log]):
    salon_path = "salon"
    list_display = ("key", "position", "last_recorded")
    fields = ("key", "position", "hash", "last_recorded")

    last_recorded = shown_time("recorded_at", _("last recorded"))


@admin.register(Event)
class EventAdmin(Recorded[Event]):
    salon_path = "log"
    list_display = ("position", "type", "game", "version", "occurred", "actor")
    list_filter = (TypeFilter,)
    search_fields = ("=stream", "=command", "=actor", "=position")
    search_help_text = _("The number of a line, or the whole id of a game, a command or an actor")
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

    occurred = shown_time("occurred_at", _("occurred"))
    recorded = shown_time("recorded_at", _("recorded"))

    @admin.display(description=_("command"))
    def its_command(self, row: Event) -> str:
        found = (
            Command.objects.filter(log=row.log_id, key=row.command)
            .values_list("pk", flat=True)
            .first()
        )
        return link("ledger_command", found, row.command) if found else row.command

    shown_body = shown_json("body", _("body"))


@admin.register(Command)
class CommandAdmin(Recorded[Command]):
    salon_path = "log"
    list_display = ("key", "first_position", "last_position", "recorded", "actor")
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

    recorded = shown_time("recorded_at", _("recorded"))


@admin.register(Account)
class AccountAdmin(Recorded[Account]):
    salon_path = "log"
    list_display = ("key", "game", "player", "chips")
    list_filter = ("overdraft",)
    search_fields = ("=stream", "=owner", "=key")
    ordering = ("-pk",)
    fields = ("key", "game", "player", "overdraft", "credits", "debits", "chips", "statement")
    readonly_fields = fields

    @admin.display(description=_("game"), ordering="stream")
    def game(self, row: Account) -> str:
        return game_link(row.stream)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        named = Player.objects.filter(pk=OuterRef("owner")).values("name")[:1]
        return super().get_queryset(request).annotate(owner_name=Subquery(named))

    @admin.display(description=_("player"))
    def player(self, row: Account) -> str:
        name = getattr(row, "owner_name", None)
        return link("tournament_player", row.owner, name) if name else "–"

    @admin.display(description=_("chips"))
    def chips(self, row: Account) -> int:
        return row.credits - row.debits

    @admin.display(description=_("statement"))
    def statement(self, row: Account) -> str:
        return format_html(
            '<a href="{}">{}</a>',
            reverse("account_statement", args=[row.stream, row.key]),
            _("Line by line"),
        )


@admin.register(Transfer)
class TransferAdmin(Recorded[Transfer]):
    salon_path = "log"
    list_display = ("position", "game", "source", "target", "chips", "reverses")
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
