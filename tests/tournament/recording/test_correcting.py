"""Corrections in the salon: rows, chips, words and proofs are those of games recorded right the
first time.
"""

from random import Random
from typing import Any

import pytest

from ledger.accounts import trial_balance
from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import read_stream
from ledger.verify import verify_log
from scoring.commands import Undo
from scoring.corrections import (
    Change,
    CorrectHand,
    Correction,
    CorrectSeats,
    InsertHand,
    RemoveHand,
)
from scoring.errors import NotationError, Refusal, RuleViolation
from scoring.games import GAMES
from tests.scoring.changes import a_change
from tests.scoring.corrected import begun
from tests.tournament.helpers.correcting import check_right_first_time
from tests.tournament.helpers.tables import (
    ACTOR,
    a_salon,
    act,
    new_command,
    recorded,
    samples,
    simple,
)
from tournament.exchange.game_records import export_game
from tournament.models import Game, Hand, Salon, Text
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.corrections import preview_correction, record_correction
from tournament.recording.door import Recorded
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of

HAND = {"bids": {"N": 2, "E": 4, "S": 2, "W": 4}, "tricks": {"NS": 7, "EW": 6}}


@pytest.fixture
def salon(db: object) -> Salon:
    return a_salon()


def a_game(salon: Salon, hands: int = 3, **options: Any) -> Game:
    """A game of so many hands of 4 + 6 bid and 7 + 6 won."""
    dealt = [{"dealer": dealer, **HAND} for dealer in "NESW"[:hands]]
    recorded(salon, simple("game", hands=dealt, options=options))
    return Game.objects.get(salon=salon, record="game")


def corrected(
    salon: Salon, game: Game, change: Change, *, command: str = "", **more: Any
) -> Recorded:
    game.refresh_from_db()
    correction = Correction(change=change, by="Elder", reason="seen later", **more)
    return record_correction(
        salon,
        game.pk,
        correction,
        actor=ACTOR,
        command=command or new_command(),
        version=game.version,
    )


def sheet(**changes: Any) -> Any:
    precedence = GAMES["precedence"]
    return precedence.read_sheet({**HAND, **changes}, precedence.read_rules({}))


def scores(game: Game) -> list[int]:
    game.refresh_from_db()
    folded = fold_of(game.salon.log_id, game.pk)
    assert folded is not None
    return [hand["score"]["NS"] for hand in folded.game.result(folded.state)["hands"]]


def check(salon: Salon) -> None:
    """Nothing differs from the events, nothing in the ledger is wrong, and no chip is lost."""
    assert list(differences(salon, mend=False, progress=lambda _: None)) == []
    assert list(audit(salon)) == []
    assert list(verify_log(salon.log_id)) == []
    assert trial_balance(salon.log_id) == 0


def test_later_scores_follow_a_corrected_hand_and_its_row_is_marked(salon: Salon) -> None:
    game = a_game(salon)
    assert scores(game) == [43, 86, 129]

    corrected(salon, game, CorrectHand(hand=2, sheet=sheet(dealer="E", tricks={"NS": 3, "EW": 10})))

    assert scores(game) == [43, 3, 46]
    assert game.marks["corrected"] == [2]
    check(salon)


def test_only_chips_that_moved_differently_move_again(salon: Salon) -> None:
    game = a_game(salon)
    before = game.version

    corrected(
        salon,
        game,
        CorrectHand(hand=2, sheet=sheet(dealer="E", bids={"N": 2, "E": 4, "S": 3, "W": 4})),
    )

    later = [(event.type, event.body) for event in read_stream(salon.log_id, game.pk, after=before)]
    reversed_chips = [
        body for kind, body in later if kind == "chips.moved" and '"reverses":null' not in body
    ]
    assert [kind for kind, _ in later].count(
        "chips.stayed"
    ) == 4 + 3 + 1  # antes, bids, South's share of the pot
    assert len(reversed_chips) == 2  # South's bid, North's share
    check(salon)


def test_the_same_command_again_gets_its_first_answer(salon: Salon) -> None:
    game, command = a_game(salon), new_command()
    first = corrected(salon, game, RemoveHand(hand=3), command=command)

    again = corrected(salon, game, RemoveHand(hand=3), command=command)

    assert (again.version, again.repeated) == (first.version, True)
    with pytest.raises(CommandReused):
        corrected(salon, game, RemoveHand(hand=2), command=command)


def test_a_correction_of_a_game_that_went_on_meanwhile_is_too_late(salon: Salon) -> None:
    game = a_game(salon)
    correction = Correction(change=RemoveHand(hand=3), by="Elder", reason="twice")

    with pytest.raises(StreamMoved):
        record_correction(
            salon, game.pk, correction, actor=ACTOR, command=new_command(), version=game.version - 1
        )


