"""The pad of a table: what it offers, what it records, and what it says when it can't."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ledger.models import Event
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.playing import (
    a_command,
    a_game,
    about,
    bidding,
    done,
    flat,
    playing,
    state_of,
    tap,
    told,
)
from tests.tournament.helpers.salons import scorer_at
from tournament.exchange.game_records import export_game
from tournament.models import Salon
from tournament.salons.public_names import Audience


def key(value: str, name: str = "tricks:number") -> str:
    return f'name="{name}" value="{value}" data-key="{value}"'


def test_a_free_table_offers_to_start_a_game(owner: Client) -> None:
    answer = owner.get("/tables/4/")

    assert "Table 4 is free" in told(answer)
    assert 'href="/games/new/?table=4"' in answer.text


def test_a_table_that_is_not_there_says_so(owner: Client) -> None:
    assert owner.get("/tables/77/").status_code == 404


def test_a_bid_is_asked_from_the_player_left_of_the_dealer(salon: Salon, owner: Client) -> None:
    bidding(salon)

    page = told(owner.get("/tables/4/"))

    assert "West bids" in page
    assert "Cato Liss deals." in page


def test_a_tapped_bid_is_recorded_and_the_next_one_asked(salon: Salon, owner: Client) -> None:
    game = bidding(salon)

    answer = tap(owner, "bids", seat="W", **{"tricks:number": "2"})

    assert answer.status_code == 303
    assert answer["Location"] == "/tables/4/"
    assert state_of(game)["hand"]["bids"]["W"] == 2
    assert "North bids" in told(owner.get("/tables/4/"))


def test_a_tap_on_the_pad_is_answered_with_what_it_changes_as_the_whole_page_has_it(
    salon: Salon, owner: Client
) -> None:
    on_the_pad = {"HX-Request": "true", "HX-Target": "pad"}
    bidding(salon)
    sent = about(owner.get("/tables/4/")) | {"seat": "W", "tricks:number": "2"}

    tapped = owner.post("/tables/4/bids/", sent, headers=on_the_pad).text
    whole = owner.get("/tables/4/", headers=on_the_pad).text

    begin, end = tapped.index("<header"), tapped.index("</header>")
    parts = tapped[begin:end], tapped[tapped.index('<div class="pad"') :].strip()
    assert "North bids" in tapped
    assert tapped.split("</title>")[0].strip() in re.sub(r"\s+", " ", whole)
    for part in parts:
        assert without_its_own(part) in without_its_own(whole)
    assert "<html" in whole
    assert "<html" not in tapped
    refused = owner.post("/tables/4/bids/", sent | {"command": a_command()}, headers=on_the_pad)
    assert refused.status_code == 409
    assert "What you see is how it stands now." in told(refused)


def without_its_own(page: str) -> str:
    """A page without what each answer makes anew."""
    return re.sub(r'name="(command|csrfmiddlewaretoken)" value="[^"]*"', "", page)


def test_bids_above_a_contract_of_thirteen_are_shown_and_not_offered(
    salon: Salon, owner: Client
) -> None:
    game = bidding(salon)
    for seat, tricks in (("W", 3), ("N", 2)):
        done(game, "bids", seat=seat, tricks=tricks)

    page = owner.get("/tables/4/").text

    assert f'<button class="key" {key("10")}>10</button>' in flat(page)
    assert f'<button class="key" {key("11")} disabled>11</button>' in flat(page)
    assert "More than 10 would make a contract above 13." in page


def test_a_bid_too_high_is_refused_with_its_rule_and_nothing_is_recorded(
    salon: Salon, owner: Client
) -> None:
    game = bidding(salon)
    for seat, tricks in (("W", 3), ("N", 2)):
        done(game, "bids", seat=seat, tricks=tricks)
    version = game.version

    answer = tap(owner, "bids", seat="E", **{"tricks:number": "11"})

    assert answer.status_code == 422
    assert "West bid 3, so East can bid 0 to 10, not 11: a contract is at most 13" in told(answer)
    assert "Not recorded: East bids 11" in told(answer)
    assert '<a class="rulebook" href="/rules/precedence/#P11"' in flat(answer.text)
    assert state_of(game)["hand"]["bids"]["E"] is None
    assert game.version == version


@pytest.mark.parametrize("sent", ["three", "2.5", "--1", ""])
def test_a_bid_that_is_no_number_is_a_wrong_form(salon: Salon, owner: Client, sent: str) -> None:
    bidding(salon)

    answer = tap(owner, "bids", seat="W", **{"tricks:number": sent})

    assert answer.status_code == 400
    assert "West bids" in told(answer)


def test_the_same_tap_twice_is_one_bid(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    page = owner.get("/tables/4/")

    first = tap(owner, "bids", page, seat="W", **{"tricks:number": "2"})
    second = tap(owner, "bids", page, seat="W", **{"tricks:number": "2"})

    assert (first.status_code, second.status_code) == (303, 303)
    assert state_of(game)["hand"]["bids"] == {"W": 2, "N": None, "E": None, "S": None}
    assert Event.objects.filter(stream=game.pk, type="precedence.bid_made").count() == 1


def test_two_different_taps_on_one_page_are_the_first_one(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    page = owner.get("/tables/4/")

    tap(owner, "bids", page, seat="W", **{"tricks:number": "2"})
    second = tap(owner, "bids", page, seat="W", **{"tricks:number": "3"})

    assert second.status_code == 409
    assert "You tapped twice, and the first tap counts." in told(second)
    assert state_of(game)["hand"]["bids"]["W"] == 2


def test_a_tap_on_a_table_that_moved_on_says_who_was_first_and_records_nothing(
    salon: Salon, owner: Client
) -> None:
    game = bidding(salon)
    page = owner.get("/tables/4/")
    tap(scorer_at(salon, "4"), "bids", seat="W", **{"tricks:number": "5"})

    answer = tap(owner, "bids", page, seat="W", **{"tricks:number": "3"})

    said = told(answer)
    assert answer.status_code == 409
    assert "Recorded meanwhile by Table 4's phone at" in said
    assert "West bids 5." in said
    assert "Not recorded: West bids 3" in said
    assert "North bids" in said
    assert state_of(game)["hand"]["bids"]["W"] == 5


def test_the_scorer_reads_the_owners_name_when_the_owner_was_first(
    salon: Salon, owner: Client
) -> None:
    bidding(salon)
    phone = scorer_at(salon, "4")
    page = phone.get("/tables/4/")
    tap(owner, "bids", seat="W", **{"tricks:number": "5"})

    assert "Recorded meanwhile by Mara" in told(
        tap(phone, "bids", page, seat="W", **{"tricks:number": "3"})
    )


def test_a_tap_meant_for_the_game_before_records_nothing(salon: Salon, owner: Client) -> None:
    bidding(salon)
    page = owner.get("/tables/4/")
    sent = about(page) | {"game": "0" * 32, "seat": "W", "tricks:number": "3"}

    answer = owner.post("/tables/4/bids/", sent)

    assert answer.status_code == 409
    assert "Another game has begun at this table." in told(answer)


def test_a_tap_meant_for_another_trick_records_nothing(salon: Salon, owner: Client) -> None:
    game = playing(salon)
    sent = about(owner.get("/tables/4/")) | {"trick": "2", "seat": "W"}

    assert owner.post("/tables/4/winners/", sent).status_code == 409
    assert state_of(game)["hand"]["winners"] == []


def test_undo_names_the_last_act_and_takes_it_back(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    done(game, "bids", seat="W", tricks=2)
    page = owner.get("/tables/4/")
    version = state_of(game)["undo"]["version"]

    answer = tap(owner, "retractions", page, **{"version:number": str(version)})

    assert "Undo West's 2" in told(page)
    assert answer.status_code == 303
    assert state_of(game)["hand"]["bids"]["W"] is None
    assert "Undo the opening of hand 1" in told(owner.get("/tables/4/"))


def test_an_act_that_is_not_the_last_can_not_be_undone(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    done(game, "bids", seat="W", tricks=2)

    answer = tap(owner, "retractions", **{"version:number": "1"})

    assert answer.status_code == 422
    assert "only the last act can be taken back" in told(answer)


def test_a_meld_is_shown_by_its_cards_and_its_kind(salon: Salon, owner: Client) -> None:
    game = bidding(salon)

    page = owner.get("/tables/4/?meld=E")
    answer = owner.post(
        "/tables/4/melds/?meld=E",
        about(page) | {"seat": "E", "kind": "triad", "cards:list": ["OV", "OB", "OC"]},
    )

    assert "East shows a meld" in told(page)
    assert answer.status_code == 303
    assert state_of(game)["hand"]["melds"] == [
        {"seat": "E", "kind": "triad", "cards": ["OV", "OB", "OC"]}
    ]
    assert "East shows a triad: OV OB OC" in told(owner.get("/tables/4/"))


def test_a_meld_that_is_none_is_refused_and_its_cards_stay_chosen(
    salon: Salon, owner: Client
) -> None:
    bidding(salon)
    sent = about(owner.get("/tables/4/?meld=E")) | {
        "seat": "E",
        "kind": "run",
        "cards:list": ["OV", "OB", "OC"],
    }

    answer = owner.post("/tables/4/melds/?meld=E", sent)

    assert answer.status_code == 422
    assert "a run is 3 or more cards of one suit in sequence" in told(answer)
    assert answer.text.count(" checked") == 4  # three cards, and the suit that is open
    assert 'value="OV" data-card="OV" checked' in flat(answer.text)


def test_the_winner_of_a_trick_is_tapped(salon: Salon, owner: Client) -> None:
    game = playing(salon)

    assert "Who won trick 1?" in told(owner.get("/tables/4/"))
    tap(owner, "winners", seat="E")

    assert state_of(game)["hand"]["won"]["E"] == 1
    assert "Undo trick 1 to East" in told(owner.get("/tables/4/"))


def drafted(client: Client, *cards: str) -> Answer:
    return client.get("/tables/4/", {"by": "cards", "trick": "1", "cards": ",".join(cards)})


def test_cards_of_the_open_trick_live_in_the_address(salon: Salon, owner: Client) -> None:
    playing(salon)

    page = drafted(owner, "2B", "9B", "CB")

    assert "South plays" in told(page)
    assert "Border was led." in told(page)
    assert 'name="cards:list" value="2B,9B,CB,5B" data-card="5B"' in flat(page.text)
    assert told(drafted(owner, "2B", "9B", "CB")) == told(page)


def test_the_fourth_card_records_the_trick(salon: Salon, owner: Client) -> None:
    game = playing(salon)
    page = drafted(owner, "2B", "9B", "CB")

    answer = owner.post("/tables/4/tricks/?by=cards", about(page) | {"cards:list": "2B,9B,CB,5B"})

    assert answer["Location"] == "/tables/4/?by=cards"
    assert state_of(game)["hand"]["plays"] == [["2B", "9B", "CB", "5B"]]
    assert state_of(game)["hand"]["leader"] == "E"


def test_a_typed_card_joins_the_trick(salon: Salon, owner: Client) -> None:
    playing(salon)

    page = owner.get("/tables/4/", {"by": "cards", "trick": "1", "cards": "2B,9B", "card": "cb"})

    assert "South plays" in told(page)


def test_a_card_that_was_played_is_not_offered_and_refused_with_its_reason(
    salon: Salon, owner: Client
) -> None:
    game = playing(salon)
    done(game, "tricks", cards=["2B", "9B", "CB", "5B"])

    page = owner.get("/tables/4/", {"by": "cards", "trick": "2", "card": "9B"})

    assert page.status_code == 422
    assert "9B is played twice; it can be played once" in told(page)
    assert 'data-card="9B" aria-label="9 of Border" disabled' in flat(page.text)


@pytest.mark.parametrize("typed", ["XX", "1", "<b>", "9B9B"])
def test_what_is_no_card_is_refused(salon: Salon, owner: Client, typed: str) -> None:
    playing(salon)

    page = owner.get("/tables/4/", {"by": "cards", "card": typed})

    assert page.status_code == 422
    assert "is no card" in told(page)
    assert "<b>" not in told(page)


def test_a_refused_card_leaves_the_trick_as_it_was(salon: Salon, owner: Client) -> None:
    playing(salon)

    page = owner.get("/tables/4/", {"by": "cards", "trick": "1", "cards": "2B,9B", "card": "9B"})

    assert page.status_code == 422
    assert "East plays" in told(page)


def test_a_draft_of_another_trick_is_dropped(salon: Salon, owner: Client) -> None:
    playing(salon)

    assert "West leads" in told(
        owner.get("/tables/4/", {"by": "cards", "trick": "2", "cards": "2B,9B"})
    )


def test_a_shown_card_must_be_played_before_others(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    done(game, "melds", seat="W", kind="triad", cards=["OV", "OB", "OC"])
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        done(game, "bids", seat=seat, tricks=tricks)

    page = owner.get("/tables/4/", {"by": "cards"})

    assert 'data-card="9B" aria-label="9 of Border" disabled' in flat(page.text)
    assert 'data-card="OB" aria-label="Officer of Border">' in flat(page.text)
    assert "West must play a declared card before it: OV OB OC" in told(page)


def test_a_trick_without_cards_ends_the_writing_of_cards(salon: Salon, owner: Client) -> None:
    done(playing(salon), "winners", seat="E")

    page = owner.get("/tables/4/?by=cards")

    assert "Who won trick 2?" in told(page)
    assert "the cards of later ones can't be" in told(page)


def test_the_totals_end_the_hand_and_the_result_is_explained(salon: Salon, owner: Client) -> None:
    game = playing(salon)

    answer = tap(owner, "totals", fields="NS:number=8&EW:number=5")
    page = told(owner.get("/tables/4/"))

    assert answer.status_code == 303
    assert state_of(game)["score"] == {"NS": 71, "EW": 50}
    assert "Hand 1 is over" in page
    assert "Made 7 with 8 tricks P16 +70" in page
    assert "One trick above it, one Excess P16 +1" in page
    assert "The Hand Pot, 16 chips, goes to North–South: North 8, South 8." in page
    assert "Open hand 2: West deals, Frontier is trump" in page


def test_totals_below_what_was_won_already_are_not_offered(salon: Salon, owner: Client) -> None:
    game = playing(salon)
    for seat in "NNE":
        done(game, "winners", seat=seat)

    page = owner.get("/tables/4/?by=totals").text

    for ns in range(14):
        button = page[page.index(f'data-key="{ns}"') :]
        assert (" disabled" in button[: button.index(">")]) is (ns < 2 or ns > 12)


def test_the_next_hand_is_one_tap(salon: Salon, owner: Client) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)

    tap(owner, "hands")

    assert (
        state_of(game)["hand"]["number"],
        state_of(game)["hand"]["dealer"],
        state_of(game)["hand"]["trump"],
    ) == (2, "W", "F")


def test_the_first_dealer_is_chosen_where_nobody_has_dealt(salon: Salon, owner: Client) -> None:
    game = a_game(salon)

    assert "Draw" in told(owner.get("/tables/4/"))
    tap(owner, "hands", dealer="E")

    assert state_of(game)["hand"]["dealer"] == "E"


def test_a_drawn_dealer_is_the_same_at_every_look(salon: Salon, owner: Client) -> None:
    a_game(salon)

    pages = {owner.get("/tables/4/").text.split('name="dealer" value="')[1][0] for _ in range(3)}

    assert len(pages) == 1


def test_trump_is_asked_where_each_hand_names_it(salon: Salon, owner: Client) -> None:
    game = a_game(salon, options={"trump": "declared"})

    assert "What is trump?" in told(owner.get("/tables/4/?dealer=E"))
    tap(owner, "hands", dealer="E", trump="B")

    assert state_of(game)["hand"]["trump"] == "B"


def test_a_misdeal_is_dealt_again_by_the_same_dealer(salon: Salon, owner: Client) -> None:
    game = playing(salon)

    tap(owner, "misdeals")
    page = told(owner.get("/tables/4/"))

    assert state_of(game)["pots"]["hand"] == 4
    assert "Hand 1 is dealt again" in page
    assert "Open hand 1: South deals, Void is trump" in page


def test_a_misdeal_before_a_trump_is_named_leaves_it_out(salon: Salon, owner: Client) -> None:
    game = a_game(salon, options={"trump": "declared"})

    assert "Record a misdeal without a trump" in told(owner.get("/tables/4/"))
    assert tap(owner, "hands", **{"dealer": "N", "misdeal:flag": "true"}).status_code == 303
    assert export_game(salon, game.pk, Audience.SALON)["hands"] == [
        {"dealer": "N", "misdeal": True}
    ]
    assert "Hand 1 is dealt again" in told(owner.get("/tables/4/"))
    assert tap(owner, "hands", trump="B").status_code == 303
    assert state_of(game)["hand"]["trump"] == "B"


def test_the_owner_ends_a_game_with_a_reason(salon: Salon, owner: Client) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)

    without = tap(owner, "endings", kind="called", reason=" ")
    answer = tap(owner, "endings", kind="called", reason="The hall closes")

    assert without.status_code == 400
    assert answer.status_code == 303
    assert state_of(game)["closed"] == "called"
    page = told(owner.get("/tables/4/"))
    assert "North–South win Asha Renn Cato Liss 71 : 50 21 ahead Time was called." in page
    moved = "players.N=Asha%20Renn&amp;players.E=Juno%20Dray&amp;players.S=Ilse%20Marrow"
    assert moved in flat(owner.get("/tables/4/").text)
    assert "Undo the end of the game" in page
    assert "Start another game" in page


def test_a_scorer_can_not_end_a_game(salon: Salon) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)
    phone = scorer_at(salon, "4")

    assert "End the game" not in told(phone.get("/tables/4/"))
    assert tap(phone, "endings", kind="called", reason="Mine").status_code == 403
    assert state_of(game)["closed"] is None


def test_a_scorer_records_at_the_own_table(salon: Salon) -> None:
    game = bidding(salon)

    tap(scorer_at(salon, "4"), "bids", seat="W", **{"tricks:number": "2"})

    assert state_of(game)["hand"]["bids"]["W"] == 2


def test_what_no_table_collects_is_not_there(salon: Salon, owner: Client) -> None:
    bidding(salon)

    assert tap(owner, "wishes").status_code == 404


def test_an_act_without_an_id_is_a_wrong_form(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    sent = about(owner.get("/tables/4/")) | {"command": "1", "seat": "W", "tricks:number": "2"}

    assert owner.post("/tables/4/bids/", sent).status_code == 400
    assert state_of(game)["hand"]["bids"]["W"] is None


def test_a_field_that_belongs_to_no_act_is_refused(salon: Salon, owner: Client) -> None:
    bidding(salon)

    assert tap(owner, "bids", seat="W", colour="red", **{"tricks:number": "2"}).status_code == 400


def test_asked_by_htmx_the_next_question_comes_at_once(salon: Salon, owner: Client) -> None:
    bidding(salon)
    sent = about(owner.get("/tables/4/")) | {
        "seat": "W",
        "tricks:number": "2",
        "command": a_command(),
    }

    answer = owner.post("/tables/4/bids/?by=totals", sent, headers={"HX-Request": "true"})

    assert answer.status_code == 200
    assert "North bids" in told(answer)
    assert answer["HX-Replace-Url"] == "/tables/4/?by=totals"


def test_substitutes_are_named_where_they_sit(salon: Salon, owner: Client) -> None:
    done(a_game(salon), "hands", dealer="E", players={"N": "Bea Astor"})
    for seat, tricks in (("S", 2), ("W", 4), ("N", 3), ("E", 3)):
        tap(owner, "bids", seat=seat, **{"tricks:number": str(tricks)})

    page = told(owner.get("/tables/4/"))

    assert "Bea Astor" in page
    assert "Asha Renn" not in page


def test_the_title_names_the_hand_that_the_page_speaks_of(salon: Salon, owner: Client) -> None:
    game = a_game(salon)
    assert "<title>Table 4, hand 1 " in owner.get("/tables/4/").text
    done(game, "hands", dealer="S")
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        done(game, "bids", seat=seat, tricks=tricks)
    done(game, "totals", NS=8, EW=5)
    assert "<title>Table 4, hand 1 " in owner.get("/tables/4/").text
    done(game, "hands")
    assert "<title>Table 4, hand 2 " in owner.get("/tables/4/").text
    done(game, "misdeals")

    assert "<title>Table 4, hand 2 " in owner.get("/tables/4/").text


def test_names_stand_at_the_keys_the_bids_and_the_scores(salon: Salon, owner: Client) -> None:
    game = bidding(salon)
    bids = owner.get("/tables/4/")
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        done(game, "bids", seat=seat, tricks=tricks)
    tricks_won = told(owner.get("/tables/4/"))

    assert "West Juno ?" in told(bids)
    assert "North–South Asha & Cato 0" in told(bids)
    assert "North · 0 tricks Asha Renn" in tricks_won


def test_a_pad_asks_the_database_little(
    salon: Salon, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    playing(salon)
    phone = scorer_at(salon, "4")

    with django_assert_max_num_queries(6):
        phone.get("/tables/4/")
