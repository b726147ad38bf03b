"""`uv run python -m tests.benchmarks.growth [--sizes 10000 100000 1000000]`: what pages and
`rebuild` take as a salon's log grows.

Milliseconds of the server's own time, medians of five, on SQLite or, with DATABASE_URL, in a fresh
database of that server. A file made once is kept in `--folder` and used again.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from tests.benchmarks.__main__ import fresh

if TYPE_CHECKING:
    from django.test import Client

    from tournament.models import Salon

SIZES = (10_000, 100_000, 1_000_000)
TIMES = 5
GOAL = 100  # milliseconds a page
STREAMS_REBUILT = 400  # from all over the log: enough to see what an event costs


def main() -> None:
    """Measure each size in a process of its own and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "accord-growth"
    )
    parser.add_argument("--measure", type=int, help="measure this size here and print JSON")
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(_measured(asked.measure)))
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    found = {size: _apart(size, asked.folder) for size in asked.sizes}
    first, last = found[asked.sizes[0]], found[asked.sizes[-1]]
    table = Table(title=f"As the log grows, {time.strftime('%Y-%m-%d')}", title_justify="left")
    for column in ("what", *(f"{size:,}" for size in asked.sizes), "last / first"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name in first:
        shown = (f"{found[size][name]:.1f}" for size in asked.sizes)
        table.add_row(name, *shown, f"{last[name] / first[name]:.2f}")
    Console(width=140).print(table)


def _apart(size: int, folder: Path) -> dict[str, float]:
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        with fresh(url) as environment:
            return _run(size, environment)
    file = folder / f"{size}.sqlite3"
    return _run(
        size,
        {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "DATABASE_URL": f"sqlite:///{file}",
        },
    )


def _run(size: int, environment: dict[str, str]) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.growth", "--measure", str(size)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _measured(size: int) -> dict[str, float]:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from ledger.store import open_log
    from tests.benchmarks.long_salons import fill, with_owner
    from tournament.models import Salon

    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", interactive=False, verbosity=0)
    salon = Salon.objects.filter(slug="long").first() or Salon.objects.create(
        slug="long", name="Long", log=open_log()
    )
    client = Client()
    client.force_login(with_owner(salon))
    if salon.log.position < size:
        fill(salon, size)
    return {
        name: _milliseconds(client, address) for name, address in _pages(salon).items()
    } | _rebuilding(salon)


def _pages(salon: "Salon") -> dict[str, str]:
    from tournament.models import Game, Player, Tournament

    event = f"/tournaments/{Tournament.objects.get(salon=salon).pk}"
    game = Game.objects.filter(salon=salon, record__startswith="copy-").order_by(
        "started_position"
    )[3]
    player = Player.objects.filter(salon=salon, name__startswith="Guest").order_by("pk")[0].pk
    halfway = (game.started_position + game.position) // 2
    narrowed = (
        "show=corrections show=rulings show=confirmations show=chips show=house "
        "by=nobody by=table:3.copies by=nobody&show=corrections "
        "until=2001-01-01T00:00 since=2200-01-01T00:00 table=4 table=nowhere "
        f"player={player} player={player}&show=corrections before=900"
    ).split()
    return {
        "history": "/history/",
        **{
            f"history, {query.replace(player, 'somebody')}": f"/history/?{query}"
            for query in narrowed
        },
        "tournament": f"{event}/",
        "its standings": f"{event}/standings/",
        "its history": f"{event}/history/",
        "it as of an entry": f"{event}/history/?as_of=700",
        "it by the time played": f"{event}/history/?as_of=23:59&clock=played",
        "it compared": f"{event}/comparison/?one=300&two=700",
        "a game as of a step": f"/games/{game.pk}/history/?as_of={game.position}",
        "a game compared": f"/games/{game.pk}/comparison/?one={halfway}",
        "tonight": "/",
        "a player": f"/players/{player}/",
        "a player's statement": f"/ledger/players/{player}/",
        "the books": "/ledger/",
    }


def _milliseconds(client: "Client", address: str) -> float:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    taken = []
    for _ in range(TIMES):
        began = time.process_time()
        client.get(address)
        taken.append(time.process_time() - began)
    return statistics.median(taken) * 1000


def _rebuilding(salon: "Salon") -> dict[str, float]:
    from tournament.projections.rebuild import _portions, differences_of, streams_of

    began = time.process_time()
    streams = streams_of(salon.log_id)
    every = max(1, len(streams) // STREAMS_REBUILT)
    some = dict(list(streams.items())[::every])
    listed = time.process_time() - began
    began = time.process_time()
    for portion in _portions(some):
        assert not list(differences_of(salon, portion, mend=False))
    folded = time.process_time() - began
    events, all_events = (
        sum(each.events for each in some.values()),
        sum(each.events for each in streams.values()),
    )
    return {"rebuild, µs an event": (folded / events + listed / all_events) * 1_000_000}


if __name__ == "__main__":
    main()
