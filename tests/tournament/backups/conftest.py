"""A server of its own for a test: a database in which commits are real, and a data folder with its
keys.
"""

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from tests.conftest import OwnDatabase
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import recorded, simple
from tournament.models import Salon


@pytest.fixture
def data(own_database: OwnDatabase, settings: Settings, tmp_path: Path) -> Path:
    """The data folder: keys in files, backups below it."""
    settings.DATA_DIR, settings.SIGNING_KEY, settings.BACKUPS = tmp_path / "data", "", ""
    settings.BACKUP_KEEP, settings.BACKUP_PASSPHRASE = (7, 4), ""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret-key").write_text("the secret of this server")
    return tmp_path / "data"


@pytest.fixture
def salon(data: Path) -> Salon:
    place = opened_salon()
    recorded(place, simple())
    place.log.refresh_from_db()
    return place
