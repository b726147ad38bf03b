"""The web process is killed again and again while programs record by the API: all that was
acknowledged is there once, nothing half.
"""

import json
import os
import random
import signal
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from ledger.models import Command
from ledger.verify import verify_log
from tests.conftest import OwnDatabase
from tests.tournament.api.calling import A_HAND, owner_calls
from tests.tournament.helpers.running import PATIENCE, Running, running, wait_for
from tests.tournament.helpers.salons import opened_salon
from tournament.models import Game, Hand
from tournament.projections.audit import audit
from tournament.projections.background import waiting
from tournament.projections.rebuild import differences
from tournament.tasks import PROJECTIONS

CLIENTS = 4
KILLS = 12
SECONDS_BETWEEN = (
    6.0,
    7.5,
)  # from an answer to the next kill: a process that dies sooner is held for one that can't live
REST = 0.05  # seconds before something is sent again


@dataclass(slots=True)
class Scribe:
    """A program that plays one game after the other, hand by hand, and sends each until it is
    answered.
    """

    service: Running
    salon: str
    token: str
    players: dict[str, str]
    table: str
    game: str = ""
    version: int = 0
    hands: dict[str, int] = field(default_factory=dict)  # how many of each game were acknowledged
    versions: dict[str, int] = field(default_factory=dict)  # what each game came to
    keys: list[str] = field(default_factory=list)  # under which everything was acknowledged
    replayed: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def record(self, until: threading.Event) -> None:
        """Record until told to stop."""
        while not until.is_set() and not self.wrong:
            self._begin()
            while not until.is_set() and not self.wrong and self._one_more_hand():
                pass

    def _begin(self) -> None:
        begun = self._acknowledged(
            "games/", {"game": "precedence", "players": self.players, "table": self.table}
        )
        if begun is not None:
            self.game = str(begun["stream"])
            self._came_to(begun, 0)

    def _one_more_hand(self) -> bool:
        """Whether the game goes on after it."""
        played = self.hands[self.game]
        done = self._acknowledged(
            f"games/{self.game}/hands/",
            A_HAND | ({} if played else {"dealer": "S"}),
            over=played > 0,
        )
        if done is not None:
            self._came_to(done, played + 1)
        return done is not None

    def _came_to(self, done: dict[str, Any], hands: int) -> None:
        self.version = self.versions[self.game] = int(done["version"])
        self.hands[self.game] = hands

    def _acknowledged(
        self, path: str, body: object, *, over: bool = False
    ) -> dict[str, Any] | None:
        """What came back; None for a game that is over. The same is sent under the same key until
        there is an answer.
        """
        key, deadline = str(uuid.uuid4()), time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                done, again = self._sent(path, body, key)
            except urllib.error.HTTPError as refused:
                if refused.code == 503:
                    time.sleep(REST)
                    continue
                if not (over and refused.code == 422):
                    self.wrong.append(f"{refused.code} {refused.read().decode()}")
                return None
            except (OSError, HTTPException):
                self.lost += 1
                time.sleep(REST)
                continue
            self.replayed += again
            self.keys.append(key.replace("-", ""))
            return done
        self.wrong.append("no answer came")
        return None

    def _sent(self, path: str, body: object, key: str) -> tuple[dict[str, Any], bool]:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        if path != "games/":
            headers["If-Match"] = f'"{self.version}"'
        address = f"{self.service.url}api/v1/salons/{self.salon}/{path}"
        with urllib.request.urlopen(
            urllib.request.Request(address, json.dumps(body).encode(), headers), timeout=PATIENCE
        ) as answer:
            return json.load(answer), answer.headers.get("Idempotency-Replayed") == "true"


@pytest.mark.long
def test_what_was_acknowledged_before_a_kill_is_stored_once_and_nothing_half(
    own_database: OwnDatabase, tmp_path: Path, record_property: Any
) -> None:
    environment = {
        name: value
        for name, value in own_database.environment.items()
        if name not in ("CELERY_BROKER_URL", "REDIS_URL")
    }
    environment |= {"API_RATE_TOKEN": "100000/min", "API_RATE_ADDRESS": "100000/min"}
    salon = opened_salon()
    token = owner_calls(salon).token

    with running(tmp_path / "data", environment) as service:
        scribes = [
            Scribe(
                service,
                salon.slug,
                token,
                {seat: f"Player {seat} {number}" for seat in "NESW"},
                str(number),
            )
            for number in range(1, CLIENTS + 1)
        ]
        with recording(scribes):
            killed_again_and_again(service)
        assert wait_for(lambda: not list(waiting(PROJECTIONS))), (
            service.said()
        )  # what follows from the log comes, too
        assert service.end() == 0

    acknowledged = [key for each in scribes for key in each.keys]
    stored = [
        key.replace("-", "")
        for key in Command.objects.filter(log=salon.log).values_list("key", flat=True)
    ]
    assert [each.wrong for each in scribes] == [[]] * CLIENTS
    assert len(acknowledged) > KILLS
    assert sorted(stored) == sorted(acknowledged)
    for each in scribes:
        assert {game: Hand.objects.filter(game=game).count() for game in each.hands} == each.hands
        assert (
            dict(Game.objects.filter(pk__in=each.versions).values_list("pk", "version"))
            == each.versions
        )
    assert list(verify_log(salon.log_id)) == []
    assert list(audit(salon)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    record_property(
        "counted",
        f"{KILLS} kills of the web process: {len(acknowledged)} acts acknowledged, "
        f"{sum(each.replayed for each in scribes)} of them again"
        f" after a lost answer, {sum(each.lost for each in scribes)} requests without an answer",
    )


@contextmanager
def recording(scribes: Sequence[Scribe]) -> Iterator[None]:
    """All of them record meanwhile; at the end each waits for its last answer."""
    stop = threading.Event()
    threads = [threading.Thread(target=each.record, args=(stop,), daemon=True) for each in scribes]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        stop.set()
        for each in threads:
            each.join(PATIENCE)


def killed_again_and_again(service: Running) -> None:
    """At moments that nobody chose, each time once the one before has been overcome."""
    chance = random.Random(20261122)
    for _ in range(KILLS):
        time.sleep(chance.uniform(*SECONDS_BETWEEN))
        os.kill(service.web_process(), signal.SIGKILL)
        assert wait_for(service.answers), service.said()
