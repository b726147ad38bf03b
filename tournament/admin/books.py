"""The ledger in the admin: logs, events, commands, accounts and transfers."""

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ledger.models import Account, Command, Event, Log, Transfer
from tournament.admin.read_only import (
    OfLog,
    Recorded,
    link,
    make_event_column,
    make_game_column,
    make_json_column,
    make_page_column,
    make_row_column,
    make_time_column,
)
from tournament.models import Player
from tournament.streams.codec import list_stored_names


class TypeFilter(admin.SimpleListFilter):
    """The types of events there can be, so that the log needn't be searched for them."""

    title = _("type")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, name) for name in list_stored_names()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        return queryset.filter(type=self.value()) if self.value() else queryset


@admin.register(Log)
class LogAdmin(Recorded[Log]):
    salon_path = "salon"
    list_display = ("key", "position", "last_recorded")
    fields = ("key", "position", "hash", "last_recorded")

    last_recorded = make_time_column("recorded_at", _("last recorded"))


@admin.register(Event)
class EventAdmin(OfLog[Event]):
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

    game = make_game_column("stream", ordering="stream")
    log_key = make_row_column("log", "ledger_log", _("log"))
    occurred = make_time_column("occurred_at", _("occurred"))
    recorded = make_time_column("recorded_at", _("recorded"))
    shown_body = make_json_column("body", _("body"))

    @admin.display(description=_("command"))
    def its_command(self, row: Event) -> str:
        found = (
            Command.objects.filter(log=row.log_id, key=row.command)
            .values_list("pk", flat=True)
            .first()
        )
        return link("ledger_command", found, row.command) if found else row.command


@admin.register(Command)
class CommandAdmin(OfLog[Command]):
    list_display = ("key", "first_position", "last_position", "recorded", "actor")
    search_fields = ("=key", "=actor")
    ordering = ("-first_position",)
    fields = ("key", "actor", "first_event", "last_event", "recorded", "digest")

    first_event = make_event_column("first_position", _("first event"))
    last_event = make_event_column("last_position", _("last event"))
    recorded = make_time_column("recorded_at", _("recorded"))


@admin.register(Account)
class AccountAdmin(OfLog[Account]):
    list_display = ("key", "game", "player", "chips")
    list_filter = ("overdraft",)
    search_fields = ("=stream", "=owner", "=key")
    fields = ("key", "game", "player", "overdraft", "credits", "debits", "chips", "statement")

    game = make_game_column("stream", ordering="stream")
    statement = make_page_column(
        _("statement"), _("Line by line"), "account_statement", "stream", "key"
    )

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


@admin.register(Transfer)
class TransferAdmin(OfLog[Transfer]):
    list_display = ("position", "game", "source", "target", "chips", "reverses")
    list_select_related = ("source", "target")
    search_fields = ("=stream", "=position")
    ordering = ("-position",)
    fields = ("event", "game", "source_account", "target_account", "chips", "reversed_event")

    event = make_event_column("position", _("event"))
    game = make_game_column("stream", ordering="stream")
    source_account = make_row_column("source", "ledger_account", _("source"))
    target_account = make_row_column("target", "ledger_account", _("target"))
    reversed_event = make_event_column("reverses", _("takes back"))
