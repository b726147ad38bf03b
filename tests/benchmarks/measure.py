"""Measure one database and print the figures as JSON, one a line; `tests.benchmarks` starts it with
its environment.
"""

import contextlib
import io
import json
import resource
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from ledger.store import open_log  # noqa: E402
from scoring.precedence.commands import MakeBid, OpenHand  # noqa: E402
from scoring.records import decide_record, read_record  # noqa: E402
from tests.benchmarks import evening, peer  # noqa: E402
from tests.invented_hands import SEATS  # noqa: E402
from tournament.demo.evening import play_evening_of_pairs  # noqa: E402
from tournament.exchange.game_records import record_file  # noqa: E402
from tournament.formats.record_files import read_json  # noqa: E402
from tournament.models import Game, Hand, Membership, Salon, Table  # noqa: E402
from tournament.projections.background import catch_up  # noqa: E402
from tournament.recording.door import record_acts, record_sheet, start_game  # noqa: E402
from tournament.tasks import PROJECTIONS  # noqa: E402

ROUNDS = 5
ACTOR = "user:1"


def main(events: int) -> None:
    """Every figure of this database, medians of five rounds; `events` is how long the log is for
    rebuild and verify.
    """
    call_command("migrate", interactive=False, verbosity=0)
    salon = _salon()
    with tempfile.TemporaryDirectory() as folder:
        library = peer.recorder(Path(folder))
        _compare(
            "hands",
            lambda: _hands_a_second(salon),
            lambda: peer.events_a_second(library, batches=40, size=50),
        )
        _compare(
            "bids",
            lambda: _bids_a_second(salon),
            lambda: peer.events_a_second(library, batches=200, size=1),
        )
    _print("pad", milliseconds=_pad_milliseconds(salon))
    _print(
        "score", hands_a_second=statistics.median(_scored_a_second(seed) for seed in range(ROUNDS))
    )
    for kind in SEATS:
        _print(
            f"score {kind}",
            hands_a_second=statistics.median(
                _scored_elsewhere(kind, seed) for seed in range(ROUNDS)
            ),
        )
    _fill(salon, 1_000)
    _over_the_log(salon, warming_up=True)  # Whatever these commands import is imported then.
    for size in (10_000, events):
        _fill(salon, size)
        _over_the_log(salon)
    _simulated(entries=400, rounds=9)


def _simulated(*, entries: int, rounds: int) -> None:
    """A whole tournament through the commands that a director and tables use, then all that
    background jobs compute of it.
    """
    salon = Salon.objects.create(slug=uuid.uuid4().hex, name="Simulated", log=open_log())
    seconds = _timed(
        lambda: play_evening_of_pairs(
            salon,
            entries=entries,
            rounds=rounds,
            seed=1,
            hands=3,
            actor=ACTOR,
            progress=lambda done: None,
        )
    )
    events = _length(salon)
    _print(f"simulate {entries} × {rounds}", events=events, events_a_second=events / seconds)
    seconds = _timed(lambda: catch_up(salon.log, PROJECTIONS))
    _print("all that jobs compute of it", events=events, events_a_second=events / seconds)


def _compare(name: str, ours: Callable[[], float], theirs: Callable[[], float]) -> None:
    """One round of each in turn, so that both meet the same noise; the first round warms up and is
    left out.
    """
    rounds = [(ours(), theirs()) for _ in range(ROUNDS + 1)][1:]
    mine, peers = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(a / b for a, b in rounds)
    _print(name, ours=mine, peer=peers, ratio=ratio)


def _salon() -> Salon:
    salon = Salon.objects.create(slug=uuid.uuid4().hex, name="Measured", log=open_log())
    owner = User.objects.create_superuser(
        username="owner@example.org", email="owner@example.org", password=uuid.uuid4().hex
    )
    Membership.objects.create(salon=salon, user=owner, role=Membership.Role.OWNER)
    Table.objects.create(salon=salon, label="1")
    return salon


def _game(salon: Salon) -> Game:
    command = uuid.uuid4().hex
    return start_game(
        salon,
        actor=ACTOR,
        command=command,
        kind="precedence",
        players=evening.PLAYERS,
        options=evening.OPTIONS,
    )


