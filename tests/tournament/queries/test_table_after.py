"""What a pad shows right after an act without asking again is what the database says."""

from random import Random
from typing import Any

import pytest

from scoring.commands import Undo
from scoring.games import GAMES
from tests.tournament.helpers.tables import ACTOR, a_salon, new_command
from tournament.accounts.permissions import Role, Visitor
from tournament.demo.card_play import hand_by_chance
from tournament.models import Game
from tournament.queries.table import TableGame, game_after, game_at
from tournament.recording.door import Recorded, record_acts, start_game
from tournament.streams.folds import require_fold

HANDS = {"order_of_precedence": 1}  # of the others three


@pytest.mark.parametrize("kind", GAMES)
def test_a_game_after_each_act_is_as_its_row_has_it(db: None, kind: str) -> None:
    visitor, at = a_table(kind)
    log, game, asked_again = visitor.salon.log_id, at.row.pk, 0

    for turn in range(HANDS.get(kind, 3)):
        folded = require_fold(log, game)
        hand, _after = hand_by_chance(Random(turn), folded.game, folded.state)
        taken_back = [*hand[:-1], None, *hand[-2:]] if len(hand) > 2 else hand
        for act in taken_back:
            recorded = tapped(visitor, game, act or Undo(version=at.table["undo"]["version"]))
            asked_again += recorded.columns is None
            at = shown_after(visitor, at, recorded)

    assert asked_again < 4, "an act of a game that goes on writes its row alone"


def test_a_game_that_is_over_makes_room_for_what_the_table_has_now(db: None) -> None:
    visitor, at = a_table("precedence")
    over = dict(game_columns(at), finished=True)

    assert game_after(visitor, "4", at, over).row.finished is False


def a_table(kind: str) -> tuple[Visitor, TableGame]:
    salon = a_salon()
    start_game(
        salon,
        actor=ACTOR,
        command=new_command(),
        kind=kind,
        players={seat: f"Player {seat}" for seat in GAMES[kind].seat_names},
        options={},
        table="4",
    )
    visitor = Visitor(salon=salon, role=Role.OWNER, actor=ACTOR)
    at = game_at(visitor, "4")
    assert at is not None
    return visitor, at


def tapped(visitor: Visitor, game: str, act: object) -> Recorded:
    version = require_fold(visitor.salon.log_id, game).version
    return record_acts(
        visitor.salon, game, [act], actor=ACTOR, command=new_command(), version=version
    )


def shown_after(visitor: Visitor, before: TableGame, recorded: Recorded) -> TableGame:
    """The game after what was recorded, which is the same as if it was asked for."""
    after = game_after(visitor, "4", before, recorded.columns)
    asked = game_at(visitor, "4")
    assert asked is not None
    assert game_columns(after) == game_columns(asked)
    assert (after.table, after.seats, after.players) == (asked.table, asked.seats, asked.players)
    assert before.row.version < after.row.version
    return after


def game_columns(at: TableGame) -> dict[str, Any]:
    return {field.attname: getattr(at.row, field.attname) for field in Game._meta.concrete_fields}
