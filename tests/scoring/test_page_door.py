"""What a page is told by its own rules is what the server's rules say: of whole games, and of each
sheet of them, one after the other.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from scoring import page_door
from scoring.forms import value_of_fields
from scoring.games import GAMES
from scoring.records import decide_record, read_record
from scoring.stored_facts import StoredFact, fold_stored
from tests.material import MATERIAL, lines_of
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.page_requests import begun_precedence, body, hands_of
from tests.scoring.sample_games import RECORDED
from tests.scoring.stored_events import stored_facts
from tests.tournament.helpers.forms import fields_of

A_FEW = 10


def asked(begun: str, written: str | None = None, *kept: str) -> dict[str, Any]:
    entries = [{"collection": "sheet", "body": body, "hand": None} for body in kept]
    return answer_to(begun, kept=entries, written=written)


def answer_to(
    begun: str,
    *,
    kept: Sequence[object] = (),
    written: str | None = None,
    recorded: Sequence[object] = (),
    version: int | None = None,
) -> dict[str, Any]:
    """What the door answers; the game is at the version that its facts come to."""
    at = len(json.loads(begun)["facts"]) if version is None else version
    question = {"recorded": recorded, "version": at, "kept": kept, "written": written}
    answer: dict[str, Any] = json.loads(page_door.sheet(begun, json.dumps(question)))
    return answer


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_comes_to_what_the_reference_says(name: str) -> None:
    expected = lines_of(MATERIAL / name.replace(".jsonl", ".expected.jsonl"))
    for value, result in list(zip(lines_of(MATERIAL / name), expected, strict=True))[:A_FEW]:
        answer = json.loads(page_door.score(json.dumps(with_rulings(value))))

        assert answer["result"] == result
        assert len(answer["digest"]) == 64


def test_a_refused_game_says_code_rule_and_place() -> None:
    for line in lines_of(MATERIAL / "precedence_refused.jsonl"):
        answer = json.loads(page_door.score(json.dumps(line["record"])))

        assert answer["id"] == line["record"]["id"]
        assert answer["error"]["code"] == line["code"]


def test_a_sheet_shows_its_result_and_the_table_after_it() -> None:
    answer = asked(begun_precedence(), body())

    assert answer["before"]["hands"] == []
    assert answer["after"]["table"]["score"] == {"NS": 71, "EW": 50}
    (hand,) = answer["after"]["hands"]
    assert hand["result"]["points"] == {"NS": 71, "EW": 50}
    assert [(line["side"], line["what"]) for line in answer["after"]["lines"][0]] == [
        ("NS", "contract_made"), ("NS", "overtricks"), ("EW", "contract_made"),
        ("NS", "pot"), ("S", "pot_share"), ("N", "pot_share"),
    ]  # fmt: skip


def test_hands_kept_before_count_in_the_score() -> None:
    once = asked(begun_precedence(), None, body())
    twice = asked(begun_precedence(), body("dealer", "trump"), body())

    assert once.keys() == {"before"}
    assert once["before"]["table"]["score"] == {"NS": 71, "EW": 50}
    assert [hand["result"]["number"] for hand in once["before"]["hands"]] == [1]
    assert twice["before"] == once["before"]
    assert [hand["result"]["number"] for hand in twice["after"]["hands"]] == [2]
    assert twice["after"]["table"]["hands"] == 2


def test_what_a_rule_refuses_says_which_and_what_is_not_written_is_missing() -> None:
    refused = asked(begun_precedence(), body(tricks__NS=9))
    missing = asked(begun_precedence(), body("bids.W:number"))

    assert refused["problem"] == {
        "message": "9 and 5 tricks are 14; a hand has 13", "rule": "P13", "code": "bad_total",
        "path": "tricks", "field": "tricks",
    }  # fmt: skip
    assert missing["missing"]["field"].startswith("bids")
    assert missing.keys() == {"before", "missing"}


def test_an_entry_that_the_rules_refuse_leads_astray_and_says_why() -> None:
    answer = asked(begun_precedence(), None, body(), body("dealer", "trump", tricks__NS=9))

    assert answer.keys() == {"astray"}
    assert answer["astray"]["problem"]["rule"] == "P13"


@pytest.mark.parametrize(
    "entry",
    [
        {"collection": "endings", "body": "kind=called&reason=late", "hand": None},
        {"collection": "sheet", "body": body(), "hand": 2},
    ],
)
def test_what_only_the_server_can_judge_leads_astray_without_a_problem(
    entry: dict[str, Any],
) -> None:
    answer = answer_to(begun_precedence(), kept=[entry], written=body())

    assert answer == {"astray": {"hand": entry["hand"], "problem": None}}


def test_taps_kept_before_the_sheet_are_followed() -> None:
    taps = [
        {"collection": "hands", "body": "dealer=N&trump=V", "hand": 1},
        {"collection": "bids", "body": "seat=E&tricks:number=3", "hand": 1},
    ]
    answer = answer_to(begun_precedence(), kept=taps, written=body())

    assert answer["before"]["table"]["hand"]["bids"]["E"] == 3
    assert answer["after"]["table"]["score"] == {"NS": 71, "EW": 50}


def test_what_was_recorded_since_counts_where_nothing_else_was() -> None:
    sheet = {"collection": "sheet", "body": body(), "hand": 1}
    game = GAMES["precedence"]
    state = fold_stored(
        game, [StoredFact(*each) for each in json.loads(begun_precedence())["facts"]]
    )
    read = game.read_sheet(value_of_fields(page_door.fields_of(body())), state.rules)
    version = game.decide_sheet(read, state)[1].version

    followed = answer_to(
        begun_precedence(), recorded=[sheet], version=version, written=body("dealer", "trump")
    )
    more = answer_to(begun_precedence(), recorded=[sheet], version=version + 1, written=body())

    assert followed["before"]["hands"] == []
    assert followed["before"]["table"]["score"] == {"NS": 71, "EW": 50}
    assert followed["after"]["hands"][0]["result"]["number"] == 2
    assert more == {"astray": {"hand": None, "problem": None}}


def test_somebody_known_who_sits_in_for_a_player_is_that_player() -> None:
    answer = asked(begun_precedence(), body() + "&players.N=Ida")

    assert answer["after"]["table"]["chips"].keys() == set("NESW")
    refused = asked(begun_precedence(), body() + "&players.N=ben")
    assert "problem" in refused or "missing" in refused


def test_sentences_are_said_in_the_language_of_the_page() -> None:
    begun = json.loads(begun_precedence())
    begun["words"] = {"a whole number is expected here, not “%(text)s”": "keine Zahl: %(text)s"}

    answer = asked(json.dumps(begun), body(tricks__NS="x"))

    assert answer["missing"]["message"] == "keine Zahl: x"


@pytest.mark.parametrize("name", RECORDED[:-1])
def test_each_hand_of_a_recorded_game_comes_from_its_sheet_to_what_the_record_says(
    name: str,
) -> None:
    hands = 0
    for value in lines_of(MATERIAL / name)[:A_FEW]:
        if any("rulings" in hand for hand in with_rulings(value)["hands"]):
            continue  # no sheet of a table rules
        record = read_record(value)
        started, _ = decide_record(replace(record, sheets=(), ended=None))
        _, state = decide_record(replace(record, ended=None))
        begun = json.dumps(
            {"game": record.game.name, "facts": stored_facts(started), "called": {}, "words": {},
             "ids": {name: name for _, name in record.start.players}}
        )  # fmt: skip
        sheets = [urlencode(fields_of(hand)) for hand in value["hands"]]
        answer = asked(begun, sheets[-1], *sheets[:-1])

        results = record.game.hand_results(state, 0)
        assert answer["before"]["hands"] + answer["after"]["hands"] == as_json(results)
        assert answer["after"]["table"]["score"] == as_json(record.game.table(state))["score"]
        hands += len(sheets)
    assert hands >= A_FEW


@pytest.mark.parametrize("name", RECORDED[:-1])
def test_the_lines_of_a_hand_say_all_that_became_of_its_chips(name: str) -> None:
    """Shares and what is left over come to the whole; what the server explains has its line."""
    for hand in (hand for value in lines_of(MATERIAL / name)[:A_FEW] for hand in hands_of(value)):
        lines = page_door.lines_of(hand["why"])
        own = hand["why"].get("lines") or []
        by_nobody = (
            own if isinstance(own, list) else [each for part in own.values() for each in part]
        )
        assert [line["rule"] for line in lines[: len(by_nobody)]] == [
            line["rule"] for line in by_nobody
        ]
        for what in ("pot", "wagers"):
            whole = [line["chips"] for line in lines if line["what"] == what]
            parts = [
                line["chips"] for line in lines if line["what"] in (f"{what}_share", f"{what}_odd")
            ]
            assert sum(whole) == sum(parts)
        assert sum(line["what"].startswith("bonus_") for line in lines) == bool(
            hand["why"].get("bonus")
        )


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def test_a_bid_that_opens_its_hand_is_followed_as_the_two_acts_it_is() -> None:
    begun = begun_precedence()
    first = {"collection": "hands", "body": urlencode({"dealer": "N", "trump": "V"}), "hand": 1}
    sheet = {"collection": "sheet", "body": body(), "hand": 1}
    opens = urlencode({"opens:flag": "true", "seat": "S", "tricks:number": 2})
    bid = {"collection": "bids", "body": opens, "hand": 2}

    table = answer_to(begun, kept=[sheet, bid])["before"]["table"]

    assert table["hand"]["number"] == 2
    assert table["hand"]["bids"]["S"] == 2
    assert "astray" in answer_to(begun, kept=[bid, first])


def test_a_game_at_other_seats_is_of_the_same_people_by_the_names_of_those_who_sit_there() -> None:
    record = read_record(
        {"format": "salon-record/1", "id": "a", "game": "preference", "hands": [],
         "players": {"A": "ada", "B": "ben", "C": "cleo"}, "options": {}}
    )  # fmt: skip
    facts = stored_facts(decide_record(record)[0])
    called = {"A": "Ada", "B": "Ben", "C": "Cleo", "Player A": "Ada"}
    came_from = {"A": "B", "B": "C", "C": "A"}
    begun = page_door._read_game_start(
        json.dumps(
            {"game": "preference", "facts": facts, "ids": {}, "called": called, "words": {},
             "came_from": came_from}
        )
    )  # fmt: skip

    assert dict(begun.state.players) == {"A": "ben", "B": "cleo", "C": "ada"}
    assert (begun.called["A"], begun.called["C"]) == ("Ben", "Ada")
