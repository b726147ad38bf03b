"""Games recorded before R12, or S11, was asked for, in a salon: shown, exported, audited and
corrected as they were played.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.preference import tricks
from scoring.sabacc import decide
from tests.material import MATERIAL, lines_of
from tests.scoring.sabacc.table import hand, record
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.correction_forms import corrected, fields, words
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.tables import recorded
from tournament.exchange.game_records import Outcome, export_game
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.salons.public_names import Audience

GAME = "sim-preference-045"


def given() -> dict[str, Any]:
    return next(
        value for value in lines_of(MATERIAL / "preference_simulated.jsonl") if value["id"] == GAME
    )


@pytest.fixture
def game(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Recorded while a lone defender without a deal was asked for nothing."""
    with monkeypatch.context() as then:
        asked = tricks.must_head
        then.setattr(
            tricks,
            "must_head",
            lambda hand, order, place: asked(hand, order, place) and not _alone(hand, order, place),
        )
        recorded(salon, given())
    return Game.objects.get(record=GAME)


def _alone(hand: Any, order: Any, place: int) -> bool:
    return bool(place == 1 and order[0] == hand.soloist and len(order) == 2 and hand.deal is None)


def check_sound(salon: Salon) -> None:
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


def test_it_stands_as_it_was_played(salon: Salon, game: Game) -> None:
    expected = next(
        each
        for each in lines_of(MATERIAL / "preference_simulated.expected.jsonl")
        if each["id"] == GAME
    )

    check_sound(salon)
    assert game.state["score"] == expected["chips"]


def test_its_house_rules_are_corrected_on_the_page_and_its_plays_stay(
    salon: Salon, game: Game
) -> None:
    hands = export_game(salon, game.pk, Audience.SALON)["hands"]

    answer = corrected(
        owner_of(salon), f"/games/{game.pk}/corrections/options/", options__forfeit="21"
    )

    assert answer.status_code == 302, words(answer.text)
    assert export_game(salon, game.pk, Audience.SALON)["hands"] == hands
    check_sound(salon)


def test_another_hand_is_taken_out_on_the_page(salon: Salon, game: Game) -> None:
    before = export_game(salon, game.pk, Audience.SALON)["hands"]

    answer = corrected(owner_of(salon), f"/games/{game.pk}/corrections/removed/?hand={len(before)}")

    assert answer.status_code == 302, words(answer.text)
    assert export_game(salon, game.pk, Audience.SALON)["hands"] == before[:-1]
    check_sound(salon)


def test_its_file_is_known_again_and_changes_nothing(salon: Salon, game: Game) -> None:
    assert recorded(salon, export_game(salon, game.pk, Audience.SALON)) == Outcome.UNCHANGED


def test_another_game_like_it_is_refused_now_at_the_play_that_was_wrong(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(given()))

    ran = run(capsys, "record", file, "--salon", salon.slug)

    assert ran.status == 1
    assert (
        "hands[2].plays[0][1]: Seat A can head the trick and must, so not 7H but QH "
        "(R12) [must_head]"
    ) in ran.out
    assert not Game.objects.exists()


IMPOSSIBLE = (
    hand("A", "take", points=27, bonus={"kind": "grand_slam", "seat": "B"}, dealer="C"),
    hand("C", "guard", points=91, dealer="B"),
    hand("B", "push", points=50, dealer="A"),
)


@pytest.fixture
def unweighed(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of Contract Sabacc recorded while points and bonus were not weighed together: two of
    its totals can't be.
    """
    with monkeypatch.context() as then:
        then.setattr(decide, "check_counted", lambda points, bonus, hand: None)
        recorded(salon, record(*IMPOSSIBLE, players=3))
    return Game.objects.get(record="game-1")


def test_two_impossible_totals_are_put_right_one_after_the_other_on_the_page(
    salon: Salon, unweighed: Game
) -> None:
    owner = owner_of(salon)

    for number in (1, 2):
        page = f"/games/{unweighed.pk}/corrections/hand/?hand={number}"
        form = fields(owner.get(page).text)
        form |= {
            "points:half": ["45"],
            "fields": [each for each in form["fields"] if "bonus" not in each],
        }
        seen = owner.post(page, form | {"step": ["preview"]})
        answer = owner.post(
            page, fields(seen.text) | {"reason": ["counted again"], "step": ["record"]}
        )
        assert answer.status_code == 302, words(answer.text)
        check_sound(salon)

    assert [
        each["points"] for each in export_game(salon, unweighed.pk, Audience.SALON)["hands"]
    ] == [45, 45, 50]


def test_beside_impossible_totals_house_rules_and_who_sat_are_corrected_on_the_page(
    salon: Salon, unweighed: Game
) -> None:
    owner, points = owner_of(salon), [27, 91, 50]

    ruled = corrected(owner, f"/games/{unweighed.pk}/corrections/options/", options__ante="2")
    seated = corrected(
        owner, f"/games/{unweighed.pk}/corrections/seats/", first="1", last="2", players__A="Dara"
    )

    assert (ruled.status_code, seated.status_code) == (302, 302), words(ruled.text + seated.text)
    stored = export_game(salon, unweighed.pk, Audience.SALON)
    assert [each["points"] for each in stored["hands"]] == points
    assert [each.get("players") for each in stored["hands"]] == [{"A": "Dara"}, {"A": "Dara"}, None]
    check_sound(salon)


def test_the_file_of_impossible_totals_is_known_again(salon: Salon, unweighed: Game) -> None:
    assert recorded(salon, export_game(salon, unweighed.pk, Audience.SALON)) == Outcome.UNCHANGED
