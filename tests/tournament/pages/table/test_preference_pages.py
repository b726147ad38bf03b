"""Preference at a table: its pad, sheet, board, history and books."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.playing import a_command, flat, state_of, tap, told
from tests.tournament.helpers.preference import SEATED, dealt, done, playing
from tests.tournament.helpers.reading import match_in
from tournament.models import Game, Hand, Salon


def pad(owner: Client, query: str = "") -> Answer:
    answer = owner.get(f"/tables/4/{query}")
    assert answer.status_code == 200
    return answer


def button(answer: Shown, name: str, value: str) -> str:
    """The button's own tag on the page."""
    page = answer.content.decode()
    at = page.index(f'name="{name}" value="{value}"')
    return page[page.rindex("<button", 0, at) : page.index(">", at)]


def test_a_game_is_started_from_the_form_and_its_first_hand_is_open(
    salon: Salon, owner: Client
) -> None:
    form = owner.get("/games/new/?game=preference&table=4")
    assert all(f'name="players.{seat}"' in form.text for seat in "ABC")
    assert 'name="players.D"' not in form.text

    sent = {f"players.{seat}": name for seat, name in SEATED.items()} | {
        "game": "preference",
        "table": "4",
        "dealer": "C",
    }
    answer = owner.post("/games/new/", {**sent, "command": a_command(), "options.hands": "6"})

    assert answer.status_code == 302
    table = state_of(Game.objects.get())
    assert (table["stage"], table["hands_limit"], table["hand"]["dealer"]) == ("auction", 6, "C")
    assert "Asha Renn speaks" in told(pad(owner))


def test_a_number_of_hands_that_is_no_multiple_of_three_is_refused_at_its_field(
    owner: Client,
) -> None:
    sent = {f"players.{seat}": name for seat, name in SEATED.items()} | {
        "game": "preference",
        "table": "4",
        "dealer": "C",
    }
    answer = owner.post("/games/new/", {**sent, "command": a_command(), "options.hands": "10"})

    assert answer.status_code == 422
    assert "hands is a multiple of 3" in told(answer)
    assert not Game.objects.exists()


def test_the_auction_offers_hold_to_who_spoke_first_and_higher_bids_only(
    salon: Salon, owner: Client
) -> None:
    game = dealt(salon)
    assert 'value="hold"' not in pad(owner).text
    assert tap(owner, "calls", seat="A", call="one").status_code == 303
    assert 'value="hold"' not in pad(owner).text
    assert tap(owner, "calls", seat="B", call="two").status_code == 303

    page = pad(owner)

    assert state_of(game)["hand"]["calls"] == [["A", "one"], ["B", "two"]]
    assert "Asha Renn speaks" in told(page)
    assert "disabled" not in button(page, "call", "hold")
    assert "disabled" in button(page, "call", "two")
    assert "disabled" not in button(page, "call", "three")


def test_a_call_that_is_too_low_is_refused_with_its_rule(salon: Salon, owner: Client) -> None:
    game = done(dealt(salon), "calls", seat="A", call="two")

    answer = tap(owner, "calls", seat="B", call="one")

    assert answer.status_code == 422
    assert "Ilse Marrow must bid above two or pass; one is not above it" in told(answer)
    assert "Not recorded: Ilse Marrow: one" in told(answer)
    assert 'href="/rules/preference/#R6"' in answer.text
    assert state_of(game)["hand"]["calls"] == [["A", "two"]]


def test_after_the_auction_the_winner_names_the_contract(salon: Salon, owner: Client) -> None:
    game = dealt(salon)
    for seat, call in (("A", "two"), ("B", "pass"), ("C", "pass")):
        done(game, "calls", seat=seat, call=call)

    page = pad(owner)

    assert "What does Asha Renn play?" in told(page)
    assert "disabled" in button(page, "contract", "one")
    assert "disabled" not in button(page, "contract", "two")
    assert tap(owner, "contracts", soloist="A", contract="two").status_code == 303
    assert "Who defends?" in told(pad(owner))


