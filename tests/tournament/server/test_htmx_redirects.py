"""What htmx asked for never becomes another page behind somebody's back: its address and all that
is typed stay.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from tests.tournament.helpers.full_salon import FullSalon, full_salon
from tests.tournament.helpers.salons import owner_of
from tests.tournament.pages.table.sheets.tables import after_a_hand, over

ASKED = re.compile(r"""hx-(?:get|post)="\{% url '(\w+)'""")


@pytest.fixture
def full(db: None) -> FullSalon:
    return full_salon("Quillon")


def asked_by_htmx() -> set[str]:
    """The names of all addresses that a template asks by htmx."""
    folder = Path(settings.BASE_DIR) / "templates"
    return {name for path in folder.rglob("*.html") for name in ASKED.findall(path.read_text())}


def test_the_templates_ask_for_several_addresses() -> None:
    assert {"pad", "sheet_preview", "players", "home"} <= asked_by_htmx()


def addresses(full: FullSalon) -> list[str]:
    """Every address of the pages, with what this salon has for its parameters."""
    ids = {name: found[0] for name, found in full.ids.items() if found} | {
        "label": "1",
        "round": "1",
        "table": "1",
        "number": "1",
    }
    found = []
    for patterns in get_resolver().reverse_dict.values():
        for path, parameters in patterns[0] if isinstance(patterns, tuple) else ():
            given = {each: ids.get(each, "1") for each in parameters}
            found.append("/" + path % given)
    return sorted({each for each in found if not each.startswith(("/api", "/admin"))})


@pytest.mark.parametrize("role", ["owner", pytest.param("anyone", marks=pytest.mark.long)])
def test_no_page_leads_htmx_elsewhere_unseen(full: FullSalon, role: str) -> None:
    client = owner_of(full.salon) if role == "owner" else Client()
    htmx = {"HX-Request": "true"}
    found = addresses(full)
    assert len(found) > 80

    led = {
        (each, method)
        for each in found
        for method in ("get", "post")
        if _is_led(client, each, method, htmx)
    }

    assert led == set()


def _is_led(client: Client, address: str, method: str, headers: dict[str, str]) -> bool:
    status: int = getattr(client, method)(address, headers=headers).status_code
    return 300 <= status < 400 and status != 304


def test_a_preview_that_would_lead_elsewhere_leaves_the_page_as_it_is(full: FullSalon) -> None:
    answer = owner_of(full.salon).post(
        "/tables/1/sheet/preview/", {}, headers={"HX-Request": "true"}
    )

    assert (answer.status_code, answer.content) == (204, b"")
    assert not {"Location", "HX-Redirect", "HX-Replace-Url"} & set(answer.headers)


def test_a_tap_that_leads_elsewhere_goes_there_as_a_whole_page(full: FullSalon) -> None:
    game = over(after_a_hand(full.salon, "precedence", table="3"))
    headers = {"HX-Request": "true", "HX-Boosted": "true"}

    answer = owner_of(full.salon).get(f"/tables/{game.table}/sheet/", headers=headers)

    assert answer.status_code == 204
    assert answer["HX-Redirect"] == "/tables/3/"
    assert "Location" not in answer
