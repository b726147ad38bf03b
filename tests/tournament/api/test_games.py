"""Games by the API: begun, recorded act by act and hand by hand, corrected, confirmed,
explained.
"""

import uuid
from typing import Any

import pytest

from tests.tournament.api.calling import (
    SEATED,
    Answered,
    Caller,
    a_game,
    a_hand,
    anyone_calls,
    owner_calls,
    version_of,
)
from tournament.models import Game, Salon


@pytest.fixture
def owner(salon: Salon) -> Caller:
    return owner_calls(salon)


def act(caller: Caller, game: str, collection: str, body: dict[str, Any] | None = None) -> Answered:
    return caller.post(f"games/{game}/acts/{collection}/", body or {}, version=version_of(game))


def code_of(answer: Answered) -> tuple[int, str, str]:
    return answer.status, answer.value["code"], answer.value["path"]


def test_a_game_recorded_act_by_act_is_the_game_recorded_by_hands(owner: Caller) -> None:
    live, sheet = (
        a_game(owner),
        a_game(owner, table="5", players={seat: f"{name} II" for seat, name in SEATED.items()}),
    )

    act(owner, live, "hands", {"dealer": "S"})
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        assert act(owner, live, "bids", {"seat": seat, "tricks": tricks}).status == 201
    act(owner, live, "totals", {"NS": 7, "EW": 6})
    assert a_hand(owner, sheet).status == 201

    one, other = (owner.get(f"games/{game}/").value for game in (live, sheet))
    assert one["hands"] == other["hands"]
    assert one["state"]["score"] == {"NS": 70, "EW": 51}
    assert {**one["state"], "undo": None} == {**other["state"], "undo": None}


def test_the_offer_says_what_may_come_next(owner: Caller) -> None:
    game = a_game(owner)
    act(owner, game, "hands", {"dealer": "S"})

    offered = owner.get(f"games/{game}/acts/").value

    assert offered["stage"] == "bids"
    assert offered["collections"] == [
        "misdeals",
        "deals",
        "bids",
        "melds",
        "retractions",
        "endings",
        "rulings",
    ]
    assert offered["acts"]["bids"] == [
        {"seat": ["W"], "tricks": {"least": 0, "most": 13, "step": 1}}
    ]
    assert offered["undo"]["act"]["type"] == "precedence.hand_opened"


def test_a_late_act_is_told_what_is_there_now_and_nothing_is_recorded(owner: Caller) -> None:
    game = a_game(owner)
    seen = owner.get(f"games/{game}/").etag
    act(owner, game, "hands", {"dealer": "S"})
    there = version_of(game)

    late = owner.post(f"games/{game}/acts/hands/", {"dealer": "N"}, version=seen)

    assert late.status == 409
    assert late.headers["Content-Type"] == "application/problem+json"
    assert late.value["code"] == "moved"
    assert late.value["current"]["version"] == there == version_of(game)
    assert late.value["current"]["state"]["stage"] == "bids"


def test_an_act_without_a_version_is_asked_for_one(owner: Caller) -> None:
    game = a_game(owner)

    assert code_of(owner.post(f"games/{game}/acts/hands/", {"dealer": "S"})) == (
        428,
        "version_missing",
        "If-Match",
    )
    assert code_of(owner.post(f"games/{game}/acts/hands/", {}, version="*")) == (
        400,
        "bad_version",
        "If-Match",
    )


def test_a_write_without_a_key_is_asked_for_one(salon: Salon, owner: Caller) -> None:
    answer = owner.browser.post(
        f"/api/v1/salons/{salon.slug}/games/",
        {},
        content_type="application/json",
        headers={"Authorization": f"Bearer {owner.token}"},
    )

    assert (answer.status_code, answer.json()["code"]) == (400, "key_missing")


def test_the_same_write_again_gets_the_same_answer(owner: Caller) -> None:
    key, game = str(uuid.uuid4()), a_game(owner)
    path, before = f"games/{game}/acts/hands/", version_of(game)

    first = owner.post(path, {"dealer": "S"}, version=before, key=key)
    act(owner, game, "bids", {"seat": "W", "tricks": 2})
    again = owner.post(path, {"dealer": "S"}, version=before, key=key)

    assert (first.status, first.value) == (again.status, again.value)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert code_of(owner.post(path, {"dealer": "N"}, version=before, key=key)) == (
        422,
        "key_reused",
        "Idempotency-Key",
    )


def test_a_game_begun_twice_with_one_key_is_one_game(owner: Caller) -> None:
    key = str(uuid.uuid4())
    new = {"game": "precedence", "players": SEATED, "table": "4"}

    first = owner.post("games/", new, key=key)
    a_hand(owner, first.value["stream"])
    again = owner.post("games/", new, key=key)

    assert (first.status, first.value) == (again.status, again.value)
    assert first.value["stream"] == key.replace("-", "")
    assert Game.objects.count() == 1


