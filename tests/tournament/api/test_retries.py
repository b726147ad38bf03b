"""Writes sent again and again with the same keys, by several clients at once: each is done once,
and all get the one answer.
"""

import random
import threading
import uuid
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from pytest_django.fixtures import Settings

from ledger.models import Command, Event
from tests.conftest import OwnDatabase
from tests.tournament.api.calling import A_HAND, SEATED, Caller, owner_calls, version_of
from tests.tournament.helpers.salons import opened_salon
from tournament.models import ApiToken, Game, KeptAnswer, Salon, Tournament

CLIENTS = 4
TIMES = 5  # each write is sent so often


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A write with its key, and the version it builds on where it needs one."""

    path: str
    body: Any
    key: str
    version: int | None = None


def writes(owner: Caller, salon: Salon, games: int) -> list[Write]:
    """Writes of every kind that don't hinder each other."""
    found = []
    for table in range(games):
        game = owner.post(
            "games/", {"game": "precedence", "players": SEATED, "table": f"T{table}"}
        ).value["stream"]
        found.append(
            Write(
                path=f"games/{game}/hands/",
                body={"dealer": "S"} | A_HAND,
                key=a_key(),
                version=version_of(game),
            )
        )
        new = {"game": "precedence", "players": SEATED, "table": f"N{table}"}
        found.append(Write(path="games/", body=new, key=a_key()))
        stage = {"kind": "swiss", "rounds": 3}
        found.append(
            Write(
                path="tournaments/",
                body={"name": f"Cup {table}", "game": "precedence", "stage": stage},
                key=a_key(),
            )
        )
        found.append(Write(path="stocks/", body={"name": f"Stock {table}"}, key=a_key()))
        found.append(
            Write(
                path="tokens/",
                body={"name": f"Token {table}", "scopes": ["see the salon"]},
                key=a_key(),
            )
        )
    return found


def a_key() -> str:
    return str(uuid.uuid4())


def sent(owner: Caller, all_writes: list[Write], number: int) -> dict[str, list[tuple[int, Any]]]:
    """What each write was answered, sent in another order by each client, as often as there are
    tries.
    """
    answers: dict[str, list[tuple[int, Any]]] = defaultdict(list)
    lock = threading.Lock()

    def client(name: int) -> None:
        mine = [each for each in all_writes for _ in range(TIMES)]
        random.Random(f"{number} {name}").shuffle(mine)
        own = Caller(salon=owner.salon, token=owner.token)
        for each in mine:
            answer = own.post(each.path, each.body, key=each.key, version=each.version)
            with lock:
                answers[each.key].append((answer.status, answer.value))
        connection.close()

    threads = [threading.Thread(target=client, args=(name,)) for name in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def check(games: int, number: int) -> None:
    """Every key was done once, and every client got its answer."""
    salon = opened_salon()
    owner = owner_calls(salon)
    all_writes = writes(owner, salon, games)
    before = Command.objects.filter(log=salon.log_id).count()

    answers = sent(owner, all_writes, number)

    for write in all_writes:
        got = answers[write.key]
        assert len(got) == CLIENTS * TIMES
        assert {status for status, _value in got} == {201}, (write.path, got)
        told = {
            str({**value, "token": ""} if "token" in value else value) for _status, value in got
        }
        assert len(told) == 1, (write.path, told)
    assert Command.objects.filter(log=salon.log_id).count() - before == 4 * games
    assert Game.objects.count() == 2 * games
    assert Tournament.objects.count() == games
    assert ApiToken.objects.count() == 1 + games == 1 + KeptAnswer.objects.count()
    hands = Event.objects.filter(log=salon.log_id, type="hand.closed")
    assert hands.count() == games
    positions = list(
        Event.objects.filter(log=salon.log_id)
        .order_by("position")
        .values_list("position", flat=True)
    )
    assert positions == list(range(1, len(positions) + 1))


@pytest.fixture(autouse=True)
def no_throttle(settings: Settings) -> None:
    settings.API_RATES = {"token": "1000000/min", "address": "1000000/min"}
    cache.clear()


def test_a_write_sent_twenty_times_by_four_clients_is_done_once(own_database: OwnDatabase) -> None:
    check(1, number=0)


@pytest.mark.long
@pytest.mark.parametrize("number", range(10))
def test_of_a_thousand_interleaved_retries_none_is_done_twice(
    own_database: OwnDatabase, number: int
) -> None:
    check(10, number=number)
