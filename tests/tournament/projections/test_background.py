"""Background projections reach the head of every log, whatever happens to the hints."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError as BrokerIsAway
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from ledger.chain import Stored
from ledger.drafts import CHIPS_MOVED, AccountRef, CommandClaim, Draft, TransferDraft
from ledger.models import Event, Log, Transfer
from ledger.store import append, open_log
from tests.conftest import OwnDatabase
from tests.tournament.helpers.logs import record
from tournament import tasks
from tournament.celery import app
from tournament.models import Progress, new_id
from tournament.projections import background
from tournament.projections.background import (
    EVENTS_A_STEP,
    CannotPass,
    LogPosition,
    Projection,
    Write,
    catch_up,
    resume,
    waiting,
)
from tournament.projections.chain_check import CHECKED
from tournament.recording import wake_workers

MORE_THAN_A_STEP = EVENTS_A_STEP + 50
MOST_STATEMENTS = 4  # BEGIN and COMMIT among them


def counting(
    seen: list[int], *, stop_at: int = 0, busy: int = 0, name: str = "counting"
) -> Projection:
    """A projection that writes down the positions it took; it can't pass `stop_at`, and is busy the
    first `busy` times.
    """
    left = [busy]

    def fold(log: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
        if left[0]:
            left[0] -= 1
            raise OperationalError("database is locked")
        if stop_at and any(event.position == stop_at for event in events):
            raise CannotPass(stop_at, "This makes no sense.")
        return lambda: seen.extend(event.position for event in events)

    return Projection(name=name, fold=fold)


def unguard(table: str = "ledger_event") -> None:
    """Take the triggers off a table of the ledger, for this test's transaction."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            return
        cursor.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")


@pytest.fixture
def log(db: None) -> Log:
    return open_log()


@pytest.fixture
def committed_log(own_database: OwnDatabase) -> Log:
    return open_log()


def test_a_projection_takes_every_event_once_and_in_order(log: Log) -> None:
    record(log, MORE_THAN_A_STEP)
    seen: list[int] = []

    catch_up(log, [counting(seen)])
    record(log, 3)
    catch_up(log, [counting(seen)])

    assert seen == list(range(1, MORE_THAN_A_STEP + 4))


