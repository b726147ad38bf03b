"""The hand sheet: a whole hand on one screen, previewed by the rules that score it."""

from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.playing import a_game, about, bidding, done, flat, playing, told
from tests.tournament.helpers.salons import scorer_at
from tournament.models import Game, Hand, Salon

HAND = {
    "bids.N:number": "4",
    "bids.E:number": "3",
    "bids.S:number": "3",
    "bids.W:number": "2",
    "tricks.NS:number": "8",
    "tricks.EW:number": "5",
}
TRIAD = {"melds.0.seat": "E", "melds.0.kind": "triad", "melds.0.cards:list": "OV OB OC"}


def written(client: Client, page: Shown | None = None, **fields: str) -> Answer:
    """Send the sheet of the hand with some numbers changed; `bids__N` stands for
    `bids.N:number`.
    """
    changes = {name.replace("__", ".") + ":number": value for name, value in fields.items()}
    return client.post(
        "/tables/4/sheet/", about(page or client.get("/tables/4/sheet/")) | HAND | changes
    )


def score_of(game: Game) -> dict[str, int]:
    game.refresh_from_db()
    score: dict[str, int] = game.state["score"]
    return score


def test_a_sheet_records_the_whole_hand(salon: Salon, owner: Client) -> None:
    game = bidding(salon)

    answer = written(owner)

    assert answer.status_code == 303
    assert answer["Location"] == "/tables/4/"
    assert score_of(game) == {"NS": 71, "EW": 50}


def test_a_sheet_gives_the_same_events_as_the_acts_one_by_one(salon: Salon, owner: Client) -> None:
    by_sheet = bidding(salon)
    written(owner)
    Game.objects.filter(pk=by_sheet.pk).update(table="5")
    by_acts = done(playing(salon), "totals", NS=8, EW=5)

    recorded = Event.objects.filter(version__gt=1).order_by("version")
    facts = [
        list(recorded.filter(stream=game.pk).values_list("type", "body"))
        for game in (by_sheet, by_acts)
    ]

    assert facts[0] == facts[1]


