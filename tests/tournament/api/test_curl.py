"""A client in another language: a shell script with curl runs a whole evening through the API
alone.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tournament.api.calling import owner_calls
from tests.tournament.api.evenings import check_evening, working
from tests.tournament.helpers.salons import opened_salon

SCRIPT = Path(__file__).parent / "clients" / "evening.sh"


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_a_shell_script_runs_a_whole_evening(site: str, tmp_path: Path) -> None:
    salon = opened_salon()
    token = owner_calls(salon).token

    with working():
        ran = subprocess.run(
            ["bash", str(SCRIPT), f"{site}/api/v1/salons/{salon.slug}", token, str(tmp_path)],
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    assert (ran.returncode, ran.stderr) == (0, "")
    found = {path.stem: json.loads(path.read_text()) for path in tmp_path.glob("*.json")}
    check_evening(salon, found["standings"], found["tournament"], found["records"])
    assert ran.stdout.strip() == found["standings"]["rows"][0]["name"]
