"""The databases of the tests themselves: a copy is migrated, empty, guarded, and gone
afterwards.
"""

import subprocess
import sys
import urllib.request

import pytest
from django.db import connection

from ledger import triggers
from ledger.models import Log
from ledger.store import open_log
from tests.conftest import OwnDatabase


@pytest.mark.parametrize("run", [1, 2])
def test_an_own_database_is_empty_whatever_the_test_before_it_committed(
    own_database: OwnDatabase, run: int
) -> None:
    assert Log.objects.count() == 0
    assert triggers.missing() == []
    open_log()


def test_an_own_database_is_not_the_one_of_the_environment(own_database: OwnDatabase) -> None:
    assert str(connection.settings_dict["NAME"]) in own_database.url
    assert "own" in own_database.url or "_template_" in own_database.url


def test_a_database_that_rolls_back_is_empty_after_own_databases(db: None) -> None:
    assert Log.objects.count() == 0


def test_a_subprocess_sees_what_was_committed(own_database: OwnDatabase) -> None:
    open_log()
    code = (
        "import django; django.setup(); from ledger.models import Log; print(Log.objects.count())"
    )

    seen = subprocess.run(
        [sys.executable, "-c", code],
        env=own_database.environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert seen.stdout.strip() == "1"


def test_a_site_serves_the_database_of_its_test(site: str) -> None:
    with urllib.request.urlopen(f"{site}/admin/login/") as page:
        assert page.status == 200
