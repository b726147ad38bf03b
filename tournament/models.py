"""People, places and the rows that pages read.

Salon, Membership, Player, Table, ApiToken, Text and StockSeed are kept here and nowhere else. Game, Hand, Stock, StockDeal,
House, Tournament, TournamentRound, TournamentGame, Season and SeasonEvent are projections: every column can be folded again from the log
(`manage.py rebuild`), and nothing decides by them. Progress says how far the background projections have read, Mark what
they are to compute again, Reckoning what they computed, and Turn who is at it.
"""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken


def new_id() -> str:
    """A fresh opaque id: 32 hexadecimal digits."""
    return uuid.uuid4().hex


class NamesShown(models.TextChoices):
    """What of a player's name is shown to those who are neither members nor at a table."""

    WHOLE = "whole", _("whole names")
    FIRST = "first", _("first names")
    PSEUDONYM = "pseudonym", _("pseudonyms")


class Salon(models.Model):
    """A card salon: one log, its people and its tables.

    `names_shown` holds for every player who chose nothing. So many days after they played last, players without an account
    are erased, 0 for never.
    """

    names_shown = models.CharField(max_length=16, choices=NamesShown, default=NamesShown.WHOLE)
    forget_players_days = models.PositiveIntegerField(default=0)
    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    log = models.OneToOneField("ledger.Log", on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What a person with an account may do in a salon, since when, and which of its players this is, if any."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        DIRECTOR = "director", _("director")
        SCORER = "scorer", _("scorer")
        AUDITOR = "auditor", _("auditor")
        PLAYER = "player", _("player")

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    role = models.CharField(max_length=16, choices=Role)
    since = models.DateTimeField(default=timezone.now)
    player = models.ForeignKey("Player", on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "user"], name="one_role_each")]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.salon}"


class EventLink(models.Model):
    """The link and PIN by which phones record at all tables of an event (its stream), until it is ended or the event is."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32, unique=True)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"link of event {self.tournament}"


class Preset(models.Model):
    """House rules under a name, to start games with: `options` is the query of the start page that chooses them."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    game = models.CharField(max_length=32)
    name = models.CharField(max_length=40)
    options = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "game", "name"], name="presets_have_names_of_their_own")]

    def __str__(self) -> str:
        return self.name


class RetentionRun(models.Model):
    """What a night's work took away in a salon: invitations that had ended, and players who had not come for long."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    ran_at = models.DateTimeField(default=timezone.now)
    invitations = models.IntegerField(default=0)
    players = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"retention of {self.ran_at:%Y-%m-%d}"


class Invitation(models.Model):
    """That somebody may join a salon in a role, once, until it expires. Only the digest of its link's token is kept."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    role = models.CharField(max_length=16, choices=Membership.Role)
    player = models.ForeignKey("Player", on_delete=models.CASCADE, null=True, blank=True)
    email = models.EmailField(max_length=150, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"invitation as {self.role} of {self.salon}"


class Player(models.Model):
    """Someone who sits at tables. Events carry the id; the name lies only here. In an event to practise with nobody is real.

    `names_shown` is what this player chose to be called in public, "" for what the salon has for all.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    name = models.CharField(max_length=80)
    practice = models.BooleanField(default=False)
    names_shown = models.CharField(max_length=16, choices=NamesShown, blank=True, default="")

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


class SeatLink(models.Model):
    """A seat of a game, and the link and PIN by which its player confirms hands; `game` is the stream."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    game = models.CharField(max_length=32)
    seat = models.CharField(max_length=4)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=12)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="one_link_a_seat")]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game}"


class ApiToken(AbstractAuthToken):
    """A key to the API: whoever sends it acts as `user` in the salon, or without one as the phone of a table.

    `scopes` are the acts it is for, as JSON; "" all that its bearer may. `actor` is what the table's phone was called when the
    token was given: with a new link of the table it is worth nothing.
    """

    identity = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    salon = models.ForeignKey(Salon, related_name="+", on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, related_name="auth_token_set", on_delete=models.CASCADE)
    table = models.ForeignKey(Table, null=True, related_name="+", on_delete=models.CASCADE)
    actor = models.CharField(max_length=64)
    name = models.CharField(max_length=80)
    scopes = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name


