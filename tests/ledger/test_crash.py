"""A process that dies at any statement of an append leaves all of it or nothing, and the command can be sent again."""

import signal
import subprocess
import sys

import pytest

from ledger.models import Account, Command, Event, Transfer
from ledger.reading import head_of
from ledger.store import answer_to, append
from ledger.verify import verify_log
from tests.conftest import OwnDatabase
from tests.ledger.writing import claim, noted, paid

STREAM = "a" * 32
DRAFTS = [noted(STREAM), paid(STREAM, "N", "hand", 3), paid(STREAM, "E", "hand", 3)]
SENT = claim(b"the same", command="00000000-0000-0000-0000-000000000001")

# Dies before or after the statement with the given number, BEGIN and COMMIT counted too.
DYING = """
import os, signal, sys
import django
django.setup()
from django.db import connection
from ledger.store import append
from tests.ledger.test_crash import DRAFTS, SENT, STREAM

log, number, moment = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
done = 0

def die_at(act):
    def acted(*args, **kwargs):
        global done
        done += 1
        if done == number and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = act(*args, **kwargs)
        if done == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return acted

connection.ensure_connection()
connection._commit = die_at(connection._commit)
with connection.execute_wrapper(lambda execute, *args: die_at(execute)(*args)):
    append(log, SENT, DRAFTS, expected={STREAM: 0}, now=5, project=lambda stored: die_at(list)(stored))
print(done)
"""


def die(database: OwnDatabase, log: int, number: int, moment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", DYING, str(log), str(number), moment]
    return subprocess.run(command, env=database.environment, capture_output=True, text=True, timeout=60, check=False)


def stored() -> list[int]:
    return [model.objects.count() for model in (Event, Command, Transfer, Account)]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_killed_at_any_statement_leaves_all_or_nothing(own_database: OwnDatabase, own_log: int, moment: str) -> None:
    number, outcomes = 1, list[int]()
    while (died := die(own_database, own_log, number, moment)).returncode == -signal.SIGKILL:
        outcomes.append(head_of(own_log).position)
        assert stored() in ([0, 0, 0, 0], [3, 1, 2, 3])
        assert list(verify_log(own_log)) == []
        if outcomes[-1]:
            break
        number += 1

    if moment == "before":
        assert died.returncode == 0, died.stderr
        assert int(died.stdout) == number - 1
    assert outcomes == [0] * (number - 1) + [3] * (moment == "after")
    assert number >= 4
    again = append(own_log, SENT, DRAFTS, expected={STREAM: 0}, now=9)
    assert (again.first, again.last, again.repeated) == (1, 3, True)
    assert stored() == [3, 1, 2, 3]


def test_a_command_sent_again_after_a_death_before_the_commit_is_stored_once(own_database: OwnDatabase, own_log: int) -> None:
    assert die(own_database, own_log, 2, "after").returncode == -signal.SIGKILL
    assert answer_to(own_log, SENT) is None

    assert not append(own_log, SENT, DRAFTS, expected={STREAM: 0}, now=9).repeated
    assert append(own_log, SENT, DRAFTS, expected={STREAM: 0}, now=9).repeated
    assert stored() == [3, 1, 2, 3]
    assert list(verify_log(own_log)) == []
