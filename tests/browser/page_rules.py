"""The rules on a phone: laid out by the service, taken along by a page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoring import page_door
from tests.material import lines_of
from tests.scoring.lone_defenders import with_rulings
from tests.tournament.helpers.page_python import python_laid

PATIENT = 240_000  # milliseconds: on a machine that has other work to do, rules start late
SCORED = """async texts => {
  const found = [];
  for (const text of texts) found.push((await pageRules.ask("score", text)).digest);
  return found;
}"""


@pytest.fixture(scope="module", autouse=True)
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Python for pages, as npm gave it."""
    with python_laid(tmp_path_factory.mktemp("python-for-pages")):
        yield


@pytest.fixture
def phone(phone: Page) -> Page:
    """The owner's phone, which keeps no page from before Python was laid."""
    phone.context.new_cdp_session(phone).send("Network.clearBrowserCache")
    return phone


def taken_offline(page: Page) -> Page:
    """The page of the table, once the rules are on this phone."""
    page.goto("/tables/4/pack/")
    page.get_by_role("button", name="Take this table offline").click()
    return with_rules(page)


def with_rules(page: Page) -> Page:
    expect(page.locator("#packrules [data-state=here]")).to_be_visible(timeout=PATIENT)
    expect(page.locator("#packbegun")).to_have_count(1)
    return page


def digests(folder: Path, name: str) -> tuple[list[str], list[str]]:
    """The games of a file, and the digests of what they come to here."""
    texts = [json.dumps(with_rulings(value)) for value in lines_of(folder / name)]
    return texts, [json.loads(page_door.score(text))["digest"] for text in texts]
