"""What background jobs compute is a function of the log: marked on the way, computed once at its
head, the same after any accident.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from django.db import connection, transaction

from ledger.chain import Stored
from ledger.models import Log
from ledger.store import open_log
from tests.conftest import OwnDatabase
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.logs import record
from tests.tournament.helpers.salons import opened_salon
from tournament.domain.standings.ranking import Standings
from tournament.models import Mark, Progress, Reckoning, Salon, Standing, Tournament, Turn
from tournament.models.written_json import JSONText, json_text
from tournament.projections import computed
from tournament.projections.background import LogLease, as_of, catch_up, resume, waiting
from tournament.projections.computed import ROWS_A_WRITE, ComputedProjection, reckonings
from tournament.projections.generations import compare_reckonings
from tournament.projections.standings import STANDINGS, read_computed_standings, standings_of
from tournament.tasks import PROJECTIONS


@pytest.fixture
def salon(db: None) -> Salon:
    return Salon.objects.create(slug="counted", name="Counted", log=open_log())


def events_of(salon: Salon) -> int:
    salon.log.refresh_from_db()
    return salon.log.position


def counting(
    calls: list[str], reckon: Callable[[Salon], dict[str, JSONText]] | None = None
) -> ComputedProjection:
    """Counts the entries of a log, as one subject."""

    def touched(_salon: Salon, _events: Sequence[Stored]) -> Iterable[str]:
        return ["all"]

    def counted(salon: Salon, subject: str) -> dict[str, JSONText]:
        calls.append(subject)
        return reckon(salon) if reckon else {"": json_text(events_of(salon))}

    return ComputedProjection(
        name="counting", touched=touched, compute=counted, subjects=lambda salon: ["all"]
    )


def kept(salon: Salon, name: str = "counting") -> dict[str, str]:
    return {about: state for _subject, about, state in reckonings(salon.log_id, name)}


def test_however_many_entries_touch_a_subject_it_is_computed_once_at_the_head(salon: Salon) -> None:
    calls: list[str] = []
    record(salon.log, 4_500)

    catch_up(salon.log, [counting(calls).projection])

    assert (calls, kept(salon)) == (["all"], {"": "4500"})
    assert not Mark.objects.exists()
    assert as_of(salon.log_id, "counting", "all") == 4_500


def test_what_is_marked_and_not_computed_yet_counts_as_far_as_before_it_was_touched(
    salon: Salon,
) -> None:
    record(salon.log, 3)
    catch_up(salon.log, [counting([]).projection])
    record(salon.log, 2)
    Mark.objects.create(log=salon.log, projection="counting", subject="all", since=4, position=5)
    Progress.objects.update(position=5)

    assert (as_of(salon.log_id, "counting", "all"), as_of(salon.log_id, "counting", "other")) == (
        3,
        5,
    )
    assert waiting([counting([]).projection]) == [salon.log]


def test_what_moves_while_it_is_computed_is_computed_again(salon: Salon) -> None:
    calls: list[str] = []

    def late(salon: Salon) -> dict[str, JSONText]:
        seen = events_of(salon)
        if len(calls) < 3:
            record(salon.log)
            catch_up(
                salon.log,
                [
                    ComputedProjection(
                        name="counting", touched=each.touched, compute=other, subjects=each.subjects
                    ).projection
                ],
            )
        return {"": json_text(seen)}

    def other(salon: Salon, subject: str) -> dict[str, JSONText]:
        return {"": json_text(f"another worker at {events_of(salon)}")}

    each = counting(calls, late)
    record(salon.log)
    catch_up(salon.log, [each.projection])

    assert kept(salon) == {"": '"another worker at 2"'}, "the late write of an old count is refused"
    record(salon.log)
    calls += ["", "", ""]
    catch_up(salon.log, [each.projection])
    assert kept(salon) == {"": "3"}


def test_what_there_is_no_more_is_removed_and_many_rows_come_in_small_writes(salon: Salon) -> None:
    people = {f"{number:03}": json_text(1) for number in range(2 * ROWS_A_WRITE + 5)}
    states = [people, {"000": json_text(2), "new": json_text(1)}]
    each = counting([], lambda _salon: states.pop(0))

    for expected in list(states):
        record(salon.log)
        catch_up(salon.log, [each.projection])
        assert kept(salon) == expected


def test_what_cannot_be_computed_is_parked_with_its_error_and_goes_on_when_it_is_let(
    salon: Salon,
) -> None:
    states: list[Any] = [None, {"": "1"}]
    each = counting([], lambda _salon: states.pop(0).items() and {"": json_text(1)})
    record(salon.log, 7)

    catch_up(salon.log, [each.projection])
    parked = Mark.objects.get(projection="counting")
    assert (parked.position, parked.error.partition(":")[0]) == (7, "AttributeError")
    assert not Progress.objects.exclude(error="").exists()
    assert waiting([each.projection]) == []
    resume(salon.log, "counting")
    catch_up(salon.log, [each.projection])

    assert kept(salon) == {"": "1"}


def test_a_rebuild_makes_a_new_generation_says_what_differs_and_switches_to_it(
    salon: Salon,
) -> None:
    each = counting([])
    record(salon.log, 3)
    catch_up(salon.log, [each.projection])
    Reckoning.objects.update(state=9)
    Reckoning.objects.create(
        log=salon.log,
        projection="counting",
        generation=0,
        subject="gone",
        about="x",
        position=1,
        state=1,
    )

    seen, stray = compare_reckonings(salon, [each], mend=False)
    assert (seen.key, seen.message, seen.mended) == (
        "all",
        "the counting kept are 9, the log gives 3",
        False,
    )
    assert (stray.key, stray.message) == ("gone/x", "the counting kept are 1, the log gives None")
    mended = list(compare_reckonings(salon, [each], mend=True))

    assert [(one.key, one.mended) for one in mended] == [("all", True), ("gone/x", True)]
    assert (kept(salon), Progress.objects.get().generation, Reckoning.objects.count()) == (
        {"": "3"},
        1,
        1,
    )
    assert list(compare_reckonings(salon, [each], mend=True)) == []


def test_a_rebuild_that_somebody_records_into_loses_nothing_and_blames_nobody(salon: Salon) -> None:
    calls: list[str] = []

    def disturbed(salon: Salon) -> dict[str, JSONText]:
        seen = events_of(salon)
        if len(calls) == 1:
            record(salon.log)
            catch_up(salon.log, [counting([]).projection])
        return {"": json_text(seen)}

    record(salon.log, 3)
    catch_up(salon.log, [counting([]).projection])

    assert list(compare_reckonings(salon, [counting(calls, disturbed)], mend=True)) == []
    assert (kept(salon), len(calls)) == ({"": "4"}, 2)


def test_rows_of_a_rebuild_that_was_killed_do_not_count_and_go_with_the_next(salon: Salon) -> None:
    record(salon.log, 3)
    catch_up(salon.log, [counting([]).projection])
    Reckoning.objects.create(
        log=salon.log,
        projection="counting",
        generation=1,
        subject="left",
        about="",
        position=1,
        state="7",
    )

    assert kept(salon) == {"": "3"}
    list(compare_reckonings(salon, [counting([])], mend=True))
    assert [row.subject for row in Reckoning.objects.all()] == ["all"]


def test_one_at_a_time_works_on_a_log_until_its_turn_is_over(salon: Salon, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://elsewhere/"
    record(salon.log, 3)
    calls: list[str] = []
    Turn.objects.create(
        log=salon.log, holder="another worker", until=(time.time_ns() + 10**10) // 1000
    )

    catch_up(salon.log, [counting(calls).projection])
    assert calls == []
    Turn.objects.update(until=time.time_ns() // 1000)
    catch_up(salon.log, [counting(calls).projection])

    assert (calls, Turn.objects.get().holder) == (["all"], "")


def test_a_turn_that_another_took_over_is_not_ended_by_who_had_it(
    salon: Salon, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "redis://elsewhere/"
    mine = LogLease(salon.log)
    assert mine.take()
    Turn.objects.update(holder="another worker")

    mine.leave()

    assert Turn.objects.get().holder == "another worker"
    assert not LogLease(salon.log).take()


def test_the_database_is_held_for_a_few_rows_at_a_time_while_many_are_written(
    own_database: OwnDatabase,
) -> None:
    """What a transaction costs in milliseconds is in the benchmarks; here it is how much one may
    hold.
    """
    salon = Salon.objects.create(slug="counted", name="Counted", log=open_log())
    people = {f"{number:032}": JSONText(f'"{"x" * 400}"') for number in range(1_000)}
    record(salon.log)
    written: list[int] = []
    open_rows: list[int] = []
    write_rows = computed.write_rows

    class Counted(transaction.Atomic):
        def __enter__(self) -> None:
            super().__enter__()
            open_rows.append(0)

        def __exit__(self, *what: Any) -> None:
            super().__exit__(*what)
            written.append(open_rows.pop())

    def counted(*arguments: Any) -> None:
        open_rows[0] += len(arguments[3])
        write_rows(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "Atomic", Counted)
        patch.setattr(computed, "write_rows", counted)
        catch_up(salon.log, [counting([], lambda _salon: people).projection])

    assert len(kept(salon)) == sum(written) == 1_000
    assert max(written) <= ROWS_A_WRITE


# Reads a number a line; a child of it works and dies after the statement with that number, COMMIT
# counted too. Says the signal.
DYING = """
import os, signal, sys
import django
django.setup()
from django.db import connection
from ledger.models import Log
from tournament.projections.background import catch_up
from tournament.projections.standings import STANDINGS

