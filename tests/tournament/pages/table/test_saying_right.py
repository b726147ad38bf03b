"""The other side says "right" on the table's own phone, by PIN or by a tap as the house has it, and
the log says how.
"""

import json
from typing import Any

import pytest
from django.test import Client

from ledger.models import Event
from scoring.errors import NotationError, RuleViolation
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.playing import a_command, a_game, flat, tap, told
from tests.tournament.helpers.salons import scorer_at, seated
from tests.tournament.pages.table.sheets.tables import KINDS, after_a_hand, over
from tournament.accounts.seat_links import links_of
from tournament.domain.house.confirmation import ConfirmingSet, SetConfirming
from tournament.domain.house.rules import State, decide, evolve
from tournament.models import Game, House, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.streams.codec import decode, encode
from tournament.streams.correction_period import house_of

ALONE = {"preference": "ABC", "contract_sabacc": "ABC"}


def lay_down(owner: Client, way: str, version: int = 0, reason: str = "we know each other") -> Any:
    form = {
        "command": a_command(),
        "version": str(version),
        "what": "confirming",
        "way": way,
        "because": reason,
    }
    return owner.post("/house/", form)


def say(client: Client, game: Game, **fields: Any) -> Any:
    """Say "right" as the pad's form does."""
    game.refresh_from_db()
    form = {
        "game": game.pk,
        "version": game.version,
        "command": a_command(),
        "number:number": "1",
        "back": "pad",
    }
    return client.post(f"/games/{game.pk}/attestations/confirmations/", form | fields)


def bodies() -> list[dict[str, Any]]:
    return [
        json.loads(body)
        for body in Event.objects.filter(type="hand.confirmed")
        .order_by("position")
        .values_list("body", flat=True)
    ]


def hand_state(game: Game) -> str:
    game.refresh_from_db()
    return str(game.confirmation["hands"]["1"]["state"])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "order_of_precedence"])
def test_the_pad_asks_the_others_right_after_the_hand(
    salon: Salon, owner: Client, kind: str
) -> None:
    game = after_a_hand(salon, kind)
    table = scorer_at(salon, "4")

    page = told(table.get("/tables/4/"))
    assert "Is hand 1 right?" in page
    assert "Your PIN" in page
    lay_down(owner, "tap")
    asked = table.get("/tables/4/")

    assert "Your PIN" not in told(asked)
    for seat, name in game.seats.items():
        assert f'name="seat" value="{seat}"' in flat(asked.text), name
    tap(table, "hands")
    assert "Is hand 1 right?" not in told(table.get("/tables/4/"))


def test_a_game_that_is_over_asks_too_and_patience_asks_nobody(salon: Salon, owner: Client) -> None:
    over(after_a_hand(salon, "preference"))
    after_a_hand(salon, "order_of_precedence", table="5")

    assert "Is hand 1 right?" in told(owner.get("/tables/4/"))
    assert "Is hand 1 right?" not in told(owner.get("/tables/5/"))


def test_a_pin_at_the_tables_phone_stays_on_the_pad_and_says_how(salon: Salon) -> None:
    game, table = after_a_hand(salon, "precedence"), scorer_at(salon, "4")
    pins = {seat: link.pin for seat, link in links_of(game, "NESW").items()}

    answer = say(table, game, seat="N", pin=pins["N"])

    assert (answer.status_code, answer["Location"]) == (303, "/tables/4/")
    assert bodies() == [{"hand": 1, "how": "table_phone", "pin": True, "seat": "N"}]
    page = told(table.get("/tables/4/"))
    assert "Asha Renn says it is right." in page
    assert "Is hand 1 right?" in page
    say(table, game, seat="E", pin=pins["E"])
    assert hand_state(game) == "confirmed"
    assert "Your PIN" not in told(table.get("/tables/4/"))


def test_a_wrong_pin_is_told_on_the_pad(salon: Salon) -> None:
    game, table = after_a_hand(salon, "precedence"), scorer_at(salon, "4")

    answer = say(table, game, seat="N", pin="wrong")

    assert answer.status_code == 422
    assert "This is not the PIN of that seat." in told(answer)
    assert "Open hand 2" in told(answer)
    assert bodies() == []


def test_without_the_houses_word_no_tap_counts(salon: Salon) -> None:
    game = after_a_hand(salon, "precedence")

    assert say(scorer_at(salon, "4"), game, seat="N").status_code == 400
    assert bodies() == []


@pytest.mark.parametrize("kind", ALONE)
def test_a_tap_each_is_enough_where_the_house_says_so(
    salon: Salon, owner: Client, kind: str
) -> None:
    lay_down(owner, "tap")
    game, table = after_a_hand(salon, kind), scorer_at(salon, "4")

    for seat in ALONE[kind]:
        assert say(table, game, seat=seat).status_code == 303

    assert hand_state(game) == "confirmed"
    assert [body | {"seat": ""} for body in bodies()] == [
        {"hand": 1, "how": "table_phone", "pin": False, "seat": ""}
    ] * 3
    assert set(Event.objects.filter(type="hand.confirmed").values_list("actor", flat=True)) == {
        Event.objects.filter(type="hand.confirmed")[0].actor
    }
    assert "a tap on the table's phone" in told(owner.get(f"/games/{game.pk}/confirmation/"))
    assert "a tap on the table's phone" in told(
        owner.get(f"/games/{game.pk}/history/?show=confirmations")
    )


