"""A director's rulings from the pad and the sheet: what is refused can stand by one, and everybody
reads who gave it and why.
"""

import pytest
from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.played import game_at
from tests.tournament.helpers.playing import (
    a_command,
    a_game,
    about,
    bidding,
    flat,
    playing,
    state_of,
    tap,
    told,
)
from tests.tournament.helpers.salons import scorer_at
from tournament.models import Hand, Salon
from tournament.recording.door import start_game

WHY = "A card was seen."


def test_points_tricks_and_chips_are_adjusted_in_the_open_hand(salon: Salon, owner: Client) -> None:
    game = playing(salon)
    assert "A ruling in hand 1" in told(owner.get("/tables/4/ruling/"))

    given = [
        {"kind": "adjust_points", "side": "NS", "points:half": "−10", "reason": WHY},
        {
            "kind": "adjust_tricks",
            "from": "EW",
            "to": "NS",
            "tricks:number": "1",
            "reason": "A revoke.",
        },
        {
            "kind": "move_chips",
            "from": "E",
            "to": "hand",
            "chips:number": "2",
            "reason": "The ante was forgotten.",
        },
    ]
    for fields in given:
        assert tap(owner, "rulings", **fields).status_code == 303

    pad = told(owner.get("/tables/4/"))
    assert f"Ruling: −10 points for North–South. “{WHY}” Mara Ilves." in pad
    assert "Ruling: 1 trick from East–West to North–South. “A revoke.” Mara Ilves." in pad
    assert "Ruling: 2 chips from East to Hand Pot. “The ante was forgotten.” Mara Ilves." in pad
    assert f"“{WHY}”" in told(Client().get(f"/games/{game.pk}/"))

    tap(owner, "totals", NS="", **{"NS:number": "6", "EW:number": "7"})
    result = Hand.objects.get().result["result"]
    assert result["tricks"] == {"NS": 7, "EW": 6}
    assert result["points"]["NS"] == 60
    board = told(Client().get(f"/games/{game.pk}/?hand=1"))
    assert "Ruling: 1 trick from East–West to North–South. “A revoke.” Mara Ilves." in board
    history = told(owner.get(f"/games/{game.pk}/history/"))
    assert history.count(f"Ruling: −10 points for North–South. “{WHY}” Mara Ilves.") >= 1


def test_a_ruling_that_cannot_be_is_refused_with_all_that_was_typed(
    salon: Salon, owner: Client
) -> None:
    playing(salon)

    answer = tap(
        owner, "rulings", kind="adjust_tricks", reason=WHY, **{"from": "EW", "tricks:number": "14"}
    )
    assert answer.status_code == 400
    assert "A ruling in hand 1" in told(answer)
    assert f'value="{WHY}"' in answer.text

    answer = tap(
        owner,
        "rulings",
        kind="move_chips",
        reason=WHY,
        **{"from": "hand", "to": "E", "chips:number": "500"},
    )
    assert answer.status_code == 422
    assert "can't be moved from there" in told(answer)
    assert (
        tap(owner, "rulings", kind="adjust_points", side="NS", **{"points:half": "5"}).status_code
        == 400
    )
    assert not Event.objects.filter(type__startswith="ruling.").exists()


def test_a_refused_card_stands_by_a_ruling(salon: Salon, owner: Client) -> None:
    playing(salon)
    tap(owner, "tricks", **{"cards:list": "EV 2V 3F 4V"})

    page = owner.get("/tables/4/?by=cards&trick=2&cards=5V,3V,6V,7V")
    assert page.status_code == 422
    assert "Let East's 6V to trick 2 stand" in told(page)
    admit = {
        "kind": "accept_play",
        "seat": "E",
        "trick:number": "2",
        "reason": "It was seen too late.",
    }
    address = "/tables/4/rulings/?by=cards&trick=2&cards=5V,3V,6V,7V"
    answer = owner.post(address, about(page) | admit)

    assert answer.status_code == 303
    after = owner.get(answer["Location"])
    assert after.status_code == 200
    assert "what East played to trick 2 stands. “It was seen too late.” Mara Ilves." in told(after)
    assert "Record trick 2" in told(after)


def test_a_scorer_sees_the_refusal_and_no_ruling(salon: Salon) -> None:
    playing(salon)
    scorer = scorer_at(salon, "4")
    tap(scorer, "tricks", **{"cards:list": "EV 2V 3F 4V"})

    page = scorer.get("/tables/4/?by=cards&trick=2&cards=5V,3V,6V,7V")

    assert page.status_code == 422
    assert "ruling" not in page.text.partition("<main")[2].lower()


