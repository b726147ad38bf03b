"""A history whose salon is gone is not passed over: audit and verify go through what the database
holds.
"""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from tests.ledger.writing import run as sql
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import a_salon, everything, recorded, unguard
from tournament.models import Salon


@pytest.fixture
def salon(db: None) -> Iterator[Salon]:
    """In a database in which nothing says what belongs together, as whoever has it may have it."""
    place = a_salon()
    recorded(place, everything())
    a_salon("other")
    with transaction.atomic():
        unguard()
        if connection.vendor == "sqlite":
            sql("PRAGMA defer_foreign_keys = ON")
        yield place
        transaction.set_rollback(True)


@pytest.mark.parametrize("command", ["audit", "verify"])
def test_a_log_without_its_salon_is_a_finding(
    salon: Salon, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Salon.objects.filter(pk=salon.pk)._raw_delete("default")

    ran = run(capsys, command)
    assert (ran.status, f"Log {salon.log_id} has" in ran.out, "belongs to no salon" in ran.out) == (
        1,
        True,
        True,
    )
    told = run(capsys, command, "--json").lines[-1]
    assert [(each["kind"], each["table"], each["row"]) for each in told["findings"]] == [
        ("log", "ledger_log", salon.log_id)
    ]
    Salon.objects.all()._raw_delete("default")
    assert run(capsys, command).status == 1


@pytest.mark.parametrize("command", ["audit", "verify"])
def test_a_salon_without_its_log_is_a_finding_in_words(
    salon: Salon, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sql(f"DELETE FROM ledger_log WHERE id = {salon.log_id}")

    ran = run(capsys, command)
    assert (
        ran.status,
        f"The salon {salon.slug} has no log" in ran.out,
        f"events are of log {salon.log_id}" in ran.out,
    ) == (1, True, True)
