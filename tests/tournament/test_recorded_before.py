"""A game that was recorded before R12 was asked for, in a salon: shown, exported, audited and corrected as it was played."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.preference import tricks
from tests.material import MATERIAL, lines_of
from tests.tournament.commanding import run
from tests.tournament.salons import opened_salon, owner_of
from tests.tournament.tables import recorded
from tests.tournament.test_correction_pages import corrected, words
from tournament.archive import Outcome, export_game
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

GAME = "sim-preference-045"


def given() -> dict[str, Any]:
    return next(value for value in lines_of(MATERIAL / "preference_simulated.jsonl") if value["id"] == GAME)


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


@pytest.fixture
def game(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Recorded while a lone defender without a deal was asked for nothing."""
    with monkeypatch.context() as then:
        asked = tricks.must_head
        then.setattr(tricks, "must_head", lambda hand, order, place: asked(hand, order, place) and not _alone(hand, order, place))
        recorded(salon, given())
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


def test_its_file_is_known_again_and_changes_nothing(salon: Salon, game: Game) -> None:
    assert recorded(salon, export_game(salon, game.pk)) == Outcome.UNCHANGED


def test_another_game_like_it_is_refused_now_at_the_play_that_was_wrong(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(given()))

    ran = run(capsys, "record", file, "--salon", salon.slug)

    assert ran.status == 1
    assert "hands[2].plays[0][1]: Seat A can head the trick and must, so not 7H but QH (R12) [must_head]" in ran.out
    assert not Game.objects.exists()
