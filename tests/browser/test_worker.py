"""The worker of a salon that speaks HTTPS: what a table needs opens while the server is away, and
nothing else does.
"""

import pytest
from django.test import Client
from playwright.sync_api import Error, Page, expect

from tests.browser.https_service import CONTROLLED, KEPT, signed_in
from tests.browser.https_service import secure as secure
from tests.browser.https_service import trusting as trusting
from tests.browser.outbox import keep_winners
from tests.tournament.helpers.playing import playing
from tests.tournament.helpers.running import Running, wait_for
from tests.tournament.helpers.salons import opened_salon
from tournament.models import Salon, Table

pytestmark = pytest.mark.browser
# The path of all that is kept.
NAMES = """async () => {
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const kept = (await Promise.all(stores.map((each) => each.keys()))).flat();
  return kept.map(({ url }) => new URL(url).pathname);
}"""


@pytest.mark.long
def test_with_the_server_gone_a_table_s_pages_open_and_no_others(
    secure: Running, trusting: Page
) -> None:
    salon = opened_salon()
    game = playing(salon)
    trusting.goto("/sign-in/")
    signed_in(trusting, salon)
    trusting.goto("/tables/4/")
    trusting.wait_for_function(CONTROLLED)
    for page in ("handover", "pack"):
        assert wait_for(lambda: trusting.evaluate(KEPT, f"/tables/4/{page}/")), page  # noqa: B023
    link = f"/t/{Table.objects.get(salon=salon, label='4').token}/"
    assert wait_for(lambda: link in trusting.evaluate(NAMES))
    secure.end()

    for address in ("/tables/4/", "/tables/4/pack/", link):
        trusting.goto(address)
        expect(trusting.locator("#packsheet form").first).to_be_visible()
    trusting.goto("/tables/4/handover/")
    keep_winners(trusting, game, "NE")
    expect(trusting.locator("[data-gives=codes]")).to_be_visible()
    expect(trusting.get_by_role("img", name="Code 1 of 1")).to_be_visible()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        trusting.goto("/tables/")


def test_without_https_there_is_no_worker(phone: Page, salon: Salon) -> None:
    playing(salon)
    with phone.expect_response("**/handover/"):
        phone.goto("/tables/4/")

    assert phone.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0
    assert Client().get("/worker.js").status_code == 404
    answer = Client().get("/worker.js", secure=True)
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer.text.startswith('const VERSION = "')


@pytest.mark.long
def test_who_signs_out_leaves_no_page_with_the_worker_but_its_files(
    secure: Running, trusting: Page
) -> None:
    salon = opened_salon()
    playing(salon)
    trusting.goto("/sign-in/")
    signed_in(trusting, salon)
    trusting.goto("/tables/4/")
    trusting.wait_for_function(CONTROLLED)
    for page in ("handover", "pack"):
        assert wait_for(lambda: trusting.evaluate(KEPT, f"/tables/4/{page}/")), page  # noqa: B023

    trusting.goto("/permissions/")
    trusting.get_by_role("button", name="Sign out").click()
    trusting.wait_for_function("() => localStorage.getItem('keptpages') === null")

    found = trusting.evaluate(NAMES)
    assert found
    assert [each for each in found if not each.startswith("/static/")] == []
