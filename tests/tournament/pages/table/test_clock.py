"""The clock of a round: at the desk, on pads, hand sheets and boards, and where everybody looks for
a seat.
"""

import re
from dataclasses import replace

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.playing import a_command, flat, playing, told
from tests.tournament.helpers.salons import opened_salon, owner_of, scorer_at
from tournament.domain.tournament.clock import (
    CallLastHand,
    ExtendTime,
    PauseClock,
    RecallLastHand,
    StartClock,
)
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.state import MICROSECONDS, Clock, RoundState, TableState
from tournament.models import Game, Salon, Tournament
from tournament.queries import round_clocks
from tournament.queries.round_clocks import clock_of
from tournament.queries.tournament import load_tournament
from tournament.recording.tournaments import start_linked_game
from tournament.salons.public_names import Audience

AGAIN = {"HX-Request": "true"}
NOW = 1_700_000_000 * MICROSECONDS  # 22:13:20 UTC
MINUTE = 60 * MICROSECONDS


@pytest.fixture
def salon(db: None, monkeypatch: pytest.MonkeyPatch) -> Salon:
    at(monkeypatch, NOW)
    return opened_salon()


@pytest.fixture
def row(salon: Salon) -> Tournament:
    """Round 1 of two tables, its games begun at the tables 1 and 2 of the salon."""
    row = in_round_1(salon)
    for table in (1, 2):
        row.refresh_from_db()
        start_linked_game(
            salon,
            row.pk,
            round=1,
            table=table,
            label=str(table),
            actor="user:1",
            command=a_command(),
            version=row.version,
        )
    return row


def at(monkeypatch: pytest.MonkeyPatch, now: int) -> None:
    monkeypatch.setattr(round_clocks, "time_ns", lambda: now * 1000)


def seen(page: str) -> list[str]:
    """What the clocks of a page say to the eye."""
    clocks_there = re.findall(r'<p class="clock">(.*?)</p>', flat(page), re.DOTALL)
    return [
        " ".join(
            re.sub(
                r"<[^>]+>", " ", re.sub(r"<span hidden>.*?</span>", "", each, flags=re.DOTALL)
            ).split()
        )
        for each in clocks_there
    ]


def pages_of(table: int) -> dict[str, list[str]]:
    """What the pad, the hand sheet and the board of a table say of its clock, and the address that
    renews it.
    """
    game = Game.objects.get(table=str(table))
    scorer = scorer_at(game.salon, str(table))
    return {
        "pad": seen(scorer.get(f"/tables/{table}/").text),
        "sheet": seen(scorer.get(f"/tables/{table}/sheet/").text),
        "board": seen(Client().get(f"/games/{game.pk}/").text),
        "renewed": seen(Client().get(f"/games/{game.pk}/clock/").text),
    }


def all_say(table: int, *words: str) -> bool:
    said = pages_of(table)
    return all(each == list(words) for each in said.values())


@given(
    seconds=st.integers(60, 7200),
    extension=st.integers(-600, 600),
    steps=st.lists(st.integers(1, 1000), max_size=6),
    later=st.integers(0, 9000),
)
def test_what_is_left_is_the_time_given_less_the_time_it_ran(
    seconds: int, extension: int, steps: list[int], later: int
) -> None:
    """The oracle counts every second in which the clock ran, one by one; in steps of even number it
    runs, in the others it stands.
    """
    now, ran, clock = NOW, 0, Clock(seconds=seconds)
    for place, step in enumerate(steps):
        runs = place % 2 == 0
        clock = Clock(seconds=seconds, spent=ran * MICROSECONDS, since=now if runs else None)
        now, ran = now + step * MICROSECONDS, ran + sum(1 for _ in range(step) if runs)
    runs = len(steps) % 2 == 0
    clock = Clock(seconds=seconds, spent=ran * MICROSECONDS, since=now if runs else None)
    table = TableState(table=1, entries=("1", "2"), extension=extension)
    each = RoundState(number=1, tables=(table,), byes=(), engine="", digest="", clock=clock)
    with pytest.MonkeyPatch.context() as patch:
        at(patch, now + later * MICROSECONDS)
        of_table, of_round = clock_of(each, 1), clock_of(each)

    assert of_table is not None
    assert of_round is not None
    left = seconds - ran - (later if runs else 0)
    assert (of_round.seconds_left, of_table.seconds_left) == (left, left + extension)
    assert (of_table.ends_at is not None) == runs
    if of_table.ends_at is not None:
        assert of_table.ends_at.timestamp() == now // MICROSECONDS + seconds + extension - ran, (
            "it ends when nothing is left"
        )


