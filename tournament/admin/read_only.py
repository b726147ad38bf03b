"""Read-only parts of the admin's pages: rows, times, JSON and links between rows."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ledger import times
from ledger.models import Event
from tournament.models import Salon
from tournament.models.written_json import json_text

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    class ModelAdmin[M: Model](admin.ModelAdmin[M]):
        """As the type checker knows it."""

else:

    class ModelAdmin(admin.ModelAdmin):
        """As it runs: Django's own takes no parameter."""

        def __class_getitem__(cls, _model: type) -> type:
            return cls


def in_words(microseconds: int) -> str:
    """A stored time, in the salon's own."""
    if not microseconds:
        return "–"
    return date_format(timezone.localtime(times.moment(microseconds)), "Y-m-d H:i:s")


def pretty(value: object) -> str:
    """A value that is kept as JSON, or the JSON itself, as people read it; other text as it is."""
    try:
        read = json.loads(value if isinstance(value, str) else json_text(value))
    except ValueError:
        return format_html("<pre>{}</pre>", value)
    return format_html("<pre>{}</pre>", json.dumps(read, indent=2, ensure_ascii=False))


def make_time_column(field: str, title: "StrPromise") -> Callable[[object, Model], str]:
    """A column of an admin: the stored time of this field, sorted by it."""

    @admin.display(description=title, ordering=field)
    def column(_admin: object, row: Model) -> str:
        return in_words(getattr(row, field))

    return column


def make_json_column(field: str, title: "StrPromise") -> Callable[[object, Model], str]:
    """A column of an admin: the JSON of this field, or its text."""

    @admin.display(description=title)
    def column(_admin: object, row: Model) -> str:
        return pretty(getattr(row, field))

    return column


def make_row_column(
    field: str, page: str, title: "StrPromise", *, ordering: str | None = None
) -> Callable[[object, Model], str]:
    """A column of an admin: the row that this foreign key leads to, by its own page."""

    @admin.display(description=title, ordering=ordering)
    def column(_admin: object, row: Model) -> str:
        return link(page, getattr(row, f"{field}_id"), getattr(row, field))

    return column


def make_game_column(field: str, *, ordering: str | None = None) -> Callable[[object, Model], str]:
    """A column of an admin: the game whose stream this field holds."""

    @admin.display(description=_("game"), ordering=ordering)
    def column(_admin: object, row: Model) -> str:
        return game_link(getattr(row, field))

    return column


def make_event_column(field: str, title: "StrPromise") -> Callable[[object, Model], str]:
    """A column of an admin: the event at the position that this field holds."""

    @admin.display(description=title)
    def column(_admin: object, row: Any) -> str:  # noqa: ANN401 - a row with a log
        return event_link(row.log_id, getattr(row, field))

    return column


def make_page_column(
    title: "StrPromise", words: "StrPromise", address: str, *arguments: str
) -> Callable[[object, Model], str]:
    """A column of an admin: these words, leading to the page of this address outside the admin,
    which is about these fields of the row.
    """

    @admin.display(description=title)
    def column(_admin: object, row: Model) -> str:
        url = reverse(address, args=[getattr(row, each) for each in arguments])
        return format_html('<a href="{}">{}</a>', url, words)

    return column


def link(name: str, key: object, text: object) -> str:
    """A link to a row's own page in the admin."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{name}_change", args=[key]), text)


def event_link(log: int, position: int | None) -> str:
    """A link to the event at this position, – for none."""
    if not position:
        return "–"
    found = Event.objects.filter(log=log, position=position).values_list("pk", flat=True).first()
    return link("ledger_event", found, position) if found else str(position)


def game_link(stream: str) -> str:
    """A link to the game whose stream this is, without looking whether it is there."""
    return link("tournament_game", stream, stream[:8])


class Named[M: Model](ModelAdmin[M]):
    """Rows of the visitor's salon, of which nothing but a name can be changed; none is added or
    deleted here.

    `salon_path` leads from a row to its salon, or to the log of its salon.
    """

    list_per_page = 50
    salon_path = "salon"

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        salon: Salon = request.visitor.salon  # type: ignore[attr-defined]  # the site asked who is there
        of_log = self.salon_path.rpartition("__")[2] == "log"
        return (
            super()
            .get_queryset(request)
            .filter(**{self.salon_path: salon.log_id if of_log else salon.pk})
        )

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Recorded[M: Model](Named[M]):
    """Rows that are what was recorded: to look at only."""

    show_full_result_count = False

    shown_state = make_json_column("state", _("state"))

    def get_fields(self, request: HttpRequest, obj: M | None = None) -> Any:  # noqa: ANN401 - as Django has it
        """Return the fields of the list, unless others are set."""
        return self.fields or self.list_display

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class OfLog[M: Model](Recorded[M]):
    """Rows of a log, which is its salon's."""

    salon_path = "log"
