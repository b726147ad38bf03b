"""A hand that a correction withdrew stays in sight, struck through, with why and by whom: on the
board, the sheet and the history.
"""

import json
import re

import pytest
from django.test import Client

from scoring.commands import Undo
from scoring.corrections import CorrectHand, CorrectOptions, CorrectSeats, RemoveHand
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.correcting import PRECEDENCE, corrected, sheet
from tests.tournament.helpers.playing import a_command, flat
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import bids, recorded, simple
from tournament.models import Game, Salon, Text
from tournament.queries.withdrawn_hands import list_withdrawn_hands, surplus_hands
from tournament.recording.door import record_acts
from tournament.salons.public_names import Audience

HANDS = [{"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": 7, "EW": 6}} for dealer in "NES"]
OTHERS = ("preference_simulated", "contract_sabacc_simulated", "order_of_precedence_games")


@pytest.fixture
def salon(db: object) -> Salon:
    return opened_salon()


@pytest.fixture
def game(salon: Salon) -> Game:
    recorded(salon, simple("game", hands=HANDS, table="4"))
    return Game.objects.get(salon=salon)


def struck(page: str) -> list[str]:
    """What is struck through, each with what stands beside it."""
    return [
        words(f"<main>{found}")
        for found in re.findall(r"<li[^>]*>\s*(?:<p>)?(<del>.*?</li>)", flat(page), re.S)
    ]


def test_a_hand_recorded_again_is_struck_through_with_why_and_by_whom(
    owner: Client, game: Game
) -> None:
    corrected(game, CorrectHand(hand=2, sheet=sheet(3, "E")), "counted wrong")

    for address in (
        f"/games/{game.pk}/",
        f"/games/{game.pk}/corrections/",
        f"/games/{game.pk}/corrections/hand/?hand=2",
    ):
        (line,) = struck(owner.get(address).text)
        assert line.startswith("Hand 2:"), address
        assert "“counted wrong” Mara Ilves" in line
    assert (
        "As it was recorded before"
        not in owner.get(f"/games/{game.pk}/corrections/hand/?hand=1").text
    )


def test_each_version_of_a_hand_that_was_withdrawn_stays_in_sight(
    owner: Client, game: Game
) -> None:
    corrected(game, CorrectHand(hand=1, sheet=sheet(3, "N")), "counted wrong")
    corrected(game, CorrectHand(hand=1, sheet=sheet(9, "N")), "counted wrong again")
    corrected(game, RemoveHand(hand=3), "recorded twice")

    found = list_withdrawn_hands(game, Audience.SALON)
    assert [(each.number, each.reason, each.by) for each in found] == [
        (1, "counted wrong", "Mara Ilves"),
        (1, "counted wrong again", "Mara Ilves"),
        (3, "recorded twice", "Mara Ilves"),
    ]
    assert [each.closed["result"]["tricks"]["NS"] for each in found] == [7, 3, 7]
    assert len(struck(owner.get(f"/games/{game.pk}/").text)) == 3


def test_hands_that_only_come_out_differently_are_not_withdrawn(game: Game) -> None:
    rules = PRECEDENCE.read_rules({"ante": 3})

    assert (
        list_withdrawn_hands(
            corrected(game, CorrectOptions(rules=rules), "another house rule"), Audience.SALON
        )
        == []
    )


def test_hands_in_which_others_sat_were_withdrawn(game: Game) -> None:
    names = (("N", "Birch"), ("E", "Cedar"), ("S", "Dogwood"), ("W", "Ash"))

    found = list_withdrawn_hands(
        corrected(game, CorrectSeats(first=2, last=3, players=names), "wrong chairs"),
        Audience.SALON,
    )

    assert [each.number for each in found] == [2, 3]


def test_the_history_says_beside_what_was_withdrawn_why_and_by_whom(
    owner: Client, game: Game
) -> None:
    corrected(game, CorrectHand(hand=2, sheet=sheet(3, "E")), "counted wrong")

    lines = [
        line
        for line in struck(owner.get(f"/games/{game.pk}/history/").text)
        if line.startswith("Hand 2 closed")
    ]

    assert len(lines) == 1
    assert "Withdrawn “counted wrong” Mara Ilves" in lines[0]
    assert "“counted wrong” Mara Ilves" in words(owner.get("/history/?show=scores").text)


def test_an_undo_withdraws_nothing_for_a_reason(owner: Client, salon: Salon, game: Game) -> None:
    last = Game.objects.get(pk=game.pk)
    act = last.state["undo"]
    record_acts(
        salon,
        game.pk,
        [Undo(version=act["version"])],
        actor="user:1",
        command=a_command(),
        version=last.version,
    )

    page = owner.get(f"/games/{game.pk}/history/").text
    assert "Taken back" in words(page)
    assert "Withdrawn" not in words(page)
    assert list_withdrawn_hands(Game.objects.get(pk=game.pk), Audience.SALON) == []


def test_an_erased_reason_leaves_the_hand_in_sight_and_says_so(owner: Client, game: Game) -> None:
    corrected(game, CorrectHand(hand=2, sheet=sheet(3, "E")), "counted wrong")
    Text.objects.filter(text="counted wrong").delete()

    (line,) = struck(owner.get(f"/games/{game.pk}/").text)
    assert "The reason was erased. Mara Ilves" in line


@pytest.mark.parametrize("name", OTHERS)
def test_in_every_game_a_hand_taken_out_stays_in_sight(
    owner: Client, salon: Salon, name: str
) -> None:
    value = json.loads((SAMPLES / f"{name}.jsonl").read_text().splitlines()[0])
    recorded(salon, value)
    game = Game.objects.get(salon=salon)
    corrected(game, RemoveHand(hand=game.hand_set.count()), "recorded twice")

    (line,) = struck(owner.get(f"/games/{game.pk}/").text)
    assert "“recorded twice” Mara Ilves" in line


def test_hands_after_a_new_end_stay_in_sight_on_the_board_until_the_end_moves(
    owner: Client, salon: Salon
) -> None:
    recorded(salon, simple("long", hands=HANDS, options={"target_score": 87}, table="5"))
    game = Game.objects.get(record="long")
    assert game.finished

    corrected(game, CorrectHand(hand=1, sheet=sheet(8, "N")), "counted wrong")

    page = owner.get(f"/games/{game.pk}/").text
    assert [
        each.closed["result"]["points"]["NS"] for each in surplus_hands(game, Audience.SALON)
    ] == [43]
    assert "1 hand was played after the end of the game as it counts now" in words(page)
    assert re.search(r'aria-label="Hands after the end"><li>N–S \+43, E–W −80', flat(page))

    corrected(game, CorrectHand(hand=1, sheet=sheet(7, "N")), "no, it was right")
    assert surplus_hands(game, Audience.SALON) == []
    assert "Hands after the end" not in owner.get(f"/games/{game.pk}/").text
