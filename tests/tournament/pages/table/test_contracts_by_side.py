"""Contracts named by side, a house rule: on the pad, on sheets, in history, ledger, records and
corrections, and by a phone that had no line.
"""

from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.correction_forms import corrected
from tests.tournament.helpers.outbox import kept, packed, sent
from tests.tournament.helpers.playing import (
    SEATED,
    a_command,
    about,
    bidding,
    done,
    flat,
    tap,
    told,
)
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.exchange.game_records import export_game
from tournament.models import Game, Hand, Player, Salon
from tournament.projections.audit import audit
from tournament.salons.public_names import Audience

BY_SIDE = {"contracts": "side"}
WRITTEN = {
    "contracts.NS:number": "7",
    "contracts.EW:number": "5",
    "tricks.NS:number": "8",
    "tricks.EW:number": "5",
}


def naming(salon: Salon) -> Game:
    return bidding(salon, **BY_SIDE)


def played(salon: Salon) -> Game:
    """One hand by totals: South dealt, North–South's contract was 7 and East–West's 5."""
    game = naming(salon)
    done(game, "contracts", side="EW", tricks=5)
    done(game, "contracts", side="NS", tricks=7)
    return done(game, "totals", NS=8, EW=5)


def types_of(game: Game) -> list[str]:
    found = Event.objects.filter(stream=game.pk).order_by("version")
    return list(found.values_list("type", flat=True))


def test_the_pad_asks_each_side_and_names_no_bid(salon: Salon) -> None:
    game = naming(salon)
    phone = scorer_at(salon, "4")

    assert "East–West's contract" in told(phone.get("/tables/4/"))
    assert "A meld? " in told(phone.get("/tables/4/"))
    tap(phone, "contracts", **{"side": "EW", "tricks:number": "5"})
    page = told(phone.get("/tables/4/"))
    assert "North–South's contract" in page
    assert "Undo East–West's 5" in page
    assert "A meld?" not in page
    tap(phone, "contracts", **{"side": "NS", "tricks:number": "7"})

    assert "Who won trick 1?" in told(phone.get("/tables/4/"))
    assert "precedence.bid_made" not in types_of(game)
    board = told(Client().get(f"/games/{game.pk}/"))
    assert "North–South 7 0 tricks" in board


def test_a_contract_opens_the_next_hand(salon: Salon) -> None:
    game = played(salon)
    phone = scorer_at(salon, "4")

    page = phone.get("/tables/4/?by=totals")
    assert "Hand 2, Frontier is trump, West deals. North–South's contract:" in told(page)
    sends = {"opens:flag": "true", "side": "NS", "tricks:number": "6"}
    tap(phone, "contracts", **sends)

    game.refresh_from_db()
    assert game.state["hand"]["named"] == {"NS": 6, "EW": None}
    assert game.state["hand"]["number"] == 2


def test_the_history_the_reasons_and_the_ledger_say_contract(salon: Salon) -> None:
    game = played(salon)
    browser = owner_of(salon)

    history = told(browser.get(f"/games/{game.pk}/history/"))
    assert "North–South's contract 7" in history
    assert "bids" not in history
    assert "Part of a contract of 7" in told(browser.get(f"/ledger/games/{game.pk}/N/"))
    numbers = told(browser.get(f"/games/{game.pk}/numbers/score.NS/"))
    assert "North–South's contract 7" in numbers
    assert "East–West's contract 5" not in numbers


def test_a_sheet_has_a_field_for_each_side(salon: Salon) -> None:
    game = naming(salon)
    phone = scorer_at(salon, "4")
    page = phone.get("/tables/4/sheet/")
    assert 'name="contracts.NS:number"' in flat(page.text)
    assert 'name="bids.N:number"' not in page.text

    wrong = phone.post("/tables/4/sheet/", about(page) | WRITTEN | {"contracts.NS:number": "14"})
    assert "a contract of North–South is 0 to 13, not 14" in told(wrong)
    missing = {name: WRITTEN[name] for name in WRITTEN if "EW" not in name}
    left_out = phone.post("/tables/4/sheet/", about(page) | missing)
    assert "East–West's contract is missing" in told(left_out)
    answer = phone.post("/tables/4/sheet/", about(page) | WRITTEN)

    assert answer.status_code == 303
    game.refresh_from_db()
    assert game.state["score"] == {"NS": 71, "EW": 50}


def test_a_sheet_shows_the_contract_that_is_named_already(salon: Salon) -> None:
    game = naming(salon)
    done(game, "contracts", side="EW", tricks=5)

    page = scorer_at(salon, "4").get("/tables/4/sheet/")

    assert '<input type="hidden" name="contracts.EW:number" value="5">' in page.text


def test_a_game_is_written_with_its_contracts(salon: Salon) -> None:
    record = export_game(salon, played(salon).pk, Audience.SALON)

    assert record["options"]["contracts"] == "side"
    assert record["hands"][0]["contracts"] == {"NS": 7, "EW": 5}
    assert "bids" not in record["hands"][0]


def test_a_director_corrects_a_contract(salon: Salon) -> None:
    game = played(salon)
    address = f"/games/{game.pk}/corrections"

    corrected(owner_of(salon), f"{address}/hand/?hand=1", **{"contracts.NS:number": "8"})
    other = corrected(owner_of(salon), f"{address}/options/", options__contracts="")

    (hand,) = Hand.objects.filter(game=game)
    assert hand.result["result"]["contracts"] == {"NS": 8, "EW": 5}
    assert "each player bids in this game, so East–West can't name a contract" in told(other)
    assert list(audit(salon)) == []


def test_a_phone_without_a_line_keeps_contracts_sheets_and_the_next_game(salon: Salon) -> None:
    game = played(salon)
    phone = scorer_at(salon, "4")

    assert packed(phone)["points"]["by_side"] is True
    acts = [
        ("contracts", {"opens:flag": "true", "side": "NS", "tricks:number": "6"}),
        ("contracts", {"side": "EW", "tricks:number": "6"}),
        ("totals", {"NS:number": "7", "EW:number": "6"}),
    ]
    assert [each["state"] for each in sent(phone, kept(game, acts))] == ["recorded"] * 3
    game.refresh_from_db()
    assert game.state["score"] == {"NS": 132, "EW": 110}


def test_the_house_rule_is_chosen_as_a_game_starts(salon: Salon) -> None:
    browser = owner_of(salon)
    form = browser.get("/games/new/?game=precedence").text
    offered = '<input type="radio" name="options.contracts" value="side"><span>Each side</span>'
    assert flat(offered) in flat(form)
    players = {f"players.{seat}": name for seat, name in SEATED.items()}
    Player.objects.bulk_create(Player(salon=salon, name=name) for name in SEATED.values())
    fields = {"game": "precedence", "command": a_command(), "table": "4", "dealer": "S"}

    browser.post("/games/new/", fields | players | {"options.contracts": "side"})

    game = Game.objects.get(salon=salon)
    assert game.state["contracts"] == "side"
    assert game.state["hand"]["to_name"] == "EW"