def test_three_passes_throw_the_deal_in(salon: Salon, owner: Client) -> None:
    game = dealt(salon)
    for seat in "ABC":
        assert tap(owner, "calls", seat=seat, call="pass").status_code == 303

    assert "Thrown in." in told(pad(owner))
    assert state_of(game)["next"]["dealer"] == "A"


def test_a_table_that_writes_no_calls_says_only_who_plays_what(salon: Salon, owner: Client) -> None:
    game = dealt(salon)
    assert "Who is the soloist?" in told(pad(owner, "?by=contract"))
    assert "What does Cato Liss play?" in told(pad(owner, "?by=contract&soloist=C"))

    assert tap(owner, "contracts", soloist="C", contract="misere").status_code == 303
    assert state_of(game)["hand"]["contract"] == "misere"
    assert "Who won trick 1?" in told(pad(owner))
    assert (
        tap(
            owner, "retractions", **{"version:number": str(state_of(game)["undo"]["version"])}
        ).status_code
        == 303
    )
    assert tap(owner, "throw-ins").status_code == 303
    assert "Hand 1 is over" in told(pad(owner))


@pytest.mark.parametrize(
    ("key", "defence"),
    [
        ("1", {"B": "along", "C": "along"}),
        ("3", {"B": "along", "C": "out"}),
        ("6", {"B": "insisted", "C": "along"}),
    ],
)
def test_each_defence_is_one_tap(
    salon: Salon, owner: Client, key: str, defence: dict[str, str]
) -> None:
    game = done(dealt(salon), "contracts", soloist="A", contract="one")
    page = pad(owner).text
    at = page.index(f'data-key="{key}"')
    fields = page[page.rindex('value="', 0, at) + 7 : at].split('"')[0].replace("&amp;", "&")

    assert tap(owner, "defences", fields=fields).status_code == 303
    assert state_of(game)["hand"]["defence"] == defence


def test_both_out_ends_the_hand_without_a_trick(salon: Salon, owner: Client) -> None:
    done(dealt(salon), "contracts", soloist="A", contract="one")

    assert tap(owner, "defences", fields="B=out&C=out").status_code == 303
    assert "Asha Renn: one made." in told(pad(owner)).replace(" .", ".")


def test_tricks_are_written_by_winner_and_who_keeps_out_is_not_offered(
    salon: Salon, owner: Client
) -> None:
    game = playing(salon, C="out")

    page = pad(owner)

    assert 'name="seat" value="B"' in flat(page.text)
    assert 'name="seat" value="C"' not in flat(page.text)
    assert tap(owner, "winners", seat="B").status_code == 303
    assert state_of(game)["hand"]["winners"] == ["B"]


def test_totals_are_the_soloists_then_a_defenders(salon: Salon, owner: Client) -> None:
    game = playing(salon)
    assert "Tricks of Asha Renn" in told(pad(owner, "?by=totals"))
    page = pad(owner, "?by=totals&sol=6").text
    fields = "tricks.A:number=6&tricks.B:number=1&tricks.C:number=3"
    assert "Tricks of Ilse Marrow" in page
    assert fields.replace("&", "&amp;") in page

    assert tap(owner, "totals", fields=fields).status_code == 303
    assert Hand.objects.get(game=game).result["result"]["tricks"] == {
        "A": 6,
        "B": 1,
        "C": 3,
    }


@pytest.mark.parametrize(("row", "made"), [("true", True), ("false", False)])
def test_totals_of_no_trump_say_whether_six_were_in_a_row(
    salon: Salon, owner: Client, row: str, made: bool
) -> None:
    game = playing(salon, "no_trump", C="out")
    fields = f"tricks.A:number=7&tricks.B:number=3&tricks.C:number=0&in_succession:flag={row}"
    assert fields.replace("&", "&amp;") in pad(owner, "?by=totals").text

    assert tap(owner, "totals", fields=fields).status_code == 303
    assert Hand.objects.get(game=game).result["result"]["made"] is made


