"""The one way back names what it takes back in the table's words, a number that was only tapped so
far too.
"""

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.tournament.helpers.answers import Shown
from tests.tournament.helpers.playing import playing, tap, told
from tests.tournament.pages.table.sheets.tables import started
from tournament.models import Salon


def dock(page: Shown) -> HttpResponse:
    """The docked way back."""
    text = page.content.decode()
    begins = text.index('class="dock')
    return HttpResponse(
        text[
            begins - 6 : text.index(
                "</a></div>" if "<div" in text[begins - 6 : begins] else "</form>", begins
            )
            + 10
        ]
    )


def test_a_total_tapped_by_mistake_is_taken_back_by_the_big_button(
    salon: Salon, owner: Client
) -> None:
    started(salon, "preference")
    tap(owner, "hands", dealer="A")
    tap(owner, "contracts", soloist="B", contract="one")
    tap(owner, "defences", A="along", C="along")

    page = owner.get("/tables/4/?by=totals&sol=5")

    assert told(dock(page)) == "Take back Ilse Marrow's 5"
    assert 'href="?by=totals"' in dock(page).content.decode()
    assert "Undo" not in told(dock(page))
    assert "Undo who defends" in told(dock(owner.get("/tables/4/?by=totals")))


def test_a_soloist_tapped_by_mistake_is_taken_back_too(salon: Salon, owner: Client) -> None:
    started(salon, "preference")
    tap(owner, "hands", dealer="A")

    assert told(dock(owner.get("/tables/4/?by=contract&soloist=C"))) == "Take back Cato Liss"


@pytest.mark.parametrize("address", ["/tables/4/", "/tables/4/?by=contract"])
@pytest.mark.parametrize(
    ("kind", "words"), [("preference", "Who plays what"), ("contract_sabacc", "Who declares what")]
)
def test_the_short_way_is_a_switch_before_the_calls(
    salon: Salon, owner: Client, kind: str, words: str, address: str
) -> None:
    started(salon, kind)
    tap(owner, "hands", dealer="A")

    page = owner.get(address).text

    switch = page.index('class="levels"')
    assert switch < page.index('id="ask"')
    chosen = "Every call" if address == "/tables/4/" else words
    assert f'aria-current="true">{chosen}</a>' in page[switch : page.index("</nav>", switch)]
    assert {"Every call", words} <= set(
        page[switch : page.index("</nav>", switch)].replace("</a>", ">").split(">")
    )


def test_the_switch_is_gone_once_somebody_called(salon: Salon, owner: Client) -> None:
    started(salon, "preference")
    tap(owner, "hands", dealer="A")
    tap(owner, "calls", seat="B", call="one")

    assert "Who plays what" not in told(owner.get("/tables/4/"))


TRICKS = {"preference": "TH 7H 9H", "contract_sabacc": "1C 2C -3"}


def test_a_trick_is_taken_back_by_its_cards_and_not_by_their_letters(
    salon: Salon, owner: Client
) -> None:
    playing(salon)
    tap(owner, "tricks", **{"cards:list": "TC 4V 4B 6V"})

    page = dock(owner.get("/tables/4/"))

    assert told(page).startswith("Undo trick 1:")
    assert "TC" not in told(page)
    assert "10 of Core" in told(page)
    assert page.content.decode().count('class="said"') == 4


def test_a_trick_of_preference_and_of_sabacc_too(salon: Salon, owner: Client) -> None:
    started(salon, "preference")
    tap(owner, "hands", dealer="A")
    tap(owner, "contracts", soloist="B", contract="one")
    tap(owner, "defences", A="along", C="along")
    tap(owner, "tricks", **{"cards:list": TRICKS["preference"]})

    page = dock(owner.get("/tables/4/"))

    assert "TH" not in told(page)
    assert "10 of Hearts" in told(page)


def test_a_trick_of_sabacc_too(salon: Salon, owner: Client) -> None:
    started(salon, "contract_sabacc")
    tap(owner, "hands", dealer="A")
    tap(owner, "contracts", declarer="B", contract="take")
    answer = tap(owner, "tricks", **{"cards:list": TRICKS["contract_sabacc"]})
    assert answer.status_code == 303, told(answer)

    page = dock(owner.get("/tables/4/"))

    assert "1C" not in told(page)
    assert page.content.decode().count('class="said"') == 3
