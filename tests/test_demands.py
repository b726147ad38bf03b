"""What a run of the tests says of itself, and how `.ci/run` runs them: as a newcomer would, with nothing beside the copy."""

import shutil
import subprocess
from pathlib import Path

import hypothesis
import pytest

from tests.browser.conftest import chromium
from tests.demands import skipped_and_why

CLONE = Path(__file__).resolve().parents[1]
CI = CLONE / ".ci" / "run"


def report(reason: str, outcome: str = "skipped") -> pytest.TestReport:
    return pytest.TestReport("tests/x.py::y", ("tests/x.py", 1, "y"), {}, outcome, ("tests/x.py", 1, f"Skipped: {reason}"), "setup")  # type: ignore[arg-type]


def test_one_line_says_what_was_skipped_and_why() -> None:
    reports = [report("SQLite has no TRUNCATE"), *(report("there is no Chromium") for _ in range(3))]

    assert skipped_and_why(reports) == "skipped 4: 3 because there is no Chromium; 1 because SQLite has no TRUNCATE"
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
    ran = subprocess.run(["bash", "-c", f"source .ci/run; {command}"], cwd=folder, capture_output=True, text=True, check=True)
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

    said = told_by_ci(clone, f"scratch={tmp_path}/scratch; become_a_newcomer; pwd; echo $HOME; ls -A; ls -A ..; ls -A $HOME")

    home = tmp_path / "scratch" / "home"
    copy = tmp_path / "scratch" / "newcomer" / "accord"
    command, here, at_home, *seen = said.splitlines()
    assert (command, here, at_home) == ("pip install uv && uv run pytest", str(copy), str(home))
    assert sorted(seen) == [".ci", ".gitignore", "README.md", "accord", "new file"]
