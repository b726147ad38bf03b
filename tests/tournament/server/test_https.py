"""`serve --https`: two doors, of which the plain one gives nothing away and leads to the other."""

import http.client
import plistlib
import shutil
import signal
import ssl
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from tests.tournament.helpers.running import (
    PATIENCE,
    Running,
    free_port,
    own_environment,
    running,
    wait_for,
)
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.server.certifying import NOW, certified, days
from tournament.middleware import ResponseHeadersMiddleware
from tournament.server.environment import addresses
from tournament.server.environment.addresses import (
    NAMES,
    address_for_others,
    format_typed_address,
    remember_own_names,
)
from tournament.server.environment.listeners import DOORS, Doors, doors, remember
from tournament.server.process import banner, https_setup
from tournament.server.process.checks import phones_can_be_told, the_certificate_can_be_used
from tournament.server.process.https_redirect import redirect_to_https
from tournament.server.process.https_setup import first_plain_port, prepare_https
from tournament.server.tls.certificates import UnusableCertificate, fingerprint
from tournament.server.tls.local_ca import networks_of, new_root, own_certificate, root_in

SIGNER = new_root(NOW, networks_of(["127.0.0.1", "::1"]))
OWN = Doors(secure=8443, plain=8000, own_authority=True)
NAMED = Doors(secure=443, plain=80, own_authority=False)
PATHS = st.one_of(
    st.text(max_size=40).map("/{}".format),
    st.sampled_from(["/", "/tables/4/", "/trusted/", "/trust", "/Trust/", "/api/v1/", "//trust/"]),
)


