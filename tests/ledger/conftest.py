"""A log for the tests of the ledger."""

import pytest

from ledger.store import open_log


@pytest.fixture
def log(db: None) -> int:
    """An empty log in a database that rolls back."""
    return int(open_log().pk)


@pytest.fixture
def own_log(own_database: object) -> int:
    """An empty log in a database in which commits are real."""
    return int(open_log().pk)
