"""Tables and what opens them: links, PINs, and keys to the API."""

from django.conf import settings
from django.db import models
from knox.models import AbstractAuthToken

from tournament.models.ids import new_code, new_id
from tournament.models.people import Salon


class Table(models.Model):
    """A physical table: its token is in its QR code, its PIN opens the pad on a phone without an
    account.

    What it is called and whether it is retired are as the house laid down under its `number`, null
    while it said nothing of tables.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    number = models.IntegerField(null=True)
    label = models.CharField(max_length=20)
    retired = models.BooleanField(default=False)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=128, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["salon", "label"], name="labels_are_unique_in_a_salon")
        ]

    def __str__(self) -> str:
        return f"Table {self.label}"


class SeatLink(models.Model):
    """A seat of a game, and the link and PIN by which its player confirms hands; `game` is the
    stream.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    game = models.CharField(max_length=32)
    seat = models.CharField(max_length=4)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=12)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="one_link_a_seat")]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game}"


class EventLink(models.Model):
    """The link and PIN by which phones record at all tables of an event (its stream), until it is
    ended or the event is.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32, unique=True)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"link of event {self.tournament}"


class CaptainLink(models.Model):
    """The link and PIN by which the captain of a team hands in its line-ups; `tournament` is the
    stream, `entry` the team's.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32)
    entry = models.CharField(max_length=64)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    pin = models.CharField(max_length=12)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "entry"], name="one_captain_a_team")
        ]

    def __str__(self) -> str:
        return f"captain of entry {self.entry} in {self.tournament}"


class PersonalLink(models.Model):
    """The link to the page of an entry's people, and the `code` that is typed instead of it;
    `tournament` is the stream.

    An `ended` one opens nothing until a director makes another in its place.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32)
    entry = models.CharField(max_length=64)
    token = models.CharField(max_length=32, unique=True, default=new_id)
    code = models.CharField(max_length=8, default=new_code)
    ended = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "entry"], name="one_personal_link_an_entry"
            ),
            models.UniqueConstraint(fields=["salon", "code"], name="codes_are_unique_in_a_salon"),
        ]

    def __str__(self) -> str:
        return f"page of entry {self.entry} in {self.tournament}"


class ApiToken(AbstractAuthToken):
    """A key to the API: whoever sends it acts as `user` in the salon, or without one as the phone
    of a table.

    `scopes` are the acts it is for, None all that its bearer may. `parent` is the token by
    which it was given, None where a person gave it: it goes when that goes. `actor` is what the
    table's phone was called when the token was given: with a new link of the table it is worth
    nothing.
    """

    identity = models.CharField(max_length=32, unique=True, default=new_id, editable=False)
    salon = models.ForeignKey(Salon, related_name="+", on_delete=models.CASCADE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, related_name="auth_token_set", on_delete=models.CASCADE
    )
    table = models.ForeignKey(Table, null=True, related_name="+", on_delete=models.CASCADE)
    parent = models.ForeignKey("self", null=True, related_name="given", on_delete=models.CASCADE)
    actor = models.CharField(max_length=64)
    name = models.CharField(max_length=80)
    scopes = models.JSONField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class KeptAnswer(models.Model):
    """A write of the API that is no event: its key, a digest of what it said, and what it was
    answered, as JSON.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    key = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    answer = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["salon", "key"], name="answered_once_a_key")]

    def __str__(self) -> str:
        return self.key
