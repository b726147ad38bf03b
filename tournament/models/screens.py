"""Screens on the wall."""

from django.db import models

from tournament.domain.screens.rules import State
from tournament.models.people import Salon
from tournament.models.written_json import WrittenJSONField


class Screen(models.Model):
    """A screen as its events left it; its id is its stream, `address` what stands behind `/s/`."""

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    name = models.CharField(max_length=40)
    address = models.CharField(max_length=40)
    retired = models.BooleanField()
    state = WrittenJSONField(of=State)
    version = models.IntegerField()
    started_position = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["salon", "address"], name="screens_have_addresses_of_their_own"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def table(self) -> str:
        """No table: a screen is for all of them."""
        return ""
