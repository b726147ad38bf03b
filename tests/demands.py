"""What CI asks of a test run: that nothing it demands was skipped, and a seeded share of the long
tests.

`ACCORD_REQUIRE=postgresql,redis,browser,pyodide` makes a run fail that skipped a test marked with
one of these or that runs on another database. `--long-share 0.1 --long-seed 7` keeps a tenth of the
tests marked `long`.
"""

import os
import random
from collections import Counter
from collections.abc import Generator, Iterator, Sequence

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import override_settings

DEMANDED = frozenset(filter(None, os.environ.get("ACCORD_REQUIRE", "").split(",")))
MARKED = DEMANDED - {"postgresql"}
LONG_TESTS = pytest.StashKey[tuple[int, int]]()


FAST = ("tests/scoring/", "tests/ledger/", "tests/tournament/domain/")
SERVER = "tests/tournament/server/"  # which has Redis, too, and tells databases apart
DATABASES = frozenset(
    {"db", "transactional_db", "own_database", "stored_once", "database_template"}
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many of the long tests to run, and which."""
    group = parser.getgroup("accord")
    group.addoption(
        "--long-share",
        type=float,
        default=1.0,
        help="the share of the tests marked `long` to keep, 0 to 1",
    )
    group.addoption(
        "--long-seed", default="0", help="chooses which ones; the same seed chooses the same"
    )


@pytest.fixture(autouse=True, scope="session")
def quick_settings() -> Iterator[None]:
    """Hash passwords quickly, count wrong ones in memory, sign with a key of no file, name static
    files plainly even if published.
    """
    storages = {
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    own_memory = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": settings.COUNTED_AT_ONCE},
    }
    with override_settings(
        PASSWORD_HASHERS=hashers,
        CACHES={"default": own_memory},
        STORAGES=storages,
        SIGNING_KEY="for tests only " * 3,
    ):
        yield


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    """Count wrong tries and requests of this test alone."""
    cache.clear()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse to begin on another database than the demanded one."""
    if "postgresql" in DEMANDED and connection.vendor != "postgresql":
        raise pytest.UsageError("ACCORD_REQUIRE asks for PostgreSQL: set DATABASE_URL")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs no database: `fast` what tries rules, ledger and domain, `anywhere` all else
    but the server.
    """
    stored = DATABASES & set(getattr(item, "fixturenames", ())) or item.get_closest_marker(
        "django_db"
    )
    if stored or any(map(item.get_closest_marker, ("long", "browser", "redis", "pyodide"))):
        return
    if item.nodeid.startswith(FAST):
        item.add_marker("fast")
    elif not item.nodeid.startswith(SERVER):
        item.add_marker("anywhere")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the chosen share of the long tests, the same ones for the same seed, at least one."""
    share = config.getoption("--long-share")
    long = sorted(
        (item for item in items if item.get_closest_marker("long")), key=lambda item: item.nodeid
    )
    if share >= 1 or not long:
        return
    chosen = random.Random(config.getoption("--long-seed")).sample(
        long, max(1, round(share * len(long)))
    )
    config.stash[LONG_TESTS] = (len(chosen), len(long))
    dropped = {*long} - {*chosen}
    config.hook.pytest_deselected(items=[item for item in long if item in dropped])
    items[:] = [item for item in items if item not in dropped]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say in one line what was skipped and why, how many of the long tests were chosen, and what
    the sweeps counted.
    """
    if skipped := skipped_and_why(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(skipped)
    if LONG_TESTS in config.stash:
        chosen, there = config.stash[LONG_TESTS]
        terminalreporter.write_line(
            f"long tests: {chosen} of {there}, seed {config.getoption('--long-seed')}"
        )
    for line in counted(terminalreporter.stats.get("passed", [])):
        terminalreporter.write_line(line)


def counted(reports: Sequence[pytest.TestReport]) -> list[str]:
    """What tests have counted, as each left it by `record_property("counted", …)`."""
    return sorted(
        str(value)
        for report in reports
        for name, value in report.user_properties
        if name == "counted"
    )


def skipped_and_why(reports: Sequence[pytest.TestReport | pytest.CollectReport]) -> str:
    """How many tests were skipped for each reason, most first; "" when none was."""
    reasons = Counter(_reason(report) for report in reports)
    told = "; ".join(f"{count} because {reason}" for reason, count in reasons.most_common())
    return f"skipped {reasons.total()}: {told}" if reasons else ""


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    words = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return words.removeprefix("Skipped: ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A demanded test that is skipped has failed."""
    report = yield
    lacking = [mark for mark in MARKED if item.get_closest_marker(mark)]
    if report.skipped and lacking and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = (
            f"skipped, but ACCORD_REQUIRE demands {', '.join(lacking)}: {report.longrepr}"
        )
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Nor may a whole module be skipped when anything is demanded."""
    report = yield
    if report.skipped and DEMANDED:
        report.outcome = "failed"
        report.longrepr = (
            f"skipped as a whole, but ACCORD_REQUIRE demands {', '.join(sorted(DEMANDED))}: "
            f"{report.longrepr}"
        )
    return report