def test_an_opening_that_breaks_the_rotation_is_opened_by_a_ruling(
    salon: Salon, owner: Client
) -> None:
    game = playing(salon)
    tap(owner, "totals", **{"NS:number": "7", "EW:number": "6"})

    page = tap(owner, "hands", dealer="N")
    assert page.status_code == 422
    assert "Open the hand all the same" in told(page)
    assert 'name="dealer" value="N"' in flat(page.text)
    excuse = {
        "rulings.0.kind": "accept_hand",
        "rulings.0.excuses:list": "bad_dealer",
        "rulings.0.reason": "North dealt, nobody noticed.",
    }
    assert tap(owner, "hands", dealer="N", **excuse).status_code == 303

    assert state_of(game)["hand"]["dealer"] == "N"
    assert (
        "the hand counts as it was dealt (bad_dealer). “North dealt, nobody noticed.” Mara Ilves."
        in told(owner.get("/tables/4/"))
    )


def test_a_sheet_takes_a_ruling_of_the_director_alone(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    written = {f"bids.{seat}:number": "2" for seat in "NESW"} | {
        "tricks.NS:number": "7",
        "tricks.EW:number": "6",
    }
    ruled = {
        "rulings.0.kind": "adjust_points",
        "rulings.0.side": "EW",
        "rulings.0.points:half": "5",
        "rulings.0.reason": WHY,
    }

    scorer = scorer_at(salon, "4")
    assert "A ruling with this hand" not in scorer.get("/tables/4/sheet/").text
    assert (
        scorer.post(
            "/tables/4/sheet/", about(scorer.get("/tables/4/sheet/")) | written | ruled
        ).status_code
        == 403
    )
    assert (
        scorer.post(
            "/tables/4/sheet/preview/", about(scorer.get("/tables/4/sheet/")) | written | ruled
        ).status_code
        == 403
    )

    sheet = owner.get("/tables/4/sheet/")
    assert "A ruling with this hand" in told(sheet)
    assert owner.post("/tables/4/sheet/", about(sheet) | written | ruled).status_code == 303
    assert Hand.objects.get(game=game).result["rulings"][0]["points"] == 5


def test_a_sheet_that_breaks_the_rotation_offers_the_ruling_that_admits_it(
    salon: Salon, owner: Client
) -> None:
    playing(salon)
    tap(owner, "totals", **{"NS:number": "7", "EW:number": "6"})
    written = {f"bids.{seat}:number": "2" for seat in "NESW"} | {
        "tricks.NS:number": "7",
        "tricks.EW:number": "6",
        "dealer": "N",
    }

    refused = owner.post("/tables/4/sheet/", about(owner.get("/tables/4/sheet/")) | written)

    assert refused.status_code == 422
    assert 'name="rulings.0.excuses:list" value="bad_dealer"' in flat(refused.text)


@pytest.mark.parametrize("address", ["rulings", "hands"])
def test_a_scorer_gives_no_ruling(salon: Salon, address: str) -> None:
    game = playing(salon) if address == "rulings" else a_game(salon)
    before = game.version
    scorer = scorer_at(salon, "4")
    ruling = {"kind": "adjust_points", "side": "NS", "points:half": "5", "reason": WHY}
    opening = {
        "dealer": "N",
        "rulings.0.kind": "accept_hand",
        "rulings.0.excuses:list": "bad_dealer",
        "rulings.0.reason": WHY,
    }

    answer = scorer.post(
        f"/tables/4/{address}/",
        about(scorer.get("/tables/4/")) | (ruling if address == "rulings" else opening),
    )

    assert answer.status_code == 403
    game.refresh_from_db()
    assert game.version == before
    assert scorer.get("/tables/4/ruling/").status_code == 403


@pytest.mark.parametrize(
    ("kind", "seats", "fields"),
    [
        (
            "preference",
            "ABC",
            {"kind": "move_chips", "from": "A", "to": "pot", "chips:number": "3"},
        ),
        ("contract_sabacc", "ABC", {"kind": "adjust_points", "side": "A", "points:half": "-4.5"}),
        ("order_of_precedence", "A", {"kind": "adjust_points", "side": "A", "points:half": "-2"}),
    ],
)
def test_every_game_takes_its_own_rulings(
    salon: Salon, owner: Client, kind: str, seats: str, fields: dict[str, str]
) -> None:
    names = ("Asha Renn", "Ilse Marrow", "Cato Liss")
    players = dict(zip(seats, names, strict=False))
    game = start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=kind,
        players=players,
        options={},
        table="4",
    )
    opened = tap(owner, "hands", **({} if kind == "order_of_precedence" else {"dealer": "A"}))
    assert opened.status_code == 303
    assert owner.get("/tables/4/ruling/").status_code == 200

    answer = tap(owner, "rulings", reason=WHY, **fields)

    assert answer.status_code == 303
    assert f"“{WHY}” Mara Ilves." in told(owner.get("/tables/4/"))
    assert f"“{WHY}” Mara Ilves." in told(owner.get(f"/games/{game.pk}/"))


def test_a_table_without_an_open_hand_leads_from_the_ruling_to_the_pad(
    salon: Salon, owner: Client
) -> None:
    assert owner.get("/tables/4/ruling/").status_code == 302
    game_at(salon)
    assert owner.get("/tables/4/ruling/")["Location"] == "/tables/4/"
    assert owner.get("/tables/77/ruling/").status_code == 404
