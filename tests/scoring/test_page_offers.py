"""What a page without the server offers act by act is what its rules take, after all that was kept
before; and each entry is taken once.
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import pytest

from scoring import page_door
from scoring.legal import LegalNext
from tests.scoring.page_requests import begun_precedence, body

OPENED = {"collection": "hands", "body": "dealer=N&trump=V", "hand": 1}


def bid(seat: str, tricks: int) -> dict[str, Any]:
    return {"collection": "bids", "body": f"seat={seat}&tricks:number={tricks}", "hand": 1}


def won(seat: str) -> dict[str, Any]:
    return {"collection": "winners", "body": f"seat={seat}", "hand": 1}


BIDS = [OPENED, bid("E", 3), bid("S", 3), bid("W", 2), bid("N", 4)]


def offered(
    *kept: dict[str, Any],
    tried: Sequence[dict[str, Any]] = (),
    drafted: Sequence[str] = (),
    begun: str | None = None,
) -> dict[str, Any]:
    given = begun or begun_precedence()
    question = {
        "recorded": [], "version": len(json.loads(given)["facts"]), "kept": kept,
        "tried": tried, "drafted": drafted,
    }  # fmt: skip
    answer: dict[str, Any] = json.loads(page_door.offers(given, json.dumps(question)))
    return answer


def undo(answer: dict[str, Any]) -> dict[str, Any]:
    version = answer["before"]["table"]["undo"]["version"]
    return {"collection": "retractions", "body": f"version:number={version}", "hand": None}


def test_before_the_first_hand_one_is_opened_and_then_its_eldest_bids() -> None:
    before, after = offered(), offered(OPENED)

    assert list(before["collections"]) == ["hands"]
    assert before["place"] == {"hand": 1, "trick": 0}
    assert after["collections"]["bids"] == {"seat": "E"}
    assert after["before"]["table"]["hand"]["bidder"] == "E"


def test_each_act_that_is_tried_is_taken_or_refused_by_its_rule() -> None:
    answer = offered(
        *BIDS[:3],
        tried=[bid("W", 10), bid("W", 11), bid("N", 1), {"collection": "bids", "body": "seat=W"}],
    )

    taken, above, early, unwritten = answer["tried"]
    assert taken == {"taken": {"ends": False}}
    assert above["problem"]["rule"] == "P11"
    assert early["problem"]["code"] == "out_of_turn"
    assert unwritten["missing"]["path"] == "tricks"


def test_what_only_the_server_can_judge_is_not_taken() -> None:
    (answer,) = offered(tried=[{"collection": "endings", "body": "kind=called"}])["tried"]

    assert answer == {"taken": None}


def test_the_last_trick_ends_the_hand() -> None:
    tricks = [won(seat) for seat in "NSNSNSNEWEWEW"]
    (last,) = offered(*BIDS, *tricks[:-1], tried=[tricks[-1]])["tried"]
    after = offered(*BIDS, *tricks)

    assert last == {"taken": {"ends": True}}
    assert after["place"] == {"hand": 2, "trick": 0}
    assert [hand["result"]["number"] for hand in after["before"]["hands"]] == [1]
    assert after["before"]["table"]["score"] == after["before"]["hands"][-1]["result"]["points"]


def test_an_undo_that_was_kept_takes_the_last_act_back_and_the_one_before_it_next() -> None:
    once = offered(*BIDS)
    back = offered(*BIDS, undo(once))
    twice = offered(*BIDS, undo(once), undo(back))

    assert back["collections"]["bids"] == {"seat": "N"}
    assert twice["collections"]["bids"] == {"seat": "W"}
    assert offered(*BIDS, undo(once), bid("N", 5))["before"]["table"]["hand"]["bids"]["N"] == 5


def test_an_undo_of_another_act_than_the_last_leads_astray() -> None:
    answer = offered(*BIDS, undo(offered(*BIDS[:2])))

    assert answer["astray"]["problem"]["code"] == "out_of_turn"


def test_a_sheet_after_an_undo_is_judged_by_what_still_stands() -> None:
    begun = begun_precedence()
    kept = [OPENED, bid("E", 9), undo(offered(OPENED, bid("E", 9)))]
    question = {"recorded": [], "version": len(json.loads(begun)["facts"]), "kept": kept}
    answer = json.loads(page_door.sheet(begun, json.dumps({**question, "written": body()})))

    assert answer["after"]["table"]["score"] == {"NS": 71, "EW": 50}


def test_cards_drafted_for_a_trick_say_who_plays_next_and_what_may_not_follow() -> None:
    first = offered(*BIDS)["offer"]
    second = offered(*BIDS, drafted=["EV"])["offer"]
    unlike = offered(*BIDS, drafted=["no card"])["offer"]

    assert first["seat"] == "E"
    assert first["refused"] == {}
    assert second["seat"] == "S"
    assert list(second["refused"]) == ["EV"]
    assert unlike == first
    assert offered(*BIDS[:2])["offer"] is None


def test_each_entry_is_taken_once_however_often_it_is_asked_what_comes_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[str] = []
    after_act = page_door._after_act

    def counted(start: Any, state: Any, collection: str, written: str) -> Any:
        taken.append(collection)
        return after_act(start, state, collection, written)

    page_door._read_game_start.cache_clear()
    page_door._steps.cache_clear()
    monkeypatch.setattr(page_door, "_after_act", counted)
    hand = [*BIDS, *(won(seat) for seat in "NSNSNSNEWEWEW")]
    for count in range(1, len(hand) + 1):
        offered(*hand[:count])
    assert len(taken) == len(hand)

    offered(*hand[:3], bid("W", 5))
    assert len(taken) == len(hand) + 1


def test_what_all_forms_say_alike_is_asked_of_nobody() -> None:
    forms: LegalNext = {
        "bids": [{"seat": ["E"], "tricks": {"least": 0, "most": 13, "step": 1}}],
        "melds": [{"seat": ["E"], "kind": ["run"]}, {"seat": ["E"], "kind": ["triad"]}],
        "hands": [{"dealer": ["B", None], "misdeal": [None]}],
        "misdeals": [{}],
    }

    assert {name: page_door.common_fields(each) for name, each in forms.items()} == {
        "bids": {"seat": "E"}, "melds": {"seat": "E"}, "hands": {}, "misdeals": {},
    }  # fmt: skip


def test_a_table_whose_game_is_over_takes_nothing() -> None:
    begun = json.loads(begun_precedence())
    begun["facts"][0][2]["rules"]["hands_limit"] = 1
    sheet = {"collection": "sheet", "body": urlencode({}) + body(), "hand": 1}
    answer = offered(sheet, begun=json.dumps(begun))

    assert answer["before"]["table"]["stage"] == "over"
    assert answer["collections"] == {}
