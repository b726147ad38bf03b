"""A salon to test in, opened as the first visit opens it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.auth.models import User
from django.test import Client, override_settings

from tournament.accounts.seat_links import links_of
from tournament.models import Game, Membership, Player, Salon, Table
from tournament.server.environment.first_owner import Opening, new_key, open_salon

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
    client.force_login(User.objects.get(membership__salon=salon, membership__role="owner"))
    return client


def member(salon: Salon, role: str, player: Player | None = None, *, email: str = "") -> Client:
    """A browser in which somebody with this role is signed in: the owner who opened the salon, or
    one who came later.
    """
    if role == "owner":
        return owner_of(salon)
    user = User.objects.create_user(
        email or f"{role}.{salon.pk}@example.org", first_name=role.capitalize()
    )
    Membership.objects.create(salon=salon, user=user, role=role, player=player)
    client = Client()
    client.force_login(user)
    return client


def seated(game: Game, seat: str) -> Client:
    """A browser that came by the link of this seat and gave its PIN."""
    link = links_of(game, [seat])[seat]
    client = Client()
    assert client.post(f"/c/{link.token}/", {"pin": link.pin}).status_code == 302
    return client


def scorer_at(salon: Salon, label: str) -> Client:
    """A browser that came by the link of this table and gave its PIN."""
    table = Table.objects.get(salon=salon, label=label)
    client = Client()
    client.post(f"/t/{table.token}/", {"pin": table.pin})
    return client
