"""An address that takes forms alone leads whoever opens it to the page with the form."""

import pytest

from tests.tournament.helpers.evenings import after_round_1
from tests.tournament.helpers.playing import a_command, playing
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.sweeping import every_address
from tournament.domain.season.rules import SeasonRule
from tournament.models import Player, Salon, Webhook
from tournament.recording.seasons import open_season

ABOUT_NOTHING = ("/checkpoints/1/", "/practice/4/")  # there is no such checkpoint, no such game
FORMS = [
    ("tournaments/EVENT/desk/rounds/1/results/", "tournaments/EVENT/desk/rounds/1/"),
    ("tournaments/EVENT/desk/lists/", "tournaments/EVENT/desk/entries/"),
    ("tournaments/EVENT/desk/games/", "tournaments/EVENT/desk/"),
    ("tournaments/EVENT/desk/standings/", "tournaments/EVENT/desk/"),
    ("tournaments/EVENT/acts/entries/", "tournaments/EVENT/desk/"),
    ("tournaments/practice/", "tournaments/"),
    ("settings/backups/", "settings/"),
    ("settings/presets/", "settings/"),
    ("sign-out/", ""),
    ("seasons/SEASON/acts/rules/", "seasons/SEASON/"),
    ("seasons/SEASON/acts/removals/", "seasons/SEASON/"),
]


def a_season(salon: Salon) -> str:
    rule, command = SeasonRule(), a_command()
    return open_season(salon, name="Winter", rule=rule, actor="user:1", command=command).pk


@pytest.mark.parametrize(("form", "page"), FORMS)
@pytest.mark.parametrize("prefix", ["/", "/salons/salon-at-border-gate/"])
def test_the_address_of_a_refused_form_can_be_opened_again(
    salon: Salon, prefix: str, form: str, page: str
) -> None:
    event, season = after_round_1(salon).pk, a_season(salon)
    client = owner_of(salon)
    form, page = (each.replace("EVENT", event).replace("SEASON", season) for each in (form, page))

    answer = client.get(prefix + form, {"page": "/desk/"})

    assert answer.status_code == 302
    assert answer["Location"] == prefix + page
    assert client.get(answer["Location"]).status_code == 200


def test_what_asks_in_another_way_is_still_refused(salon: Salon) -> None:
    client = owner_of(salon)

    assert client.put("/settings/backups/").status_code == 405
    assert client.delete("/settings/").status_code == 405
    assert client.get(f"/api/v1/salons/{salon.slug}/sign-outs/").status_code == 404


def test_every_address_of_a_form_leads_to_a_page_that_opens(salon: Salon) -> None:
    event, season, client = after_round_1(salon), a_season(salon), owner_of(salon)
    hook = Webhook.objects.create(
        salon=salon, address="https://one.test/", events=[], since=0, standings_told=0
    )
    known = {
        "tournament": [event.pk],
        "game": [playing(salon).pk],
        "player": [str(Player.objects.order_by("pk")[0].pk)],
        "label": ["4"],
        "salon": [salon.slug],
        "season": [season],
        "hook": [hook.pk],
    }
    client.raise_request_exception = False
    lost = {}
    for address in every_address(known):
        if "0" * 32 in address or address.startswith(("/api/", *ABOUT_NOTHING)):
            continue
        if client.options(address).get("Allow") != "POST":
            continue
        answer = client.get(address, follow=True)
        if answer.status_code != 200:
            lost[address] = answer.redirect_chain or answer.status_code

    assert lost == {}
