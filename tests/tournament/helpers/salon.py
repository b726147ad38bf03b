"""A salon to test in: its owner's browser, and a game as a form sends it."""

from django.contrib.auth.models import User
from django.test import Client

from ledger.store import open_log
from tournament.accounts.table_links import set_up_tables
from tournament.models import Membership, Salon

SEATED = {"N": "Asha Renn", "E": "Ilse Marrow", "S": "Cato Liss", "W": "Juno Dray"}


def open_a_salon() -> Salon:
    """A salon with four tables and the owner `mara@salon.example`."""
    salon = Salon.objects.create(name="Salon at Border Gate", slug="gate", log=open_log())
    owner = User.objects.create_user(username="mara@salon.example", first_name="Mara")
    Membership.objects.create(salon=salon, user=owner, role=Membership.Role.OWNER)
    set_up_tables(salon, ["1", "2", "3", "4"])
    return salon


def owner_of(salon: Salon) -> Client:
    """The owner's browser, signed in."""
    client = Client()
    client.force_login(Membership.objects.get(salon=salon).user)
    return client


def start_form(**changes: str) -> dict[str, str]:
    """The form that starts Precedence at table 4, East dealing, with every default;
    `options__ante="2"` changes one field.
    """
    sent = {"command": "c" * 32, "game": "precedence", "table": "4", "dealer": "E"}
    sent |= {f"players.{seat}": name for seat, name in SEATED.items()}
    return sent | {name.replace("__", "."): value for name, value in changes.items()}
