"""Accounts of a salon: invited, handed a link, signed in, with a second step."""

import time
from html import unescape
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import PASSWORD
from tournament.models import Membership

NEWCOMER = {"name": "Odo Fenn", "email": "Odo@Example.org", "password": "velvet ladder comet"}


def invited(client: Client, **form: str) -> str:
    """The path of the link that an invitation shows."""
    answer = client.post("/people/", {"role": "scorer"} | form)
    assert answer.status_code == 200, answer.text
    return str(match_in(answer.text, r"http://[^/]+(/[^<]*invitations/[^<]+/)<")[1])


def handed_link(owner: Client, purpose: str, email: str = "odo@example.org") -> str:
    """The path of the link that an owner gets for a member."""
    membership = Membership.objects.get(
        user__username=email, salon__membership__user=owner.session["_auth_user_id"]
    )
    page = owner.post(f"/people/{membership.pk}/{purpose}/")
    return str(match_in(page.text, r"http://[^/]+(/[^<]*/handed/[^<]+/)<")[1])


def words(answer: Any) -> str:
    """A page as somebody reads it."""
    return " ".join(unescape(answer.text).split())


def member_called(email: str) -> Membership:
    return Membership.objects.get(user__username=email)


def signs_in(email: str = "odo@example.org", password: str = PASSWORD) -> tuple[Client, str]:
    """A browser after the password was typed, and where it was led."""
    client = Client()
    answer = client.post("/sign-in/", {"email": email, "password": password})
    return client, answer.headers.get("Location", "")


def code_now(secret: str, step: int = 0) -> str:
    """What an authenticator app shows for this key."""
    code: str = format_hotp_value(hotp_value(secret, int(time.time()) // 30 + step))
    return code


def with_code(client: Client) -> str:
    """Set up the second step of the account in this browser; the key that its phone keeps."""
    client.post(
        "/account/password/again/?next=/account/second-step/new/",
        {"password": PASSWORD, "next": "/account/second-step/new/"},
    )
    page = client.get("/account/second-step/new/").text
    secret = match_in(page, r'slip__url">([A-Z2-7]+)<')[1]
    answer = client.post("/account/second-step/new/", {"code": code_now(secret)})
    assert answer["Location"] == "/account/recovery-codes/"
    return secret
