"""Who won each trick is a small key for each seat, without scripts too; the list of corrections
says what each hand was.
"""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from scoring.corrections import Correction, RemoveHand
from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command, about, flat, told
from tests.tournament.pages.table.sheets.tables import (
    BIDS,
    FIELDS,
    HANDS,
    KINDS,
    after_a_hand,
    started,
)
from tournament.exchange.game_records import export_game
from tournament.models import Game, Hand, Salon
from tournament.recording.corrections import record_correction
from tournament.recording.door import record_sheet
from tournament.salons.public_names import Audience

WINNERS = "NESWNESWENSEE"  # North 3, East 5, South 3, West 2
THREE = "ABCBBBBBAA"


def keys(winners: str) -> dict[str, str]:
    return {f"winners.{place}:trick": seat for place, seat in enumerate(winners)}


def checked(page: str) -> str:
    """The keys that stand pressed, trick by trick."""
    found = re.findall(
        r'<input type="radio" name="winners\.(\d+):trick" value="([A-Z]*)"[^>]*checked',
        unescape(page),
    )
    return "".join(seat for _place, seat in sorted(found, key=lambda each: int(each[0])))


def bids() -> dict[str, str]:
    return {f"bids.{seat}:number": str(bid) for seat, bid in BIDS.items()} | {"dealer": "S"}


def by_winners(salon: Salon, kind: str) -> Game:
    """A game with a hand that was recorded by the winners of its tricks."""
    game = started(salon, kind)
    hand: dict[str, Any] = {key: value for key, value in HANDS[kind].items() if key != "tricks"}
    hand |= {"winners": list(WINNERS if kind == "precedence" else THREE)}
    sheet = GAMES[kind].read_sheet(hand, GAMES[kind].read_rules({}))
    record_sheet(salon, game.pk, sheet, actor="table:4", command=a_command(), version=game.version)
    game.refresh_from_db()
    return game


def test_a_hand_is_recorded_by_thirteen_keys(salon: Salon, owner: Client) -> None:
    started(salon, "precedence")
    page = owner.get("/tables/4/sheet/")
    assert page.text.count(':trick" value="N"') == 13
    assert 'name="winners:letters"' not in page.text

    answer = owner.post("/tables/4/sheet/", about(page) | bids() | keys(WINNERS))

    assert answer.status_code == 303
    assert Hand.objects.get().result["result"]["tricks"] == {"NS": 6, "EW": 7}


def test_a_trick_left_out_between_others_is_named_and_all_keys_stay_pressed(
    salon: Salon, owner: Client
) -> None:
    started(salon, "precedence")
    page = owner.get("/tables/4/sheet/")
    pressed = keys(WINNERS)
    del pressed["winners.2:trick"]

    answer = owner.post("/tables/4/sheet/", about(page) | bids() | pressed)

    assert answer.status_code == 400
    assert "who won trick 3 is missing" in told(answer)
    assert checked(answer.text) == WINNERS[:2] + WINNERS[3:]
    assert re.search(r'name="winners\.3:trick" value="W"[^>]* checked', answer.text)
    assert 'name="bids.N:number" value="4"' in flat(answer.text)


@pytest.mark.parametrize(
    ("kind", "winners", "seats"), [("precedence", WINNERS, "NESW"), ("preference", THREE, "ABC")]
)
def test_a_wrong_winner_is_corrected_by_one_key(
    salon: Salon, owner: Client, kind: str, winners: str, seats: str
) -> None:
    game = by_winners(salon, kind)
    address = f"/games/{game.pk}/corrections/hand/?hand=1"
    page = owner.get(address).text
    assert checked(page) == winners
    assert all(page.count(f':trick" value="{seat}"') == len(winners) for seat in seats)
    right = winners[:4] + seats[2] + winners[5:]
    typed = (
        bids()
        if kind == "precedence"
        else {"dealer": "A", "fields": "soloist=B", "contract": "one"}
    )
    form = {
        "game": game.pk,
        "version": str(game.version),
        "command": a_command(),
        "reason": "seen later",
        "excused": "[]",
    } | typed

    previewed = owner.post(address, form | {"step": "preview"} | keys(right))
    again = owner.post(address, form | {"step": "change"} | keys(right))
    answer = owner.post(address, form | {"step": "record"} | keys(right))

    assert "Nothing is recorded yet" in told(previewed)
    assert checked(again.text) == right
    assert answer.status_code == 302
    game.refresh_from_db()
    assert export_game(salon, game.pk, Audience.SALON)["hands"][0]["winners"] == list(right)


def test_a_key_far_beyond_the_last_trick_is_refused(salon: Salon, owner: Client) -> None:
    started(salon, "precedence")
    page = owner.get("/tables/4/sheet/")

    answer = owner.post(
        "/tables/4/sheet/", about(page) | bids() | keys(WINNERS) | {"winners.999999999:trick": "N"}
    )

    assert answer.status_code == 400


@pytest.mark.parametrize("kind", KINDS)
def test_the_list_of_corrections_says_what_each_hand_was(
    salon: Salon, owner: Client, kind: str
) -> None:
    game = after_a_hand(salon, kind)
    words = {
        "precedence": "N–S +71, E–W +50",
        "preference": "Ilse Marrow: one",
        "contract_sabacc": "Ilse Marrow: take",
        "order_of_precedence": "10 built in 2 passes.",
    }

    page = told(owner.get(f"/games/{game.pk}/corrections/"))

    assert words[kind] in page


def test_a_misdeal_is_called_one_in_the_list(salon: Salon, owner: Client) -> None:
    game = started(salon, "precedence")
    rules = GAMES["precedence"].read_rules({})
    for hand in ({"dealer": "S", "misdeal": True}, HANDS["precedence"]):
        sheet = GAMES["precedence"].read_sheet(hand, rules)
        record_sheet(
            salon, game.pk, sheet, actor="table:4", command=a_command(), version=game.version
        )
        game.refresh_from_db()

    page = told(owner.get(f"/games/{game.pk}/corrections/"))

    assert page.index("N–S +71, E–W +50") < page.index("Misdeal Nothing of it counts.")


def test_what_a_sheet_gives_as_totals_stays_as_it_was(salon: Salon, owner: Client) -> None:
    started(salon, "precedence")
    page = owner.get("/tables/4/sheet/")

    assert (
        owner.post("/tables/4/sheet/", about(page) | FIELDS["precedence"] | keys("")).status_code
        == 303
    )


def test_after_a_hand_was_taken_out_the_list_says_what_the_others_were(
    salon: Salon, owner: Client
) -> None:
    game = after_a_hand(salon, "precedence")
    other = HANDS["precedence"] | {"dealer": "W", "tricks": {"NS": 6, "EW": 7}}
    sheet = GAMES["precedence"].read_sheet(other, GAMES["precedence"].read_rules({}))
    record_sheet(salon, game.pk, sheet, actor="table:4", command=a_command(), version=game.version)
    game.refresh_from_db()
    taken_out = Correction(
        change=RemoveHand(hand=1),
        by="Elder",
        reason="twice",
        excused=((1, ("bad_dealer", "bad_trump")),),
    )
    record_correction(
        salon, game.pk, taken_out, actor="user:1", command=a_command(), version=game.version
    )

    page = told(owner.get(f"/games/{game.pk}/corrections/"))

    assert "N–S −70, E–W +52" in page