def work_and_die(log, number):
    done = 0
    def die_at(act):
        def acted(*args, **kwargs):
            nonlocal done
            done += 1
            result = act(*args, **kwargs)
            if done == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return result
        return acted
    connection.ensure_connection()
    connection._commit = die_at(connection._commit)
    with connection.execute_wrapper(lambda execute, *args: die_at(execute)(*args)):
        catch_up(Log.objects.get(pk=log), [STANDINGS.projection])

for line in sys.stdin:
    child = os.fork()
    if not child:
        work_and_die(int(sys.argv[1]), int(line))
        os._exit(0)
    print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def evening(own_database: OwnDatabase) -> tuple[Salon, str]:
    salon = opened_salon()
    row = in_round_1(salon)
    does(row, result(1, 250, 180))
    return salon, row.pk


def test_a_worker_killed_at_any_statement_changes_no_standings(
    own_database: OwnDatabase, evening: tuple[Salon, str]
) -> None:
    """A third of the deaths meet what an earlier one left."""
    salon, stream = evening
    environment = {**own_database.environment, "CELERY_BROKER_URL": ""}
    with subprocess.Popen(
        [sys.executable, "-c", DYING, str(salon.log_id)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as driver:
        assert driver.stdin
        assert driver.stdout
        number, deaths = 1, 0
        while True:
            driver.stdin.write(f"{number}\n")
            driver.stdin.flush()
            if int(driver.stdout.readline()) != signal.SIGKILL:
                break
            number, deaths = number + 1, deaths + 1
            place = Progress.objects.filter(projection=STANDINGS.name).first()
            rows = list(reckonings(salon.log_id, STANDINGS.name))
            assert not rows or rows == [(stream, "", standings_of(salon, stream))]
            assert place is None or not place.error
            if place and place.position == events_of(salon) and not rows:
                assert Mark.objects.filter(projection=STANDINGS.name).exists(), (
                    "nothing is forgotten on the way"
                )
            if number % 3:
                start_over()
    assert deaths > 20
    assert list(reckonings(salon.log_id, STANDINGS.name)) == [
        (stream, "", standings_of(salon, stream))
    ]
    assert list(compare_reckonings(salon, [STANDINGS], mend=False)) == []


def start_over() -> None:
    """Nothing has been computed yet."""
    for model in (Progress, Mark, Reckoning, Turn):
        model.objects.all().delete()
    connection.close()


def test_logs_without_a_salon_have_nothing_to_compute(db: None) -> None:
    log = Log.objects.get(pk=open_log().pk)
    record(log, 3)

    catch_up(log, PROJECTIONS)

    assert Progress.objects.get(projection=STANDINGS.name).position == 3
    assert not Mark.objects.exists()


def test_standings_are_rows_too_that_follow_results_and_are_mended_by_a_rebuild(db: None) -> None:
    salon = opened_salon()
    row = in_round_1(salon)
    row = does(row, result(1, 250, 180))
    catch_up(salon.log, [STANDINGS.projection])
    first, _reached = read_computed_standings(row)
    assert first is not None
    assert standing_rows(row) == rows_of(first)

    does(row, result(1, 180, 250))
    catch_up(salon.log, [STANDINGS.projection])
    second, _reached = read_computed_standings(row)
    assert second is not None
    assert standing_rows(row) == rows_of(second) != rows_of(first)

    Standing.objects.filter(stream=row, rank=1).update(rank=2, points=0)
    seen, mended = (
        list(compare_reckonings(salon, [STANDINGS], mend=mend)) for mend in (False, True)
    )
    assert {each.column for each in seen} == {"rank", "points"}
    assert [each.message for each in mended] == [each.message for each in seen]
    Standing.objects.all().delete()
    (gone,) = compare_reckonings(salon, [STANDINGS], mend=True)
    assert (gone.table, gone.key, gone.mended) == ("tournament_standing", row.pk, True)
    assert standing_rows(row) == rows_of(second)


def standing_rows(row: Tournament) -> list[tuple[Any, ...]]:
    columns = ("entry", "rank", "points", "tie_breaks", "played")
    return sorted(Standing.objects.filter(stream=row).values_list(*columns))


def rows_of(found: Standings) -> list[tuple[Any, ...]]:
    return sorted(
        (each.entry, each.rank, each.points, [*map(list, each.tie_breaks)], each.played)
        for each in found.rows
    )
