"""The pages of Contract Sabacc: start, pad, sheet, board, history and ledger of a game of five."""

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.playing import a_command, about, flat, state_of, tap, told
from tests.tournament.helpers.sabacc import a_game, done, guarded
from tournament.models import Game, Salon


def started(owner: Client, **fields: str) -> Answer:
    """The start form sent with these seats."""
    named = {name.replace("__", "."): value for name, value in fields.items()}
    return owner.post(
        "/games/new/",
        {"game": "contract_sabacc", "table": "4", "dealer": "A", "command": a_command()} | named,
    )


def test_a_game_of_three_starts_with_the_other_seats_empty(salon: Salon, owner: Client) -> None:
    assert "may stay empty" in told(owner.get("/games/new/?game=contract_sabacc"))
    answer = started(
        owner,
        players__A="Asha Renn",
        players__B="Ilse Marrow",
        players__C="Cato Liss",
        players__D="",
        players__E="",
    )

    assert answer.status_code == 302
    game = Game.objects.get()
    assert state_of(game)["seats"] == ["A", "B", "C"]
    assert "Ilse Marrow calls" in told(owner.get("/tables/4/"))


@pytest.mark.parametrize(("seat", "other"), [("players__D", "D"), ("players__E", "D")])
def test_a_seat_before_one_that_is_taken_is_needed(
    salon: Salon, owner: Client, seat: str, other: str
) -> None:
    answer = started(
        owner,
        players__A="Asha Renn",
        players__B="Ilse Marrow",
        players__C="Cato Liss",
        **{seat: "Rosa Thule"},
    )

    if seat == "players__D":
        assert answer.status_code == 302
    else:
        assert answer.status_code == 422
        assert f"Seat {other} is not seated yet" in told(answer)


def test_an_empty_seat_cannot_deal(salon: Salon, owner: Client) -> None:
    answer = started(
        owner, players__A="Asha Renn", players__B="Ilse Marrow", players__C="Cato Liss", dealer="E"
    )

    assert answer.status_code == 422
    assert "Who deals first?" in told(answer)


def test_the_pad_asks_each_caller_in_turn_and_offers_only_higher_bids(
    salon: Salon, owner: Client
) -> None:
    done(a_game(salon), "hands", dealer="E")
    assert "Asha Renn calls" in told(owner.get("/tables/4/"))
    tap(owner, "calls", seat="A", call="guard")
    page = owner.get("/tables/4/")

    assert "Rosa Thule calls" in told(page)
    assert 'name="call" value="push" data-key="2" disabled' in flat(page.text)
    assert 'name="call" value="guard_without" data-key="4">' in flat(page.text)
    assert "Undo Asha Renn's guard" in told(page)


def test_a_bid_that_is_not_higher_is_refused_with_its_rule(salon: Salon, owner: Client) -> None:
    done(done(a_game(salon), "hands", dealer="E"), "calls", seat="A", call="guard")
    answer = tap(owner, "calls", seat="E", call="push")

    assert answer.status_code == 422
    assert (
        "Guard is bid, so Rosa Thule can say Guard without, Guard against or pass, not Push S3"
        in told(answer)
    )
    assert "Not recorded: Rosa Thule: push" in told(answer)


def test_who_declares_what_can_be_written_alone(salon: Salon, owner: Client) -> None:
    game = done(a_game(salon), "hands", dealer="E")
    assert "Who declares what?" in told(owner.get("/tables/4/?by=contract"))
    tap(owner, "contracts", declarer="C", contract="push")

    assert (state_of(game)["hand"]["declarer"], state_of(game)["pots"]) == (
        "C",
        {"ante": 5, "wager": 9},
    )


def test_nobody_bidding_closes_the_hand(salon: Salon, owner: Client) -> None:
    game = done(a_game(salon), "hands", dealer="E")
    tap(owner, "contracts")

    assert state_of(game)["hands"] == 1
    assert "Nobody bid." in told(owner.get("/tables/4/"))


