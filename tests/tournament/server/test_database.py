"""The database file of a salon without a server: who puts its log into it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tournament.server.environment.database import PAGES_IN_NEED, PAGES_OF_THE_LOG

ASK = """
import django
django.setup()
{first}
from django.db import connection
with connection.cursor() as cursor:
    print(*cursor.execute("PRAGMA wal_autocheckpoint").fetchone())
"""


@pytest.mark.parametrize(
    ("first", "pages"),
    [
        ("", PAGES_OF_THE_LOG),
        ("import tournament.wsgi", PAGES_OF_THE_LOG),
        ("import tournament.server.process.asgi", PAGES_IN_NEED),
    ],
    ids=["a command", "a process that is all", "a web process"],
)
def test_a_web_process_leaves_checkpoints_to_the_worker(
    tmp_path: Path, first: str, pages: int
) -> None:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL",)
    } | {"ACCORD_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tournament.settings"}
    said = subprocess.run(
        [sys.executable, "-c", ASK.format(first=first)],
        env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip

    assert said.split() == [str(pages)]