def test_the_sheet_of_an_open_hand_goes_on_from_its_bids(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    done(game, "bids", seat="W", tricks=2)

    page = owner.get("/tables/4/sheet/")
    written(owner)

    assert '<input type="hidden" name="bids.W:number" value="2">' in flat(page.text)
    assert score_of(game) == {"NS": 71, "EW": 50}
    assert Event.objects.filter(stream=game.pk, type="precedence.bid_made").count() == 4


def test_a_sheet_that_differs_from_what_is_recorded_is_refused(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    done(game, "bids", seat="W", tricks=2)

    answer = written(owner, bids__W="3")

    assert answer.status_code == 422
    assert "West bid 2 as recorded, not 3; undo that bid first" in told(answer)


def test_a_meld_on_the_sheet_is_scored(salon: Salon, owner: Client) -> None:
    game = bidding(salon)

    owner.post("/tables/4/sheet/", about(owner.get("/tables/4/sheet/")) | HAND | TRIAD)

    assert score_of(game) == {"NS": 71, "EW": 55}


def test_a_wrong_meld_is_refused_at_its_line(salon: Salon, owner: Client) -> None:
    bidding(salon)

    answer = owner.post(
        "/tables/4/sheet/",
        about(owner.get("/tables/4/sheet/")) | HAND | TRIAD | {"melds.0.cards:list": "OV OB 2C"},
    )

    assert answer.status_code == 422
    assert 'name="melds.0.cards:list" value="OV OB 2C"' in flat(answer.text)
    assert answer.text.count('aria-invalid="true"') == 1
    assert "a triad is 3 cards of one rank" in told(answer)


def test_tricks_that_are_not_thirteen_are_refused_beside_the_field_and_nothing_typed_is_lost(
    salon: Salon, owner: Client
) -> None:
    game = bidding(salon)

    answer = written(owner, tricks__NS="9")

    assert answer.status_code == 422
    assert "Tricks 9 and 5 tricks are 14; a hand has 13 P13" in told(answer)
    assert answer.text.count('aria-invalid="true"') == 2
    for name, text in (HAND | {"tricks.NS:number": "9"}).items():
        assert f'name="{name}" value="{text}"' in flat(answer.text)
    assert score_of(game) == {"NS": 0, "EW": 0}


def test_a_contract_above_thirteen_points_at_the_bid(salon: Salon, owner: Client) -> None:
    bidding(salon)

    answer = written(owner, bids__N="8", bids__S="6")

    field = answer.text[answer.text.index('name="bids.S:number"') :]
    assert 'aria-invalid="true" aria-describedby="problem"' in field[: field.index(">")]
    assert "North bid 8, so South can bid 0 to 5, not 6" in told(answer)


def test_a_missing_bid_is_named(salon: Salon, owner: Client) -> None:
    bidding(salon)

    answer = written(owner, bids__E="")

    assert answer.status_code == 400
    field = answer.text[answer.text.index('name="bids.E:number"') :]
    assert 'aria-invalid="true"' in field[: field.index(">")]


def test_the_preview_says_what_the_hand_would_come_to_and_records_nothing(
    salon: Salon, owner: Client
) -> None:
    game = bidding(salon)
    version = game.version

    answer = owner.post(
        "/tables/4/sheet/preview/", about(owner.get("/tables/4/sheet/")) | HAND | TRIAD
    )

    said = told(answer)
    assert "If recorded now North–South N–S 71 0 +71 East–West E–W 55 0 +55" in said
    assert "Made 7 with 8 tricks P16 +70" in said
    assert "Melds P16 +5" in said
    game.refresh_from_db()
    assert game.version == version
    assert not Hand.objects.exists()


def test_the_preview_foresees_the_audit(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    written(owner, bids__N="0", bids__S="0", tricks__NS="9", tricks__EW="4")
    done(game, "hands")

    answer = owner.post("/tables/4/sheet/preview/", about(owner.get("/tables/4/sheet/")) | HAND)

    assert "N–S audited, −100" in told(answer)
    assert "Imperial Audit Excess is 0 again P19 −100" in told(answer)


def test_a_preview_of_half_a_sheet_waits(salon: Salon, owner: Client) -> None:
    bidding(salon)

    answer = owner.post("/tables/4/sheet/preview/", {"bids.N:number": "4"})

    assert answer.status_code == 200
    assert "Four bids and the tricks, and the result stands here." in told(answer)


def test_a_sheet_for_a_table_that_moved_on_records_nothing_and_keeps_what_was_typed(
    salon: Salon, owner: Client
) -> None:
    game = bidding(salon)
    page = owner.get("/tables/4/sheet/")
    written(scorer_at(salon, "4"))

    answer = written(owner, page, bids__N="5", tricks__NS="7", tricks__EW="6")

    said = told(answer)
    assert answer.status_code == 409
    assert "Recorded meanwhile by Table 4's phone at" in said
    assert "this is now the sheet of hand 2" in said
    assert 'name="bids.N:number" value="5"' in flat(answer.text)
    assert score_of(game) == {"NS": 71, "EW": 50}


def test_the_same_sheet_twice_is_one_hand(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    page = owner.get("/tables/4/sheet/")

    answers = [written(owner, page) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert score_of(game) == {"NS": 71, "EW": 50}


def test_the_first_hand_asks_who_deals_and_a_declared_trump(salon: Salon, owner: Client) -> None:
    game = a_game(salon, options={"trump": "declared"})
    page = owner.get("/tables/4/sheet/")

    answer = owner.post("/tables/4/sheet/", about(page) | HAND | {"dealer": "S", "trump": "B"})

    assert 'name="dealer" value="S"' in flat(page.text)
    assert 'name="trump" value="B"' in flat(page.text)
    assert answer.status_code == 303
    assert Hand.objects.get(game=game).result["result"]["trump"] == "B"


def test_a_table_without_a_game_has_no_sheet(owner: Client, salon: Salon) -> None:
    assert owner.get("/tables/4/sheet/")["Location"] == "/tables/4/"
    assert owner.post("/tables/4/sheet/preview/")["Location"] == "/tables/4/"
