"""A game begins at a table of any size that fills it, and counts for everybody who sits there."""

from random import Random

import pytest

from scoring.commands import EndGame, StartGame
from scoring.games import GAMES
from tests.tournament.helpers.tables import a_salon, act, new_command
from tournament.demo.card_play import hand_by_chance
from tournament.domain.standings.values import Pods, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.recording.tournaments import direct, open_tournament, start_linked_game
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcome_of

TABLES = {
    3: ("preference", Stage(kind="pods", rounds=1, pods=Pods(sizes=(3,)))),
    5: ("contract_sabacc", Stage(kind="pods", rounds=1, pods=Pods(sizes=(5,)))),
    4: ("precedence", Stage(kind="rotating", rounds=1)),
}


@pytest.mark.parametrize("size", TABLES)
def test_a_game_of_single_players_seats_them_in_their_order_and_counts_for_each(
    db: None, size: int
) -> None:
    salon, (game, stage) = a_salon(), TABLES[size]
    row = open_tournament(
        salon, actor="test", command=new_command(), name="Made", game=game, stage=stage, seed=7
    )
    acts = (
        EnterPhase(phase="registration"),
        *(MakeEntry(players=(("1", f"Player {number}"),)) for number in range(size)),
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    )
    version = direct(
        salon, row.pk, acts, actor="test", command=new_command(), version=row.version
    ).version
    begun = start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="1",
        actor="test",
        command=new_command(),
        version=version,
    )
    folded = fold_of(salon.log_id, begun.pk)
    assert folded is not None
    hand, _after = hand_by_chance(Random(3), folded.game, folded.state)
    act(salon, begun.pk, *hand)
    over = fold_of(salon.log_id, begun.pk)
    assert over is not None
    if over.state.closed is None:
        act(salon, begun.pk, EndGame(kind="called", by="Mara", reason="Time."))
    closing = CloseRound(round=1)
    direct(salon, row.pk, [closing], actor="test", command=new_command(), version=version + 1)

    tournament, ended = fold_of(salon.log_id, row.pk), fold_of(salon.log_id, begun.pk)
    assert tournament is not None
    assert ended is not None
    table = tournament.state.rounds[0].tables[0]
    seated = [dict(tournament.state.entry(key).players)["1"] for key in table.entries]
    assert [*ended.state.players.values()] == seated
    outcome = outcome_of(begun.pk, ended.game, ended.state)
    assert outcome is not None
    assert len(outcome.results_at(table)) == size
    if size == 4:
        north, east, south, west = outcome.results_at(table)
        assert (north.score, east.score) == (south.score, west.score), "partners share a score"


def test_tricks_count_only_where_every_hand_was_played_out() -> None:
    game = GAMES["preference"]
    start = StartGame(
        record="made", players=(("A", "a"), ("B", "b"), ("C", "c")), rules=game.read_rules({})
    )
    state = game.folded(game.decide(start, None))
    passed = [
        ("hands", {"dealer": "A"}),
        *(("calls", {"seat": seat, "call": "pass"}) for seat in "BCA"),
    ]
    for collection, value in passed:
        act_of = game.acts[collection](value, state.rules)
        state = game.folded(game.decide(act_of, state), state)
    end = EndGame(kind="called", by="Mara", reason="Time.")
    state = game.folded(game.decide(end, state), state)

    outcome = outcome_of("made", game, state)

    assert outcome is not None
    assert [result.tricks for result in outcome.by_seat] == [None, None, None]
