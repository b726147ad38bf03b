"""Page heads for other programs: a description, and the address of the feed of results."""

from django.test import Client

from tests.tournament.helpers.evenings import in_round_1
from tournament.models import Salon


def test_the_pages_of_a_tournament_say_what_they_are_and_where_the_feed_is(salon: Salon) -> None:
    row = in_round_1(salon)

    for page in ("", "standings/", "rounds/1/"):
        head = Client().get(f"/tournaments/{row.pk}/{page}").text.partition("</head>")[0]
        assert f'<meta property="og:title" content="{row.name}">' in head
        assert f'content="{row.name} at {salon.name}: seats, results and standings.' in head
        assert 'rel="alternate" type="application/atom+xml"' in head
        assert f'href="/tournaments/{row.pk}/results.atom"' in head


def test_every_page_says_whose_it_is(salon: Salon) -> None:
    head = Client().get("/sign-in/").text.partition("</head>")[0]

    assert '<meta name="description"' in head
    assert '<meta property="og:site_name"' in head
