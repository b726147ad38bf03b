"""What a run of the tests says of itself, and how `.ci/run` runs them: as a newcomer would, with
nothing beside the copy.
"""

import re
import shutil
import signal
import subprocess
from functools import partial
from pathlib import Path
from typing import Literal

import hypothesis
import pytest

from tests.browser.conftest import chromium
from tests.demands import skipped_and_why

CLONE = Path(__file__).resolve().parents[1]
CI = CLONE / ".ci" / "run"


def report(
    reason: str, outcome: Literal["passed", "failed", "skipped"] = "skipped"
) -> pytest.TestReport:
    return pytest.TestReport(
        "tests/x.py::y",
        ("tests/x.py", 1, "y"),
        {},
        outcome,
        ("tests/x.py", 1, f"Skipped: {reason}"),
        "setup",
    )


def test_one_line_says_what_was_skipped_and_why() -> None:
    reports = [
        report("SQLite has no TRUNCATE"),
        *(report("there is no Chromium") for _ in range(3)),
    ]

    assert (
        skipped_and_why(reports)
        == "skipped 4: 3 because there is no Chromium; 1 because SQLite has no TRUNCATE"
    )
    assert skipped_and_why([]) == ""


def test_no_example_has_to_be_quick() -> None:
    assert hypothesis.settings().deadline is None


def test_an_empty_name_means_that_there_is_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "")
    assert chromium() is None
    monkeypatch.setenv("CHROMIUM", "/opt/chromium")
    assert chromium() == "/opt/chromium"


def told_by_ci(folder: Path, command: str) -> str:
    """What one of the functions of `.ci/run` prints."""
    ran = subprocess.run(
        ["bash", "-c", f"source .ci/run; {command}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    return ran.stdout.strip()


def test_ci_runs_the_command_that_the_readme_names() -> None:
    command = told_by_ci(CLONE, "readme_command")

    assert command == "pip install uv && uv run pytest"
    assert f"{command} " in (CLONE / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")
def test_ci_runs_it_in_a_copy_with_nothing_beside_it_and_an_empty_home(tmp_path: Path) -> None:
    beside, clone = tmp_path / "shared", tmp_path / "clone"
    (clone / ".ci").mkdir(parents=True)
    beside.mkdir()
    shutil.copy(CI, clone / ".ci" / "run")
    for name, text in {
        "README.md": "pip install uv && uv run pytest  # go\n",
        ".gitignore": "kept/\n",
        "new file": "",
        "kept/data": "",
    }.items():
        (clone / name).parent.mkdir(exist_ok=True)
        (clone / name).write_text(text)
    subprocess.run(["git", "init", "--quiet", "."], cwd=clone, check=True)

    said = told_by_ci(
        clone,
        (
            f"scratch={tmp_path}/scratch; become_a_newcomer; pwd; echo $HOME; ls -A; ls -A "
            f"..; ls -A $HOME"
        ),
    )

    home = tmp_path / "scratch" / "home"
    copy = tmp_path / "scratch" / "newcomer" / "accord"
    command, here, at_home, *seen = said.splitlines()
    assert (command, here, at_home) == ("pip install uv && uv run pytest", str(copy), str(home))
    assert sorted(seen) == [".ci", ".gitignore", "README.md", "accord", "new file"]


@pytest.mark.parametrize(
    ("parts", "says", "code"),
    [
        ("part one echo '12 passed in 3s'; part two true; close 2", "All held.", 0),
        ("part one true; part two false; close 2", "FAILED: two", 1),
        ("part one true; close 2", "FAILED: only 1 of 2 parts came to an end", 1),
    ],
)
def test_ci_names_what_failed_and_what_never_ended(
    tmp_path: Path, parts: str, says: str, code: int
) -> None:
    (tmp_path / "parts").mkdir()
    script = f"source .ci/run; scratch={tmp_path}; began=$SECONDS; {parts}"
    ran = subprocess.run(
        ["bash", "-c", script], cwd=CLONE, capture_output=True, text=True, check=False
    )

    assert (ran.stdout.splitlines()[-1], ran.returncode) == (says, code), ran.stdout + ran.stderr
    assert "of the 1500 s that it may take" in ran.stdout
    assert bool(re.search(r"one: 12 passed in 3s, \d+ s\n", ran.stdout)) == ("12 passed" in parts)


def test_what_ci_runs_side_by_side_hears_ctrl_c() -> None:
    """Also where this run itself is deaf to it, as one that was begun in the background."""
    asks = (
        'python3 -c "import signal; print(signal.getsignal(signal.SIGINT) is '
        'signal.default_int_handler)"'
    )
    told = told_by_ci(CLONE, f"set -m; lane() {{ {asks}; }}; lane & wait")

    assert told == "True"
    assert "  set -m" in CI.read_text(encoding="utf-8")
