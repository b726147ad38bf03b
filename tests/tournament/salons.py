"""A salon to test in, opened as the first visit opens it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.auth.models import User
from django.test import Client, override_settings

from tournament.models import Salon, Table
from tournament.opening import Opening, new_key, open_salon

PASSWORD = "velvet ladder comet"


def opened_salon(name: str = "Salon at Border Gate", email: str = "mara@example.org") -> Salon:
    """A salon with its owner and eight tables."""
    with TemporaryDirectory() as folder, override_settings(DATA_DIR=Path(folder)):
        new_key()
        owner = open_salon(Opening(owner="Mara Ilves", email=email, password=PASSWORD, salon=name))
    return Salon.objects.get(membership__user=owner)


def owner_of(salon: Salon) -> Client:
    """A browser in which the owner is signed in."""
    client = Client()
    client.force_login(User.objects.get(membership__salon=salon))
    return client


def scorer_at(salon: Salon, label: str) -> Client:
    """A browser that came by the link of this table and gave its PIN."""
    table = Table.objects.get(salon=salon, label=label)
    client = Client()
    client.post(f"/t/{table.token}/", {"pin": table.pin})
    return client
