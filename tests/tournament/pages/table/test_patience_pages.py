"""The patience on its pages: started, followed move by move, undone, written by its lengths, shown
and explained.
"""

import json
import re
from random import Random

import pytest
from django.test import Client

from scoring.patience.commands import BuildCard, WasteCard
from scoring.records import decide_record, read_record
from tests.scoring.patience.table import SORTED, Piles, stacked
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.patience import begun, lengths
from tests.tournament.helpers.playing import a_command, about, flat, state_of, tap, told
from tests.tournament.helpers.salons import scorer_at
from tests.tournament.helpers.tables import recorded
from tournament.exchange.game_records import Outcome, export_game
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.door import record_acts
from tournament.salons.public_names import Audience

LEFT_FOR_THE_PAD = 12  # cards of the first pass of a deal


def build(
    owner: Client, foundation: int, card: str, source: str = "stock", answer: Shown | None = None
) -> Answer:
    return tap(
        owner,
        "builds",
        answer,
        **{"foundation:number": str(foundation), "card": card, "from": source},
    )


def test_the_form_of_the_patience_has_one_seat_and_no_dealer(owner: Client) -> None:
    page = owner.get("/games/new/?game=order_of_precedence").text

    assert 'name="players.A"' in page
    assert 'name="players.N"' not in page
    assert 'name="dealer"' not in page
    assert 'name="options.redeals"' in page


def test_a_game_starts_with_its_first_deal_open(owner: Client) -> None:
    game = begun(owner, options__first_king="first_available")

    page = told(owner.get("/tables/4/"))

    assert state_of(game)["stage"] == "play"
    assert "Table 4, deal 1" in page
    assert "Which card turned up?" in page


def test_the_king_that_was_put_out_is_asked_first(owner: Client) -> None:
    game = begun(owner)
    assert "Which King was put out?" in told(owner.get("/tables/4/"))

    tap(owner, "kings", card="KD")

    assert state_of(game)["hand"]["foundations"][0]["top"] == "KD"


def test_a_card_that_fits_nowhere_goes_to_the_waste_with_one_tap(owner: Client) -> None:
    game = begun(owner)
    tap(owner, "kings", card="KD")
    page = flat(owner.get("/tables/4/").text)

    assert re.search(r'<button class="key" name="card" value="2S"', page)
    assert re.search(r'<button class="key" form="draft" name="cards" value="QH"', page)
    tap(owner, "wastes", card="2S")
    assert state_of(game)["hand"]["waste_card"] == "2S"


def test_a_card_that_fits_is_asked_where_it_goes(owner: Client) -> None:
    game = begun(owner)
    tap(owner, "kings", card="KD")

    page = owner.get("/tables/4/?trick=1&cards=QH")
    keys = re.findall(
        r'name="foundation:number" value="(\d)" data-key="\d"( disabled)?', flat(page.text)
    )

    assert [number for number, shut in keys if not shut] == ["1", "2"]
    assert "foundation 3 waits until foundation 2 has its first card".capitalize() in told(page)
    build(owner, 2, "QH")
    assert state_of(game)["hand"]["foundations"][1]["top"] == "QH"


def test_the_top_of_the_waste_can_be_built_before_the_next_card_is_named(owner: Client) -> None:
    game = begun(owner)
    tap(owner, "kings", card="KD")
    tap(owner, "wastes", card="QS")

    page = owner.get("/tables/4/").text

    assert (
        '<input type="hidden" name="from" value="waste"><input type="hidden" '
        'name="card" value="QS">'
    ) in flat(page)
    build(owner, 1, "QS", "waste")
    assert state_of(game)["hand"]["waste"] == 0


def test_a_build_that_a_rule_forbids_is_said_with_its_rule_and_not_recorded(owner: Client) -> None:
    game = begun(owner)
    tap(owner, "kings", card="KD")
    before = state_of(game)

    answer = build(owner, 1, "JH")

    assert answer.status_code == 422
    assert "foundation 1 takes a Queen, not the Jack of Hearts" in told(answer)
    assert state_of(game) == before


def test_undo_takes_back_one_move(owner: Client) -> None:
    game = begun(owner)
    tap(owner, "kings", card="KD")
    tap(owner, "wastes", card="2S")
    tap(owner, "wastes", card="3S")
    undo = state_of(game)["undo"]

    tap(owner, "retractions", **{"version:number": str(undo["version"])})

    hand = state_of(game)["hand"]
    assert (hand["waste_card"], hand["left"]) == ("2S", 102)


