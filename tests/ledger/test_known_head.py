"""An append on the head this process left behind takes one statement, and refuses whatever an
append refuses.
"""

import pytest
from django.db import connection

from ledger.drafts import CommandReused, Overdrawn, StreamMoved
from ledger.models import Account, Event
from ledger.reading import head_of
from ledger.store import KNOWN_HEADS, append
from ledger.verify import verify_log
from tests.ledger.statements import statements
from tests.ledger.writing import claim, new_stream, noted, paid, store

STREAM = "a" * 32


@pytest.fixture
def known(own_log: int) -> int:
    """A log whose head this process knows: two events of one stream stand in it."""
    store(own_log, noted(STREAM), paid(STREAM, "N", "hand", 3))
    assert KNOWN_HEADS[own_log] == head_of(own_log)
    return own_log


@pytest.mark.skipif(
    connection.vendor != "postgresql", reason="on SQLite a question costs no round trip"
)
def test_an_append_on_the_known_head_takes_one_statement(known: int) -> None:
    assert statements(lambda: store(known, paid(STREAM, "E", "hand", 3), after=2)) == 1
    assert list(verify_log(known)) == []


def test_an_append_on_a_head_that_somebody_else_moved_goes_on_from_there(known: int) -> None:
    outdated = KNOWN_HEADS[known]
    store(known, paid(STREAM, "E", "hand", 2), after=2)
    KNOWN_HEADS[known] = outdated

    answer = store(known, paid(STREAM, "hand", "E", 2), after=3)

    assert (answer.first, answer.last) == (4, 4)
    assert list(verify_log(known)) == []
    assert KNOWN_HEADS[known] == head_of(known)


def test_a_stream_that_moved_is_refused_on_the_known_head(known: int) -> None:
    for version in (0, 1, 3):
        with pytest.raises(StreamMoved):
            store(known, noted(STREAM), after=version)
    with pytest.raises(StreamMoved):
        append(known, claim(), [noted(new := new_stream())], expected={new: 0, STREAM: 1}, now=1)
    assert Event.objects.count() == 2


def test_a_command_that_was_taken_gets_its_answer_on_the_known_head(known: int) -> None:
    sent = claim(b"once")
    first = append(known, sent, [noted(STREAM)], expected={STREAM: 2}, now=1)
    again = append(known, sent, [noted(STREAM)], expected={STREAM: 3}, now=1)

    assert (again.first, again.repeated, first.repeated) == (first.first, True, False)
    with pytest.raises(CommandReused):
        append(
            known, claim(b"other", command=sent.id), [noted(STREAM)], expected={STREAM: 3}, now=1
        )
    assert Event.objects.count() == 3


def test_an_overdraft_is_refused_on_the_known_head_and_nothing_is_left(known: int) -> None:
    with pytest.raises(Overdrawn):
        store(known, paid(STREAM, "hand", "N", 4), after=2)

    assert (
        Event.objects.count(),
        Account.objects.get(key="hand").credits,
        head_of(known).position,
    ) == (2, 3, 2)
    assert store(known, noted(STREAM), after=2).first == 3
    assert list(verify_log(known)) == []


def test_an_append_that_is_rolled_back_leaves_the_known_head(known: int) -> None:
    before = KNOWN_HEADS[known]

    def fail(stored: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        append(known, claim(), [noted(STREAM)], expected={STREAM: 2}, now=1, project=fail)

    assert KNOWN_HEADS[known] == before == head_of(known)
