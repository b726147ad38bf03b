"""What pages show of the past is answered the same by the API: acts in words, as of a moment, two
moments, the house, countersigning.
"""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from ledger import notes
from ledger.reading import head_of
from tests.ledger.signing import Pocket
from tests.tournament.api.calling import Caller, a_game, owner_calls, version_of
from tests.tournament.helpers.evenings import after_round_1, does, in_round_1, result
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import member, owner_of
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.models import Game, Salon
from tournament.projections.background import catch_up
from tournament.recording import stocks
from tournament.tasks import PROJECTIONS


@pytest.fixture
def caller(salon: Salon) -> Caller:
    return owner_calls(salon)


@pytest.fixture
def game(salon: Salon) -> Game:
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, *hand("E", (2, 3, 2, 3), (13, 0)))
    return game


def lines_of_a_page(page: str) -> list[str]:
    """The sentences of a timeline, with its marks left out."""
    found = re.findall(r"<li class=[^>]*>\s*<p>(.*?)</p>", page, flags=re.S)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", each)).split()) for each in found]


def said(acts: list[dict[str, object]]) -> list[str]:
    return [re.sub(r"\s", "", str(act["words"])) for act in acts]


def test_acts_are_told_in_the_words_of_the_page(salon: Salon, caller: Caller, game: Game) -> None:
    row = after_round_1(salon)
    for address, place in (
        ("/history/", "history/"),
        (f"/tournaments/{row.pk}/history/", f"tournaments/{row.pk}/history/"),
    ):
        page = [
            re.sub(r"\s", "", line) for line in lines_of_a_page(owner_of(salon).get(address).text)
        ]
        told = said(caller.get(place, limit=40).value["items"])
        assert len(told) > 10
        assert [line for line in page if line in told] == told[: len(page)] == page[: len(told)]


@pytest.mark.parametrize(
    "query", [{"show": "scores"}, {"by": "user:0"}, {"table": "4"}, {"show": "chips"}, {"until": 1}]
)
def test_acts_are_narrowed_as_on_the_page(
    salon: Salon, caller: Caller, game: Game, query: dict[str, Any]
) -> None:
    after_round_1(salon)
    shown = {
        name: "1970-01-01T00:00" if name == "until" else value for name, value in query.items()
    }
    page = re.findall(r'id="entry-(\d+)"', owner_of(salon).get("/history/", shown).text)

    told = caller.get("history/", limit=40, **query).value["items"]

    assert [act["position"] for act in told] == [int(position) for position in page]


@pytest.mark.parametrize(
    "query", [{}, {"show": "scores"}, {"show": "chips"}, {"by": "user:0"}, {"until": 1}]
)
def test_acts_of_a_game_are_narrowed_as_on_its_page(
    salon: Salon, caller: Caller, game: Game, query: dict[str, Any]
) -> None:
    shown = {
        name: "1970-01-01T00:00" if name == "until" else value for name, value in query.items()
    }
    page = re.findall(
        r'id="entry-(\d+)"', owner_of(salon).get(f"/games/{game.pk}/history/", shown).text
    )

    told = caller.get(f"games/{game.pk}/history/", limit=40, **query).value["items"]

    assert [act["position"] for act in told] == [int(position) for position in page]
    assert caller.get(f"games/{game.pk}/history/", show="house").status == 400


def test_acts_come_a_page_at_a_time_and_each_once(salon: Salon, caller: Caller, game: Game) -> None:
    whole = caller.get("history/", limit=200).value["items"]
    for place in ("history/", f"games/{game.pk}/history/"):
        found: list[dict[str, Any]] = []
        cursor: dict[str, Any] = {}
        while True:
            page = caller.get(place, limit=3, **cursor).value
            found += page["items"]
            if page["next_cursor"] is None:
                break
            cursor = {"cursor": page["next_cursor"]}
        positions = [act["position"] for act in found]
        assert positions == sorted(set(positions), reverse=True)
        assert {act["position"] for act in whole if act["stream"] == game.pk} <= set(positions)


def test_a_tournament_as_of_a_moment_is_what_its_history_shows(
    salon: Salon, caller: Caller
) -> None:
    row = in_round_1(salon)
    row = does(row, result(1, 262, 187))
    version, entry = row.version, head_of(salon.log_id).position
    row = does(row, result(2, 200, 260))
    place = f"tournaments/{row.pk}/as-of/"

    then, now = caller.get(place, version=version).value, caller.get(place).value

    assert then == caller.get(place, as_of=str(entry)).value
    assert (then["version"], then["position"], then["phase"]) == (version, entry, "running")
    assert then["missing"] == [{"round": 1, "table": 2}]
    assert (now["version"], now["missing"]) == (row.version, [])
    catch_up(salon.log, PROJECTIONS)
    assert now["rows"] == caller.get(f"tournaments/{row.pk}/standings/").value["rows"]
    page = unescape(words(owner_of(salon).get(f"/tournaments/{row.pk}/history/?at={version}").text))
    for each in then["rows"]:
        assert f"{each['rank']} {each['name']} {each['points']:g} {each['played']}" in page
    played = caller.get(place, as_of="2100-01-01 10:00", clock="played").value
    assert (played["version"], played["position"], played["rows"]) == (None, 0, now["rows"])


