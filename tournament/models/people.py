"""The salon, its people, and what is kept of them beside the log."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.domain.house.paper import A4
from tournament.models.ids import new_id
from tournament.models.rows_made_by import rows_made_by


class NamesShown(models.TextChoices):
    """The part of a player's name that is shown to those who are neither members nor at
    a table.
    """

    WHOLE = "whole", _("whole names")
    FIRST = "first", _("first names")
    PSEUDONYM = "pseudonym", _("pseudonyms")


class Salon(models.Model):
    """A card salon: one log, its people and its tables.

    `names_shown` holds for every player who chose nothing. So many days after they played last,
    players without an account are erased, 0 for never. `moves` says how often the salon has come
    from another server. Time zone, language ("": those of the server) and `logo` (the SHA-256 of
    its picture, "" for none) and the `paper` printed on are as the house laid them down.
    `address` is where phones open it, as slips print it, "" for what the server finds by itself.
    `tells_phones`: whoever opens the own page of an entry may have that phone told (Web Push).
    `rows_made_by` is the number of the code that made all its rows, null where nobody knows.
    """

    names_shown = models.CharField(max_length=16, choices=NamesShown, default=NamesShown.WHOLE)
    forget_players_days = models.PositiveIntegerField(default=0)
    tells_phones = models.BooleanField(default=True)
    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    log = models.OneToOneField("ledger.Log", on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)
    moves = models.PositiveIntegerField(default=0)
    time_zone = models.CharField(max_length=64, blank=True, default="")
    language = models.CharField(max_length=16, blank=True, default="")
    logo = models.CharField(max_length=64, blank=True, default="")
    paper = models.CharField(max_length=16, default=A4)
    address = models.CharField(max_length=200, blank=True, default="")
    rows_made_by = models.PositiveIntegerField(
        null=True, blank=True, default=rows_made_by, editable=False
    )

    def __str__(self) -> str:
        return self.name


class OfAStream(models.Model):
    """The common columns of the rows of a stream.

    The id is the stream, in this salon, after `version` of its events, of which the
    first is at `started_position` of the log.
    """

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    version = models.IntegerField()
    started_position = models.BigIntegerField()

    class Meta:
        abstract = True


class Logo(models.Model):
    """The picture that stands beside a salon's name: its file, found by the SHA-256 that the house
    laid down.
    """

    salon = models.ForeignKey(Salon, related_name="+", on_delete=models.CASCADE)
    digest = models.CharField(max_length=64)
    media_type = models.CharField(max_length=32)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["salon", "digest"], name="one_picture_a_digest")
        ]

    def __str__(self) -> str:
        return f"logo of {self.salon_id}"


class Membership(models.Model):
    """The role of a person with an account in a salon, since when, and which of its
    players this is, if any.
    """

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


class Player(models.Model):
    """Someone who sits at tables. Events carry the id; the name lies only here. In an event to
    practise with nobody is real.

    A fact of the log covers the name by a salted digest; `salt` is "" before that, and again once
    the name is erased. `names_shown` is what this player chose to be called in public, "" for what
    the salon has for all. `merged_into` is the player that stands for this one since the two were
    merged, as the house says, "" for none. `from_list`: came with a list;
    `set_aside`: the list was taken back, and nobody is offered the name until somebody writes it
    again.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    name = models.CharField(max_length=80)
    salt = models.CharField(max_length=32, blank=True, default="", editable=False)
    practice = models.BooleanField(default=False)
    names_shown = models.CharField(max_length=16, choices=NamesShown, blank=True, default="")
    merged_into = models.CharField(max_length=32, blank=True, default="", editable=False)
    from_list = models.BooleanField(default=False, editable=False)
    set_aside = models.BooleanField(default=False, editable=False)

    class Meta:
        indexes = [
            models.Index(
                fields=["salon", "merged_into"],
                condition=~models.Q(merged_into=""),
                name="merged_players",
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["salon", "name"], name="names_are_unique_in_a_salon")
        ]

    def __str__(self) -> str:
        return self.name


class EarlierActor(models.Model):
    """The person behind an actor that acted in the salon on another server, before it
    came here: a name, a player, or both.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    actor = models.CharField(max_length=64)
    name = models.CharField(max_length=150, blank=True)
    player = models.ForeignKey("Player", on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["salon", "actor"], name="one_name_an_earlier_actor")
        ]

    def __str__(self) -> str:
        return self.actor


class Invitation(models.Model):
    """That somebody may join a salon in a role, once, until it expires. Only the digest of its
    link's token is kept.
    """

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


class Preset(models.Model):
    """House rules under a name, to start games with: `options` is the query of the start page that
    chooses them.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    game = models.CharField(max_length=32)
    name = models.CharField(max_length=40)
    options = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["salon", "game", "name"], name="presets_have_names_of_their_own"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Text(models.Model):
    """A note, a reason or a `by` that somebody wrote. The log holds its salted digest; the words
    can be erased.
    """

    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    digest = models.CharField(max_length=64)
    salt = models.CharField(max_length=32)
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["salon", "digest"], name="one_text_a_digest")
        ]

    def __str__(self) -> str:
        return self.text


class Erasure(models.Model):
    """That a player's name, and so many texts that held it, were erased: when (microseconds UTC)
    and by whom.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    player = models.CharField(max_length=32, unique=True)
    actor = models.CharField(max_length=64)
    texts = models.IntegerField()
    erased_at = models.BigIntegerField()

    def __str__(self) -> str:
        return f"erasure of {self.player}"


class RetentionRun(models.Model):
    """The result of a night's work in a salon: the number of ended invitations, and of
    players who had not come for long, that it removed.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    ran_at = models.DateTimeField(default=timezone.now)
    invitations = models.IntegerField(default=0)
    players = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"retention of {self.ran_at:%Y-%m-%d}"
