"""A new director practises: the tables play by themselves, something happens, and nothing of it
counts.
"""

import pytest
from django.core.management import call_command
from django.test import Client

from ledger.models import Account, Event
from tests.tournament.helpers.evenings import command_on, does, send
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import owner_of
from tournament.demo.practice import ALL_TABLES, FIRST_TABLES, open_practice, play_on
from tournament.domain.standings.values import Result
from tournament.domain.tournament.clock import ExtendTime, StartClock
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.practice_lessons import LATECOMERS, Lesson, lessons
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import ClearTable, EnterResult, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.state import State
from tournament.models import Player, Reckoning, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def practice(salon: Salon) -> Tournament:
    return open_practice(
        salon, name="Practice evening", actor="user:1", command=a_command(), seed=3
    )


def published(row: Tournament, number: int) -> Tournament:
    if number == 1:
        does(
            row,
            *(CheckIn(entry=entry.id) for entry in state_of(row).entries),
            EnterPhase(phase="running"),
        )
    return does(row, DrawRound(round=number), PublishRound(round=number))


def wait(row: Tournament, seconds: int) -> State:
    """The tournament so many seconds after its last round was published."""
    at = (
        Event.objects.filter(stream=row.pk, type="tournament.round_published")
        .order_by("-version")
        .values_list("recorded_at", flat=True)[0]
    )
    play_on(row.salon, now=at + seconds * 1_000_000)
    row.refresh_from_db()
    return state_of(row)


def lesson(state: State, step: str) -> Lesson:
    return next(each for each in lessons(state) if each.step == step)


def settled(state: State) -> int:
    return sum(table.is_settled for table in state.rounds[-1].tables)


def test_the_tables_report_by_and_by_but_for_those_that_wait_for_somebody(salon: Salon) -> None:
    row = published(practice(salon), 1)

    assert settled(wait(row, FIRST_TABLES - 1)) == 0
    quick, everybody = settled(wait(row, FIRST_TABLES)), wait(row, ALL_TABLES)
    assert quick in (1, 2)
    assert settled(everybody) == 3
    (waiting,) = [table for table in everybody.rounds[0].tables if not table.is_settled]
    assert lesson(everybody, "no_show").table == waiting.table
    assert all(
        max(result.score or 0 for result in table.results) >= 25_000
        for table in everybody.rounds[0].tables
        if table.results
    )


def test_every_lesson_can_be_learned_and_the_evening_be_finished(salon: Salon) -> None:
    row = published(practice(salon), 1)
    state = wait(row, ALL_TABLES)
    gone = lesson(state, "no_show")
    does(row, ForfeitTable(round=1, table=gone.table, absent=(gone.entry,)))
    does(row, MakeEntry(players=(("1", LATECOMERS[0]), ("2", LATECOMERS[1]))), CloseRound(round=1))
    published(row, 2)
    slow = lesson(state_of(row), "slow")
    does(
        row,
        StartClock(round=2, at=1, seconds=60),
        ExtendTime(round=2, table=slow.table, seconds=300),
    )
    state = wait(row, ALL_TABLES)
    assert {each.step for each in lessons(state) if not each.done} == {"late", "swapped", "leaving"}
    swapped = lesson(state, "swapped")
    does(
        row,
        GivePenalty(
            entry=lesson(state, "late").entry, points=-50, after_round=2, reason="Late.", by="Mara"
        ),
    )
    does(row, ClearTable(round=2, table=swapped.table))
    assert state_of(row).rounds[1].tables == wait(row, 10 * ALL_TABLES).rounds[1].tables, (
        "what was taken back is the director's"
    )
    results = tuple(Result(score=100 * score) for score in swapped.scores)
    does(row, EnterResult(round=2, table=swapped.table, results=results), CloseRound(round=2))
    does(row, Withdraw(entry=lesson(state, "leaving").entry))
    published(row, 3)
    state = wait(row, ALL_TABLES)
    does(row, CloseRound(round=3), EnterPhase(phase="finished"))

    assert len(lessons(state)) == 6
    assert all(each.done for each in lessons(state))
    assert list(audit(salon)) == []


def test_practice_counts_for_nobody(salon: Salon) -> None:
    row = published(practice(salon), 1)
    state = wait(row, ALL_TABLES)
    gone = lesson(state, "no_show")
    does(
        row,
        ForfeitTable(round=1, table=gone.table, absent=(gone.entry,)),
        CloseRound(round=1),
        EnterPhase(phase="finished"),
    )
    catch_up(salon.log, PROJECTIONS)

    assert not Reckoning.objects.filter(projection__in=("ratings", "careers")).exists()
    assert not Account.objects.filter(log=salon.log_id).exists()
    assert not Player.objects.filter(salon=salon, practice=False).exists()
    one = Player.objects.filter(salon=salon).order_by("name")[0].name
    assert (
        f'data-name="{one}"'
        not in owner_of(salon).get("/players/", {"q": one[:4], "seat": "W"}).text
    )
    assert send(owner_of(salon), row, "ratings", rated="yes").status_code in (404, 422)


def test_who_has_played_elsewhere_stays_a_player_of_the_salon(salon: Salon) -> None:
    from tests.tournament.helpers.evenings import PAIRS, registered

    registered(salon)
    row = practice(salon)
    does(
        row,
        MakeEntry(players=(("1", PAIRS[0][0]), ("2", LATECOMERS[0]))),
        EnterPhase(phase="running"),
    )
    play_on(salon, now=0)

    kept = dict(
        Player.objects.filter(name__in=[PAIRS[0][0], LATECOMERS[0]]).values_list("name", "practice")
    )
    assert kept == {PAIRS[0][0]: False, LATECOMERS[0]: True}


def test_it_is_begun_from_the_page_once_and_seen_by_those_who_direct(salon: Salon) -> None:
    owner = owner_of(salon)
    command = command_on(owner.get("/tournaments/"))
    answers = [owner.post("/tournaments/practice/", {"command": command}) for _ in range(2)]

    assert {answer["Location"] for answer in answers} == {f"/tournaments/{command}/desk/"}
    page = told(owner.get(f"/tournaments/{command}/desk/"))
    assert "nothing of this counts" in page
    assert "8 entries are not checked in" in page
    assert Client().get(f"/tournaments/{command}/").status_code == 404
    assert "Practice evening" not in told(Client().get("/tournaments/"))
    row = published(Tournament.objects.get(pk=command), 1)
    wait(row, ALL_TABLES)
    page = told(owner.get(f"/tournaments/{command}/desk/"))
    assert "have not come to table" in page
    assert f"{LATECOMERS[0]} and {LATECOMERS[1]} are at the door." in page
    assert "The tables of a practice evening" in told(owner.get(f"/tournaments/{command}/history/"))


def test_the_command_sets_one_up_in_a_salon_that_is_there(
    salon: Salon, capfd: pytest.CaptureFixture[str]
) -> None:
    call_command("simulate", "--practice")

    row = Tournament.objects.get()
    assert f"/tournaments/{row.pk}/desk/" in capfd.readouterr().out
    assert state_of(row).practice
    assert len(state_of(row).entries) == 8