@pytest.mark.parametrize("of", ["games", "tournaments"])
def test_two_moments_are_those_of_the_page(
    salon: Salon, caller: Caller, game: Game, of: str
) -> None:
    row = does(in_round_1(salon), result(1, 262, 187))
    entry = head_of(salon.log_id).position
    does(row, result(2, 200, 260))
    stream, one = (game.pk, game.position - 6) if of == "games" else (row.pk, entry)

    told = caller.get(f"{of}/{stream}/comparison/", one=str(one)).value
    page = owner_of(salon).get(f"/{of}/{stream}/comparison/", {"one": one}).text

    assert told["differing"] == page.count('<tr class="new">') > 0
    assert told["one"]["position"] <= one < told["other"]["position"]
    shown = re.sub(r"\s", "", unescape(re.sub(r"<[^>]+>", " ", page)))
    for line in (line for group in told["groups"] for line in group["lines"]):
        assert line["differs"] == (line["one"] != line["other"])
        marks = ",differs" if line["differs"] else ""
        assert (
            re.sub(r"\s", "", f"{line['label']}{marks}{line['one'] or '–'}{line['other'] or '–'}")
            in shown
        )
    refused = caller.get(f"{of}/{stream}/comparison/", other="noon")
    assert (refused.status, refused.value["path"]) == (400, "other")


def test_a_silent_round_is_silent_in_all_of_them(salon: Salon) -> None:
    row = does(in_round_1(salon), result(1, 262, 187), BeginSilence(from_round=1))
    anyone = Caller(salon=salon.slug, browser=member(salon, "scorer"))
    places = ("as-of/", "comparison/", "history/", "events/")

    seen = {
        place: json.dumps(anyone.get(f"tournaments/{row.pk}/{place}", limit=200).value)
        for place in places[2:]
    }
    seen |= {
        place: json.dumps(anyone.get(f"tournaments/{row.pk}/{place}").value) for place in places[:2]
    }

    told = re.compile(r"262 : 187|\b26200\b")
    assert [place for place, text in seen.items() if told.search(text)] == []
    owner = owner_calls(salon)
    assert all(
        told.search(json.dumps(owner.get(f"tournaments/{row.pk}/{place}", limit=200).value))
        for place in places[2:]
    )


def test_the_house_and_a_stock_tell_their_events(salon: Salon, caller: Caller) -> None:
    assert caller.get("house/events/").value["items"] == []
    caller.post("house/correction-periods/", {"hours": 48, "reason": "League night"}, version=0)
    stock = stocks.draw(salon, name="Saturday", actor="user:1", command="a" * 32)

    (event,) = caller.get("house/events/").value["items"]
    assert (event["type"], event["body"]["hours"]) == ("house.correction_period_set", 48)
    (act,) = caller.get("house/history/").value["items"]
    assert act["words"] in words(owner_of(salon).get("/house/").text)
    assert "48" in act["words"]
    assert [each["type"] for each in caller.get(f"stocks/{stock.pk}/events/").value["items"]] == [
        "stock.committed"
    ]
    assert "Saturday" in caller.get(f"stocks/{stock.pk}/history/").value["items"][0]["words"]


def test_standings_name_the_results_that_are_not_confirmed(salon: Salon, caller: Caller) -> None:
    """As their page does."""
    row = in_round_1(salon)
    etag = caller.get(f"tournaments/{row.pk}/").etag
    game = caller.post(
        f"tournaments/{row.pk}/games/", {"round": 1, "table": 1, "label": "1"}, version=etag
    ).value["stream"]
    played = caller.post(
        f"games/{game}/hands/",
        {"dealer": "S", "bids": {"N": 4, "E": 3, "S": 3, "W": 2}, "tricks": {"NS": 7, "EW": 6}},
        version=version_of(game),
    )
    assert played.status == 201, played.value
    ended = caller.post(
        f"games/{game}/acts/endings/",
        {"kind": "called", "reason": "late"},
        version=version_of(game),
    )
    assert ended.status == 201, ended.value
    catch_up(salon.log, PROJECTIONS)

    waiting = [{"round": 1, "table": 1, "game": game, "state": "entered", "hand": 0}]
    assert caller.get(f"tournaments/{row.pk}/standings/").value["unconfirmed"] == waiting
    assert [
        table["confirmation"]
        for table in caller.get(f"tournaments/{row.pk}/rounds/1/").value["tables"]
    ] == ["entered", ""]


def test_a_checkpoint_of_another_salon_is_countersigned_once_and_two_histories_are_refused(
    salon: Salon, caller: Caller
) -> None:
    a_game(caller)
    name, key = "elsewhere.example/salon", Pocket().new("elsewhere.example/salon", frozenset())
    vkey = notes.verifier(key, name).vkey

    def handed_in(size: int, root: bytes) -> str:
        text = notes.Checkpoint(origin=name, size=size, root=root).text
        return str(notes.Note(text=text, signatures=(notes.sign(text, key, name),)))

    first = caller.post("countersignatures/", {"request": handed_in(5, bytes(32)), "key": vkey})
    again = caller.post("countersignatures/", {"request": handed_in(5, bytes(32)), "key": ""})
    other = caller.post("countersignatures/", {"request": handed_in(5, b"x" * 32), "key": ""})

    assert (first.status, first.value["size"], first.value["old"]) == (201, 5, 0)
    assert again.value == first.value
    assert first.value["line"] in first.value["note"]
    assert (other.status, other.value["code"]) == (422, "not_witnessed")
    assert "Two histories" in other.value["detail"]
    assert caller.get("countersignatures/").value["items"] == [first.value]
    assert (
        caller.post("countersignatures/", {"request": "what?", "key": ""}).value["path"]
        == "request"
    )
    assert (
        caller.post(
            "countersignatures/", {"request": handed_in(6, bytes(32)), "key": "what?"}
        ).value["path"]
        == "key"
    )


def test_the_script_for_auditors_is_the_one_of_the_page(salon: Salon, caller: Caller) -> None:
    assert caller.get("log/verifier/").value == Client().get("/audit/verify_export.py").text
