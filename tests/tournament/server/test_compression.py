"""Pages go out compressed, in lengths that tell nothing, to whoever reads that."""

import gzip
import re

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from tests.tournament.helpers.salons import opened_salon
from tournament.server.http.compression import LONGEST_NAME, SHORT, compress_page

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
PAGE = "<p>à la carte</p>" * 200


def answered(response: HttpResponseBase, accepts: str = "gzip, deflate, br") -> HttpResponseBase:
    """The response as it goes out to somebody who accepts this."""
    request: HttpRequest = RequestFactory().get("/", headers={"Accept-Encoding": accepts})
    return compress_page(request, response)


@pytest.mark.parametrize("status", [200, 404, 409, 422])
def test_a_page_of_any_status_goes_out_whole_in_fewer_bytes(status: int) -> None:
    sent = answered(HttpResponse(PAGE, status=status))

    assert isinstance(sent, HttpResponse)
    assert sent["Content-Encoding"] == "gzip"
    assert gzip.decompress(sent.content).decode() == PAGE
    assert len(sent.content) < len(PAGE) / 5
    assert sent["Content-Length"] == str(len(sent.content))
    assert sent["Vary"] == "Accept-Encoding"
    assert sent.status_code == status


@pytest.mark.parametrize("accepts", ["", "br", "gzip;q=0", "identity, gzip; q=0.000", "gzipped"])
def test_who_doesn_t_read_it_gets_the_page_as_it_is(accepts: str) -> None:
    sent = answered(HttpResponse(PAGE), accepts)

    assert isinstance(sent, HttpResponse)
    assert sent.content.decode() == PAGE
    assert "Content-Encoding" not in sent
    assert sent["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("accepts", ["gzip", "GZIP", "gzip;q=0.5", "br;q=1.0, gzip;q=0.8, *;q=0"])
def test_who_reads_it_as_well_gets_it_compressed(accepts: str) -> None:
    assert answered(HttpResponse(PAGE), accepts)["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(PAGE[: SHORT // 2]),
        HttpResponse(PAGE, content_type="text/csv"),
        HttpResponse(PAGE, content_type="application/problem+json"),
        HttpResponse(PAGE, headers={"Content-Encoding": "gzip"}),
        StreamingHttpResponse([PAGE]),
        HttpResponse(status=304),
    ],
    ids=["short", "a file", "for a program", "compressed", "in pieces", "nothing"],
)
def test_all_else_goes_out_untouched(response: HttpResponseBase) -> None:
    before = dict(response.items())

    assert dict(answered(response).items()) == before


def test_the_same_page_has_many_lengths() -> None:
    lengths = {int(answered(HttpResponse(PAGE))["Content-Length"]) for _ in range(400)}

    assert len(lengths) > LONGEST_NAME / 2
    assert max(lengths) - min(lengths) <= LONGEST_NAME


@pytest.mark.django_db
def test_a_page_with_a_form_is_sent_so_and_masks_its_token_anew() -> None:
    opened_salon()
    browser, tokens = Client(), set[str]()
    for _ in range(2):
        page = browser.get("/sign-in/", headers={"Accept-Encoding": "gzip"})
        assert page["Content-Encoding"] == "gzip"
        tokens |= set(TOKEN.findall(gzip.decompress(page.content).decode()))

    assert len(tokens) > 1
