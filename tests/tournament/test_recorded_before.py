"""A game that was recorded before R12 was asked for, in a salon: shown, exported, audited and corrected as it was played."""

import json
from typing import Any

import pytest

from scoring.preference import tricks
from tests.material import MATERIAL, lines_of
from tests.tournament.salons import opened_salon, owner_of
from tests.tournament.tables import recorded
from tests.tournament.test_correction_pages import corrected, words
from tournament.archive import export_game
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

GAME = "sim-preference-045"


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


@pytest.fixture
def game(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Recorded while a lone defender without a deal was asked for nothing."""
    with monkeypatch.context() as then:
        asked = tricks.must_head
        then.setattr(tricks, "must_head", lambda hand, order, place: asked(hand, order, place) and not _alone(hand, order, place))
        recorded(salon, next(value for value in lines_of(MATERIAL / "preference_simulated.jsonl") if value["id"] == GAME))
    return Game.objects.get(record=GAME)


def _alone(hand: Any, order: Any, place: int) -> bool:
    return bool(place == 1 and order[0] == hand.soloist and len(order) == 2 and hand.deal is None)


def check_sound(salon: Salon) -> None:
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


def test_it_stands_as_it_was_played(salon: Salon, game: Game) -> None:
    expected = next(each for each in lines_of(MATERIAL / "preference_simulated.expected.jsonl") if each["id"] == GAME)

    check_sound(salon)
    assert json.loads(game.state)["score"] == expected["chips"]


def test_its_house_rules_are_corrected_on_the_page_and_its_plays_stay(salon: Salon, game: Game) -> None:
    hands = export_game(salon, game.pk)["hands"]

    answer = corrected(owner_of(salon), f"/games/{game.pk}/corrections/options/", options__forfeit="21")

    assert answer.status_code == 302, words(answer.text)
    assert export_game(salon, game.pk)["hands"] == hands
    check_sound(salon)


def test_another_hand_is_taken_out_on_the_page(salon: Salon, game: Game) -> None:
    before = export_game(salon, game.pk)["hands"]

    answer = corrected(owner_of(salon), f"/games/{game.pk}/corrections/removed/?hand={len(before)}")

    assert answer.status_code == 302, words(answer.text)
    assert export_game(salon, game.pk)["hands"] == before[:-1]
    check_sound(salon)
