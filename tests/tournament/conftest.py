"""A salon that is open, and its owner's browser, for whoever needs no other."""

import pytest
from django.test import Client

from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.models import Salon


@pytest.fixture
def salon(db: None) -> Salon:
    """A salon that somebody has just opened."""
    return opened_salon()


@pytest.fixture
def owner(salon: Salon) -> Client:
    """The browser of the salon's owner, signed in."""
    return owner_of(salon)