def test_a_table_plays_one_game_at_a_time(owner: Caller) -> None:
    a_game(owner)

    taken = owner.post("games/", {"game": "precedence", "players": SEATED, "table": "4"})

    assert code_of(taken) == (422, "table_taken", "table")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"game": "precedence", "players": SEATED, "colour": "red"}, "colour"),
        ({"game": "whist", "players": SEATED}, "game"),
        ({"game": "precedence", "players": {"N": 1}}, "players[...]"),
        ({"game": "precedence", "players": {"N": "Asha\x00"}}, "players.N"),
        ({"game": "precedence", "players": SEATED, "played_on": "yesterday"}, "played_on"),
        ([], ""),
        (None, ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    owner: Caller, body: object, path: str
) -> None:
    answer = owner.post("games/", body)

    assert (answer.status, answer.value["code"], answer.value["path"]) == (400, "bad_record", path)
    assert not Game.objects.exists()


def test_what_a_rule_forbids_is_refused_with_code_rule_and_path(owner: Caller) -> None:
    game = a_game(owner)
    act(owner, game, "hands", {"dealer": "S"})

    early = act(owner, game, "bids", {"seat": "N", "tricks": 4})

    assert (early.status, early.value["code"], early.value["rule"], early.value["title"]) == (
        422, "out_of_turn", "P11", "Unprocessable Content",
    )  # fmt: skip


def test_a_preview_records_nothing(owner: Caller) -> None:
    game = a_game(owner)

    seen = owner.post(
        f"games/{game}/hand-previews/",
        {"dealer": "S", "bids": {"N": 4, "E": 3, "S": 3, "W": 2}, "tricks": {"NS": 7, "EW": 6}},
    )

    assert seen.status == 200
    assert seen.value["hand"]["result"]["score"] == {"NS": 70, "EW": 51}
    assert owner.get(f"games/{game}/hands/").value == []


def test_an_undo_takes_back_what_the_table_names(owner: Caller) -> None:
    game = a_game(owner)
    act(owner, game, "hands", {"dealer": "S"})
    before = owner.get(f"games/{game}/").value["state"]
    act(owner, game, "bids", {"seat": "W", "tricks": 2})

    undo = owner.get(f"games/{game}/acts/").value["undo"]
    assert act(owner, game, "retractions", {"version": undo["version"]}).status == 201

    assert owner.get(f"games/{game}/").value["state"] == before


def test_a_correction_is_seen_before_it_is_done(owner: Caller) -> None:
    game = a_game(owner)
    a_hand(owner, game)
    (hand,) = owner.get(f"games/{game}/corrections/").value
    new = {"what": "hand", "hand": 1, "sheet": hand["sheet"] | {"tricks": {"NS": 6, "EW": 7}}}

    seen = owner.post(f"games/{game}/correction-previews/", new)
    done = owner.post(
        f"games/{game}/corrections/", new | {"reason": "miscounted"}, version=version_of(game)
    )

    assert (seen.status, done.status) == (200, 201)
    now = owner.get(f"games/{game}/").value
    assert now["state"]["score"] == seen.value["after"]["score"] != seen.value["before"]["score"]
    assert now["corrected"] == [1]


def test_a_reopened_game_says_where_it_goes_on_if_its_table_is_taken(owner: Caller) -> None:
    game = a_game(owner, options={"target_score": 70})
    a_hand(owner, game)
    assert owner.get(f"games/{game}/").value["finished"]
    undo = Game.objects.get(pk=game).state["undo"]["version"]
    a_game(owner)
    (hand,) = owner.get(f"games/{game}/corrections/").value
    new = {"what": "hand", "hand": 1, "sheet": hand["sheet"] | {"tricks": {"NS": 6, "EW": 7}}}
    corrections, new["reason"] = f"games/{game}/corrections/", "miscounted"

    seen = owner.post(f"games/{game}/correction-previews/", new).value
    assert (seen["reopens"], seen["taken"]) == (True, True)
    for more, code in (
        ({}, (400, "bad_record", "after")),
        ({"table": "4"}, (422, "table_taken", "table")),
    ):
        refused = owner.post(corrections, new | more, version=version_of(game))
        assert code_of(refused) == code
    assert code_of(act(owner, game, "retractions", {"version": undo}))[:2] == (422, "table_taken")

    assert owner.post(corrections, new | {"table": "5"}, version=version_of(game)).status == 201
    now = owner.get(f"games/{game}/").value
    assert (now["finished"], now["table"]) == (False, "5")
    call = owner.post("tables/4/calls/", {"reason": "card", "game": game})
    assert code_of(call) == (409, "moved", "game")


def test_each_side_confirms_by_the_pin_of_a_seat(owner: Caller) -> None:
    game = a_game(owner)
    a_hand(owner, game)
    pins = {slip["seat"]: slip["link"]["pin"] for slip in owner.get(f"games/{game}/seats/").value}

    for seat in "NE":
        said = {"number": 1, "seat": seat, "pin": pins[seat]}
        assert (
            owner.post(
                f"games/{game}/attestations/confirmations/", said, version=version_of(game)
            ).status
            == 201
        )

    assert owner.get(f"games/{game}/confirmation/").value["state"] == "confirmed"
    wrong = {"number": 1, "seat": "N", "pin": "x"}
    assert code_of(
        owner.post(f"games/{game}/attestations/disputes/", wrong, version=version_of(game))
    ) == (422, "wrong_pin", "pin")


