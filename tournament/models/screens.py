"""Screens on the wall."""

from django.db import models

from tournament.domain.screens.rules import State
from tournament.models.people import OfAStream
from tournament.models.written_json import WrittenJSONField


class Screen(OfAStream):
    """A screen as its events left it; its id is its stream, `address` what stands behind `/s/`."""

    table = ""  # a screen is for all of them
    name = models.CharField(max_length=40)
    address = models.CharField(max_length=40)
    retired = models.BooleanField()
    state = WrittenJSONField(of=State)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["salon", "address"], name="screens_have_addresses_of_their_own"
            )
        ]

    def __str__(self) -> str:
        return self.name
