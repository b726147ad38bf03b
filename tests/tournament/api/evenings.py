"""What an evening that was run through the API alone must have come to, whoever ran it; and the
background work it waits for.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from tournament.models import Game, Salon, Tournament
from tournament.models.written_json import json_text
from tournament.projections.audit import audit
from tournament.tasks import sweep

SECONDS_BETWEEN_SWEEPS = 0.2


@contextmanager
def working() -> Iterator[None]:
    """Meanwhile a worker does what background tasks do."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(SECONDS_BETWEEN_SWEEPS):
            sweep()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        over.set()
        worker.join()


def check_evening(
    salon: Salon, standings: dict[str, Any], tournament: dict[str, Any], records: dict[str, Any]
) -> None:
    """Every hand, confirmation and standing is there, and the files say the same."""
    row = Tournament.objects.get(salon=salon)
    games = list(Game.objects.filter(salon=salon).order_by("table"))
    assert (row.phase, row.rounds) == ("finished", 1)
    assert [(game.table, game.finished, game.hand_set.count()) for game in games] == [
        ("1", True, 2),
        ("2", True, 2),
    ]
    assert all('"state":"confirmed"' in json_text(game.confirmation) for game in games)
    assert [each["points"] for each in standings["rows"]] == [1, 1, 0, 0]
    assert standings["behind"] == 0
    assert tournament["format"] == "salon-tournament/1"
    assert [len(tables["tables"]) for tables in tournament["rounds"]] == [2]
    assert sorted(record["id"] for record in records["items"]) == sorted(
        game.record for game in games
    )
    assert list(audit(salon)) == []
