"""What is signed, in the admin: checkpoints, keys, other salons' signatures, what was countersigned
for them; audits and erasures.
"""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ledger.models import Checkpoint, Cosignature, SigningKey, Tile, Witnessed
from tournament.admin.read_only import Recorded, shown_json, shown_time
from tournament.models import AuditRun, Erasure


@admin.register(Checkpoint)
class CheckpointAdmin(Recorded[Checkpoint]):
    salon_path = "log"
    list_display = ("size", "root", "key", "made")
    ordering = ("-pk",)
    fields = ("log", "size", "root", "key", "made", "shown_note")
    readonly_fields = fields

    made = shown_time("made_at", _("made"))

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

    made = shown_time("made_at", _("made"))

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

    signed = shown_time("signed_at", _("signed"))


@admin.register(Witnessed)
class WitnessedAdmin(Recorded[Witnessed]):
    salon_path = "log"
    list_display = ("origin", "size", "old", "seen")
    ordering = ("-pk",)
    fields = ("log", "origin", "vkey", "old", "size", "root", "seen", "shown_note")
    readonly_fields = fields

    seen = shown_time("seen_at", _("countersigned"))

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

    began = shown_time("began_at", _("began"))
    ended = shown_time("ended_at", _("ended"))
    shown_findings = shown_json("findings", _("findings"))
    shown_remarks = shown_json("remarks", _("remarks"))


@admin.register(Erasure)
class ErasureAdmin(Recorded[Erasure]):
    list_display = ("player", "erased", "texts", "actor")
    ordering = ("-pk",)
    fields = ("salon", "player", "texts", "actor", "erased")
    readonly_fields = fields

    erased = shown_time("erased_at", _("erased"))
