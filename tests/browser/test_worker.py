"""The worker of a salon that speaks HTTPS: what a table needs opens while the server is away, and
nothing else does.
"""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.conftest import ARGUMENTS, chromium
from tests.browser.test_handover import keep
from tests.conftest import OwnDatabase
from tests.tournament.helpers.playing import playing
from tests.tournament.helpers.running import Running, free_port, running, wait_for
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.models import Salon, Table

pytestmark = pytest.mark.browser
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
# Whether every file is kept that this one of its pages asks for.
KEPT = """async path => {
  const kept = address => caches.match(address, { ignoreVary: true });
  const text = await (await kept(path))?.text() ?? "";
  const named = [...text.matchAll(/\\/static\\/[^" ]+[.](js|mjs|css)/g)].map(found => found[0]);
  const read = named.filter(address => !address.includes("jsQR"));
  return read.length > 5 && (await Promise.all(read.map(kept))).every(Boolean);
}"""
# The path of all that is kept.
NAMES = """async () => {
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const kept = (await Promise.all(stores.map((each) => each.keys()))).flat();
  return kept.map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture
def secure(own_database: OwnDatabase, tmp_path: Path) -> Iterator[Running]:
    """The service over HTTPS by an authority of its own, on the database of this test."""
    environment = {
        name: value
        for name, value in own_database.environment.items()
        if name != "CELERY_BROKER_URL"
    }
    plain = ("--plain-port", str(free_port()))
    with running(
        tmp_path / "data", {**environment, "SECRET_KEY": settings.SECRET_KEY}, "--https", *plain
    ) as service:
        yield service


def pinned(service: Running) -> str:
    """What makes a browser accept the certificate that is shown now, and no other."""
    shown = x509.load_pem_x509_certificate((service.folder / "https" / "server.crt").read_bytes())
    key = shown.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    digest = base64.b64encode(hashlib.sha256(key).digest()).decode()
    return f"--ignore-certificate-errors-spki-list={digest}"


@pytest.fixture
def trusting(browser: Browser, secure: Running) -> Iterator[Page]:
    """A phone that trusts the service, as one does that has taken the steps."""
    launched = browser.browser_type.launch(
        executable_path=chromium(),
        args=[*ARGUMENTS, pinned(secure)],
    )
    port = secure.url.split(":")[2].strip("/")
    yield launched.new_page(base_url=f"https://localhost:{port}")
    launched.close()


def signed_in(page: Page, salon: Salon) -> None:
    """The owner's phone."""
    cookie = owner_of(salon).cookies["sessionid"].value
    origin = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": origin}])


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
    keep(trusting, game, "NE")
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
