"""The statements that an act on the database takes: counted, or each the last of a process."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from tests.conftest import OwnDatabase

# Reads "number moment" a line; a child of it appends and dies before or after the statement with
# that number, COMMIT counted too. Says what became of the child: the signal, or 0 if it lived.
DYING = """
import importlib, os, signal, sys
import django
django.setup()
from django.db import connection
act = getattr(importlib.import_module(sys.argv[2]), sys.argv[3])

def append_and_die(log, number, moment):
    done = 0
    def die_at(act):
        def acted(*args, **kwargs):
            nonlocal done
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
        act(log, die_at)

for line in sys.stdin:
    number, moment = line.split()
    child = os.fork()
    if not child:
        append_and_die(int(sys.argv[1]), int(number), moment)
        os._exit(0)
    print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)
"""


@contextmanager
def dying(
    act: Callable[[int, Any], None], log: int, database: OwnDatabase
) -> Iterator[Callable[[int, str], bool]]:
    """Let a process die at a statement of `act`; whether it did."""
    command = [sys.executable, "-c", DYING, str(log), act.__module__, act.__name__]
    with subprocess.Popen(
        command, env=database.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as driver:
        assert driver.stdin
        assert driver.stdout
        lines, answers = driver.stdin, driver.stdout

        def died(number: int, moment: str) -> bool:
            lines.write(f"{number} {moment}\n")
            lines.flush()
            return int(answers.readline()) == signal.SIGKILL

        yield died


def statements(act: Any) -> int:
    """How many statements it takes, BEGIN and COMMIT apart."""
    count = 0

    def counted(execute: Any, *args: Any) -> Any:
        nonlocal count
        count += 1
        return execute(*args)

    with connection.execute_wrapper(counted):
        act()
    return count