def follow(owner: Client, game: Game, stock: list[str], chance: Random) -> None:
    """Play a deal at the pad, as it offers: the last cards of the first pass named, those of later
    ones as it knows them.
    """
    piles = Piles(stock, first_king="removed")
    tap(owner, "kings", card=next(card for card in stock if card[0] == "K"))
    lay_without_the_pad(game, piles, left=LEFT_FOR_THE_PAD)
    while True:
        hand = state_of(game)["hand"]
        answer = owner.get("/tables/4/")
        if piles.waste and piles.takes(piles.waste[-1]):
            place = chance.choice(piles.takes(piles.waste[-1]))
            asked = owner.get("/tables/4/?from=waste")
            assert re.search(
                f'name="foundation:number" value="{place}"( data-key="{place}")?>', flat(asked.text)
            )
            build(owner, place, piles.waste[-1], "waste", asked)
            piles.apply(f"w{place}")
        elif not piles.stock:
            if piles.turns == 2 or not piles.waste:
                return
            tap(owner, "turns", answer)
            piles.apply("turn")
        else:
            card = piles.stock[0]
            places = piles.takes(card)
            if piles.turns and hand["run"] > 1:
                assert f"Lay {hand['run']} cards on the waste" in told(answer)
                tap(owner, "wastes", answer, **{"cards:number": str(hand["run"])})
                for _ in range(hand["run"]):
                    piles.apply("-")
            elif places:
                build(owner, places[0], card, answer=answer)
                piles.apply(str(places[0]))
            else:
                tap(owner, "wastes", answer, card=card)
                piles.apply("-")
        hand = state_of(game)["hand"]
        assert ([each["length"] for each in hand["foundations"]], hand["left"], hand["waste"]) == (
            piles.lengths,
            len(piles.stock),
            len(piles.waste),
        )


def lay_without_the_pad(game: Game, piles: Piles, *, left: int) -> None:
    """The first cards of the stock, built where they fit and else laid on the waste, recorded in
    one go.
    """
    game.refresh_from_db()
    acts: list[object] = []
    while len(piles.stock) > left:
        card = piles.stock[0]
        places = piles.takes(card)
        acts.append(BuildCard(foundation=places[0], card=card) if places else WasteCard(card=card))
        piles.apply(str(places[0]) if places else "-")
    record_acts(
        game.salon, game.pk, acts, actor="user:1", command=a_command(), version=game.version
    )


def test_a_whole_deal_followed_at_the_pad_is_the_deal_of_its_file(
    owner: Client, salon: Salon
) -> None:
    game, chance = begun(owner), Random(5)
    stock = chance.sample(SORTED, len(SORTED))
    follow(owner, game, stock, chance)
    built = state_of(game)["hand"]["built"]

    assert f"End the deal: {built} built" in told(owner.get("/tables/4/"))
    tap(owner, "ends", **{"minutes:number": "12", "seconds:number": "47"})

    assert state_of(game)["score"] == {"A": built}
    assert f"{built} built in 3 passes. 767 seconds." in told(owner.get("/tables/4/"))
    record = export_game(salon, game.pk, Audience.SALON)
    scored = read_record(record).game.result(decide_record(read_record(record))[1])
    assert (scored["score"], scored["hands"][0]["seconds"]) == (built, 767)
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


@pytest.mark.parametrize("line", [0, 1])
def test_a_recorded_file_comes_out_as_it_went_in(salon: Salon, line: int) -> None:
    value = json.loads((SAMPLES / "order_of_precedence_games.jsonl").read_text().splitlines()[line])

    assert recorded(salon, value) is Outcome.RECORDED
    assert recorded(salon, value) is Outcome.UNCHANGED
    exported = export_game(salon, Game.objects.get().pk, Audience.SALON)
    assert exported["hands"] == value["hands"]
    assert recorded(salon, exported) is Outcome.UNCHANGED
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


def test_the_lengths_alone_are_previewed_and_recorded(owner: Client) -> None:
    game = begun(owner)
    counted = lengths(13, 13, 9, 7, 6, 4, 2, 0)
    form = (
        about(owner.get("/tables/4/sheet/"))
        | counted
        | {"passes:number": "3", "seconds:number": "600"}
    )

    preview = told(owner.post("/tables/4/sheet/preview/", form))
    assert "54 built in 3 passes. 600 seconds." in preview
    assert state_of(game)["hands"] == 0
    assert owner.post("/tables/4/sheet/", form).status_code == 303

    assert state_of(game)["score"] == {"A": 54}
    assert "Deal 1 is over" in told(owner.get("/tables/4/"))


def test_a_length_that_cannot_be_is_said_beside_the_sheet(owner: Client) -> None:
    begun(owner)
    counted = lengths(13, 0, 9, 0, 0, 0, 0, 0)

    answer = owner.post(
        "/tables/4/sheet/", about(owner.get("/tables/4/sheet/")) | counted | {"passes:number": "3"}
    )

    assert answer.status_code == 422
    assert "foundation 2 is empty, so foundation 3 can't have started" in told(answer)
    assert re.search(r'id="built.2"[^>]* value="9" aria-invalid="true"', flat(answer.text))