def _hands_a_second(salon: Salon) -> float:
    """Events a second, recording 60 whole hands with every card, a transaction each."""
    hands = evening.sheets(60, seed=1)
    game = _game(salon)
    version, began = game.version, time.perf_counter()
    for sheet in hands:
        version = record_sheet(
            salon, game.pk, sheet, actor=ACTOR, command=uuid.uuid4().hex, version=version
        ).version
    return (version - game.version) / (time.perf_counter() - began)


def _bids_a_second(salon: Salon) -> float:
    """Bids a second, each recorded live in its own transaction."""
    tables = [_opened(salon) for _ in range(50)]
    began = time.perf_counter()
    for stream, version in tables:
        for seat in "ESWN":
            bid = MakeBid(seat=seat, tricks=3)
            version = record_acts(
                salon, stream, [bid], actor=ACTOR, command=uuid.uuid4().hex, version=version
            ).version
    return 4 * len(tables) / (time.perf_counter() - began)


def _opened(salon: Salon) -> tuple[str, int]:
    game = _game(salon)
    opened = record_acts(
        salon,
        game.pk,
        [OpenHand(dealer="N")],
        actor=ACTOR,
        command=uuid.uuid4().hex,
        version=game.version,
    )
    return game.pk, opened.version


def _pad_milliseconds(salon: Salon) -> float:
    """What a page of the pad takes in the server, in the middle of a hand."""
    command = uuid.uuid4().hex
    game = start_game(
        salon,
        actor=ACTOR,
        command=command,
        kind="precedence",
        players=evening.PLAYERS,
        options={},
        table="1",
    )
    acts = [OpenHand(dealer="N"), *(MakeBid(seat=seat, tricks=3) for seat in "ESWN")]
    record_acts(salon, game.pk, acts, actor=ACTOR, command=uuid.uuid4().hex, version=game.version)
    client = Client()
    client.force_login(User.objects.get())
    return statistics.median(_timed(lambda: client.get("/tables/1/")) for _ in range(30)) * 1000


def _scored_a_second(seed: int) -> float:
    """Hands a second of one core's time, from the bytes of a file to the score: no disk and no
    server has a part in it.
    """
    lines = [
        evening.line(evening.sheets(20, seed=seed * 100 + game)).encode() for game in range(20)
    ]
    began = time.process_time()
    for line in lines:
        decide_record(read_record(read_json(line)))
    return 20 * len(lines) / (time.process_time() - began)


def _scored_elsewhere(kind: str, seed: int) -> float:
    """Hands a second of another game, from the bytes of a file to the score."""
    lines = [
        evening.elsewhere(kind, hands=12, seed=seed * 100 + game).encode() for game in range(10)
    ]
    played = sum(len(json.loads(line)["hands"]) for line in lines)
    return played / _timed(lambda: [decide_record(read_record(read_json(line))) for line in lines])


def _fill(salon: Salon, events: int) -> None:
    """Make the salon's log this long, with games of 25 hands."""
    hands = evening.sheets(25, seed=2)
    while _length(salon) < events:
        record_file(salon, evening.record(hands, uuid.uuid4().hex), actor=ACTOR)


def _length(salon: Salon) -> int:
    salon.log.refresh_from_db()
    return salon.log.position


def _over_the_log(salon: Salon, *, warming_up: bool = False) -> None:
    """Rebuild every row of the salon from none, and verify it; a log of a million events once, a
    shorter one five times.
    """
    events = _length(salon)
    rounds = 1 if warming_up or events > 200_000 else ROUNDS
    runs: Sequence[tuple[str, str, Mapping[str, bool]]] = (
        ("rebuild", "rebuild", {}),
        ("verify --fast", "verify", {"fast": True}),
        ("verify", "verify", {}),
    )
    for name, command, options in runs:
        seconds = []
        for _ in range(rounds):
            if command == "rebuild":
                Hand.objects.all().delete()
                Game.objects.filter(salon=salon).delete()
            seconds.append(_timed(partial(_quiet, command, **options)))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        if not warming_up:
            _print(
                name,
                events=events,
                events_a_second=events / statistics.median(seconds),
                peak_megabytes=peak,
            )


def _quiet(command: str, **options: Any) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        call_command(command, **options)


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _print(name: str, **figures: float) -> None:
    print(json.dumps({"name": name, "database": connection.vendor, **figures}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
