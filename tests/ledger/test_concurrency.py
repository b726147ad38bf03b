"""Many writers and a reader that follows them, on real commits."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection

from ledger.accounts import trial_balance
from ledger.drafts import StreamMoved
from ledger.reading import head_of, read_log
from ledger.store import append
from ledger.verify import verify_log
from tests.conftest import OwnDatabase
from tests.ledger.writing import claim, new_stream, noted, paid

WRITERS = 8


def in_threads(*jobs: Callable[[], None]) -> None:
    """Run all jobs at once, each on a connection of its own; the first error of any is
    raised here.
    """
    errors: list[BaseException] = []

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def write(log: int, appends: int) -> None:
    """Append to a stream of one's own: one, two or three events at a time."""
    stream, version = new_stream(), 0
    for number in range(appends):
        drafts = [noted(stream), paid(stream, "N", "hand", 1), noted(stream)][: number % 3 + 1]
        version = append(log, claim(), drafts, expected={stream: version}, now=number).versions[
            stream
        ]


def follow(log: int, writing: threading.Event, seen: list[int]) -> None:
    """Read on from the last position seen while anyone writes, and once more after."""
    last_round = False
    while not last_round:
        last_round = not writing.is_set()
        seen.extend(
            event.position for event in read_log(log, after=seen[-1] if seen else 0, page=7)
        )


@pytest.mark.parametrize("appends", [12, pytest.param(1_000, marks=pytest.mark.long)])
def test_a_reader_that_follows_eight_writers_sees_every_position_once_and_in_order(
    own_log: int, appends: int
) -> None:
    total = WRITERS * sum(number % 3 + 1 for number in range(appends))
    seen: list[int] = []
    writing = threading.Event()
    writing.set()

    def write_all() -> None:
        try:
            in_threads(*[lambda: write(own_log, appends)] * WRITERS)
        finally:
            writing.clear()

    in_threads(write_all, lambda: follow(own_log, writing, seen))

    assert seen == list(range(1, total + 1))
    assert list(verify_log(own_log, full=False)) == []
    assert trial_balance(own_log) == 0


FORKING = """
import os, sys
import django
django.setup()
from tests.ledger.test_concurrency import WRITERS, write

children = []
for _ in range(WRITERS):
    child = os.fork()
    if not child:
        write(int(sys.argv[1]), 9)
        os._exit(0)
    children.append(child)
sys.exit(max(os.waitpid(child, 0)[1] for child in children) != 0)
"""


def test_eight_processes_write_one_log_without_a_gap(
    own_database: OwnDatabase, own_log: int
) -> None:
    writers = subprocess.run(
        [sys.executable, "-c", FORKING, str(own_log)],
        env=own_database.environment,
        timeout=600,
        check=False,
    )

    assert writers.returncode == 0
    assert [event.position for event in read_log(own_log)] == list(range(1, WRITERS * 18 + 1))
    assert list(verify_log(own_log)) == []


def test_of_eight_writers_who_expect_the_same_version_one_gets_it(own_log: int) -> None:
    stream, outcomes = new_stream(), Counter[str]()

    def write_first() -> None:
        try:
            append(own_log, claim(), [noted(stream)], expected={stream: 0}, now=1)
            outcomes["stored"] += 1
        except StreamMoved:
            outcomes["moved"] += 1

    in_threads(*[write_first] * WRITERS)

    assert outcomes == {"stored": 1, "moved": WRITERS - 1}


def test_of_eight_who_send_the_same_command_one_stores_it_and_all_get_its_answer(
    own_log: int,
) -> None:
    stream, sent, answers = new_stream(), claim(b"once"), list[tuple[int, bool]]()

    def send() -> None:
        answer = append(
            own_log,
            sent,
            [noted(stream), paid(stream, "N", "hand", 2)],
            expected={stream: 0},
            now=1,
        )
        answers.append((answer.last, answer.repeated))

    in_threads(*[send] * WRITERS)

    assert Counter(answers) == {(2, False): 1, (2, True): WRITERS - 1}
    assert head_of(own_log).position == 2
