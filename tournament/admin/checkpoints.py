"""Admin pages of signatures: checkpoints, keys, other salons' signatures,
countersigned requests; audits and erasures.
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from ledger.models import Checkpoint, Cosignature, SigningKey, Tile, Witnessed
from tournament.admin.read_only import OfLog, Recorded, make_json_column, make_time_column
from tournament.models import AuditRun, Erasure


@admin.register(Checkpoint)
class CheckpointAdmin(OfLog[Checkpoint]):
    list_display = ("size", "root", "key", "made")
    fields = ("log", "size", "root", "key", "made", "shown_note")

    made = make_time_column("made_at", _("made"))
    shown_note = make_json_column("note", _("note"))


@admin.register(SigningKey)
class SigningKeyAdmin(OfLog[SigningKey]):
    list_display = ("vkey", "number", "after", "made")
    fields = ("log", "number", "vkey", "after", "made", "shown_announcement")

    made = make_time_column("made_at", _("made"))
    shown_announcement = make_json_column("announcement", _("announcement"))


@admin.register(Cosignature)
class CosignatureAdmin(OfLog[Cosignature]):
    list_display = ("vkey", "size", "signed")
    fields = ("log", "size", "vkey", "line", "signed")

    signed = make_time_column("signed_at", _("signed"))


@admin.register(Witnessed)
class WitnessedAdmin(OfLog[Witnessed]):
    list_display = ("origin", "size", "old", "seen")
    fields = ("log", "origin", "vkey", "old", "size", "root", "seen", "shown_note")

    seen = make_time_column("seen_at", _("countersigned"))
    shown_note = make_json_column("note", _("note"))


@admin.register(Tile)
class TileAdmin(OfLog[Tile]):
    list_display = ("number", "level", "hash")
    list_filter = ("level",)


@admin.register(AuditRun)
class AuditRunAdmin(Recorded[AuditRun]):
    list_display = ("began", "events", "count", "proven", "error")
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

    began = make_time_column("began_at", _("began"))
    ended = make_time_column("ended_at", _("ended"))
    shown_findings = make_json_column("findings", _("findings"))
    shown_remarks = make_json_column("remarks", _("remarks"))


@admin.register(Erasure)
class ErasureAdmin(Recorded[Erasure]):
    list_display = ("player", "erased", "texts", "actor")
    fields = ("salon", "player", "texts", "actor", "erased")

    erased = make_time_column("erased_at", _("erased"))
