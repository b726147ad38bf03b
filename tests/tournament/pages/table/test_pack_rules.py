"""What the page of a table that goes on without the server has of the rules: an offer where Python
for pages lies, and what was recorded for a phone that has taken them.
"""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.template.loader import render_to_string
from django.test import Client
from pytest_django.fixtures import Settings

from scoring import page_door
from scoring.games import GAMES
from tests.material import MATERIAL, lines_of
from tests.scoring.page_requests import hands_of
from tests.scoring.sample_games import RECORDED
from tests.tournament.helpers.page_python import here as here
from tests.tournament.helpers.playing import bidding, done, playing, say
from tests.tournament.helpers.salons import scorer_at, seated
from tests.tournament.pages.table.sheets.tables import FIELDS, started
from tournament.models import Game, Salon
from tournament.pages.common.page_rules import PageRules
from tournament.pages.table.offline_pack import RULES_ARE_HERE

BEGUN = re.compile(r'<script id="packbegun" type="application/json">(.*?)</script>', re.DOTALL)
OFFER = "Take this table offline"


def begun(client: Client) -> dict[str, Any] | None:
    """What the page has for the rules."""
    found = BEGUN.search(client.get("/tables/4/pack/").text)
    value: dict[str, Any] | None = json.loads(found[1]) if found else None
    return value


def with_rules(client: Client) -> Client:
    client.cookies[RULES_ARE_HERE] = "1"
    return client


@pytest.mark.parametrize("kind", [kind for kind, game in GAMES.items() if game.turns is not None])
def test_every_line_of_a_result_has_its_words(kind: str) -> None:
    hands = [hand for name in RECORDED if name.startswith(kind) for hand in all_hands(name)]
    words = render_to_string(
        "kept/results.html", {"row": Game(kind=kind), "sides": (), "players": {}}
    )

    said = {line["what"] for hand in hands for line in page_door.lines_of(hand["why"])}
    assert said - {"ruling"} <= set(re.findall(r'data-what="(\w+)"', words))
    assert len(said) > (3 if GAMES[kind].seatings[0] != ("A",) else 0)


def all_hands(name: str) -> list[dict[str, Any]]:
    return [hand for value in lines_of(MATERIAL / name)[:60] for hand in hands_of(value)]


def test_where_nothing_was_laid_the_page_is_as_ever(
    salon: Salon, owner: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.PYTHON_FOR_PAGES = tmp_path
    bidding(salon)
    page, pad = with_rules(owner).get("/tables/4/pack/").text, owner.get("/tables/4/").text

    assert "packed" in page
    for word in ("packrules", "packbegun", "rules.js", "page-rules", OFFER):
        assert word not in page
    assert OFFER not in pad


def test_the_offer_says_how_much_is_fetched(salon: Salon, owner: Client, here: PageRules) -> None:
    bidding(salon)
    page, pad = owner.get("/tables/4/pack/").text, owner.get("/tables/4/").text

    assert OFFER in pad
    assert OFFER in page
    assert f'data-worker="{here.worker}"' in page
    assert re.search(r"Fetches the rules onto this phone: \d+(\.\d)?\xa0KB, once\.", page)
    assert 'id="packbegun"' not in page
    assert "page-rules" not in pad


def test_a_phone_that_has_the_rules_has_what_was_recorded(
    salon: Salon, owner: Client, here: PageRules
) -> None:
    game = done(playing(salon, target_score=1000), "totals", NS=8, EW=5)
    value = begun(with_rules(owner))

    assert value is not None
    assert len(value["facts"]) == game.version
    assert sorted(value["ids"].values()) == sorted(game.seats.values())
    question = {"recorded": [], "version": game.version, "kept": [], "written": None}
    answer = json.loads(page_door.sheet(json.dumps(value), json.dumps(question)))
    assert answer["before"]["table"] == game.state


def test_it_has_no_name_but_those_at_the_table_and_none_of_their_words(
    salon: Salon, owner: Client, here: PageRules
) -> None:
    game = done(playing(salon, target_score=1000), "totals", NS=8, EW=5)
    east = seated(game, "E")
    said = say(east, game, "disputes", number=1, reason="We took six, says Ilse")
    assert said.status_code == 303

    value = begun(with_rules(owner))

    assert value is not None
    assert "says Ilse" not in json.dumps(value)
    assert "Ilse" not in json.dumps(value["facts"])
    assert value["facts"][-1][0] == "hand.disputed"


def test_who_may_not_record_there_sees_nothing_of_it(salon: Salon, here: PageRules) -> None:
    bidding(salon)

    assert begun(with_rules(scorer_at(salon, "4"))) is not None
    assert with_rules(scorer_at(salon, "5")).get("/tables/4/pack/").status_code == 403
    assert with_rules(Client()).get("/tables/4/pack/").status_code == 302


@pytest.mark.parametrize("kind", ["precedence", "preference", "contract_sabacc"])
def test_what_the_page_says_of_a_sheet_is_what_the_server_records(
    salon: Salon, owner: Client, here: PageRules, kind: str
) -> None:
    game = started(salon, kind)
    value = begun(with_rules(owner))
    question = {
        "recorded": [], "version": game.version, "kept": [], "written": urlencode(FIELDS[kind]),
    }  # fmt: skip
    answer = json.loads(page_door.sheet(json.dumps(value), json.dumps(question)))
    form = {"game": game.pk, "version": str(game.version), "command": "0" * 31 + "8"}
    assert owner.post("/tables/4/sheet/", form | FIELDS[kind]).status_code == 303

    now = Game.objects.get(pk=game.pk)
    assert answer["after"]["table"] == now.state