def test_a_trick_card_by_card_lives_in_the_address_until_its_last_card(
    salon: Salon, owner: Client
) -> None:
    game = playing(salon, "one")

    page = pad(owner, "?by=cards&cards=9H,KH")

    assert "Cato Liss plays" in told(page)
    assert "disabled" in button(page, "cards:list", "9H,KH,9H")
    assert tap(owner, "tricks", **{"cards:list": "9H,KH,AH"}).status_code == 303
    assert state_of(game)["hand"]["plays"] == [["9H", "KH", "AH"]]
    assert "Cato Liss leads" in told(pad(owner, "?by=cards"))


def test_cards_that_may_not_be_played_are_dashed_with_the_reason(
    salon: Salon, owner: Client
) -> None:
    done(playing(salon, "one"), "tricks", cards=["8H", "7S", "9H"])

    page = pad(owner, "?by=cards&cards=7D")

    assert "disabled" not in button(page, "cards", "7D,8D")
    page = pad(owner, "?by=cards&cards=7D,8D")
    assert "disabled" in button(page, "cards:list", "7D,8D,TH")
    assert "Ilse Marrow did not follow Hearts in trick 1 with 7S" in told(page)


def test_every_act_can_be_taken_back_by_its_name(salon: Salon, owner: Client) -> None:
    game = dealt(salon)
    acts: list[tuple[str, dict[str, Any], str]] = [
        ("calls", {"seat": "A", "call": "two"}, "Undo Asha Renn's two"),
        ("calls", {"seat": "B", "call": "pass"}, "Undo Ilse Marrow's pass"),
        ("calls", {"seat": "C", "call": "pass"}, "Undo Cato Liss's pass"),
        ("contracts", {"soloist": "A", "contract": "two_hand"}, "Undo the contract two hand"),
        ("defences", {"C": "out"}, "Undo who defends"),
        ("deals", {"widow": ["7C", "8C"]}, "Undo the deal"),
        ("tricks", {"cards": ["7H", "9H"]}, "Undo trick 1: 7 of Hearts 7 9 of Hearts 9"),
        ("winners", {"seat": "B"}, "Undo trick 2 to Ilse Marrow"),
        ("totals", {"tricks": {"A": 6, "B": 4, "C": 0}}, "Undo the totals 6, 4, 0"),
        ("hands", {}, "Undo the opening of hand 2"),
    ]
    for collection, value, undo in acts:
        done(game, collection, **value)
        assert undo in told(pad(owner))
    for _, _, undo in reversed(acts):
        assert undo in told(pad(owner))
        assert (
            tap(
                owner, "retractions", **{"version:number": str(state_of(game)["undo"]["version"])}
            ).status_code
            == 303
        )
    table = state_of(game)
    assert (table["stage"], table["hand"]["calls"], table["pots"], table["hands"]) == (
        "auction",
        [],
        {"pot": 30},
        0,
    )


def sheet_of(owner: Client) -> dict[str, str]:
    """What the sheet's form says about itself."""
    page = owner.get("/tables/4/sheet/").text
    names = ("game", "version", "command", "hand", "trick")
    return {name: page.split(f'name="{name}" value="')[1].split('"')[0] for name in names}


TRICKS = {"tricks.A:number": "7", "tricks.B:number": "3", "tricks.C:number": "0"}


def test_a_whole_hand_is_previewed_and_recorded_from_the_sheet(salon: Salon, owner: Client) -> None:
    game = dealt(salon)
    sent = (
        sheet_of(owner)
        | TRICKS
        | {
            "fields": "soloist=A",
            "contract": "no_trump",
            "defenders.C": "out",
            "in_succession:flag": "true",
        }
    )

    preview = told(owner.post("/tables/4/sheet/preview/", sent))
    answer = owner.post("/tables/4/sheet/", sent)

    assert "Asha Renn played no trump and made it." in " ".join(preview.split())
    assert answer.status_code == 303
    assert state_of(game)["score"] == {"A": 0, "B": -10, "C": -10}


