"""What is signed, in the admin: checkpoints, keys, other salons' signatures, what was countersigned
for them; audits and erasures.
"""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ledger.models import Checkpoint, Cosignature, SigningKey, Tile, Witnessed
from tournament.admin.read_only import Recorded, in_words, pretty
from tournament.models import AuditRun, Erasure


@admin.register(Checkpoint)
class CheckpointAdmin(Recorded[Checkpoint]):
    salon_path = "log"
    list_display = ("size", "root", "key", "made")
    ordering = ("-pk",)
    fields = ("log", "size", "root", "key", "made", "shown_note")
    readonly_fields = fields

    @admin.display(description=_("made"), ordering="made_at")
    def made(self, row: Checkpoint) -> str:
        return in_words(row.made_at)

    @admin.display(description=_("note"))
    def shown_note(self, row: Checkpoint) -> str:
        return format_html("<pre>{}</pre>", row.note)


@admin.register(SigningKey)
class SigningKeyAdmin(Recorded[SigningKey]):
    salon_path = "log"
    list_display = ("vkey", "number", "after", "made")
    ordering = ("-pk",)
    fields = ("log", "number", "vkey", "after", "made", "shown_announcement")
    readonly_fields = fields

    @admin.display(description=_("made"), ordering="made_at")
    def made(self, row: SigningKey) -> str:
        return in_words(row.made_at)

    @admin.display(description=_("announcement"))
    def shown_announcement(self, row: SigningKey) -> str:
        return format_html("<pre>{}</pre>", row.announcement)


@admin.register(Cosignature)
class CosignatureAdmin(Recorded[Cosignature]):
    salon_path = "log"
    list_display = ("vkey", "size", "signed")
    ordering = ("-pk",)
    fields = ("log", "size", "vkey", "line", "signed")
    readonly_fields = fields

    @admin.display(description=_("signed"), ordering="signed_at")
    def signed(self, row: Cosignature) -> str:
        return in_words(row.signed_at)


@admin.register(Witnessed)
class WitnessedAdmin(Recorded[Witnessed]):
    salon_path = "log"
    list_display = ("origin", "size", "old", "seen")
    ordering = ("-pk",)
    fields = ("log", "origin", "vkey", "old", "size", "root", "seen", "shown_note")
    readonly_fields = fields

    @admin.display(description=_("countersigned"), ordering="seen_at")
    def seen(self, row: Witnessed) -> str:
        return in_words(row.seen_at)

    @admin.display(description=_("note"))
    def shown_note(self, row: Witnessed) -> str:
        return format_html("<pre>{}</pre>", row.note)


@admin.register(Tile)
class TileAdmin(Recorded[Tile]):
    salon_path = "log"
    list_display = ("number", "level", "hash")
    list_filter = ("level",)
    ordering = ("-pk",)


@admin.register(AuditRun)
class AuditRunAdmin(Recorded[AuditRun]):
    list_display = ("began", "events", "count", "proven", "error")
    ordering = ("-pk",)
    fields = (
        "salon",
        "asked_by",
        "began",
        "ended",
        "events",
        "proven",
        "by",
        "count",
        "shown_findings",
        "shown_remarks",
        "error",
    )
    readonly_fields = fields

    @admin.display(description=_("began"), ordering="began_at")
    def began(self, row: AuditRun) -> str:
        return in_words(row.began_at)

    @admin.display(description=_("ended"), ordering="ended_at")
    def ended(self, row: AuditRun) -> str:
        return in_words(row.ended_at)

    @admin.display(description=_("findings"))
    def shown_findings(self, row: AuditRun) -> str:
        return pretty(row.findings)

    @admin.display(description=_("remarks"))
    def shown_remarks(self, row: AuditRun) -> str:
        return pretty(row.remarks)


@admin.register(Erasure)
class ErasureAdmin(Recorded[Erasure]):
    list_display = ("player", "erased", "texts", "actor")
    ordering = ("-pk",)
    fields = ("salon", "player", "texts", "actor", "erased")
    readonly_fields = fields

    @admin.display(description=_("erased"), ordering="erased_at")
    def erased(self, row: Erasure) -> str:
        return in_words(row.erased_at)