def test_every_page_of_a_table_says_what_is_left_and_when_it_ends(
    row: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all_say(1), "no clock was started"
    does(row, StartClock(round=1, at=NOW, seconds=3000), ExtendTime(round=1, seconds=300, table=2))
    at(monkeypatch, NOW + 10 * MINUTE)

    assert all_say(1, "40:00 left, until 23:03"), pages_of(1)
    assert all_say(2, "45:00 left, until 23:08 (5:00 more for this table)"), pages_of(2)
    assert "Spring Cup , round 1, table 2" in told(scorer_at(row.salon, "2").get("/tables/2/"))


@pytest.mark.parametrize(
    ("commands", "minutes", "words"),
    [
        ((), 60, "−10:00 over time, since 23:03"),
        ((PauseClock(round=1, at=NOW + 5 * MINUTE),), 60, "45:00 left; the clock stands"),
        ((PauseClock(round=1, at=NOW + 55 * MINUTE),), 60, "−5:00 over time; the clock stands"),
        (
            (CallLastHand(round=1, at=NOW),),
            10,
            "Finish the hand in progress. 40:00 left, until 23:03",
        ),
        ((CallLastHand(round=1, at=NOW), RecallLastHand(round=1)), 10, "40:00 left, until 23:03"),
    ],
)
def test_a_pause_the_last_hand_and_time_that_is_over_are_said_in_words(
    row: Tournament,
    monkeypatch: pytest.MonkeyPatch,
    commands: tuple[object, ...],
    minutes: int,
    words: str,
) -> None:
    does(row, StartClock(round=1, at=NOW, seconds=3000), *commands)
    at(monkeypatch, NOW + minutes * MINUTE)

    assert all_say(1, words), pages_of(1)
    assert seen(Client().get(f"/tournaments/{row.pk}/").text) == [words]
    assert seen(owner_of(row.salon).get(f"/tournaments/{row.pk}/desk/").text) == [words]


def test_the_last_hand_is_called_without_a_clock_too(row: Tournament) -> None:
    does(row, CallLastHand(round=1, at=NOW))

    assert all_say(1, "Finish the hand in progress."), pages_of(1)


def test_who_asks_where_they_sit_sees_the_time_of_their_table(row: Tournament) -> None:
    does(row, StartClock(round=1, at=NOW, seconds=3000), ExtendTime(round=1, seconds=300, table=2))
    usual, longer = "50:00 left, until 23:03", "55:00 left, until 23:08 (5:00 more for this table)"
    names = {table: row_name(row, table) for table in (1, 2)}

    assert seen(Client().get(f"/tournaments/{row.pk}/").text) == [usual, longer]
    assert seen(Client().get(f"/tournaments/{row.pk}/", {"q": names[2]}).text) == [
        longer,
        usual,
        longer,
    ], "found first"
    assert seen(Client().get(f"/tournaments/{row.pk}/", {"q": names[1]}).text) == [usual, longer]


def row_name(row: Tournament, table: int) -> str:
    """The first name of somebody at this table."""
    entry = load_tournament(row, Audience.SALON).state.rounds[0].tables[table - 1].entries[0]
    return load_tournament(row, Audience.SALON).entries[entry].split()[0]


@pytest.mark.parametrize("address", ["/games/{}/clock/", "/games/{}/"])
def test_a_table_s_clock_is_sent_again_when_a_director_did_something_to_it_and_else_not(
    row: Tournament, address: str
) -> None:
    address = address.format(Game.objects.get(table="1").pk)
    etag = Client().get(address, headers=AGAIN)["ETag"]
    for act in (
        StartClock(round=1, at=NOW, seconds=3000),
        ExtendTime(round=1, seconds=60, table=1),
        ExtendTime(round=1, seconds=60),
        CallLastHand(round=1, at=NOW),
        PauseClock(round=1, at=NOW + MINUTE),
        RecallLastHand(round=1),
    ):
        assert Client().get(address, headers=AGAIN | {"If-None-Match": etag}).status_code == 304
        does(row, act)
        answer = Client().get(address, headers=AGAIN | {"If-None-Match": etag})
        assert answer.status_code == 200, act
        etag = answer["ETag"]
    does(row, ExtendTime(round=1, seconds=60, table=2))
    assert Client().get(address, headers=AGAIN | {"If-None-Match": etag}).status_code == 304, (
        "another table's time is its own"
    )


def test_a_closed_round_has_no_clock_any_more(row: Tournament) -> None:
    typed = [
        replace(result(table, 250, 180), game="end", reason="It was stopped.") for table in (1, 2)
    ]
    does(row, StartClock(round=1, at=NOW, seconds=3000), *typed, CloseRound(round=1))
    assert all_say(1)

    does(row, DrawRound(round=2), PublishRound(round=2))

    assert seen(Client().get(f"/tournaments/{row.pk}/").text) == []


def test_a_game_of_no_event_asks_for_no_clock(salon: Salon) -> None:
    game = playing(salon)

    assert f"/games/{game.pk}/clock/" not in owner_of(salon).get(f"/tables/{game.table}/").text
    assert Client().get(f"/games/{game.pk}/clock/").text.strip() == ""


def test_a_pad_names_the_event_and_its_round_without_a_clock_too(row: Tournament) -> None:
    for page in ("/tables/1/", "/tables/1/sheet/"):
        text = flat(scorer_at(row.salon, "1").get(page).text)
        assert f'<a href="/tournaments/{row.pk}/">{row.name}</a>' in text
        assert "round 1, table 1" in text
