"""Admin pages of the background: computations and those that stopped, webhooks, and
their messages.
"""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.admin.read_only import (
    OfLog,
    Recorded,
    make_json_column,
    make_page_column,
    make_row_column,
)
from tournament.models import Delivery, Progress, Webhook
from tournament.projections.background import resume
from tournament.webhooks.delivery import again


class Parked(admin.SimpleListFilter):
    """Those that stopped, or those that go on."""

    title = gettext_lazy("state")
    parameter_name = "parked"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """The two states."""
        return [("yes", _("stopped")), ("no", _("goes on"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Progress]) -> QuerySet[Progress]:
        """The rows in the chosen state; all without one."""
        return {"yes": queryset.exclude(error=""), "no": queryset.filter(error="")}.get(
            self.value() or "", queryset
        )


@admin.register(Progress)
class ProgressAdmin(OfLog[Progress]):
    list_display = ("projection", "position", "moved_at", "error")
    list_filter = (Parked, "projection")
    fields = ("projection", "log", "position", "hash", "moved_at", "error_position", "error")
    actions = ("go_on",)

    @admin.action(
        description=gettext_lazy("Let it go on from where it stopped"), permissions=["view"]
    )
    def go_on(self, request: HttpRequest, rows: QuerySet[Progress]) -> None:
        stopped = list(rows.exclude(error="").select_related("log"))
        for row in stopped:
            resume(row.log, row.projection)
        words = ngettext(
            "One computation goes on.", "%(count)d computations go on.", len(stopped)
        ) % {"count": len(stopped)}
        messages.success(request, words)


@admin.register(Webhook)
class WebhookAdmin(Recorded[Webhook]):
    list_display = ("address", "events", "paused_why", "page")
    search_fields = ("address",)
    ordering = ("made_at",)
    fields = (
        "address",
        "events",
        "paused_why",
        "since",
        "standings_told",
        "made_by",
        "made_at",
        "page",
        "message_list",
    )

    page = make_page_column(
        gettext_lazy("page"), gettext_lazy("Its secret, a pause, a test message"), "webhook", "pk"
    )

    @admin.display(description=gettext_lazy("messages"))
    def message_list(self, row: Webhook) -> str:
        url = f"{reverse('admin:tournament_delivery_changelist')}?webhook__id__exact={row.pk}"
        return format_html('<a href="{}">{}</a>', url, row.delivery_set.count())


@admin.register(Delivery)
class DeliveryAdmin(Recorded[Delivery]):
    salon_path = "webhook__salon"
    list_display = ("event", "its_webhook", "state", "tries", "made_at", "due_at", "status")
    list_select_related = ("webhook",)
    list_filter = ("event",)
    ordering = ("-made_at", "pk")
    fields = (
        "id",
        "its_webhook",
        "event",
        "state",
        "tries",
        "made_at",
        "due_at",
        "arrived_at",
        "status",
        "answer",
        "said",
    )
    actions = ("send_again",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == "webhook__id__exact" or super().lookup_allowed(lookup, value, request)

    its_webhook = make_row_column("webhook", "tournament_webhook", gettext_lazy("address"))
    said = make_json_column("body", gettext_lazy("what it answered"))

    @admin.action(
        description=gettext_lazy("Send it once more, under the same id"), permissions=["view"]
    )
    def send_again(self, request: HttpRequest, rows: QuerySet[Delivery]) -> None:
        chosen = list(rows)
        for row in chosen:
            again(row)
        words = ngettext(
            "One message is sent once more.", "%(count)d messages are sent once more.", len(chosen)
        ) % {"count": len(chosen)}
        messages.success(request, words)
