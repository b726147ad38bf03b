"""People and links in the admin: who is invited, the links of events and seats, phones that are
told, kept house rules, and what was taken away by night.
"""

from urllib.parse import urlsplit

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from tournament import models
from tournament.admin.read_only import Recorded, make_game_column, make_page_column


@admin.register(models.Invitation)
class InvitationAdmin(Recorded[models.Invitation]):
    list_display = ("role", "email", "made_at", "expires_at", "used_at")
    list_filter = ("role",)
    ordering = ("-made_at",)
    fields = ("role", "email", "player", "made_by", "made_at", "expires_at", "used_at")


@admin.register(models.EventLink)
class EventLinkAdmin(Recorded[models.EventLink]):
    list_display = ("tournament", "page")

    page = make_page_column(_("page"), _("Its slip"), "event_link", "tournament")


@admin.register(models.CaptainLink)
class CaptainLinkAdmin(Recorded[models.CaptainLink]):
    list_display = ("tournament", "entry", "page")

    page = make_page_column(_("page"), _("Its slip"), "captain_link", "tournament", "entry")


@admin.register(models.PersonalLink)
class PersonalLinkAdmin(Recorded[models.PersonalLink]):
    list_display = ("tournament", "entry", "ended", "page")
    list_filter = ("ended",)

    page = make_page_column(_("page"), _("Its slip"), "own_link", "tournament", "entry")


@admin.register(models.PushSubscription)
class PushSubscriptionAdmin(Recorded[models.PushSubscription]):
    salon_path = "link__salon"
    list_display = ("entry", "tournament", "made_at", "seen_at", "trouble")
    list_select_related = ("link",)
    ordering = ("-made_at", "pk")
    fields = ("entry", "tournament", "service", "made_at", "seen_at", "told_until", "trouble")

    @admin.display(description=_("entry"))
    def entry(self, row: models.PushSubscription) -> str:
        return row.link.entry

    @admin.display(description=_("tournament"))
    def tournament(self, row: models.PushSubscription) -> str:
        return row.link.tournament

    @admin.display(description=_("told by way of"))
    def service(self, row: models.PushSubscription) -> str:
        return urlsplit(row.endpoint).hostname or ""


@admin.register(models.Notice)
class NoticeAdmin(Recorded[models.Notice]):
    salon_path = "subscription__link__salon"
    list_display = ("matter", "made_at", "due_at", "tries", "sent_at")
    ordering = ("-made_at", "pk")


@admin.register(models.SeatLink)
class SeatLinkAdmin(Recorded[models.SeatLink]):
    list_display = ("seat", "of_game", "page")

    of_game = make_game_column("game")

    @admin.display(description=_("page"))
    def page(self, row: models.SeatLink) -> str:
        label = (
            models.Game.objects.filter(pk=row.game, finished=False)
            .values_list("table", flat=True)
            .first()
        )
        return (
            format_html('<a href="{}">{}</a>', reverse("seats", args=[label]), _("Its slip"))
            if label
            else ""
        )


@admin.register(models.Preset)
class PresetAdmin(Recorded[models.Preset]):
    list_display = ("name", "game")
    list_filter = ("game",)
    fields = ("name", "game", "options")


@admin.register(models.RetentionRun)
class RetentionRunAdmin(Recorded[models.RetentionRun]):
    list_display = ("ran_at", "players", "invitations")
    ordering = ("-ran_at",)
    fields = ("ran_at", "players", "invitations")
