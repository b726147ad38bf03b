"""Run `manage.py` commands in the tests, in this process or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tournament.helpers.running import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
# A process counts the memory of the one it was forked from as its own peak, so a small one stands
# between.
WEIGHED = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """What it printed with `--json`."""
        return [json.loads(line) for line in self.out.splitlines()]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run a command in this process. An exception that the command line would show as a traceback
    goes on to the test.
    """
    status, words = 0, ""
    capsys.readouterr()
    try:
        call_command(*map(str, arguments))
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    except CommandError as error:
        status, words = 1, str(error)
    said = capsys.readouterr()
    return Ran(status=status, out=said.out, err=said.err + words)


def start(
    arguments: Sequence[object], environment: Mapping[str, str], **given: Any
) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | given
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, **pipes)


def weighed(
    arguments: Sequence[object], environment: Mapping[str, str], **given: Any
) -> tuple[int, int]:
    """Run a command to its end in a process of its own; its exit status, and the most memory it
    took, in kilobytes.
    """
    command = [
        sys.executable,
        "-c",
        WEIGHED,
        sys.executable,
        str(ROOT / "manage.py"),
        *map(str, arguments),
    ]
    ran = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **given,
    )
    return ran.returncode, int(ran.stderr.splitlines()[-1])


def ended(process: subprocess.Popen[str]) -> Ran:
    """What a process came to; whatever happened, it shows nobody a traceback."""
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    return Ran(status=process.returncode, out=out or "", err=err or "")