def test_a_thrown_in_deal_is_recorded_from_the_sheet(salon: Salon, owner: Client) -> None:
    game = dealt(salon)

    assert (
        owner.post(
            "/tables/4/sheet/", sheet_of(owner) | {"fields": "soloist:null=nobody"}
        ).status_code
        == 303
    )
    assert state_of(game)["hands"] == 1


def test_a_refused_sheet_keeps_what_was_typed(salon: Salon, owner: Client) -> None:
    game = dealt(salon)
    assert (
        'name="note"' not in owner.get("/tables/4/sheet/").text
    )  # a note is said as the hand opens
    tap(owner, "retractions", **{"version:number": "2"})
    written = {
        "dealer": "C",
        "fields": "soloist=B",
        "contract": "misere",
        "defenders.C": "out",
        "note": "late",
    }
    sent = sheet_of(owner) | TRICKS | written

    answer = owner.post("/tables/4/sheet/", sent)

    assert answer.status_code == 422
    assert "Cato Liss must go along: nobody keeps out of misère here" in told(answer)
    assert 'value="soloist=B" checked' in flat(answer.text)
    assert '<option value="misere" selected>' in flat(answer.text)
    assert '<option value="out" selected>' in flat(answer.text)
    assert 'value="late"' in answer.text
    assert state_of(game)["hands"] == 0


def finished(salon: Salon) -> Game:
    """A game of three hands: made, thrown in, failed."""
    game = dealt(salon, hands=3)
    done(game, "contracts", soloist="A", contract="three")
    done(game, "defences", B="along", C="insisted")
    done(game, "totals", tricks={"A": 6, "B": 1, "C": 3})
    done(game, "hands")
    done(game, "throw-ins")
    done(game, "hands")
    done(game, "contracts", soloist="C", contract="misere")
    return done(game, "winners", seat="C")


def test_the_board_shows_chips_contract_and_each_hand_explained(
    salon: Salon, owner: Client
) -> None:
    game = finished(salon)

    page = told(owner.get(f"/games/{game.pk}/?hand=1"))

    assert "Hand 3 of 3, Ilse Marrow deals." in page
    assert "Misère with the widow, trick 2 of 10" in page
    assert "thrown in" in page
    assert "Asha Renn played three and made it." in page
    assert "Went along with fewer than two tricks R15 −10" in page


def test_the_game_ends_with_the_pot_shared_and_offers_another(salon: Salon, owner: Client) -> None:
    game = finished(salon)
    done(game, "totals", tricks={"A": 5, "B": 4, "C": 1})

    page = pad(owner)

    assert "Asha Renn wins" in told(page)
    assert "The pot was shared by all three." in told(page)
    assert "game=preference" in page.text
    assert "Asha Renn wins." in told(owner.get(f"/games/{game.pk}/"))


def test_the_history_tells_every_event_and_why_a_hand_counts_so(
    salon: Salon, owner: Client
) -> None:
    game = finished(salon)
    done(game, "totals", tricks={"A": 5, "B": 4, "C": 1})

    page = told(owner.get(f"/games/{game.pk}/history/"))

    for sentence in (
        "Seat A Asha Renn, Seat B Ilse Marrow, Seat C Cato Liss",
        "Hand 1: Cato Liss deals",
        "Asha Renn plays three",
        "Ilse Marrow goes along, Cato Liss is insisted",
        "Tricks counted: Asha Renn 6, Ilse Marrow 1, Cato Liss 3",
        "Everybody passed: the deal is thrown in",
        "Cato Liss wins trick 1",
        "Why hand 3 counts so",
        "Contract failed, into the pot",
        "Cato Liss pays 20 chips to the Pot",
    ):
        assert sentence in page
    assert owner.get(f"/games/{game.pk}/history/?at=9").status_code == 200