def test_a_log_that_never_rests_holds_nobody_for_ever(log: Log) -> None:
    record(log, 2)
    seen: list[int] = []

    def fold(log: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
        record(log)  # as somebody does who taps meanwhile
        return lambda: seen.extend(event.position for event in events)

    restless = Projection(name="restless", fold=fold)
    for reached in (2, 3, 4):
        catch_up(log, [restless])
        assert seen == list(range(1, reached + 1))
    assert waiting([restless]) == [log]


def test_looking_again_when_nothing_moved_changes_nothing(log: Log) -> None:
    record(log, 3)
    seen: list[int] = []

    for _ in range(3):
        catch_up(log, [counting(seen)])

    assert seen == [1, 2, 3]


def test_two_who_catch_up_at_once_take_every_event_once(committed_log: Log) -> None:
    record(committed_log, MORE_THAN_A_STEP)
    seen: list[int] = []
    together = threading.Barrier(4)

    def work() -> None:
        together.wait()
        while waiting([counting(seen)]):
            try:
                catch_up(committed_log, [counting(seen)])
            except OperationalError:
                continue
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()

    assert seen == list(range(1, MORE_THAN_A_STEP + 1))


def test_a_write_and_the_place_it_leads_to_are_stored_together_or_not_at_all(log: Log) -> None:
    record(log, 2)

    def fold(of: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
        def write() -> None:
            Progress.objects.create(log=of, projection="written", position=9, hash="")
            raise ValueError("the disk is full")

        return write

    catch_up(log, [Projection(name="failing", fold=fold)])

    assert not Progress.objects.filter(projection="written").exists()
    parked = Progress.objects.get(projection="failing")
    assert (parked.position, parked.error) == (0, "ValueError: the disk is full")


def test_a_projection_that_cannot_pass_an_event_is_parked_there_and_never_skips(log: Log) -> None:
    record(log, 5)
    seen: list[int] = []

    for _ in range(2):
        catch_up(log, [counting(seen, stop_at=3)])

    parked = Progress.objects.get(projection="counting")
    assert (parked.error_position, parked.error, seen) == (3, "This makes no sense.", [])
    assert waiting([counting(seen)]) == []


def test_a_parked_projection_goes_on_when_it_is_let(log: Log) -> None:
    record(log, 5)
    seen: list[int] = []
    catch_up(log, [counting(seen, stop_at=3)])

    resume(log, "counting")
    catch_up(log, [counting(seen)])

    assert seen == [1, 2, 3, 4, 5]


def test_a_parked_projection_does_not_hold_up_the_others(log: Log) -> None:
    record(log, 5)

    catch_up(log, [counting([], stop_at=3), CHECKED])

    assert Progress.objects.get(projection="checked").position == 5


def test_a_busy_database_parks_nothing(log: Log) -> None:
    record(log, 2)
    seen: list[int] = []
    busy_once = counting(seen, busy=1)

    with pytest.raises(OperationalError):
        catch_up(log, [busy_once])
    catch_up(log, [busy_once])

    assert seen == [1, 2]


def test_the_sweep_finds_every_log_that_moved_and_no_other(log: Log) -> None:
    other, empty = open_log(), open_log()
    record(log, 2)
    record(other, 3)

    assert set(waiting(tasks.PROJECTIONS)) == {log, other}
    tasks.sweep()

    assert {(each.log_id, each.position) for each in Progress.objects.all()} == {
        (log.pk, 2),
        (other.pk, 3),
    }
    assert not Progress.objects.filter(log=empty).exists()
    assert waiting(tasks.PROJECTIONS) == []


def test_a_hint_for_a_log_that_is_gone_changes_nothing(db: None) -> None:
    tasks.look_at(4711)


def test_a_hint_goes_out_when_the_transaction_commits(
    log: Log,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    sent: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr(
        wake_workers, "_next_hint", {}
    )  # as if no test before had hinted at this log
    monkeypatch.setattr(app, "send_task", lambda name, args, **_: sent.append((name, args)))

    with django_capture_on_commit_callbacks(execute=True):
        wake_workers.hint(log.pk)
        assert sent == []

    assert sent == [(tasks.look_at.name, (log.pk,))]


def test_a_broker_that_is_away_does_not_disturb_what_was_recorded(
    log: Log,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    tried = []

    def away(*_: object, **__: object) -> None:
        tried.append(log.pk)
        raise BrokerIsAway

    monkeypatch.setattr(wake_workers, "_next_hint", {})
    monkeypatch.setattr(app, "send_task", away)

    for _ in range(2):  # the second is spared: the broker was away a moment ago
        with django_capture_on_commit_callbacks(execute=True):
            wake_workers.hint(log.pk)

    assert tried == [log.pk]


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("body", '{"x":1}', "Event 3 is not what was recorded"),
        ("actor", "user:2", "Event 3 is not what was recorded"),
        ("prev_hash", "0" * 64, "Event 3 does not follow event 2"),
    ],
)
def test_a_changed_event_parks_the_check_of_the_chain_at_it(
    log: Log, column: str, value: str, words: str
) -> None:
    record(log, 5)
    unguard()
    Event.objects.filter(log=log, position=3).update(**{column: value})

    catch_up(log, [CHECKED])

    parked = Progress.objects.get(projection="checked")
    assert parked.error_position == 3
    assert words in parked.error


def test_chips_that_moved_belong_to_what_is_checked(log: Log) -> None:
    stream = new_id()
    draft = Draft(
        stream=stream, type=CHIPS_MOVED, schema=1, occurred_at=1, body=b"{}",
        transfer=TransferDraft(
            source=AccountRef(key="N", overdraft=True),
            target=AccountRef(key="hand"),
            chips=5,
        ),
    )  # fmt: skip
    append(
        log.pk,
        CommandClaim(id=new_id(), actor="user:1", content=b""),
        [draft] * 2,
        expected={stream: 0},
        now=1,
    )
    catch_up(log, [CHECKED])
    assert Progress.objects.get().position == 2

    Progress.objects.all().delete()
    unguard("ledger_transfer")
    Transfer.objects.filter(log=log, position=2).update(chips=6)
    catch_up(log, [CHECKED])

    assert (
        Progress.objects.get().error == "Event 2 is not what was recorded: its hash does not match."
    )


def test_a_removed_event_parks_the_check_of_the_chain_at_it(log: Log) -> None:
    record(log, 5)
    unguard()
    Event.objects.filter(log=log, position=3).delete()

    catch_up(log, [CHECKED])

    parked = Progress.objects.get(projection="checked")
    assert (parked.error_position, parked.error) == (3, "Event 3 is missing.")


def test_a_log_whose_last_event_was_removed_is_left_where_its_events_end(log: Log) -> None:
    record(log, 5)
    unguard()
    Event.objects.filter(log=log, position=5).delete()

    catch_up(log, [CHECKED])

    assert Progress.objects.get(projection="checked").position == 4


def test_an_event_before_the_place_reached_that_was_written_anew_breaks_the_next_link(
    log: Log,
) -> None:
    record(log, 5)
    catch_up(log, [CHECKED])
    Progress.objects.update(hash="0" * 64)
    record(log)

    catch_up(log, [CHECKED])

    assert Progress.objects.get(projection="checked").error == "Event 6 does not follow event 5."


def test_what_follows_from_the_events_is_worked_out_without_holding_the_database(
    committed_log: Log,
) -> None:
    record(committed_log)
    inside: list[bool] = []

    def fold(log: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
        inside.append(connection.in_atomic_block)
        return lambda: inside.append(connection.in_atomic_block)

    catch_up(committed_log, [Projection(name="watching", fold=fold)])

    assert inside == [False, True]


def test_those_that_stand_at_one_place_take_the_events_of_a_second_in_one_write(log: Log) -> None:
    seen: list[list[int]] = [[] for _ in range(6)]
    projections = [counting(each, name=f"number {place}") for place, each in enumerate(seen)]
    record(log)
    catch_up(log, projections)
    record(log, 3)

    with CaptureQueriesContext(connection) as queries:
        catch_up(log, projections)

    assert seen == [[1, 2, 3, 4]] * 6
    moves = [each for each in queries if each["sql"].startswith('UPDATE "tournament_progress"')]
    assert len(moves) == 1
    assert {(each.position, each.error) for each in Progress.objects.all()} == {(4, "")}


def test_one_that_cannot_go_on_is_parked_alone_and_the_others_take_every_event_once(
    log: Log,
) -> None:
    first, last, refused = list[int](), list[int](), list[int]()
    stuck = counting(refused, stop_at=2, name="stuck")
    projections = [counting(first, name="first"), stuck, counting(last, name="last")]
    record(log)
    catch_up(log, projections)
    record(log, 2)

    catch_up(log, projections)

    assert (first, refused, last) == ([1, 2, 3], [1], [1, 2, 3])
    places = {each.projection: (each.position, each.error) for each in Progress.objects.all()}
    assert places == {"first": (3, ""), "stuck": (1, "This makes no sense."), "last": (3, "")}


def test_a_write_that_fails_takes_back_no_more_than_its_own_projection(log: Log) -> None:
    kept: list[int] = []

    def fold(of: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
        def write() -> None:
            Progress.objects.create(log=of, projection="written", position=9, hash="")
            if place.position:
                raise ValueError("the disk is full")
            Progress.objects.filter(projection="written").delete()

        return write

    projections = [Projection(name="failing", fold=fold), counting(kept)]
    record(log)
    catch_up(log, projections)
    record(log)

    catch_up(log, projections)

    places = {each.projection: (each.position, each.error) for each in Progress.objects.all()}
    assert places == {"failing": (1, "ValueError: the disk is full"), "counting": (2, "")}
    assert kept[-1] == 2


def test_where_somebody_moved_one_of_them_meanwhile_nobody_takes_an_event_twice(log: Log) -> None:
    moved, other = list[int](), list[int]()

    def fold(of: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
        if place.position == 1:  # as another worker whose turn it was
            here = Progress.objects.filter(log=of, projection="moved", position=1)
            here.update(position=2, hash=events[0].hash)
        return lambda: other.extend(event.position for event in events)

    projections = [Projection(name="other", fold=fold), counting(moved, name="moved")]
    record(log)
    catch_up(log, projections)
    record(log, 2)

    catch_up(log, projections)

    assert (other, moved) == ([1, 2, 3], [1, 3])
    assert {each.position for each in Progress.objects.all()} == {3}


def test_the_database_is_held_for_the_write_and_the_place_alone(
    committed_log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many events there are: two statements a step. What they cost in milliseconds is in
    the benchmarks.
    """
    record(committed_log, 20 * EVENTS_A_STEP)
    statements: list[int] = []
    write_and_move = background._write_and_move

    def counted(*arguments: Any) -> None:
        with CaptureQueriesContext(connection) as queries:
            write_and_move(*arguments)
        statements.append(len(queries))

    monkeypatch.setattr(background, "_write_and_move", counted)
    catch_up(committed_log, [CHECKED])

    assert len(statements) == 20
    assert max(statements) <= MOST_STATEMENTS


def test_a_log_that_cannot_be_worked_keeps_no_other_log_from_being_checked(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_log()
    record(log, 2)
    record(other, 2)
    caught_up = catch_up

    def fails_at_the_first(each: Log, projections: Sequence[Projection]) -> None:
        if each.pk == log.pk:
            raise ZeroDivisionError
        caught_up(each, projections)

    monkeypatch.setattr(tasks, "catch_up", fails_at_the_first)
    tasks.sweep()

    assert list(Progress.objects.filter(projection="checked").values_list("log", "position")) == [
        (other.pk, 2)
    ]
