"""Tokens of forms are ones that Django's middleware takes, masked anew on each page."""

from collections import Counter

import pytest
from django.http import HttpResponse
from django.middleware.csrf import CSRF_ALLOWED_CHARS, CSRF_SECRET_LENGTH, CsrfViewMiddleware
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from tournament.server.form_tokens import form_token, masked

secrets = st.text(
    st.sampled_from(CSRF_ALLOWED_CHARS), min_size=CSRF_SECRET_LENGTH, max_size=CSRF_SECRET_LENGTH
)
forms = RequestFactory(enforce_csrf_checks=True)


def refused(secret: str, token: str) -> HttpResponse | None:
    """What Django's middleware says to a form with this token, of a browser with this cookie."""
    request = forms.post("/", {"csrfmiddlewaretoken": token})
    request.COOKIES["csrftoken"] = secret
    middleware = CsrfViewMiddleware(lambda _request: HttpResponse())
    middleware.process_request(request)
    return middleware.process_view(request, lambda _request: HttpResponse(), (), {})


@given(secret=secrets, other=secrets)
def test_a_masked_secret_is_taken_for_its_own_cookie_alone(secret: str, other: str) -> None:
    assert refused(secret, masked(secret)) is None
    if other != secret:
        assert refused(other, masked(secret)) is not None


def test_every_letter_of_a_mask_is_as_likely_as_any_other() -> None:
    """Of 640,000 letters each comes 10,323 times, give or take seven deviations."""
    secret = "a" * CSRF_SECRET_LENGTH  # its number is 0: both halves are the mask
    found = Counter("".join(masked(secret)[:CSRF_SECRET_LENGTH] for _ in range(20_000)))

    assert set(found) == set(CSRF_ALLOWED_CHARS)
    assert all(abs(count - 10_323) < 7 * 101 for count in found.values())
    assert masked(secret) != masked(secret)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_who_has_no_cookie_gets_one_with_the_token(method: str) -> None:
    request = forms.generic(method, "/")
    token = form_token(request)

    response = CsrfViewMiddleware(lambda _request: HttpResponse()).process_response(
        request, HttpResponse()
    )

    assert refused(response.cookies["csrftoken"].value, token) is None


def test_a_page_sends_the_cookie_for_another_year_and_the_answer_to_a_form_does_not() -> None:
    sent = {}
    for method in ("GET", "POST"):
        request = forms.generic(method, "/")
        request.COOKIES["csrftoken"] = "s" * CSRF_SECRET_LENGTH
        middleware = CsrfViewMiddleware(lambda _request: HttpResponse())
        middleware.process_request(request)
        assert refused("s" * CSRF_SECRET_LENGTH, form_token(request)) is None
        sent[method] = middleware.process_response(request, HttpResponse()).cookies

    assert sent["GET"]["csrftoken"].value == "s" * CSRF_SECRET_LENGTH
    assert not sent["POST"]