def test_what_a_hand_moved_is_told_with_its_close(salon: Salon, owner: Client) -> None:
    """The forfeit goes into the pot, not out of it; it belongs to the close all the same."""
    game = finished(salon)
    done(game, "totals", tricks={"A": 5, "B": 4, "C": 1})

    page = told(owner.get(f"/games/{game.pk}/history/"))

    closed, counted = page.index("Hand 3 closed:"), page.index("Tricks counted: Asha Renn 5")
    assert closed < page.index("Cato Liss pays 20 chips to the Pot") < counted


def test_the_ruling_that_lets_a_card_stand_names_the_player(salon: Salon, owner: Client) -> None:
    game = playing(salon, B="along", C="along")
    done(game, "tricks", cards=["7C", "8D", "8C"])

    page = owner.get("/tables/4/?by=cards&trick=2&cards=7D,9C")
    other = owner.get("/tables/4/?by=cards&trick=2&cards=9C,7D,9D")

    assert 422 in (page.status_code, other.status_code)
    assert "Let Ilse Marrow's" in told(page) + told(other)
    assert "Seat B" not in told(page) + told(other)


def test_the_books_say_what_each_chip_moved_for(salon: Salon, owner: Client) -> None:
    game = finished(salon)

    page = told(owner.get(f"/ledger/games/{game.pk}/pot/"))

    assert "Ante to the pot" in page
    assert "Contract made" in page
    assert "Duty of a defender" in page
    assert "Asha Renn, Seat A" in told(owner.get(f"/ledger/games/{game.pk}/"))


def test_every_rule_has_its_sentence(owner: Client) -> None:
    page = owner.get("/rules/preference/").text

    assert all(f'id="R{number}"' in page for number in range(1, 18))
    assert "R18" not in page


HOLDINGS = ["9C TC JC QC KC AC 7S 8S 9S TS", "JS QS KS AS 7D 8D 9D TD JD QD"]
REST = "KD AD 7H 8H 9H TH JH QH KH AH"


@pytest.mark.parametrize(
    "written",
    [
        {"widow": ["7C", "8C"]},
        {"deal": {s: c.split() for s, c in zip("ABC", [*HOLDINGS, REST], strict=True)}},
    ],
)
def test_the_widow_is_shown_to_all_once_the_soloist_has_faced_it(
    salon: Salon, owner: Client, written: dict[str, Any]
) -> None:
    game = done(dealt(salon), "deals", **written)
    addresses = ["/tables/4/", f"/games/{game.pk}/", f"/games/{game.pk}/history/"]
    assert all("face up" not in told(owner.get(address)) for address in addresses)

    done(game, "contracts", soloist="A", contract="three")

    pad_page, board, history = (told(owner.get(address)) for address in addresses)
    assert "The widow, face up: 7 8" in pad_page
    assert "The widow, face up: 7 8" in board
    assert "The widow, face up: 7 of Clubs 7 8 of Clubs 8" in history


def test_a_widow_that_stays_face_down_is_shown_to_nobody(salon: Salon, owner: Client) -> None:
    game = done(
        done(dealt(salon), "deals", widow=["7C", "8C"]),
        "contracts",
        soloist="A",
        contract="three_hand",
    )

    for address in ("/tables/4/", f"/games/{game.pk}/", f"/games/{game.pk}/history/"):
        assert "face up" not in told(owner.get(address))


def test_the_rest_of_the_tricks_is_claimed_for_one_player(salon: Salon, owner: Client) -> None:
    game = playing(salon)
    name = 'aria-label="The rest are Asha’s"'
    assert re.search(rf"{name}\s+disabled", pad(owner).text)
    for seat in "AABAC":
        done(game, "winners", seat=seat)

    page = pad(owner).text
    fields = unescape(match_in(page, rf'value="([^"]*)"\s+{name}')[1])
    answer = tap(owner, "totals", fields=fields)

    assert answer.status_code == 303
    hand = Hand.objects.get(game=game)
    assert hand.result["result"]["tricks"] == {"A": 8, "B": 1, "C": 1}
