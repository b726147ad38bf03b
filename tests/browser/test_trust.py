"""How a phone comes to trust the authority of the salon's own, and goes on to where it wanted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.fixtures import Settings

from tests.browser.conftest import ARGUMENTS, chromium
from tests.browser.https_service import pinned
from tests.browser.https_service import secure as secure
from tests.browser.looking import DESK_BY_NIGHT, PHONE, PHONE_BY_DAY, enlarged, look
from tests.tournament.helpers.running import Running
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.server.certifying import NOW
from tournament.models import Salon, Table
from tournament.server.environment.listeners import DOORS, Doors, remember
from tournament.server.tls.local_ca import own_certificate

pytestmark = pytest.mark.browser


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    """A salon with an authority of its own, whose other door nobody opens."""
    own_certificate(tmp_path, "0.0.0.0", NOW)
    settings.DATA_DIR = tmp_path
    monkeypatch.setenv(DOORS, "")
    remember(Doors(secure=9, plain=8000, own_authority=True))


def test_the_page_of_trust_can_be_read_by_all_and_says_that_this_phone_does_not_yet(
    phone: Page, salon: Salon, trusting: None
) -> None:
    look(phone, "/trust/", PHONE_BY_DAY, DESK_BY_NIGHT)
    expect(phone.locator("[data-says=yet]")).to_be_visible()
    expect(phone.locator("[data-says=now]")).to_be_hidden()

    phone.set_viewport_size(PHONE)
    assert enlarged(phone, "/trust/") == []
    assert enlarged(phone, "/tables/4/handover/") == []


@pytest.fixture
def phones(browser: Browser, secure: Running) -> Iterator[dict[bool, Page]]:
    """Two phones: one trusts the service, as one does that has taken the steps, the other not."""
    launched = browser.browser_type.launch(
        executable_path=chromium(), args=[*ARGUMENTS, pinned(secure)]
    )
    yield {True: launched.new_page(), False: browser.new_page()}
    launched.close()


@pytest.mark.long
def test_a_phone_that_trusts_goes_on_to_where_it_wanted_and_another_is_told_the_steps(
    secure: Running, phones: dict[bool, Page]
) -> None:
    table = Table.objects.get(salon=opened_salon(), label="4")
    wanted = f"/t/{table.token}/"
    plain = secure.plain

    phones[False].goto(f"{plain}{wanted}")
    expect(phones[False].locator("h1")).to_have_text("Trust this salon")
    expect(phones[False].locator("[data-says=yet]")).to_be_visible()
    phones[True].goto(f"{plain}{wanted}")
    phones[True].wait_for_url(f"{secure.url}{wanted[1:]}")
    expect(phones[True].locator("h1")).to_contain_text("4")
    phones[True].goto(f"{plain}/trust/")
    expect(phones[True].locator("[data-says=now]")).to_be_visible()
    phones[True].get_by_role("link", name="Open the salon over HTTPS").click()
    phones[True].wait_for_url(f"{secure.url}**")
