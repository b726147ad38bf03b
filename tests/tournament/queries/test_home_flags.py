"""What the first page asks for: what is there in this salon, and not in another."""

from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import a_salon
from tournament.models import AuditRun, Salon
from tournament.queries.home_flags import read_home_flags


def audit_that_found(salon: Salon, count: int, error: str = "") -> None:
    AuditRun.objects.create(
        salon=salon, began_at=1, moved_at=1, ended_at=1, count=count, error=error
    )


def test_the_last_audit_of_this_salon_says_whether_something_was_found(db: None) -> None:
    salon, other = opened_salon(), a_salon("other")

    audit_that_found(other, 2)
    assert (read_home_flags(other).found, read_home_flags(salon).found) == (True, False)
    audit_that_found(salon, 0, "it broke")
    assert read_home_flags(salon).found
    audit_that_found(salon, 0)
    assert (read_home_flags(other).found, read_home_flags(salon).found) == (True, False)