PILE = (
    "by=pile&pile.honours:number=4&pile.mistresses:number=3"
    "&pile.commanders:number=2&pile.legates:number=2"
)


def test_a_pile_is_counted_in_the_address_and_shows_both_sides(salon: Salon, owner: Client) -> None:
    game = guarded(salon)
    page = told(owner.get(f"/tables/4/?{PILE}&pile.tricks:number=6"))

    assert "47.5" in page and "43.5" in page  # noqa: PT018 - both sides of one count
    assert "33 cards counted; 6 tricks of 5 and 3 beside are 33" in page
    assert "33 is odd, so a half point is right" in page
    assert "47.5 and 43.5 make 91" in page
    assert "Made , 1.5 more than needed" in page
    assert state_of(game)["hands"] == 0


def test_the_bonus_chosen_is_said_and_sent_with_the_pile(salon: Salon, owner: Client) -> None:
    game = guarded(salon)
    page = owner.get(
        f"/tables/4/?{PILE}&pile.tricks:number=6&fields=pile.bonus.kind%3Didiot%26pile.bonus.seat%3DC"
    )

    assert "Idiot at the end, Cato Liss a quarter of 5 in the Ante Pot" in told(page)
    assert (
        '<input type="hidden" name="bonus.kind" value="idiot"><input type="hidden" '
        'name="bonus.seat" value="C">'
    ) in flat(page.text)
    assert state_of(game)["hands"] == 0


def test_a_pile_that_does_not_fit_cannot_be_recorded(salon: Salon, owner: Client) -> None:
    guarded(salon)
    page = owner.get(f"/tables/4/?{PILE}&pile.tricks:number=6&pile.others:number=17")

    assert "28 cards counted; 6 tricks of 5 and 3 beside are 33" in told(page)
    assert 'class="btn btn--act btn--wide" disabled' in flat(page.text)
    answer = tap(
        owner, "piles", page, **{"honours:number": "4", "others:number": "21", "tricks:number": "6"}
    )
    assert answer.status_code == 422
    assert "6 tricks of 5 and 3 beside are 33 cards; 25 are counted" in told(answer)


def test_a_pile_is_recorded_with_its_bonus(salon: Salon, owner: Client) -> None:
    game = guarded(salon)
    fields = {
        f"{kind}:number": count
        for kind, count in zip(
            ("honours", "mistresses", "commanders", "legates", "others"), "43222", strict=True
        )
    }
    answer = tap(
        owner,
        "piles",
        **(
            fields
            | {
                "others:number": "22",
                "tricks:number": "6",
                "bonus.kind": "idiot",
                "bonus.seat": "C",
            }
        ),
    )

    assert answer.status_code == 303
    page = told(owner.get("/tables/4/"))
    assert "Asha Renn: guard, 47.5 points, made. +7. Idiot at the end: Cato Liss +1." in page
    assert state_of(game)["score"] == {"A": 7, "B": -3, "C": -2, "D": -3, "E": -3}


def test_the_points_alone_end_the_hand(salon: Salon, owner: Client) -> None:
    game = guarded(salon)
    answer = tap(
        owner, "totals", owner.get("/tables/4/?by=points"), **{"points:half": "45,5", "fields": ""}
    )

    assert answer.status_code == 303
    assert state_of(game)["hands"] == 1
    assert "45.5 points, failed" in told(owner.get("/tables/4/"))


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [("92", 422, "there are 91 in all"), ("45.25", 400, "as 45 or 45.5"), ("abc", 400, "as 45")],
)
def test_points_that_cannot_be_are_said_beside_the_field(
    salon: Salon, owner: Client, typed: str, status: int, said: str
) -> None:
    guarded(salon)
    answer = tap(owner, "totals", owner.get("/tables/4/?by=points"), **{"points:half": typed})

    assert answer.status_code == status
    assert said in told(answer)


