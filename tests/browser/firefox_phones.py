"""Phones with Firefox at a table: each comes by the table's link and gives its PIN."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.firefox import Firefox, firefox, started
from tests.browser.line import Line, line_to
from tournament.models import Salon, Table

NO_FIREFOX = "there is no firefox-esr on PATH, nor a Firefox named by FIREFOX"
# Whoever came before is on the pad already.
COMES_IN = """pin => {
  const field = document.querySelector('input[name="pin"]');
  if (field) { field.value = pin; field.form.requestSubmit(); }
}"""
ASK = "document.querySelector('#ask').innerText"
HEAD = "document.querySelector('#sent').innerText.trim()"


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    if firefox() is None:
        pytest.skip(NO_FIREFOX)
    return tmp_path / "profile"


@pytest.fixture
def line(site: str) -> Iterator[Line]:
    """The line of a phone, which may be cut while others have theirs."""
    with line_to(site) as line:
        yield line


@pytest.fixture
def scorer(profile: Path, site: str, salon: Salon) -> Iterator[Firefox]:
    """The phone of table 4."""
    with started(profile) as browser:
        come_in(browser, site, salon)
        yield browser


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A browser beside which a module's tests open their phones."""
    if firefox() is None:
        pytest.skip(NO_FIREFOX)
    with started(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


def come_in(browser: Firefox, address: str, salon: Salon, label: str = "4") -> None:
    """The phone of a table, on its pad; `address` is where it reaches the service."""
    table = Table.objects.get(salon=salon, label=label)
    browser.goto(f"{address}/t/{table.token}/")
    browser.evaluate(COMES_IN, table.pin)
    browser.becomes("location.pathname", f"/tables/{label}/")
    browser.goto(f"{address}/tables/{label}/")