def test_every_number_is_explained_and_adds_up(owner: Caller) -> None:
    game = a_game(owner)
    a_hand(owner, game)
    numbers = owner.get(f"games/{game}/numbers/").value

    assert {"score.NS", "excess.EW", "chips.N", "pots.accord"} <= {each["code"] for each in numbers}
    for each in numbers:
        told = owner.get(f"games/{game}/numbers/{each['code']}/").value
        assert (
            told["total"]
            == each["value"]
            == sum(term["amount"] for hand in told["hands"] for term in hand["terms"])
        )


def test_the_game_as_of_any_version_is_the_game_as_it_was_then(owner: Caller) -> None:
    game = a_game(owner)
    seen = {}
    for collection, body in (
        ("hands", {"dealer": "S"}),
        ("bids", {"seat": "W", "tricks": 2}),
        ("bids", {"seat": "N", "tricks": 4}),
    ):
        act(owner, game, collection, body)
        seen[version_of(game)] = owner.get(f"games/{game}/").value["state"]

    for version, state in seen.items():
        assert owner.get(f"games/{game}/as-of/", version=version).value["state"] == state


def test_events_come_page_by_page_and_none_is_missed(owner: Caller) -> None:
    game = a_game(owner)
    a_hand(owner, game)
    found: list[int] = []
    cursor: dict[str, Any] = {}
    while True:
        page = owner.get(f"games/{game}/events/", limit=7, **cursor).value
        found += [event["version"] for event in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}

    assert found == list(range(1, version_of(game) + 1))


def test_the_feed_says_only_what_is_new(owner: Caller) -> None:
    game = a_game(owner)
    first = owner.get("events/", after=0)
    last = first.value["items"][-1]["position"]

    nothing = owner.get("events/", after=last)
    assert nothing.value["items"] == []
    assert owner.get("events/", after=last, seen=nothing.etag).status == 304

    act(owner, game, "hands", {"dealer": "S"})
    new = owner.get("events/", after=last, seen=nothing.etag)
    assert new.status == 200
    assert new.value["items"][0]["position"] == last + 1


def test_the_books_add_up_to_nothing(owner: Caller) -> None:
    game = a_game(owner)
    a_hand(owner, game)

    assert owner.get("ledger/").value["trial_balance"] == 0
    books = owner.get(f"games/{game}/accounts/").value
    assert books["trial_balance"] == 0
    for account in books["accounts"]:
        statement = owner.get(f"games/{game}/accounts/{account['key']}/").value
        assert (
            statement["chips"]
            == account["chips"]
            == sum(line["chips"] for line in statement["items"])
        )


def test_a_game_that_was_seen_is_not_sent_again(owner: Caller) -> None:
    game = a_game(owner)
    seen = owner.get(f"games/{game}/").etag

    assert owner.get(f"games/{game}/", seen=seen).status == 304
    a_hand(owner, game)
    assert owner.get(f"games/{game}/", seen=seen).status == 200


def test_a_record_can_be_read_again(owner: Caller) -> None:
    game = a_game(owner)
    a_hand(owner, game)

    record = owner.get(f"games/{game}/record/").value

    assert record["format"] == "salon-record/1"
    assert record["players"] == SEATED


def test_games_are_found_by_table_and_player_page_by_page(owner: Caller) -> None:
    games = [a_game(owner, table=str(table)) for table in (1, 2, 3)]

    assert [line["id"] for line in owner.get("games/", table="2").value["items"]] == [games[1]]
    page = owner.get("games/", limit=2).value
    assert [line["id"] for line in page["items"]] == [games[2], games[1]]
    assert [
        line["id"]
        for line in owner.get("games/", limit=2, cursor=page["next_cursor"]).value["items"]
    ] == [games[0]]
    player = page["items"][0]["players"]["N"]["id"]
    assert len(owner.get("games/", player=player, finished="false").value["items"]) == 3


def test_anyone_sees_a_board_and_records_nothing(salon: Salon, owner: Caller) -> None:
    game = a_game(owner)

    assert anyone_calls(salon).get(f"games/{game}/").status == 200
    refused = anyone_calls(salon).post(
        f"games/{game}/acts/hands/", {"dealer": "S"}, version=version_of(game)
    )
    assert (refused.status, refused.value["code"], refused.headers["WWW-Authenticate"]) == (
        401,
        "not_signed_in",
        "Bearer",
    )


def test_an_address_that_is_none_says_so_as_json(owner: Caller) -> None:
    answer = owner.get("no/such/thing/")

    assert (answer.status, answer.value["code"]) == (404, "not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_the_house_lays_down_its_correction_period_with_a_reason(owner: Caller) -> None:
    before = owner.get("house/")

    done = owner.post(
        "house/correction-periods/", {"hours": 48, "reason": "two evenings"}, version=before.etag
    )

    assert (before.value["version"], done.status) == (0, 201)
    assert owner.get("house/").value == {
        "version": 1,
        "correction_hours": 48,
        "moved_to": "",
        "confirming": "pin",
    }
