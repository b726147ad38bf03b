"""The rows of the ledger: logs, events, commands, chip accounts and transfers.

Only `ledger.store` writes them. Foreign keys inside the ledger are held by its triggers, in one look for a whole
append, so the database is not asked to check each of them again.
"""

from django.db import models
from django.db.models import F, Q


class Log(models.Model):
    """One salon's log: its row is the head of the chain and the lock of every append."""

    key = models.CharField(max_length=32, unique=True)
    command_key = models.CharField(max_length=64)
    position = models.BigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    recorded_at = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"log {self.key} at {self.position}"


class Event(models.Model):
    """Something that happened; `occurred_at` and `recorded_at` in microseconds UTC, `body` canonical JSON."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    position = models.BigIntegerField()
    stream = models.CharField(max_length=32)
    version = models.IntegerField()
    type = models.CharField(max_length=64)
    schema = models.IntegerField()
    occurred_at = models.BigIntegerField()
    recorded_at = models.BigIntegerField()
    actor = models.CharField(max_length=64)
    command = models.CharField(max_length=36)
    body = models.TextField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "position"], name="ledger_event_position"),
            models.UniqueConstraint(fields=["stream", "version"], name="ledger_event_version"),
            # Not (log, hash): on young tables PostgreSQL would seek positions through it and read the whole log.
            models.UniqueConstraint(fields=["hash", "log"], name="ledger_event_hash"),
            models.CheckConstraint(condition=~Q(type="") & ~Q(actor=""), name="ledger_event_named"),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.type}"


class Command(models.Model):
    """A command that was taken: who gave it, a keyed digest of what it said, and the events it led to."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    key = models.CharField(max_length=36)
    actor = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    first_position = models.BigIntegerField()
    last_position = models.BigIntegerField()
    recorded_at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "log"], name="ledger_command_key"),
            models.UniqueConstraint(fields=["log", "first_position"], name="ledger_command_first"),
            models.CheckConstraint(condition=Q(last_position__gte=F("first_position")), name="ledger_command_range"),
        ]

    def __str__(self) -> str:
        return f"{self.key} → {self.first_position}–{self.last_position}"


class Account(models.Model):
    """Whole chips of one player, pot or bank in one game; the balance is credits − debits."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    stream = models.CharField(max_length=32)
    key = models.CharField(max_length=64)
    owner = models.CharField(max_length=64, blank=True)
    overdraft = models.BooleanField()
    debits = models.BigIntegerField()
    credits = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stream", "key"], name="ledger_account_key"),
            models.CheckConstraint(condition=Q(debits__gte=0) & Q(credits__gte=0), name="ledger_account_counters"),
            models.CheckConstraint(condition=Q(overdraft=True) | Q(credits__gte=F("debits")), name="ledger_account_overdraft"),
        ]
        indexes = [models.Index(fields=["owner", "log"], name="ledger_account_owner")]

    def __str__(self) -> str:
        return f"{self.key} of {self.stream}: {self.credits - self.debits}"


class Transfer(models.Model):
    """Chips that went from one account to another, because of the event at `position`.

    `reverses` is the position of the transfer that this one takes back. The overdraft columns say whether each
    account might go below zero with this transfer.
    """

    log = models.ForeignKey(Log, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    position = models.BigIntegerField()
    stream = models.CharField(max_length=32)
    source = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="payments", db_constraint=False)
    target = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="receipts", db_constraint=False)
    source_overdraft = models.BooleanField()
    target_overdraft = models.BooleanField()
    chips = models.BigIntegerField()
    reverses = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "position"], name="ledger_transfer_cause"),
            models.UniqueConstraint(fields=["reverses", "log"], name="ledger_transfer_reversed_once"),
            models.CheckConstraint(condition=Q(chips__gt=0), name="ledger_transfer_chips"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="ledger_transfer_two_accounts"),
        ]

    def __str__(self) -> str:
        return f"{self.chips} chips at {self.position}"