def test_hands_out_of_rotation_need_a_ruling_that_the_preview_offers(salon: Salon) -> None:
    game = a_game(salon)
    change = InsertHand(hand=2, sheet=sheet(dealer="E", at="2026-11-21T19:30:00Z"))

    with pytest.raises(RuleViolation, match="deals this hand"):
        corrected(salon, game, change)
    seen = preview_correction(salon, game.pk, Correction(change=change, by="", reason=""))
    assert seen.excused == ((3, ("bad_dealer", "bad_trump")),)
    corrected(salon, game, change, excused=seen.excused)

    hands = export_game(salon, game.pk, Audience.SALON)["hands"]
    assert [hand["dealer"] for hand in hands] == ["N", "E", "E", "S"]
    assert hands[2]["rulings"] == [
        {
            "kind": "accept_hand",
            "excuses": ["bad_dealer", "bad_trump"],
            "by": "Elder",
            "reason": "seen later",
        }
    ]
    check(salon)


def test_who_and_why_are_words_outside_the_log(salon: Salon) -> None:
    game = a_game(salon)
    corrected(salon, game, RemoveHand(hand=3))

    assert {"Elder", "seen later"} <= set(Text.objects.values_list("text", flat=True))
    assert not any("Elder" in event.body for event in read_stream(salon.log_id, game.pk))


@pytest.mark.parametrize("words", [{"by": "", "reason": "x"}, {"by": "x", "reason": " "}])
def test_a_correction_says_by_whom_and_why(salon: Salon, words: dict[str, str]) -> None:
    game = a_game(salon)

    with pytest.raises(NotationError, match="by whom and why"):
        record_correction(
            salon,
            game.pk,
            Correction(change=RemoveHand(hand=1), by=words["by"], reason=words["reason"]),
            actor=ACTOR,
            command=new_command(),
            version=game.version,
        )


def test_what_is_stated_anew_occurred_when_it_was_played(salon: Salon) -> None:
    game = a_game(salon)
    times = {event.version: event.occurred_at for event in read_stream(salon.log_id, game.pk)}
    corrected(
        salon,
        game,
        CorrectSeats(
            first=1,
            last=2,
            players=(("N", "Birch"), ("E", "Cedar"), ("S", "Dogwood"), ("W", "Ash")),
        ),
    )

    stated = [
        event
        for event in read_stream(salon.log_id, game.pk, after=max(times))
        if event.type.startswith("precedence.")
    ]

    assert {event.occurred_at for event in stated} <= set(times.values())
    check(salon)


def test_an_undo_after_a_correction_takes_back_the_last_hand_alone(salon: Salon) -> None:
    game = a_game(salon)
    corrected(salon, game, CorrectHand(hand=2, sheet=sheet(dealer="E", tricks={"NS": 3, "EW": 10})))
    folded = fold_of(salon.log_id, game.pk)
    assert folded is not None
    act(salon, game.pk, Undo(version=folded.game.table(folded.state)["undo"]["version"]))

    game.refresh_from_db()
    assert Hand.objects.filter(game=game).count() == 2
    assert scores(game) == [43, 3]
    check(salon)


def test_hands_after_a_new_end_are_surplus_and_count_again_when_the_end_moves(salon: Salon) -> None:
    game = a_game(salon, hands=3, target_score=110)
    assert game.finished
    corrected(
        salon,
        game,
        CorrectHand(hand=1, sheet=sheet(dealer="N", bids={"N": 6, "E": 4, "S": 1, "W": 4})),
    )
    game.refresh_from_db()
    assert (game.finished, len(scores(game)), bool(game.marks["surplus"])) == (True, 2, True)
    check(salon)

    corrected(salon, game, CorrectHand(hand=1, sheet=sheet(dealer="N")))

    assert len(scores(game)) == 3
    assert game.marks["surplus"] == []
    check(salon)


@pytest.mark.parametrize("value", samples(), ids=lambda value: value["id"])
def test_after_corrections_all_is_as_of_the_game_recorded_right_the_first_time(
    salon: Salon, value: dict[str, Any]
) -> None:
    recorded(salon, value)
    game = Game.objects.get(salon=salon, record=value["id"])
    chance = Random(value["id"])
    for _ in range(3):
        some_correction(salon, game, chance)

    check_right_first_time(salon, game)
    check(salon)


def some_correction(salon: Salon, game: Game, chance: Random) -> bool:
    """Try some correction of a recorded game; whether it was taken."""
    value = export_game(salon, game.pk, Audience.SALON)
    try:
        table = begun(value)
        change, _ = a_change(chance, table, table.intended.hands or [{}])
        seen = preview_correction(salon, game.pk, Correction(change=change, by="x", reason="x"))
        corrected(salon, game, change, excused=seen.excused)
    except Refusal:
        return False
    return True
