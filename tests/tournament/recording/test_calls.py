"""Calls for the director: one a table, each a stream of its own, ended with round and tournament,
and the same after rebuild and verification.
"""

from dataclasses import replace

import pytest

from ledger.verify import verify_log
from scoring.errors import RuleViolation
from tests.tournament.helpers.evenings import does, in_round_1, result, start_first_table
from tests.tournament.helpers.playing import a_command, a_game
from tournament.domain.calls.rules import AnswerCall, Keeping, ReopenCall, TakeBackCall, TakeUpCall
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Call, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording import calls
from tournament.recording.calls import MOST_AN_HOUR, keep_call, make_call, open_call


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time now in seconds, to be set."""
    now = [1_000_000]
    monkeypatch.setattr(calls, "_now", lambda: now[0] * 1_000_000)
    return now


def called(salon: Salon, label: str = "5", reason: str = "card", *, game: str = "") -> Call:
    done = make_call(salon, label, reason, game=game, actor="user:1", command=a_command())
    return Call.objects.get(pk=done.game)


def kept(row: Call, act: type[Keeping], command: str = "") -> Call:
    keep_call(row.salon, row.pk, act, actor="user:1", command=command or a_command())
    row.refresh_from_db()
    return row


def at_a_table(salon: Salon) -> tuple[Tournament, str]:
    """A tournament, and its game at table 4 of the salon."""
    row = in_round_1(salon)
    game = start_first_table(salon, row)
    row.refresh_from_db()
    return row, game.pk


def test_a_row_says_what_became_of_a_call(salon: Salon, clock: list[int]) -> None:
    row = called(salon)
    clock[0] += 40
    kept(row, TakeUpCall)
    clock[0] += 150
    kept(row, AnswerCall)

    times = [row.made_at, row.taken_up_at, row.ended_at]
    assert [(at or 0) // 1_000_000 - 1_000_000 for at in times] == [0, 40, 190]
    assert (row.table, row.reason, row.ending, row.version) == ("5", "card", "answered", 3)


def test_a_table_calls_once_however_often_it_is_tapped(salon: Salon) -> None:
    command = a_command()
    for _tap in range(2):
        make_call(salon, "5", "card", game="", actor="table:1", command=command)
    with pytest.raises(RuleViolation) as refused:
        called(salon, reason="rules")

    assert refused.value.code == "called_already"
    assert list(Call.objects.values_list("pk", flat=True)) == [command]
    assert called(salon, "6").table == "6"


def test_the_database_itself_keeps_a_table_to_one_open_call(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two phones at once: both saw no call when they looked."""
    monkeypatch.setattr(calls, "_check", lambda *seen: None)
    first = called(salon)

    with pytest.raises(RuleViolation) as refused:
        called(salon)

    assert refused.value.code == "called_already"
    assert open_call(salon, "5") == first


def test_what_was_tapped_twice_at_the_desk_counts_once(salon: Salon) -> None:
    row, command = called(salon), a_command()

    assert kept(row, AnswerCall, command).version == kept(row, AnswerCall, command).version == 2


def test_an_answer_taken_back_after_a_new_call_is_refused(salon: Salon) -> None:
    row = kept(called(salon), AnswerCall)
    called(salon)

    with pytest.raises(RuleViolation) as refused:
        kept(row, ReopenCall)

    assert refused.value.code == "called_already"


def test_a_table_that_calls_without_end_is_sent_to_the_director(
    salon: Salon, clock: list[int]
) -> None:
    for _call in range(MOST_AN_HOUR):
        kept(called(salon), TakeBackCall)
    with pytest.raises(RuleViolation) as refused:
        called(salon)
    clock[0] += 3600

    assert refused.value.code == "too_many_calls"
    assert called(salon).ending == ""


def test_a_call_knows_the_tournament_that_the_game_at_its_table_counts_in(salon: Salon) -> None:
    row, game = at_a_table(salon)

    call = called(salon, "4", game=game)
    alone = called(salon, "5", game=a_game(salon, table="5").pk)

    assert (call.tournament, call.round, call.number) == (row.pk, 1, 1)
    assert (alone.tournament, alone.round, alone.number) == ("", 0, 0)


def test_calls_never_move_the_stream_of_the_tournament_or_of_the_game(salon: Salon) -> None:
    row, game = at_a_table(salon)
    before = row.version

    kept(called(salon, "4", game=game), AnswerCall)
    row.refresh_from_db()

    assert row.version == before


def test_a_call_ends_with_its_round_and_others_go_on(salon: Salon) -> None:
    row, game = at_a_table(salon)
    call, other = called(salon, "4", game=game), called(salon, "5")

    close_round_1(row)

    assert endings(call, other) == ["lapsed", ""]


def test_a_call_made_after_its_round_ends_with_the_tournament(salon: Salon) -> None:
    row, game = at_a_table(salon)
    close_round_1(row)
    call, other = called(salon, "4", game=game), called(salon, "5")
    assert endings(call, other) == ["", ""]

    does(row, EnterPhase(phase="finished"))

    assert endings(call, other) == ["lapsed", ""]


def test_a_game_of_a_tournament_that_is_over_calls_for_the_salon(salon: Salon) -> None:
    row, game = at_a_table(salon)
    close_round_1(row)
    does(row, EnterPhase(phase="finished"))

    assert called(salon, "4", game=game).tournament == ""


def test_an_act_that_is_refused_ends_no_call(salon: Salon) -> None:
    row, game = at_a_table(salon)
    call = called(salon, "4", game=game)

    with pytest.raises(RuleViolation):
        does(row, CloseRound(round=1))

    assert endings(call) == [""]


def close_round_1(row: Tournament) -> None:
    (first, second), reason = (result(1, 250, 180), result(2, 250, 180)), "the light went out"
    first = replace(first, game="detach", reason=reason)
    does(row, first, second, CloseRound(round=1))


def endings(*rows: Call) -> list[str]:
    for row in rows:
        row.refresh_from_db()
    return [row.ending for row in rows]


def test_rows_of_calls_are_compared_with_their_events_and_mended(salon: Salon) -> None:
    row = kept(kept(called(salon), TakeUpCall), AnswerCall)
    called(salon, "6")
    assert list(audit(salon)) == []

    Call.objects.filter(pk=row.pk).update(reason="other", ended_at=None)
    found = {each.column for each in audit(salon)}
    list(differences(salon, mend=True, progress=lambda _done: None))

    assert found == {"reason", "ended_at"}
    assert list(audit(salon)) == []
    assert not list(verify_log(salon.log_id))
