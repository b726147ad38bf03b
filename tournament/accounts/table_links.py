"""Tables that people record at with a phone: the link in the QR code, its PIN, and what a browser
keeps of them.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import Salon, Table, new_id, new_pin

LINK = "table_link"
SEALS = 1024  # remembered


def set_up_tables(salon: Salon, labels: Iterable[str]) -> list[Table]:
    """New tables of the salon with these labels, each with its own link and PIN."""
    return Table.objects.bulk_create(
        [Table(salon=salon, label=label, pin=new_pin()) for label in labels]
    )


def renew(table: Table) -> None:
    """Give the table another link and another PIN; every browser that used the old ones stops
    acting at it.
    """
    table.token = new_id()
    table.pin = new_pin()
    table.save(update_fields=["token", "pin"])


def link(session: SessionBase, table: Table) -> None:
    """Let this browser act at the table, and at no other, until it signs out or the link is
    renewed.
    """
    session.cycle_key()
    session[LINK] = {"table": table.pk, "seal": _seal(table)}


def unlink(session: SessionBase) -> None:
    """This browser acts at no table any more."""
    session.pop(LINK, None)


def find_linked_table(session: SessionBase) -> Table | None:
    """Return the table this browser can act at, if any."""
    kept = session.get(LINK)
    if not kept:
        return None
    table = Table.objects.select_related("salon").filter(pk=kept["table"], retired=False).first()
    if table is None or not constant_time_compare(kept["seal"], _seal(table)):
        return None
    return table


def actor_at(table: Table) -> str:
    """Return the actor of events recorded through this link: "table:" and 32 digits that
    don't reveal the link.
    """
    return "table:" + hashlib.sha256(f"accord table actor {table.token}".encode()).hexdigest()[:32]


def _seal(table: Table) -> str:
    return _seal_under(settings.SECRET_KEY, f"{table.token} {table.pin}")


@lru_cache(maxsize=SEALS)  # every request of a table's phone asks
def _seal_under(secret: str, said: str) -> str:
    return salted_hmac(
        "tournament.table_links", said, secret=secret, algorithm="sha256"
    ).hexdigest()