@pytest.fixture
def played(owner: Client) -> Game:
    """A game with a deal of every kind of event, another one open in its second pass."""
    game = begun(owner)
    tap(owner, "kings", card="KS")
    tap(owner, "wastes", card="QH")
    build(owner, 1, "QH", "waste")
    tap(
        owner,
        "totals",
        **lengths(9, 0, 0, 0, 0, 0, 0, 0),
        **{"passes:number": "2"},
    )
    tap(owner, "hands")
    tap(owner, "kings", card="KS")
    game.refresh_from_db()
    wastes = [WasteCard(card=card) for card in stacked("KS")[1:]]
    record_acts(
        game.salon, game.pk, wastes, actor="user:1", command=a_command(), version=game.version
    )
    tap(owner, "turns")
    return game


def test_every_page_of_a_patience_is_there(owner: Client, played: Game) -> None:
    pages = {
        f"/games/{played.pk}/": "Deal 2, pass 2 of 3",
        f"/games/{played.pk}/?hand=1": "Deal 1, explained",
        f"/games/{played.pk}/history/": "Why deal 1 counts so",
        f"/ledger/games/{played.pk}/": "",
        "/ledger/": "",
        "/rules/order_of_precedence/": "built down by rank",
        "/tables/": "Asha Renn",
        "/": "Asha Renn",
        "/history/": "The waste is turned over",
        "/tables/4/": "Lay 88 cards on the waste",
        "/tables/4/sheet/": "moves are recorded",
        f"/players/{played.seats['A']}/": "alone",
    }
    for address, words in pages.items():
        answer = owner.get(address)
        assert answer.status_code == 200, address
        assert words in told(answer), address


def test_the_history_tells_each_move_and_the_board_as_of_it(owner: Client, played: Game) -> None:
    page = told(owner.get(f"/games/{played.pk}/history/?at=6"))

    assert "Queen of Hearts" in page
    assert "from the waste to foundation 1" in page
    assert "Lengths counted: 9, 0, 0, 0, 0, 0, 0, 0 ; 2 passes" in page.replace("0;", "0 ;")


def test_a_deal_may_be_opened_with_a_stock_whose_order_is_known(owner: Client) -> None:
    game = begun(owner)
    tap(owner, "retractions", **{"version:number": "2"})

    refused = tap(owner, "hands", **{"stock:list": " ".join(SORTED[:-1])})
    assert refused.status_code == 422
    assert "104 cards, two packs, not 103" in told(refused)
    assert f"{' '.join(SORTED[-5:-1])}</textarea>" in refused.text
    tap(owner, "hands", **{"stock:list": " ".join(SORTED)})

    hand = state_of(game)["hand"]
    assert (hand["next_card"], hand["foundations"][0]["top"]) == ("AS", "KS")


def test_a_game_that_is_called_is_over(owner: Client, played: Game) -> None:
    counted = lengths(1, 0, 0, 0, 0, 0, 0, 0)
    tap(owner, "totals", **counted, **{"passes:number": "2"})

    tap(owner, "endings", kind="called", reason="that was all")

    page = told(owner.get("/tables/4/"))
    assert "10 built in all" in page
    assert owner.get(f"/games/{played.pk}/").status_code == 200
    assert owner.get(f"/players/{table_of_row(played).seats['A']}/").status_code == 200


def test_the_scorer_of_the_table_ends_a_patience_which_has_no_end_of_its_own(
    salon: Salon, played: Game
) -> None:
    phone = scorer_at(salon, "4")
    assert "That was all" not in told(phone.get("/tables/4/"))  # a deal is open
    tap(phone, "totals", **lengths(9, 0, 0, 0, 0, 0, 0, 0), **{"passes:number": "2"})
    page = phone.get("/tables/4/")
    assert "That was all: 2 deals, 18 built" in told(page)
    assert 'name="reason" maxlength="2000" value="Done for the evening"' in flat(page.text)

    without = tap(phone, "endings", kind="called", reason="")
    answer = tap(phone, "endings", kind="called", reason="Done for the evening")

    assert (without.status_code, answer.status_code) == (400, 303)
    assert 'name="reason" maxlength="2000" value=""' in flat(without.text)
    table = state_of(played)
    assert (table["stage"], table["closed"], table["winners"]) == ("over", "called", [])
    assert "Undo: the end of the game" in told(phone.get("/tables/4/"))
    assert (
        tap(phone, "retractions", **{"version:number": str(table["undo"]["version"])}).status_code
        == 303
    )
    assert state_of(played)["stage"] == "opening"


def table_of_row(game: Game) -> Game:
    game.refresh_from_db()
    return game
