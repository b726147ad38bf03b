"""People, places and the rows that pages read.

Salon, Membership, Player, Table and Text are kept here and nowhere else. Game and Hand are projections: every
column can be folded again from the log (`manage.py rebuild`), and nothing decides by them. Progress says how far
the background projections have read.
"""

import uuid

from django.conf import settings
from django.db import models


def new_id() -> str:
    """A fresh opaque id: 32 hexadecimal digits."""
    return uuid.uuid4().hex


class Salon(models.Model):
    """A card salon: one log, its people and its tables."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    log = models.OneToOneField("ledger.Log", on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What a person with an account may do in a salon."""

    class Role(models.TextChoices):
        OWNER = "owner"

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    role = models.CharField(max_length=16, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "user"], name="one_role_each")]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.salon}"


class Player(models.Model):
    """Someone who sits at tables. Events carry the id; the name lies only here."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "name"], name="names_are_unique_in_a_salon")]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """A physical table: its token is in its QR code, its PIN opens the pad on a phone without an account."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    label = models.CharField(max_length=20)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=128, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "label"], name="labels_are_unique_in_a_salon")]

    def __str__(self) -> str:
        return f"Table {self.label}"


class Text(models.Model):
    """A note, a reason or a `by` that somebody wrote. The log holds its salted digest; the words can be erased."""

    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    digest = models.CharField(max_length=64)
    salt = models.CharField(max_length=32)
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "digest"], name="one_text_a_digest")]

    def __str__(self) -> str:
        return self.text


class Game(models.Model):
    """A game as its events left it: what the pad, the board and the lists show. Its id is its stream.

    `seats` (seat to player id) and `state` (the table, as the game's `table` gives it) are JSON.
    """

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    record = models.CharField(max_length=64)
    kind = models.CharField(max_length=32)
    table = models.CharField(max_length=20, blank=True)
    played_on = models.CharField(max_length=10, blank=True)
    seats = models.TextField()
    finished = models.BooleanField()
    started_position = models.BigIntegerField()
    position = models.BigIntegerField()
    version = models.IntegerField()
    state = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "record"], name="record_ids_are_unique_in_a_salon")]
        indexes = [models.Index(fields=["salon", "finished", "started_position"], name="game_list")]

    def __str__(self) -> str:
        return self.record


class Hand(models.Model):
    """One closed hand of a game: its result as `manage.py score` prints it, and why it is so, as JSON."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    number = models.IntegerField()
    result = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="hands_are_numbered_once")]

    def __str__(self) -> str:
        return f"hand {self.number} of {self.game_id}"


class Progress(models.Model):
    """How far a background projection has read a log; with an error it is parked at the event it could not pass."""

    log = models.ForeignKey("ledger.Log", on_delete=models.CASCADE)
    projection = models.CharField(max_length=32)
    position = models.BigIntegerField()
    hash = models.CharField(max_length=64)
    moved_at = models.DateTimeField(auto_now_add=True)
    error = models.TextField(blank=True)
    error_position = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "projection"], name="one_progress_a_projection")]

    def __str__(self) -> str:
        return f"{self.projection} at {self.position} of log {self.log_id}"
