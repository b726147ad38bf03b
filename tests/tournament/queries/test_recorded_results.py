"""What a salon's tables have come to: typed results of closed rounds and games that are over, each
once, with those that can be compared.
"""

import pytest

from scoring.commands import EndGame
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.many_results import of_pairs, played
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command, a_game
from tournament.domain.standings.rare_results import HIGHEST, MARGIN, Recorded
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Game, Salon, Tournament
from tournament.queries import recorded_results as recorded_results_module
from tournament.queries.recorded_results import Group, read_recorded_results
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of

PAIRS = Group(2, False)
ENDED = EndGame(kind="called", by="Mara", reason="Time was up.")
A_HAND = hand("N", (4, 3, 3, 4), (9, 4))


def known(row: Tournament) -> Recorded:
    row.refresh_from_db()
    return read_recorded_results(row.salon, state_of(row), "score").get(PAIRS, Recorded())


def test_results_count_when_their_round_is_closed(salon: Salon) -> None:
    row = in_round_1(salon)
    does(row, result(1, 250, 100), result(2, 250, 130))
    assert known(row).among == 0

    does(row, CloseRound(round=1))
    assert known(row).among == 2
    assert known(row).furthest[MARGIN] == (150 * HUNDREDTHS,)


def test_only_the_latest_events_and_games_are_looked_at(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    for score in (250, 240):
        row = in_round_1(salon)
        does(row, result(1, score, 100), result(2, score, 130), CloseRound(round=1))
        record(Game.objects.get(pk=a_game(salon).pk), *A_HAND, ENDED)
    assert known(row).among == 6

    monkeypatch.setattr(recorded_results_module, "LATEST_EVENTS", 1)
    assert known(row).among == 4
    monkeypatch.setattr(recorded_results_module, "LATEST_GAMES", 1)
    assert known(row).among == 3
    assert known(row).furthest[HIGHEST] == (240 * HUNDREDTHS,)


def test_a_game_that_is_over_counts_and_one_in_whose_place_a_result_was_typed_does_not(
    salon: Salon,
) -> None:
    row = in_round_1(salon)
    for table, label in ((1, "1"), (2, "2")):
        row.refresh_from_db()
        game = start_linked_game(
            salon,
            row.pk,
            round=1,
            table=table,
            label=label,
            actor="user:1",
            command=a_command(),
            version=row.version,
        )
        record(game, *A_HAND, ENDED)
    assert known(row).among == 2

    does(row, result(1, 250, 100), CloseRound(round=1))
    assert known(row).among == 2
    assert known(row).furthest[MARGIN] == (150 * HUNDREDTHS,)


def test_a_game_of_no_tournament_counts_and_its_hands_deal_by_deal(salon: Salon) -> None:
    row = in_round_1(salon)
    game = a_game(salon)
    record(game, *A_HAND)
    assert known(row).among == 0  # it goes on
    record(game, ENDED)

    found = read_recorded_results(salon, state_of(row), "score")
    assert {group: each.among for group, each in found.items()} == {PAIRS: 1, Group(2, True): 1}


def test_games_to_another_score_and_practice_are_left_out(salon: Salon) -> None:
    row = in_round_1(salon)
    other = a_game(salon, options={"target_score": 100})
    record(other, *A_HAND, ENDED)
    assert Game.objects.get(pk=other.pk).finished
    assert known(row).among == 0


def test_practice_counts_for_nothing_here_either(salon: Salon) -> None:
    row = in_round_1(salon)
    practice = of_pairs(salon, 4)
    played(practice, [30, 40])
    assert known(row).among == 2

    Tournament.objects.filter(pk=practice.pk).update(practice=True)
    assert known(row).among == 0
