"""The rows of the ledger: logs, events, commands, chip accounts and transfers; signing keys and
checkpoints.

Only `ledger.store` writes the first five, `ledger.signing`, `ledger.checkpoints`, `ledger.tree` and
`ledger.witness` the others, and `ledger.restoring` those of a log that comes from elsewhere.
Foreign keys inside the ledger are held by its triggers, in one look for a whole append, so the
database is not asked to check each of them again.
"""

from django.db import models
from django.db.models import F, Q

HOUR = 3_600_000_000  # microseconds


class Log(models.Model):
    """One salon's log: its row is the head of the chain and the lock of every append. A `closed`
    one takes no further events.
    """

    key = models.CharField(max_length=32, unique=True)
    command_key = models.CharField(max_length=64)
    position = models.BigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    recorded_at = models.BigIntegerField(default=0)
    closed = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return f"log {self.key} at {self.position}"


class OfLog(models.Model):
    """Base of every other row: the log that it belongs to."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, db_constraint=False, db_index=False)

    class Meta:
        abstract = True


class Event(OfLog):
    """Something that happened; `occurred_at` and `recorded_at` in microseconds UTC, `body`
    canonical JSON.
    """

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
            # Not (log, hash): on young tables PostgreSQL would seek positions through it and read
            # the whole log.
            models.UniqueConstraint(fields=["hash", "log"], name="ledger_event_hash"),
            models.CheckConstraint(condition=~Q(type="") & ~Q(actor=""), name="ledger_event_named"),
        ]
        indexes = [
            models.Index(fields=["log", "type", "position"], name="ledger_event_type"),
            # What did not happen in the hour before it was recorded: the others lie in the log as
            # they happened.
            models.Index(
                fields=["log", "position"],
                condition=Q(occurred_at__lt=F("recorded_at") - HOUR)
                | Q(occurred_at__gt=F("recorded_at")),
                name="ledger_event_told_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.type}"


class Command(OfLog):
    """A command that was taken: who gave it, a keyed digest of what it said, and the events it led
    to.
    """

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
            models.CheckConstraint(
                condition=Q(last_position__gte=F("first_position")), name="ledger_command_range"
            ),
        ]
        indexes = [
            models.Index(fields=["log", "actor", "first_position"], name="ledger_command_actor")
        ]

    def __str__(self) -> str:
        return f"{self.key} → {self.first_position}–{self.last_position}"


class Account(OfLog):
    """Whole chips of one player, pot or bank in one game; the balance is credits − debits."""

    stream = models.CharField(max_length=32)
    key = models.CharField(max_length=64)
    owner = models.CharField(max_length=64, blank=True)
    overdraft = models.BooleanField()
    debits = models.BigIntegerField()
    credits = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stream", "key"], name="ledger_account_key"),
            models.CheckConstraint(
                condition=Q(debits__gte=0) & Q(credits__gte=0), name="ledger_account_counters"
            ),
            models.CheckConstraint(
                condition=Q(overdraft=True) | Q(credits__gte=F("debits")),
                name="ledger_account_overdraft",
            ),
        ]
        indexes = [models.Index(fields=["owner", "log"], name="ledger_account_owner")]

    def __str__(self) -> str:
        return f"{self.key} of {self.stream}: {self.credits - self.debits}"


class Transfer(OfLog):
    """Chips that went from one account to another, because of the event at `position`.

    `reverses` is the position of the transfer that this one takes back. The overdraft columns say
    whether each account might go below zero with this transfer.
    """

    position = models.BigIntegerField()
    stream = models.CharField(max_length=32)
    source = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="payments", db_constraint=False
    )
    target = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="receipts", db_constraint=False
    )
    source_overdraft = models.BooleanField()
    target_overdraft = models.BooleanField()
    chips = models.BigIntegerField()
    reverses = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "position"], name="ledger_transfer_cause"),
            models.UniqueConstraint(
                fields=["reverses", "log"], name="ledger_transfer_reversed_once"
            ),
            models.CheckConstraint(condition=Q(chips__gt=0), name="ledger_transfer_chips"),
            models.CheckConstraint(
                condition=~Q(source=F("target")), name="ledger_transfer_two_accounts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.chips} chips at {self.position}"


class Tile(OfLog):
    """The hash over a complete subtree of 256**level events, the `number`-th (from 0) of its level:
    what proofs start from.
    """

    level = models.SmallIntegerField()
    number = models.BigIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "level", "number"], name="ledger_tile_place"),
            models.CheckConstraint(
                condition=Q(level__gt=0) & Q(number__gte=0), name="ledger_tile_counted"
            ),
        ]

    def __str__(self) -> str:
        return f"tile {self.level}/{self.number} of log {self.log_id}"


class SigningKey(OfLog):
    """A public key that signs a log's checkpoints above `after` entries, until the next key.

    `announcement` is the note by which the key before it and the key itself say so; `vkey` is the
    key as C2SP writes it. Every time here and below is in microseconds UTC and stands in something
    signed too.
    """

    number = models.IntegerField()
    vkey = models.CharField(max_length=160)
    after = models.BigIntegerField()
    announcement = models.TextField()
    made_at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "number"], name="ledger_signingkey_number"),
            models.CheckConstraint(
                condition=Q(number__gt=0) & Q(after__gte=0), name="ledger_signingkey_counted"
            ),
        ]

    def __str__(self) -> str:
        return f"key {self.number} of log {self.log_id}"


class Checkpoint(OfLog):
    """A signed statement: the log's first `size` events have this root. `note` is what was signed,
    byte for byte.

    `previous` is the size of the checkpoint before it, 0 for the first.
    """

    previous = models.BigIntegerField()
    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    key = models.IntegerField()
    note = models.TextField()
    made_at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "size"], name="ledger_checkpoint_size"),
            models.CheckConstraint(
                condition=Q(size__gt=F("previous")) & Q(previous__gte=0),
                name="ledger_checkpoint_counted",
            ),
        ]

    def __str__(self) -> str:
        return f"checkpoint of log {self.log_id} at {self.size}"


class Cosignature(OfLog):
    """Another one's signature under one of our checkpoints: the line as it came, and the key it
    holds by.

    `signed_at` is when it was made as the line says, 0 where it doesn't.
    """

    size = models.BigIntegerField()
    vkey = models.CharField(max_length=160)
    line = models.TextField()
    signed_at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "size", "vkey"], name="ledger_cosignature_once")
        ]

    def __str__(self) -> str:
        return f"cosignature of {self.size} by {self.vkey.partition('+')[0]}"


class Witnessed(OfLog):
    """A checkpoint of another salon's log (`origin`, `vkey`) that `log` has countersigned, after
    the one of `old` entries.
    """

    origin = models.CharField(max_length=120)
    vkey = models.CharField(max_length=160)
    old = models.BigIntegerField()
    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    note = models.TextField()
    seen_at = models.BigIntegerField()

    class Meta:
        verbose_name = "countersigned checkpoint"
        constraints = [
            models.UniqueConstraint(fields=["log", "origin", "size"], name="ledger_witnessed_once"),
            models.CheckConstraint(
                condition=Q(size__gt=F("old")) & Q(old__gte=0), name="ledger_witnessed_rises"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} at {self.size}"
