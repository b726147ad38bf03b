"""The first bid of a hand opens it, where nothing else has to be said; and a claim ends it."""

from django.test import Client

from tests.tournament.helpers.playing import a_game, about, bidding, done, tap, told
from tests.tournament.helpers.playing import playing as playing_hand
from tournament.models import Game, Salon
from tournament.streams.folds import fold_of

OPENING = {"opens:flag": "true", "seat": "N", "tricks:number": "4"}


def over(salon: Salon, **options: object) -> Game:
    """Hand 1 is over; West deals hand 2, North bids first."""
    playing_hand(salon, **options)
    return done(Game.objects.get(), "totals", NS=6, EW=7)


def test_the_first_bid_opens_its_hand_and_is_taken_back_before_it(
    salon: Salon, owner: Client
) -> None:
    game = over(salon)

    page = owner.get("/tables/4/")
    assert "Hand 2, Frontier is trump, West deals. North bids:" in told(page)
    owner.post("/tables/4/bids/", about(page) | OPENING)

    game.refresh_from_db()
    assert (game.state["hand"]["number"], game.state["hand"]["bids"]["N"]) == (2, 4)
    tap(owner, "retractions", **{"version:number": str(game.state["undo"]["version"])})
    game.refresh_from_db()
    assert (game.state["hand"]["number"], game.state["hand"]["bids"]["N"]) == (2, None)


def test_a_bid_that_is_refused_opens_no_hand(salon: Salon, owner: Client) -> None:
    game = over(salon)

    page = owner.post("/tables/4/bids/", about(owner.get("/tables/4/")) | OPENING | {"seat": "E"})

    assert page.status_code == 422
    assert "North bids next, not East" in told(page)
    game.refresh_from_db()
    assert game.state["hand"] is None


def test_no_bid_is_offered_where_dealer_trump_or_chips_have_to_be_said(
    salon: Salon, owner: Client
) -> None:
    a_game(salon)

    assert "opens:flag" not in owner.get("/tables/4/").text


def test_what_is_claimed_ends_the_hand_by_its_totals(salon: Salon, owner: Client) -> None:
    game = playing_hand(salon)
    for seat in "NEN":
        done(game, "winners", seat=seat)

    page = owner.get("/tables/4/")
    assert 'value="NS:number=12&amp;EW:number=1"' in page.text
    tap(owner, "totals", page, fields="NS:number=12&EW:number=1")

    folded = fold_of(salon.log_id, game.pk)
    assert folded is not None
    assert folded.game.hand_results(folded.state, 0)[0]["result"]["tricks"] == {"NS": 12, "EW": 1}


def test_nothing_is_claimed_before_the_first_trick(salon: Salon, owner: Client) -> None:
    bidding(salon)
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        done(Game.objects.get(), "bids", seat=seat, tricks=tricks)

    claims = owner.get("/tables/4/").text.split('class="claims"')[1].split("</form>")[0]

    assert claims.count("disabled") == 2