def test_cards_are_offered_by_the_rules_and_a_trick_of_five_is_recorded(
    salon: Salon, owner: Client
) -> None:
    game = guarded(salon)
    page = owner.get("/tables/4/?by=cards&trick=1&cards=-12,5C,-15")
    assert "Asha Renn plays" in told(page)
    assert "Trick 1 of 15. Sabaccs were led." in told(page)
    assert 'data-card="-12" aria-label="Sabacc minus 12" disabled' in flat(page.text)
    tap(owner, "tricks", **{"cards:list": "-12,5C,-15,-3,0"})

    assert state_of(game)["hand"]["plays"] == [["-12", "5C", "-15", "-3", "0"]]
    assert "Rosa Thule leads" in told(owner.get("/tables/4/"))


def test_every_act_can_be_taken_back(salon: Salon, owner: Client) -> None:
    game = guarded(salon)
    tap(owner, "totals", **{"points:half": "60"})
    for asked in ("Count Asha Renn's pile", "Asha Renn calls", "The first hand"):
        undo = state_of(game)["undo"]["version"]
        assert tap(owner, "retractions", **{"version:number": str(undo)}).status_code == 303
        assert asked in told(owner.get("/tables/4/"))
    assert state_of(game)["undo"] is None


def test_a_sheet_is_previewed_and_recorded(salon: Salon, owner: Client) -> None:
    game = a_game(salon, 4)
    page = owner.get("/tables/4/sheet/")
    fields = about(page) | {
        "dealer": "D",
        "fields": ["declarer=B", "bonus.kind=magician&bonus.seat=C"],
        "contract": "push",
        "points:half": "40",
    }
    preview = told(owner.post("/tables/4/sheet/preview/", fields))
    assert "Ilse Marrow: push, 40 points, failed" in preview
    assert state_of(game)["hands"] == 0
    assert owner.post("/tables/4/sheet/", fields).status_code == 303

    assert state_of(game)["score"] == {"A": 0, "B": -5, "C": 2, "D": 0}


def test_a_sheet_where_only_bidders_wager_has_the_calls(salon: Salon, owner: Client) -> None:
    game = a_game(salon, 3, wager="bidders_only")
    page = owner.get("/tables/4/sheet/")
    assert "One after the other" in told(page)
    calls = ["A=push", "C=pass", "B=guard", "A=pass"]
    fields = [
        f"calls.{place}.0={seat}&calls.{place}.1={call}"
        for place, (seat, call) in enumerate(each.split("=") for each in calls)
    ]
    answer = owner.post(
        "/tables/4/sheet/", about(page) | {"dealer": "C", "fields": fields, "points:half": "50"}
    )

    assert answer.status_code == 303
    assert state_of(game)["score"] == {"A": -2, "B": 0, "C": -1}


def test_the_board_shows_chips_stakes_and_every_hand(salon: Salon, owner: Client) -> None:
    game = done(guarded(salon), "totals", points=47.5)
    between = told(owner.get(f"/games/{game.pk}/"))
    assert "The next antes 1 from each of 5 players S1 5 Hands still to be closed 4" in between
    assert "Chips won and lost Asha Renn +7 Ilse Marrow −3" in between

    done(game, "hands")
    done(game, "contracts", declarer="C", contract="guard_without")
    page = told(owner.get(f"/games/{game.pk}/?hand=1"))

    assert "Hand 2 of 5, Juno Dray deals" in page
    assert "47.5" in page
    assert "the talon lies unseen and counts for the declarer" in page
    assert "Hand 1, explained" in page
    assert "Failed the defenders share it equally S10 9" in page


def test_a_game_played_to_its_end_says_who_won(salon: Salon, owner: Client) -> None:
    game = done(guarded(salon, 3), "totals", points=60)
    for _ in range(2):
        done(done(game, "hands"), "contracts")
    page = told(owner.get("/tables/4/"))

    assert "Asha Renn wins" in page
    assert "After 3 hands. The Ante Pot was shared equally." in page
    assert "Asha Renn wins." in told(owner.get(f"/games/{game.pk}/"))
    assert "may stay empty" not in told(owner.get("/tables/"))


