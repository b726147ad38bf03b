"""A second server: a database that knows nothing of the test's own, as if it were on another
machine.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests.conftest import OwnDatabase, a_copy
from tournament.streams import folds

type Server = Callable[[], AbstractContextManager[OwnDatabase]]


@pytest.fixture
def another_server(own_database: OwnDatabase, database_template: str, tmp_path: Path) -> Server:
    """What opens one more empty server; the one before is there again afterwards."""
    numbers = count()

    @contextmanager
    def opened() -> Iterator[OwnDatabase]:
        folds.MEMORY.__init__()  # type: ignore[misc]  # it is of this very class
        with a_copy(database_template, tmp_path / f"server-{next(numbers)}.sqlite3") as database:
            yield database
        folds.MEMORY.__init__()  # type: ignore[misc]  # it is of this very class

    return opened