class KeptAnswer(models.Model):
    """A write of the API that is no event: its key, a digest of what it said, and what it was answered, as JSON."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    key = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    answer = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "key"], name="answered_once_a_key")]

    def __str__(self) -> str:
        return self.key


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

    `seats` (seat to player id) and `state` (the table, as the game's `table` gives it) are JSON, and so is `marks`: the
    numbers of the hands that were `corrected`, and the `surplus` ones after its end; "" while nothing was corrected.
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
    marks = models.TextField(blank=True, default="")
    confirmation = models.TextField(blank=True, default="")

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


class Stock(models.Model):
    """A duplicate stock of the patience as its events left it (O7); its id is its stream, `seed` is "" until it is revealed."""

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    name = models.CharField(max_length=40)
    drawn_on = models.CharField(max_length=10)
    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=200, blank=True)
    version = models.IntegerField()
    started_position = models.BigIntegerField()

    def __str__(self) -> str:
        return self.name

    @property
    def table(self) -> str:
        """No table: a stock is for the whole salon."""
        return ""


class StockDeal(models.Model):
    """A deal of a game (its stream) that was opened from a duplicate stock."""

    id = models.CharField(primary_key=True, max_length=48)
    stream = models.ForeignKey(Stock, on_delete=models.CASCADE)
    game = models.CharField(max_length=32, db_index=True)
    number = models.IntegerField()

    def __str__(self) -> str:
        return f"deal {self.number} of {self.game}"


class StockSeed(models.Model):
    """The seed of a duplicate stock, kept outside the log; nobody sees it before it is revealed. Its id is the stock's stream."""

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    seed = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"the seed of stock {self.pk}"


class House(models.Model):
    """What the house has laid down, as its events left it; its id is its stream. A salon where nothing was laid down has no row."""

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    correction_hours = models.IntegerField()
    version = models.IntegerField()
    started_position = models.BigIntegerField()

    def __str__(self) -> str:
        return f"house rules of {self.salon_id}"

    @property
    def table(self) -> str:
        """No table: the house is all of them."""
        return ""


class Tournament(models.Model):
    """A tournament as its events left it; its id is its stream. `state` is a `directing.state.State` without its rounds, as JSON."""

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    record = models.CharField(max_length=64)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=32)
    phase = models.CharField(max_length=16)
    rounds = models.IntegerField()
    version = models.IntegerField()
    state = models.TextField()
    started_position = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "record"], name="tournament_ids_are_unique_in_a_salon")]

    def __str__(self) -> str:
        return self.name

    @property
    def table(self) -> str:
        """No table: a tournament is at many."""
        return ""


class TournamentRound(models.Model):
    """A round of a tournament as drawn and played: a `directing.state.RoundState` as JSON."""

    id = models.CharField(primary_key=True, max_length=48)
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    number = models.IntegerField()
    state = models.TextField()

    def __str__(self) -> str:
        return f"round {self.number} of {self.stream_id}"


class TournamentGame(models.Model):
    """A game (its stream) that is played at a table of a round and counts there."""

    id = models.CharField(primary_key=True, max_length=80)
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    game = models.CharField(max_length=32, db_index=True)
    round = models.IntegerField()
    table = models.IntegerField()

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} of {self.stream_id}"


class Season(models.Model):
    """A season as its events left it; its id is its stream. `state` is a `seasons.rules.State` as JSON."""

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    name = models.CharField(max_length=80)
    closed = models.BooleanField()
    version = models.IntegerField()
    state = models.TextField()
    started_position = models.BigIntegerField()

    def __str__(self) -> str:
        return self.name

    @property
    def table(self) -> str:
        """No table: a season is at many."""
        return ""


