"""Databases for tests: `db` for tests that roll back, `own_database` for tests that commit, `site`
for a served one.

The ledger's triggers refuse the deletes by which pytest-django empties a database after
`transactional_db`, so a test that commits gets a migrated copy of its own instead.
"""

import gc
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import hypothesis
import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import FileResponse, HttpRequest, HttpResponse
from django.test.testcases import LiveServerThread
from django.test.utils import override_settings, setup_databases, teardown_databases
from pytest_django.plugin import DjangoDbBlocker

from tests.material import text_of

pytest_plugins = ["tests.demands"]
hypothesis.settings.register_profile(
    "patient",
    hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]),
)
hypothesis.settings.load_profile("patient")  # a busy machine is no fault
BYTECODE = Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode"


def pytest_configure() -> None:
    """Keep compiled modules in one folder where the machine says to write none beside them: each
    process that a test starts would compile Django again. What this process starts inherits it.
    """
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
        os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_finish() -> None:
    """Look for garbage less often, and never among the modules and tests that stay to the end:
    that takes a tenth of a run.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDatabase:
    """A migrated database of one test's own; threads see it at once, a subprocess through
    `environment`.
    """

    url: str

    @property
    def environment(self) -> dict[str, str]:
        """This process's environment, with the database as DATABASE_URL."""
        return {
            **os.environ,
            "DATABASE_URL": self.url,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
        }


@connection_created.connect
def reverse_what_asks_for_no_order(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Give rows in reverse where no order is asked for: code that leans on an order it never named
    fails on SQLite too.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA reverse_unordered_selects = ON")


@pytest.fixture(scope="session", autouse=True)
def passwords_are_hashed_quickly(django_test_environment: None) -> Iterator[None]:
    """Spend no half second on every account that a test makes; accounts that another process made
    are understood, too.
    """
    quick = "django.contrib.auth.hashers.MD5PasswordHasher"
    with override_settings(PASSWORD_HASHERS=[quick, *settings.PASSWORD_HASHERS]):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Name the test database after this process too: two test runs on one PostgreSQL server stay
    apart.
    """
    if connection.vendor == "postgresql":
        server = connection.settings_dict
        server["TEST"]["NAME"] = (
            f"{server['TEST']['NAME'] or 'test_' + server['NAME']}_{os.getpid()}"
        )


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Make the test database. pytest-django's own makes none when only tests without its mark are
    chosen.
    """
    with django_db_blocker.unblock():
        created = setup_databases(
            verbosity=0, interactive=False, aliases={"default": False}, serialized_aliases=set()
        )
    yield
    with django_db_blocker.unblock():
        teardown_databases(created, verbosity=0)


@pytest.fixture(scope="session")
def database_template(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """A migrated, empty database that nobody is connected to: a file's path, or the name of a
    PostgreSQL database.
    """
    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("template") / "template.sqlite3"
        with django_db_blocker.unblock(), closing(sqlite3.connect(path)) as target:
            connection.ensure_connection()
            connection.connection.backup(target)
        yield str(path)
        return
    name = f"{connection.settings_dict['NAME']}_template"
    with django_db_blocker.unblock():
        _copy_postgresql(str(connection.settings_dict["NAME"]), name)
    yield name
    with django_db_blocker.unblock():
        _drop_postgresql(name)


@pytest.fixture(scope="module")
def stored_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For fixtures of a module that store what all its tests look at: it is there until the last of
    them. Not together with `db`.
    """
    with django_db_blocker.unblock(), _rolled_back():
        yield


@pytest.fixture
def undone(stored_once: None) -> Iterator[None]:
    """Beside a fixture of the module: what this test changes is taken back after it."""
    with _rolled_back():
        yield
        connection.check_constraints()


@contextmanager
def _rolled_back() -> Iterator[None]:
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # as Django's own: what has to commit may think it does
    with block:
        yield
        transaction.set_rollback(True)


@pytest.fixture
def unpacked(tmp_path: Path) -> Callable[[Path], Path]:
    """Give a file of the material as one that a command can open."""

    def written(path: Path) -> Path:
        copy = tmp_path / path.name
        copy.write_text(text_of(path), encoding="utf-8")
        return copy

    return written


@pytest.fixture
def own_database(
    database_template: str, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> Iterator[OwnDatabase]:
    """A database of this test's own, in which commits are real. Not together with `db`."""
    with django_db_blocker.unblock(), a_copy(database_template, tmp_path / "own.sqlite3") as own:
        yield own


@contextmanager
def a_copy(template: str, path: Path) -> Iterator[OwnDatabase]:
    """A copy of the template that every thread's next connection leads to meanwhile: on SQLite the
    file at `path`.
    """
    if connection.vendor == "sqlite":
        shutil.copyfile(template, path)
        with _connected_to(str(path)):
            yield OwnDatabase(url=f"sqlite:///{path}")
        return
    name = f"{template}_{os.urandom(4).hex()}"
    _copy_postgresql(template, name)
    with _connected_to(name):
        yield OwnDatabase(url=_postgresql_url(name))
    _drop_postgresql(name)


class Served(StaticFilesHandler):
    """The service and its static files, which a browser may keep, as those that `serve` names by
    their content.
    """

    def serve(self, request: HttpRequest) -> HttpResponse | FileResponse:
        response = super().serve(request)
        response["Cache-Control"] = "max-age=86400, immutable"
        return response


@pytest.fixture(scope="session")
def server(django_test_environment: None) -> Iterator[str]:
    """The address of the service, served from threads of this process on whatever database is
    connected to at the time.
    """
    server = LiveServerThread("127.0.0.1", Served)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    if server.error:
        raise server.error
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


@pytest.fixture
def site(own_database: OwnDatabase, server: str) -> Iterator[str]:
    """The address of the service with a database of the test's own. Its threads keep no connection
    from test to test.
    """
    database = connections.settings["default"]
    kept, database["CONN_MAX_AGE"] = database["CONN_MAX_AGE"], 0
    yield server
    database["CONN_MAX_AGE"] = kept


@contextmanager
def _connected_to(name: str) -> Iterator[None]:
    """Point every thread's next connection at database `name`. An SQLite database in memory lives
    on in its connection.
    """
    database = connections.settings["default"]
    before, kept = database["NAME"], None
    if connection.vendor == "sqlite":
        kept, connection.connection = connection.connection, None
    else:
        connection.close()
    database["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        database["NAME"] = before
        connection.connection = kept


def _copy_postgresql(source: str, target: str) -> None:
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')


def _drop_postgresql(name: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _postgresql_url(name: str) -> str:
    server = connection.settings_dict
    password = f":{quote(server['PASSWORD'], safe='')}" if server["PASSWORD"] else ""
    user = quote(server["USER"], safe="")
    return f"postgresql://{user}{password}@{server['HOST']}:{server['PORT']}/{name}"