def test_a_tap_counts_for_no_side_that_entered_the_hand_itself(salon: Salon, owner: Client) -> None:
    lay_down(owner, "tap")
    table = scorer_at(salon, "4")
    game = a_game(salon)
    link = links_of(game, "N")["N"]
    table.post(f"/c/{link.token}/", {"pin": link.pin})
    tap(table, "hands", dealer="S")
    for seat in "WNES":
        tap(table, "bids", seat=seat, **{"tricks:number": "2"})
    tap(table, "totals", **{"NS:number": "7", "EW:number": "6"})
    asked = table.get("/tables/4/").text
    assert 'name="seat" value="S"' not in asked

    assert say(table, game, seat="S").status_code == 422
    assert say(table, game, seat="E").status_code == 303

    assert bodies() == [{"hand": 1, "how": "table_phone", "pin": False, "seat": "E"}]
    assert hand_state(game) == "confirmed"


def test_own_phone_scorer_and_director_are_told_apart(salon: Salon, owner: Client) -> None:
    game = after_a_hand(salon, "precedence")
    pins = links_of(game, "NESW")
    say(seated(game, "N"), game)
    say(owner, game, seat="E", pin=pins["E"].pin)
    patience = after_a_hand(salon, "order_of_precedence", table="5")
    say(owner, patience)

    assert [(body["seat"], body["how"], body["pin"]) for body in bodies()] == [
        ("N", "own_phone", False),
        ("E", "scorer", True),
        ("", "director", False),
    ]
    page = told(owner.get(f"/games/{game.pk}/confirmation/"))
    assert "Confirmed by Asha Renn (own phone), Ilse Marrow (PIN on a scorer's phone)." in page


def test_a_stolen_seat_link_taps_for_nobody_else(salon: Salon, owner: Client) -> None:
    lay_down(owner, "tap")
    game = after_a_hand(salon, "precedence")

    say(seated(game, "N"), game, seat="E")

    assert [(body["seat"], body["how"]) for body in bodies()] == [("N", "own_phone")]


def test_the_api_taps_where_the_house_lets_it_and_says_how(salon: Salon, owner: Client) -> None:
    game, caller = after_a_hand(salon, "precedence"), owner_calls(salon)
    address = f"games/{game.pk}/attestations/confirmations/"
    assert caller.post(address, {"number": 1, "seat": "N"}, version=game.version).status == 400
    before = caller.get("house/").value
    assert before["confirming"] == "pin"

    done = caller.post(
        "house/confirmings/",
        {"way": "tap", "reason": "we know each other"},
        version=before["version"],
    )
    said = caller.post(address, {"number": 1, "seat": "N"}, version=game.version)

    assert (done.status, said.status) == (201, 201)
    assert caller.get("house/").value["confirming"] == "tap"
    assert caller.get(f"games/{game.pk}/confirmation/").value["hands"][0]["confirmed_how"] == [
        {"how": "scorer", "pin": False}
    ]


def test_the_house_tells_how_right_is_said(salon: Salon, owner: Client) -> None:
    assert "The other side says “right” on the table's phone by the PIN of a seat." in told(
        owner.get("/house/")
    )
    assert lay_down(owner, "tap").status_code == 302
    page = told(owner.get("/house/"))

    assert "The other side says “right” on the table's phone by a tap." in page
    assert "from here on a tap is enough" in page
    assert "“we know each other”" in page
    assert lay_down(owner, "tap", version=1).status_code == 422
    assert lay_down(owner, "nod", version=1).status_code == 422
    assert lay_down(owner, "pin", version=1, reason="").status_code == 422
    assert lay_down(scorer_at(salon, "4"), "pin", version=1).status_code == 403
    assert lay_down(owner, "pin", version=1).status_code == 302
    assert house_of(salon).confirming == "pin"


def test_a_row_that_says_otherwise_is_found_and_mended(salon: Salon, owner: Client) -> None:
    lay_down(owner, "tap")
    House.objects.update(confirming="pin")

    found = list(differences(salon, mend=True, progress=lambda done: None))

    assert [each.column for each in found] == ["confirming"]
    assert house_of(salon).confirming == "tap"


def test_what_was_said_is_told_alike_by_rows_folded_again(salon: Salon, owner: Client) -> None:
    lay_down(owner, "tap")
    game = after_a_hand(salon, "preference")
    say(scorer_at(salon, "4"), game, seat="A")

    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


def test_the_houses_word_as_a_rule() -> None:
    assert evolve(None, ConfirmingSet(way="tap", reason="")) == State(version=1, confirming="tap")
    assert decide(SetConfirming(way="tap", reason="r"), None) == [
        ConfirmingSet(way="tap", reason="r")
    ]
    with pytest.raises(RuleViolation, match="so already"):
        decide(SetConfirming(way="pin", reason="r"), None)
    with pytest.raises(NotationError, match="pin or tap"):
        decide(SetConfirming(way="nod", reason="r"), None)
    stored = '{"reason":"ab","way":"tap"}'
    assert encode(decode("house.confirming_set", 1, stored)).decode() == stored


def test_a_confirmation_of_before_is_read_without_how(salon: Salon) -> None:
    fact = decode("hand.confirmed", 1, '{"hand":3,"seat":"E"}')

    assert (fact.how, fact.pin) == ("", False)
