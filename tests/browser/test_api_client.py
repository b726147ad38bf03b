"""A client in another language: JavaScript with fetch, in a browser, runs a whole evening through
the API alone.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.tournament.api import clients
from tests.tournament.api.calling import owner_calls
from tests.tournament.api.evenings import check_evening, working
from tournament.models import Salon

pytestmark = pytest.mark.browser

SCRIPT = Path(next(iter(clients.__path__))) / "evening.js"


def test_fetch_runs_a_whole_evening(phone: Page, site: str, salon: Salon) -> None:
    token = owner_calls(salon).token
    phone.goto("/api/docs/")
    phone.set_default_timeout(180_000)

    with working():
        found = phone.evaluate(
            f"([base, token]) => {{ {SCRIPT.read_text()}; return evening(base, token) }}",
            [f"{site}/api/v1/salons/{salon.slug}", token],
        )

    check_evening(salon, found["standings"], found["tournament"], found["records"])


def test_who_has_signed_in_reads_the_api_on_pages(phone: Page, salon: Salon) -> None:
    """Its console complains about nothing: the page keeps to what pages may load."""
    phone.goto(f"/api/v1/salons/{salon.slug}/house/")

    expect(phone.locator(".response-info")).to_contain_text("correction_hours")
