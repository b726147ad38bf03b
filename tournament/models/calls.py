"""Calls for the director."""

from django.db import models
from django.db.models import Q

from tournament.models.people import OfAStream


class Call(OfAStream):
    """A call for the director as its events left it; its id is its stream. Times are microseconds
    UTC.

    `game` and `tournament` are streams, "" for none; `round` and `number` the place in the
    tournament, 0 for none.
    """

    table = models.CharField(max_length=20)
    reason = models.CharField(max_length=16)
    game = models.CharField(max_length=32, blank=True)
    tournament = models.CharField(max_length=32, blank=True)
    round = models.IntegerField()
    number = models.IntegerField(help_text="Of the table in its round.")
    made_at = models.BigIntegerField()
    taken_up_at = models.BigIntegerField(null=True)
    ended_at = models.BigIntegerField(null=True)
    ending = models.CharField(max_length=16, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["salon", "table"],
                condition=Q(ended_at=None),
                name="a_table_has_one_open_call",
            )
        ]
        indexes = [
            models.Index(fields=["salon", "made_at"], name="calls_as_they_came"),
            models.Index(fields=["tournament", "made_at"], name="calls_of_a_tournament"),
        ]

    def __str__(self) -> str:
        return f"call of table {self.table}"