def test_the_history_says_every_act_and_explains_the_hand(salon: Salon, owner: Client) -> None:
    game = done(a_game(salon, 4), "hands", dealer="D")
    for seat, call in (("A", "push"), ("D", "pass"), ("C", "guard"), ("B", "pass"), ("A", "pass")):
        done(game, "calls", seat=seat, call=call)
    done(game, "talons", cards=["-18", "-19", "-20", "-21", "-1", "0"])
    done(game, "asides", cards=["1C", "2C", "3C", "4C", "5C", "6C"])
    done(game, "tricks", cards=["1S", "2S", "3S", "4S"])
    done(game, "totals", points=46, bonus={"kind": "idiot", "seat": "C"})
    page = told(owner.get(f"/games/{game.pk}/history/"))

    for said in (
        "seat A Asha Renn, seat B Ilse Marrow",
        "Hand 1: Juno Dray deals",
        "Cato Liss: guard",
        "The talon: the Magician, minus 1 −1 Sabacc minus 18 −18",
        "Set aside: 1 of coins 1",
        "Trick 1, Cato Liss leads: 1 of sabres",
        "Card points counted: Cato Liss has 46 of 91; Idiot at the end, Cato Liss",
        "Cato Liss declared guard, 46 points, made",
        "46 or more: the contract is made",
    ):
        assert said in page


def test_the_history_knows_a_void_hand_and_a_named_contract(salon: Salon, owner: Client) -> None:
    game = done(guarded(salon, 3), "totals", points=40)
    done(done(game, "hands"), "contracts")
    page = told(owner.get(f"/games/{game.pk}/history/"))

    assert "Asha Renn declares guard" in page
    assert "Nobody bid" in page
    assert "the antes stay" in page


def test_the_ledger_names_every_move_of_chips(salon: Salon, owner: Client) -> None:
    game = done(guarded(salon), "totals", points=40, bonus={"kind": "magician", "seat": "B"})
    books = "".join(
        told(owner.get(f"/ledger/games/{game.pk}/{account}/")) for account in ("ante", "wager")
    )

    assert "Wager Pot" in told(owner.get(f"/ledger/games/{game.pk}/"))
    for said in (
        "Ante to the Ante Pot",
        "Contract failed: a defender's share",
        "Wagers that can't be shared equally",
        "Bonus out of the Ante Pot",
    ):
        assert said in books


def test_every_rule_stands_at_its_number(salon: Salon, owner: Client) -> None:
    page = owner.get("/rules/contract_sabacc/")

    for number in range(1, 14):
        assert f'id="S{number}"' in page.text


def test_lists_show_a_game_of_five(salon: Salon, owner: Client) -> None:
    done(guarded(salon), "totals", points=60)

    assert "Rosa Thule" in told(owner.get("/tables/"))
    assert owner.get("/").status_code == 200


def test_sabaccs_set_aside_lie_face_up_on_pad_board_and_history(
    salon: Salon, owner: Client
) -> None:
    game = done(guarded(salon, 5), "asides", cards=["2C", "-5", "-7"])

    for address in ("/tables/4/", f"/games/{game.pk}/"):
        page = told(owner.get(address))
        assert "Set aside, face up: −5 −7" in page
    assert "Face up: Sabacc minus 5 −5 Sabacc minus 7 −7" in told(
        owner.get(f"/games/{game.pk}/history/")
    )


def test_nothing_lies_face_up_where_only_suits_were_set_aside(salon: Salon, owner: Client) -> None:
    game = done(guarded(salon, 5), "asides", cards=["2C", "5F", "7T"])

    for address in ("/tables/4/", f"/games/{game.pk}/", f"/games/{game.pk}/history/"):
        assert "ace up" not in told(owner.get(address))
