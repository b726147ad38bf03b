"""A process that dies at any statement of an append leaves all of it or nothing, and the command
can be sent again.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ledger.models import Account, Command, Event, Transfer
from ledger.reading import head_of
from ledger.store import answer_to, append
from ledger.verify import verify_log
from tests.conftest import OwnDatabase
from tests.ledger.statements import dying
from tests.ledger.writing import claim, noted, paid

STREAM = "a" * 32
DRAFTS = [noted(STREAM), paid(STREAM, "N", "hand", 3), paid(STREAM, "E", "hand", 3)]
SENT = claim(b"the same", command="00000000-0000-0000-0000-000000000001")


def append_and_project(log: int, die_at: Callable[[Any], Any]) -> None:
    append(
        log, SENT, DRAFTS, expected={STREAM: 0}, now=5, project=lambda stored: die_at(list)(stored)
    )


@pytest.fixture
def die(own_database: OwnDatabase, own_log: int) -> Iterator[Callable[[int, str], bool]]:
    with dying(append_and_project, own_log, own_database) as died:
        yield died


def stored() -> list[int]:
    return [model.objects.count() for model in (Event, Command, Transfer, Account)]


def test_a_process_killed_before_any_statement_leaves_nothing(
    own_log: int, die: Callable[[int, str], bool]
) -> None:
    number = 1
    while die(number, "before"):
        assert stored() == [0, 0, 0, 0]
        assert (head_of(own_log).position, list(verify_log(own_log))) == (0, [])
        number += 1

    assert number > 4
    assert stored() == [3, 1, 2, 3]


def test_a_process_killed_after_any_statement_leaves_nothing_until_the_commit(
    own_log: int, die: Callable[[int, str], bool]
) -> None:
    number = 1
    while die(number, "after") and not head_of(own_log).position:
        assert stored() == [0, 0, 0, 0]
        number += 1

    assert number >= 4
    assert stored() == [3, 1, 2, 3]
    assert list(verify_log(own_log)) == []
    again = append(own_log, SENT, DRAFTS, expected={STREAM: 0}, now=9)
    assert (again.first, again.last, again.repeated) == (1, 3, True)
    assert stored() == [3, 1, 2, 3]


def test_a_command_sent_again_after_a_death_before_the_commit_is_stored_once(
    own_log: int, die: Callable[[int, str], bool]
) -> None:
    assert die(3, "after")
    assert answer_to(own_log, SENT) is None

    assert not append(own_log, SENT, DRAFTS, expected={STREAM: 0}, now=9).repeated
    assert append(own_log, SENT, DRAFTS, expected={STREAM: 0}, now=9).repeated
    assert stored() == [3, 1, 2, 3]
    assert list(verify_log(own_log)) == []
