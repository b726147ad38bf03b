"""The service over HTTPS, a phone that trusts it, and the files that its worker keeps there."""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.browser.conftest import ARGUMENTS, chromium
from tests.conftest import OwnDatabase
from tests.tournament.helpers.running import Running, free_port, running
from tests.tournament.helpers.salons import owner_of
from tournament.models import Salon

CONTROLLED = "() => navigator.serviceWorker.controller !== null"
# Whether every file is kept that this one of its pages asks for.
KEPT = """async path => {
  const kept = address => caches.match(address, { ignoreVary: true });
  const text = await (await kept(path))?.text() ?? "";
  const named = [...text.matchAll(/\\/static\\/[^" ]+[.](js|mjs|css)/g)].map(found => found[0]);
  const read = named.filter(address => !address.includes("jsQR"));
  return read.length > 5 && (await Promise.all(read.map(kept))).every(Boolean);
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