@pytest.fixture
def as_told(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """What a server remembers for its processes is forgotten after the test."""
    for name in (DOORS, NAMES, addresses.LISTENS_AT):
        monkeypatch.setenv(name, "")
    return monkeypatch


# the plain door


def asked(known: Doors, path: str, *, host: str = "127.0.0.1:8000") -> tuple[str, str]:
    """What the plain door answers: a status or `page`, and where to go."""
    answers = list[tuple[str, str]]()

    def start(
        status: str, headers: list[tuple[str, str]], _error: object = None, /
    ) -> Callable[[bytes], object]:
        answers.append((status[:3], dict(headers).get("Location", "")))
        return lambda _part: None

    def pages(_environ: object, _start: object) -> list[bytes]:
        answers.append(("page", ""))
        return [b""]

    environ: dict[str, object] = {
        "PATH_INFO": path.encode("utf-8", "surrogatepass").decode("latin-1"),
        "QUERY_STRING": "",
        "HTTP_HOST": host,
    }
    list(redirect_to_https(pages, known)(environ, start))
    return answers[0]


@given(path=PATHS)
def test_the_plain_door_shows_the_pages_of_trust_and_leads_to_them_from_all_others(
    path: str,
) -> None:
    status, to = asked(OWN, path)

    if path.startswith(("/trust/", "/static/")):
        assert status == "page"
    elif path.startswith("/api/"):
        assert to.startswith("https://127.0.0.1:8443/api/")
    else:
        assert (status, unquote(unquote(to))) == ("307", f"/trust/?next={path}")


@given(path=PATHS, host=st.sampled_from(["salon.example.org", "192.168.1.5:80", "evil.example"]))
def test_beside_a_name_of_the_salon_s_own_all_leads_to_that_name(path: str, host: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAMES, "*.example.org salon.example.org")
        status, to = asked(NAMED, path, host=host)

    if path.startswith("/static/"):
        assert status == "page"
    else:
        assert (status, unquote(to)) == ("307", f"https://salon.example.org{path}")


def test_a_program_that_calls_this_machine_otherwise_is_led_nowhere() -> None:
    assert asked(OWN, "/api/v1/", host="evil.example") == ("400", "")


# the page of trust


@pytest.fixture
def trusting(as_told: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> Path:
    """A salon with an authority of its own, in this data folder."""
    own_certificate(tmp_path, "0.0.0.0", NOW)
    settings.DATA_DIR = tmp_path
    remember(OWN)
    return tmp_path


def test_a_phone_is_told_the_fingerprint_the_steps_and_where_to_go(
    db: None, trusting: Path
) -> None:
    opened_salon()
    root = root_in(trusting)
    assert root is not None
    answer = Client().get(
        "/trust/?next=/t/abc/", headers={"Host": "127.0.0.1:8000", "User-Agent": "X iPhone OS"}
    )

    assert 'href="https://127.0.0.1:8443/t/abc/"' in answer.text
    assert "img-src 'self' https://127.0.0.1:8443;" in f"{answer['Content-Security-Policy']};"
    shown = answer.text.split('<p class="hash trust__digits">')[1].split("</p>")[0]
    digits = "".join(each for each in shown if each in "0123456789ABCDEF")
    assert digits == fingerprint(root).replace(":", "")
    opened = [part.split("</summary>")[0] for part in answer.text.split("<details")[1:]]
    assert [" open>" in part for part in opened] == [True, *[False] * 5]


@pytest.mark.parametrize("wanted", ["https://evil.example/", "", "x", "/" + "a" * 2_000])
def test_it_leads_to_the_salon_alone(db: None, trusting: Path, wanted: str) -> None:
    opened_salon()

    page = Client().get("/trust/", {"next": wanted}, headers={"Host": "localhost:8000"}).text

    assert 'data-onward="https://localhost:8443/"' in page


def test_before_the_salon_is_open_a_phone_can_trust_it_too(db: None, trusting: Path) -> None:
    assert Client().get("/trust/").status_code == 200


def test_the_files_are_the_root_that_systems_take_in(db: None, trusting: Path) -> None:
    certificate = Client().get("/trust/accord.crt")
    profile = plistlib.loads(Client().get("/trust/accord.mobileconfig").content)

    assert x509.load_der_x509_certificate(certificate.content) == root_in(trusting)
    [content] = profile["PayloadContent"]
    assert content["PayloadContent"] == certificate.content
    assert content["PayloadType"] == "com.apple.security.root"
    assert profile["PayloadUUID"] != content["PayloadUUID"]
    assert Client().get("/trust/accord.key").status_code == 404


def test_slips_say_where_phones_come_to_trust_the_salon_and_lead_to_https(
    db: None, trusting: Path, as_told: pytest.MonkeyPatch
) -> None:
    owner = owner_of(opened_salon())
    as_told.setattr(https_setup, "network_address", lambda: "192.168.1.5")

    page = owner.get("/tables/4/link/", secure=True, headers={"Host": "127.0.0.1:8443"}).text
    assert 'href="http://192.168.1.5:8000/trust/"' in page
    assert 'slip__url noprint">https://' in page
    as_told.setenv(DOORS, "")
    assert "/trust/" not in owner.get("/tables/4/link/").text


@pytest.mark.parametrize("known", [None, NAMED])
def test_without_an_authority_of_its_own_there_is_nothing_to_trust(
    db: None, trusting: Path, as_told: pytest.MonkeyPatch, known: Doors | None
) -> None:
    opened_salon()
    as_told.setenv(DOORS, "")
    if known:
        remember(known)

    assert [Client().get(f"/trust/{name}").status_code for name in ("", "accord.crt")] == [404, 404]


# cookies, addresses, words


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_given_over_https_stay_on_it(secure: bool) -> None:
    def page(_request: HttpRequest) -> HttpResponse:
        answer = HttpResponse()
        answer.set_cookie("sessionid", "1")
        return answer

    answer = ResponseHeadersMiddleware(page)(RequestFactory().get("/", secure=secure))

    assert bool(answer.cookies["sessionid"]["secure"]) is secure


def test_what_is_remembered_for_other_processes_is_found_there(
    as_told: pytest.MonkeyPatch,
) -> None:
    assert doors() is None
    remember(OWN)
    assert doors() == OWN


def test_links_for_phones_have_the_name_of_the_certificate(as_told: pytest.MonkeyPatch) -> None:
    remember_own_names(("*.example.org", "salon.example.org"))

    assert address_for_others("https://localhost:8443/t/", "localhost:8443") == (
        "https://salon.example.org:8443/t/"
    )
    assert address_for_others("https://192.168.1.5/t/", "192.168.1.5") == (
        "https://salon.example.org/t/"
    )
    assert address_for_others("https://a.example.org/t/", "a.example.org") == (
        "https://a.example.org/t/"
    )


def test_an_address_to_type_says_https_where_a_browser_would_not_try_it() -> None:
    assert format_typed_address("https://192.168.1.5:8443/t/") == "https://192.168.1.5:8443/t"
    assert format_typed_address("https://salon.example.org/t/") == "salon.example.org/t"
    assert format_typed_address("http://192.168.1.5:8000/t/") == "192.168.1.5:8000/t"


def test_the_certificate_s_names_are_the_server_s_and_no_others(
    db: None, as_told: pytest.MonkeyPatch
) -> None:
    opened_salon()
    remember_own_names(("salon.example.org",))

    for host, status in (("salon.example.org:8443", 200), ("other.example.org", 400)):
        assert Client().get("/sign-in/", headers={"Host": host}).status_code == status, host


def test_where_https_has_its_own_port_the_plain_door_has_its_own() -> None:
    assert (first_plain_port(443), first_plain_port(8443)) == (80, 8000)
    assert banner.addresses("0.0.0.0", 443, scheme="https", name="salon.example.org").others == (
        "https://salon.example.org/"
    )


# what is refused


def refused(host: str = "0.0.0.0", *, certificate: str = "", key: str = "") -> str:
    with pytest.raises(UnusableCertificate) as words:
        prepare_https(host, https=True, certificate=certificate, key=key)
    return str(words.value)


def test_a_proxy_that_speaks_https_and_https_here_do_not_go_together(settings: Settings) -> None:
    settings.HTTPS = True

    assert "a proxy in front speaks HTTPS" in refused()


def test_half_of_a_pair_and_a_lasting_promise_of_an_own_authority_are_refused(
    settings: Settings, tmp_path: Path
) -> None:
    settings.SECURE_HSTS_SECONDS = 60

    assert "belong together" in refused(certificate="x.crt")
    assert "belong together" in refused(key="x.key")
    assert "leave it out with an authority" in refused()


def test_a_name_that_the_server_would_refuse_is_refused_at_the_start(
    as_told: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    files = certified(tmp_path, SIGNER, "127.0.0.1")
    given_files = {"certificate": str(files.certificate), "key": str(files.key)}
    settings.ALLOWED_HOSTS = ["salon.example.org"]
    assert "ALLOWED_HOSTS names salon.example.org" in refused(**given_files)

    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    assert prepare_https("0.0.0.0", https=False, **given_files) is not None
    assert prepare_https("0.0.0.0", https=False, certificate="", key="") is None


def test_a_network_without_private_addresses_is_told(
    trusting: Path, as_told: pytest.MonkeyPatch
) -> None:
    secure = prepare_https("0.0.0.0", https=True, certificate="", key="")
    assert secure is not None
    as_told.setattr(https_setup, "network_address", lambda: "203.0.113.7")
    assert "203.0.113.7 is no private address" in "\n".join(
        https_setup.words(secure, "0.0.0.0", 8000)
    )
    as_told.setattr(https_setup, "network_address", lambda: "192.168.1.5")
    said = "\n".join(https_setup.words(secure, "0.0.0.0", 8000))
    assert "no private address" not in said
    assert "http://192.168.1.5:8000/trust/" in said


def test_a_deploy_check_says_what_is_wrong_with_the_certificate(
    settings: Settings, tmp_path: Path
) -> None:
    def found() -> list[str]:
        return [f"{each.id}: {each.msg}" for each in the_certificate_can_be_used()]

    settings.CERTIFICATE = settings.CERTIFICATE_KEY = ""
    assert found() == []
    files = certified(tmp_path, SIGNER, "127.0.0.1")
    settings.CERTIFICATE = str(files.certificate)
    assert "belong together" in found()[0]
    settings.CERTIFICATE_KEY, settings.ALLOWED_HOSTS = str(files.key), ["127.0.0.1"]
    files.key.chmod(0o600)
    assert found() == []
    files.key.chmod(0o640)
    assert "Others on this machine may read the key" in found()[0]
    settings.ALLOWED_HOSTS = ["127.0.0.1", "salon.example.org"]
    assert "not for salon.example.org" in found()[0]
    settings.HTTPS = True
    assert "unset HTTPS" in found()[0]
    settings.HTTPS = False
    files.key.write_bytes(b"")
    assert "accord.E004" in found()[0]


def test_a_deploy_check_says_that_no_phone_can_be_told_without_https(settings: Settings) -> None:
    settings.HTTPS, settings.CERTIFICATE = False, ""
    assert [each.id for each in phones_can_be_told()] == ["accord.W002"]
    settings.HTTPS = True
    assert phones_can_be_told() == []
    settings.HTTPS, settings.CERTIFICATE = False, "/etc/ssl/salon.crt"
    assert phones_can_be_told() == []


# the whole service


@pytest.fixture
def made(database_template: str, tmp_path: Path) -> Path:
    """A folder whose database has been made before."""
    (tmp_path / "data").mkdir()
    if Path(database_template).exists():
        shutil.copyfile(database_template, tmp_path / "data" / "accord.sqlite3")
    return tmp_path / "data"


def shown_at(service: Running, root: Path) -> tuple[dict[str, object], str]:
    """The certificate that a client which trusts this root is shown, and what it hears."""
    context = ssl.create_default_context(cafile=root)
    port = int(service.url.split(":")[2].strip("/"))
    door = http.client.HTTPSConnection("localhost", port, timeout=PATIENCE, context=context)
    door.connect()
    shown = door.sock.getpeercert()
    door.request("GET", "/healthz")
    said = door.getresponse().read().decode()
    door.close()
    return {**(shown or {})}, said


def changed(service: Running, root: Path, before: dict[str, object]) -> bool:
    """Whether only another certificate is shown by now: for some seconds both processes answer."""
    with suppress(OSError):
        seen = [shown_at(service, root) for _ in range(20)]
        return all(shown != before and said == "ok\n" for shown, said in seen)
    return False


@pytest.mark.anywhere
def test_it_speaks_https_by_an_authority_of_its_own_and_the_plain_door_leads_there(
    made: Path,
) -> None:
    plain = free_port()
    with running(made, own_environment(), "--https", "--plain-port", str(plain)) as service:
        shown, said = shown_at(service, made / "https" / "authority.crt")
        with urllib.request.urlopen(f"http://127.0.0.1:{plain}/t/x/", timeout=PATIENCE) as page:
            led, told = page.url, page.read().decode()
        assert wait_for(lambda: "Ctrl-C" in service.said())
        printed = service.said()
        assert service.end(signal.SIGTERM) == 0

    assert said == "ok\n"
    assert "localhost" in str(shown["subjectAltName"])
    assert led == f"http://127.0.0.1:{plain}/trust/?next=%2Ft%2Fx%2F"
    port = service.url.split(":")[2].strip("/")
    assert f'href="https://127.0.0.1:{port}/t/x/"' in told
    assert f"https://localhost:{port}/" in printed
    root = root_in(made)
    assert root is not None
    assert fingerprint(root)[:24] in printed
    assert service.said().rstrip().endswith("Closed.")
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{plain}/", timeout=PATIENCE)


@pytest.mark.long
@pytest.mark.anywhere
def test_a_renewed_certificate_is_shown_without_a_restart_and_half_of_one_is_not(
    made: Path, tmp_path: Path
) -> None:
    root = tmp_path / "root.crt"
    root.write_bytes(SIGNER.root.public_bytes(Encoding.PEM))
    first = certified(tmp_path, SIGNER, "localhost", made=NOW - days(100))
    arguments = ["--certificate", str(first.certificate), "--key", str(first.key)]
    with running(made, own_environment(), *arguments, "--plain-port", str(free_port())) as service:
        before, _said = shown_at(service, root)
        later = certified(tmp_path, SIGNER, "localhost", made=NOW, file="later")
        later.certificate.replace(first.certificate)
        assert shown_at(service, root)[0] == before
        later.key.replace(first.key)
        assert wait_for(lambda: changed(service, root, before))
