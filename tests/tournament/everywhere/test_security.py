"""The door: headers, cookies, host names, and a clean bill for production."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core import mail
from django.db import DatabaseError
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.helpers.running import PATIENCE, ROOT
from tests.tournament.helpers.salons import owner_of
from tournament.models import Salon
from tournament.pages.common import health
from tournament.server.environment.addresses import address_for_others, is_this_machine
from tournament.server.http import hosts
from tournament.server.http.hosts import is_local_name
from tournament.server.process.checks import the_own_name_is_set

PRODUCTION = {"HTTPS": "1", "ALLOWED_HOSTS": "salon.example.org"}


def printed(code: str, folder: Path, **environment: str) -> str:
    """What a fresh process prints under this environment."""
    surroundings = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
        "ACCORD_DATA": str(folder),
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/table-slips/", "/no/such/page", "/healthz"])
def test_every_page_forbids_what_it_did_not_bring_along(salon: Salon, path: str) -> None:
    answer = owner_of(salon).get(path)

    policy = dict(
        part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'self'",
        "worker-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=(self)" in answer["Permissions-Policy"]
    assert "geolocation=()" in answer["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/table-slips/", "/tables/4/link/"])
def test_no_page_needs_an_inline_script_or_style(salon: Salon, path: str) -> None:
    page = owner_of(salon).get(path).text

    assert " style=" not in page
    assert "<style" not in page
    assert "<script>" not in page
    assert " onclick=" not in page


def test_cookies_are_for_the_server_alone(salon: Salon) -> None:
    client = Client()
    client.get("/sign-in/")
    client.post("/sign-in/", {"email": "mara@example.org", "password": "velvet ladder comet"})

    for name in ("sessionid", "csrftoken"):
        assert client.cookies[name]["httponly"]
        assert client.cookies[name]["samesite"] == "Lax"


def test_with_production_settings_the_deployment_check_finds_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env={**os.environ, **PRODUCTION, "ACCORD_DATA": str(tmp_path)},
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_https_is_demanded_and_remembered_when_it_is_configured(tmp_path: Path) -> None:
    code = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, "
        "s.SECURE_HSTS_SECONDS, s.PROXIES)"
    )

    assert (
        printed(code, tmp_path, **PRODUCTION, HSTS_SECONDS="31536000")
        == "True True True 31536000 1"
    )
    assert printed(code, tmp_path) == "False False False 0 0"


def test_the_secret_comes_from_the_environment_or_is_made_and_kept(tmp_path: Path) -> None:
    code = "from django.conf import settings; print(settings.SECRET_KEY)"

    assert printed(code, tmp_path, SECRET_KEY="from-outside") == "from-outside"
    assert not (tmp_path / "secret-key").exists()
    assert (
        printed(code, tmp_path) == printed(code, tmp_path) == (tmp_path / "secret-key").read_text()
    )


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "127.0.0.1:8000",
        "192.168.1.20",
        "[::1]:8000",
        "[fd12::1]",
        "salon",
        "salon.local:8000",
        "a.lan",
    ],
)
def test_names_of_a_local_network_are_answered(
    salon: Salon, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "is_own_number", {"192.168.1.20", "fd12::1"}.__contains__)

    assert Client().get("/sign-in/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "93.184.216.34:8080",
        "8.8.8.8",
        "[2606:4700::1]",
        "203.0.113.66",
        "192.168.1.21",
        "10.255.255.254",
        "[fe80::1]",
    ],
)
def test_numbers_of_other_machines_and_of_the_internet_are_not(
    salon: Salon, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if host in ("93.184.216.34:8080", "8.8.8.8", "[2606:4700::1]"):
        monkeypatch.setattr(
            hosts, "is_own_number", lambda number: True
        )  # a public number is refused even if it is this machine's

    assert Client().get("/sign-in/", headers={"Host": host}).status_code == 400


def test_only_a_number_of_this_machine_s_is_its_own() -> None:
    assert hosts.is_own_number("127.0.0.1")
    assert not hosts.is_own_number("198.51.100.7")


def test_no_password_link_names_a_host_that_the_visitor_chose(salon: Salon) -> None:
    address = "/account/password/forgotten/"

    answer = Client().post(
        address, {"email": "mara@example.org"}, headers={"Host": "203.0.113.66:8080"}
    )

    assert answer.status_code == 400
    assert mail.outbox == []


def test_mail_goes_out_only_where_the_server_s_name_is_set(tmp_path: Path) -> None:
    code = (
        "from django.conf import settings; print(settings.MAIL_IS_SENT, "
        "settings.MAILERS['default']['BACKEND'])"
    )
    url = "smtp://mail.example.org"

    assert (
        printed(code, tmp_path, EMAIL_URL=url)
        == "False tournament.server.environment.mail.KeptMail"
    )
    assert printed(code, tmp_path, EMAIL_URL=url, ALLOWED_HOSTS="salon.example.org").startswith(
        "True "
    )


@pytest.mark.parametrize("on", [{"HTTPS": True}, {"EMAIL_URL": "smtp://mail.example.org"}])
def test_a_deploy_check_asks_for_the_server_s_name(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, on: dict[str, object]
) -> None:
    settings.HTTPS = on.get("HTTPS", False)
    monkeypatch.setenv("EMAIL_URL", str(on.get("EMAIL_URL", "")))
    settings.ALLOWED_HOSTS = ["*"]
    assert [found.id for found in the_own_name_is_set()] == ["accord.E001"]

    settings.ALLOWED_HOSTS = ["salon.example.org"]
    assert the_own_name_is_set() == []


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.nip.example",
        "192.168.1.20.evil.example",
        "a b",
    ],
)
def test_names_of_the_public_internet_are_not(salon: Salon, host: str) -> None:
    assert Client().get("/sign-in/", headers={"Host": host}).status_code == 400


def test_with_allowed_hosts_only_those_are_answered(salon: Salon, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["salon.example.org"]

    assert Client().get("/sign-in/", headers={"Host": "salon.example.org"}).status_code == 200
    assert Client().get("/sign-in/", headers={"Host": "192.168.1.20"}).status_code == 400


@pytest.mark.parametrize(
    ("host", "same"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("[::1]:80", True),
        ("[::1]", True),
        ("salon.local", False),
    ],
)
def test_a_name_that_only_this_machine_understands_is_known(host: str, same: bool) -> None:
    assert is_this_machine(host) is same


def test_a_address_for_others_keeps_a_name_that_others_understand() -> None:
    assert (
        address_for_others("http://salon.local:8000/t/1/", "salon.local:8000")
        == "http://salon.local:8000/t/1/"
    )


def test_an_empty_name_is_nobodys() -> None:
    assert not is_local_name("")


def test_health_is_said_before_anybody_owns_the_salon(client: Client, db: None) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_health_is_denied_when_the_database_is_away(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        def cursor(self) -> None:
            raise DatabaseError

    monkeypatch.setattr(health, "connection", Away())

    assert client.get("/healthz").status_code == 503