class SeasonEvent(models.Model):
    """A tournament (its stream) that counts in a season."""

    id = models.CharField(primary_key=True, max_length=80)
    stream = models.ForeignKey(Season, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32, db_index=True)
    number = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.tournament} in {self.stream_id}"


class Progress(models.Model):
    """How far a background projection has read a log; with an error it is parked at the event it could not pass.

    `generation` is the one of its reckonings that counts: a rebuild makes the next, compares them, then switches.
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
        constraints = [models.UniqueConstraint(fields=["log", "projection"], name="one_progress_a_projection")]

    def __str__(self) -> str:
        return f"{self.projection} at {self.position} of log {self.log_id}"


class Mark(models.Model):
    """That a subject of a background projection is to be computed again: entries from `since` to `position` touched it."""

    log = models.ForeignKey("ledger.Log", on_delete=models.CASCADE)
    projection = models.CharField(max_length=32)
    subject = models.CharField(max_length=32, blank=True)
    since = models.BigIntegerField()
    position = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "projection", "subject"], name="one_mark_a_subject")]

    def __str__(self) -> str:
        return f"{self.projection} of {self.subject or 'all'} since {self.since}"


class Reckoning(models.Model):
    """What a background projection computed of a `subject` (a stream, or "" for the whole log) about somebody ("" nobody), as JSON.

    It counts every entry of the log up to `position`, and may have stayed the same since.
    """

    log = models.ForeignKey("ledger.Log", on_delete=models.CASCADE)
    projection = models.CharField(max_length=32)
    generation = models.IntegerField()
    subject = models.CharField(max_length=32, blank=True)
    about = models.CharField(max_length=32, blank=True)
    position = models.BigIntegerField()
    state = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["log", "projection", "generation", "subject", "about"], name="one_reckoning_each"),
        ]
        indexes = [models.Index(fields=["log", "projection", "about"], name="reckonings_about_somebody")]

    def __str__(self) -> str:
        return f"{self.projection} of {self.subject or 'all'}{f' about {self.about}' if self.about else ''}"


class Turn(models.Model):
    """Who brings the background projections of a log up to its head; nobody else does before `until` (microseconds UTC)."""

    log = models.OneToOneField("ledger.Log", on_delete=models.CASCADE, primary_key=True)
    holder = models.CharField(max_length=120)
    until = models.BigIntegerField()

    def __str__(self) -> str:
        return f"the turn of {self.holder} at log {self.log_id}"


class Erasure(models.Model):
    """That a player's name, and so many texts that held it, were erased: when (microseconds UTC) and by whom."""

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    player = models.CharField(max_length=32, unique=True)
    actor = models.CharField(max_length=64)
    texts = models.IntegerField()
    erased_at = models.BigIntegerField()

    def __str__(self) -> str:
        return f"erasure of {self.player}"


class AuditRun(models.Model):
    """An audit of a salon's log: how far it has come, and in the end what it found.

    `outside` (checkpoints handed in), `findings` and `remarks` are JSON; more findings than are listed are only counted.
    `proven` is the entry up to which the checkpoint called `by` proves the history. Times are microseconds UTC, 0: not yet.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    asked_by = models.CharField(max_length=64, blank=True)
    outside = models.TextField(default="[]")
    began_at = models.BigIntegerField()
    moved_at = models.BigIntegerField()
    ended_at = models.BigIntegerField(default=0)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    events = models.BigIntegerField(default=0)
    count = models.IntegerField(default=0)
    findings = models.TextField(default="[]")
    remarks = models.TextField(default="[]")
    proven = models.BigIntegerField(default=0)
    by = models.CharField(max_length=200, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["salon", "-id"], name="audits_newest_first")]

    def __str__(self) -> str:
        return f"audit {self.pk} of {self.salon_id}"


from tournament.webhooks.rows import Delivery as Delivery  # noqa: E402 - their rows point at a salon
from tournament.webhooks.rows import Webhook as Webhook  # noqa: E402
