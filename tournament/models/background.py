"""The progress of background work, what it computed, and what audits found."""

from django.db import models

from tournament.models.people import Salon
from tournament.models.written_json import WrittenJSONField


class Progress(models.Model):
    """The position up to which a background projection has read a log; with an error it
    is parked at the event it could not pass.

    `generation` is the one of its reckonings that counts: a rebuild makes the next,
    compares them, then switches.
    """

    log = models.ForeignKey("ledger.Log", on_delete=models.CASCADE)
    projection = models.CharField(max_length=32)
    position = models.BigIntegerField()
    hash = models.CharField(max_length=64)
    moved_at = models.DateTimeField(auto_now_add=True)
    error = models.TextField(blank=True)
    error_position = models.BigIntegerField(null=True, blank=True)
    generation = models.IntegerField(default=0)

    class Meta:
        verbose_name_plural = "progress"
        constraints = [
            models.UniqueConstraint(fields=["log", "projection"], name="one_progress_a_projection")
        ]

    def __str__(self) -> str:
        return f"{self.projection} at {self.position} of log {self.log_id}"


class Mark(models.Model):
    """That a subject of a background projection is to be computed again: entries from `since` to
    `position` touched it. With an `error` it is parked, until it is touched again or someone lets
    it try once more; all other subjects go on.
    """

    log = models.ForeignKey("ledger.Log", on_delete=models.CASCADE)
    projection = models.CharField(max_length=32)
    subject = models.CharField(max_length=32, blank=True)
    since = models.BigIntegerField()
    position = models.BigIntegerField()
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["log", "projection", "subject"], name="one_mark_a_subject"
            )
        ]

    def __str__(self) -> str:
        return f"{self.projection} of {self.subject or 'all'} since {self.since}"


class Reckoning(models.Model):
    """A value that a background projection computed of a `subject` (a stream, or "" for
    the whole log) about a player ("" for none).

    It counts every entry of the log up to `position`, and may have stayed the same
    since.
    """

    log = models.ForeignKey("ledger.Log", on_delete=models.CASCADE)
    projection = models.CharField(max_length=32)
    generation = models.IntegerField()
    subject = models.CharField(max_length=32, blank=True)
    about = models.CharField(max_length=32, blank=True)
    position = models.BigIntegerField()
    state = WrittenJSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["log", "projection", "generation", "subject", "about"],
                name="one_reckoning_each",
            ),
        ]
        indexes = [
            models.Index(fields=["log", "projection", "about"], name="reckonings_about_somebody")
        ]

    def __str__(self) -> str:
        return (
            f"{self.projection} of "
            f"{self.subject or 'all'}{f' about {self.about}' if self.about else ''}"
        )


class Turn(models.Model):
    """The lease of a worker that brings the background projections of a log up to its
    head; no other does before `until` (microseconds UTC).
    """

    log = models.OneToOneField("ledger.Log", on_delete=models.CASCADE, primary_key=True)
    holder = models.CharField(max_length=120)
    until = models.BigIntegerField()

    def __str__(self) -> str:
        return f"the turn of {self.holder} at log {self.log_id}"


class AuditRun(models.Model):
    """An audit of a salon's log: how far it has come, and in the end what it found. Asked for at
    `began_at`, it waits for a worker until `taken_at`.

    `outside` are checkpoints handed in; more findings than are listed are only counted. `proven` is
    the entry up to which the checkpoint called `by` proves the history. Times are microseconds UTC,
    0: not yet.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    asked_by = models.CharField(max_length=64, blank=True)
    outside = models.JSONField(default=list)
    began_at = models.BigIntegerField()
    taken_at = models.BigIntegerField(default=0)
    moved_at = models.BigIntegerField()
    ended_at = models.BigIntegerField(default=0)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    events = models.BigIntegerField(default=0)
    count = models.IntegerField(default=0)
    findings = models.JSONField(default=list)
    remarks = models.JSONField(default=list)
    proven = models.BigIntegerField(default=0)
    by = models.CharField(max_length=200, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["salon", "-id"], name="audits_newest_first")]

    def __str__(self) -> str:
        return f"audit {self.pk} of {self.salon_id}"


class BackupRun(models.Model):
    """A backup of the server that someone asked for on a page at `began_at`; it waits for a worker
    until `taken_at`. `error` says why none was made. Times are microseconds UTC, 0: not yet.
    """

    asked_by = models.CharField(max_length=64, blank=True)
    began_at = models.BigIntegerField()
    taken_at = models.BigIntegerField(default=0)
    ended_at = models.BigIntegerField(default=0)
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"backup {self.pk}"
